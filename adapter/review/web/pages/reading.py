"""Pages of a reading: view, judge, undo, finish, retry, and judge all occurrences of a phrase."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from adapter.review import alike
from adapter.review.judging.actions import Action, ActionError, Kind, Status
from adapter.review.judging.editing import occurrences
from adapter.review.judging.reasons import WORDINGS, Addition, Rejection, preset
from adapter.review.roles import Right, has
from adapter.review.store.protocol import Conflict
from adapter.review.web.call import redirect
from adapter.review.web.shown import original, sanitized
from adapter.types import Label

if TYPE_CHECKING:
    from starlette.responses import Response

    from adapter.review.views import View
    from adapter.review.web.call import Call


OK = 200


def show(call: Call) -> Response:
    """Show a reading, after its view was recorded."""
    view = call.desk.view(call.person, call.path["reading"])
    call.console.originals.opened(call.token, call.person, view)
    return _page(call, view, call.number("span"))


def _page(
    call: Call,
    view: View,
    current: int,
    *,
    status: int = OK,
    notice: str = "",
    again: object = None,
) -> Response:
    call.console.originals.repeated(call.token, call.person, view)
    current = current if current in view.spans else _first(view)
    template = "work.html" if call.by_htmx else "reading.html"
    return call.page(
        template,
        OK if call.by_htmx else status,  # htmx swaps in only responses with status 200
        view=view,
        current=current,
        judged=view.state[current] if current >= 0 else None,
        preset=preset(view.state[current].source) if current >= 0 else "",
        rejections=[(n, reason, WORDINGS[reason]) for n, reason in enumerate(Rejection, 1)],
        additions=[(n, reason, WORDINGS[reason]) for n, reason in enumerate(Addition, 1)],
        labels=list(Label),
        original=partial(original, view),
        sanitized=partial(sanitized, view),
        span_text=view.phrase,
        wordings=WORDINGS,
        notice=notice,
        refused=status != OK,
        again=again,
        can_retry=_can_retry(call, view),
    )


def _can_retry(call: Call, view: View) -> bool:
    held = view.reading.queue == "held" and bool(view.item.name)
    return held and call.console.retry is not None and has(call.person, Right.HELD)


def _first(view: View) -> int:
    """Return the first span to judge that is still open, else the first; -1 if there is none."""
    asked = view.asked
    still = (n for n in asked if view.state[n].status is Status.OPEN)
    return next(still, asked[0] if asked else -1)


def _next(view: View, span: int) -> int:
    """Return the span after the one just judged, or the last one."""
    spans = view.spans
    if span not in spans:
        return spans[-1] if spans else -1
    at = spans.index(span)
    return spans[min(at + 1, len(spans) - 1)]


def _action(call: Call) -> Action:
    """Return the action that a form describes.

    Raises:
        ActionError: the kind is unknown, or a number is not an integer.
    """
    form = call.form
    if form.get("kind") not in set(Kind):
        raise ActionError("there is no such step")
    kind = Kind(form["kind"])
    return Action(
        kind,
        span=call.number("span"),
        text=call.number("text"),
        start=call.number("start", 0),
        end=call.number("end", 0),
        label=form.get("add_label" if kind is Kind.ADD else "label", ""),
        reason=form.get("reason", ""),
        left=call.number("left", 0),
        right=call.number("right", 0),
    )


def act(call: Call) -> Response:
    """Apply an action; after a conflict, show the present state with the rejected action."""
    name, version, action = call.path["reading"], call.number("version"), _action(call)
    try:
        view = call.desk.act(call.person, name, version, [action])
    except Conflict as conflict:
        view = call.desk.view(call.person, name)
        notice = f"Nothing was changed: {conflict}. This is how it stands now."
        return _page(call, view, action.span, status=409, notice=notice, again=action)
    except ActionError as error:
        view = call.desk.view(call.person, name)
        return _page(call, view, action.span, status=400, notice=f"This cannot be done: {error}.")
    if not call.by_htmx:
        return redirect(f"/readings/{name}?span={_after(view, action)}")
    return _page(call, view, _after(view, action))


def _after(view: View, action: Action) -> int:
    if action.kind is Kind.ADD:
        return len(view.state) - 1
    if action.kind in {Kind.RESIZE, Kind.RELABEL}:
        return action.span
    return _next(view, action.span)


def undo(call: Call) -> Response:
    """Undo the last step."""
    name = call.path["reading"]
    try:
        view = call.desk.undo(call.person, name, call.number("version"))
    except Conflict as conflict:
        view = call.desk.view(call.person, name)
        notice = f"Nothing was changed: {conflict}."
        return _page(call, view, call.number("span"), status=409, notice=notice)
    if not call.by_htmx:
        return redirect(f"/readings/{name}")
    return _page(call, view, call.number("span"), notice="The last step was taken back.")


def finish(call: Call) -> Response:
    """Finish a reading and go to the next one."""
    name = call.path["reading"]
    try:
        following = call.desk.finish(call.person, name, call.number("version"))
    except Conflict as conflict:
        view = call.desk.view(call.person, name)
        notice = f"Nothing was changed: {conflict}."
        return _page(call, view, call.number("span"), status=409, notice=notice)
    response = redirect(f"/readings/{following}" if following else "/queue")
    if call.by_htmx:
        response.status_code = 200
        response.headers["hx-redirect"] = response.headers["location"]
    return response


def reopen(call: Call) -> Response:
    """Reopen a finished reading."""
    call.desk.reopen(call.person, call.path["reading"], call.number("version"))
    return redirect(f"/readings/{call.path['reading']}")


def phrase(call: Call) -> Response:
    """Show all occurrences of a span's phrase."""
    span = call.number("span")
    view, found = alike.seen(call.store, call.person, call.path["reading"], span)
    call.console.originals.phrase(call.person, view, found)
    return call.page(
        "phrase.html",
        view=view,
        span=span,
        phrase=view.phrase(span),
        judged=view.state[span],
        found=[(other, list(_lines(other, view.phrase(span)))) for other in found],
        rejections=[(n, reason, WORDINGS[reason]) for n, reason in enumerate(Rejection, 1)],
        preset=preset(view.state[span].source),
    )


AROUND = 60
"""Characters of context shown on each side of an occurrence."""


def _lines(view: View, phrase: str) -> list[tuple[str, str, str, str]]:
    """Return (text before, occurrence, text after, judgements) of each occurrence of a phrase."""
    lines = []
    for number in view.texts:
        text = view.content.texts[number].text
        for start, end in occurrences(text, phrase):
            here = [s for s in view.state if s.text == number and s.start < end and start < s.end]
            verdict = ", ".join(f"{s.label} {s.status}" for s in here) or "not marked"
            before, after = text[max(0, start - AROUND) : start], text[end : end + AROUND]
            lines.append((before, text[start:end], after, verdict))
    return lines


def everywhere(call: Call) -> Response:
    """Apply an action to all occurrences of a span's phrase."""
    name, span = call.path["reading"], call.number("span")
    alike.everywhere(call.store, call.person, name, call.number("version"), _action(call))
    return redirect(f"/readings/{name}?span={span}")


def retry(call: Call) -> Response:
    """Reprocess a held message; if it is released, its reading is finished."""
    view = call.desk.view(call.person, call.path["reading"])
    if not _can_retry(call, view) or call.console.retry is None:
        raise ActionError("it is not of the quarantine, or the console may not retry")
    with call.store.step("retry", call.person.id, reading=view.reading.id):
        pass
    retried = call.console.retry(view.item.name)
    if retried.released:
        view = call.desk.released(call.person, view.reading.id)
    return _page(call, view, -1, notice=retried.notice)
