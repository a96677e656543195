"""The command ``deid-adapter``: one file a command."""

from __future__ import annotations

import sys

import typer

from adapter.cli import check, demo, explain, file, keys, quarantine, run, schema, tag
from adapter.errors import AdapterError, RuleError

app = typer.Typer(
    name="deid-adapter",
    help="Streaming HL7 v2 and FHIR de-identification.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.command("demo")(demo.demo)
app.command("run")(run.run)
app.command("file")(file.file)
app.command("explain")(explain.explain)
app.command("tag")(tag.tag)
app.command("check")(check.check)
app.add_typer(keys.app, name="keys")
app.add_typer(quarantine.app, name="quarantine")
app.add_typer(schema.app, name="schema")


def main() -> None:
    """Run a command; what is wrong with rules, settings or input ends it with status 2."""
    try:
        app()
    except (RuleError, AdapterError) as error:
        typer.echo(f"error: {error}", err=True)
        sys.exit(2)
    except OSError as error:
        typer.echo(f"error: {error.filename}: {error.strerror}", err=True)
        sys.exit(2)
