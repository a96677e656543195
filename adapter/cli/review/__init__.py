"""``deid-adapter review``: manages the review console: messages, people, reports and rules."""

from __future__ import annotations

import typer

from adapter.cli.review.figures import report, verify
from adapter.cli.review.intake import import_, sample
from adapter.cli.review.people import app as people
from adapter.cli.review.rules import apply, export
from adapter.cli.review.serving import init, serve

app = typer.Typer(
    help="Review the adapter's decisions, and turn corrections into rules.", no_args_is_help=True
)


@app.callback()
def review() -> None:
    """Review the adapter's decisions, and turn corrections into rules."""


app.command("init")(init)
app.add_typer(people, name="people")
app.command("import")(import_)
app.command("sample")(sample)
app.command("serve")(serve)
app.command("report")(report)
app.command("export")(export)
app.command("apply")(apply)
app.command("verify")(verify)
