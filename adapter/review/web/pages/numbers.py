"""Pages for recall, agreement between readers, and the sample size needed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.review.figures.intervals import plan
from adapter.review.web.drawing import bars

if TYPE_CHECKING:
    from starlette.responses import Response

    from adapter.review.web.call import Call


def recall(call: Call) -> Response:
    """Show the recall report; it identifies no message."""
    made = call.console.figures.report()
    return call.page("report.html", made=made, picture=bars(made.by_label), plan=_plan(call))


def _plan(call: Call) -> dict[str, object]:
    """Return the values of the sample-size form, and the sample size or the error."""
    asked = {"shown": "0.985", "truth": "0.99", "mentions": "52"}
    asked |= {name: call.query[name] for name in asked if call.query.get(name)}
    try:
        shown, truth, mentions = (float(asked[name]) for name in ("shown", "truth", "mentions"))
        return {**asked, "needed": plan(shown, truth, mentions), "wrong": ""}
    except (ValueError, OverflowError):
        wrong = "The true recall must lie between the recall to be shown and 1."
        return {**asked, "needed": None, "wrong": wrong}


def agreement(call: Call) -> Response:
    """Show kappa and F1 for each pair of readers."""
    made = call.console.figures.report()
    return call.page("agreement.html", made=made)
