"""Pages for people, who may log in, and for the audit events."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.errors import RuleError
from adapter.review.roles import Role
from adapter.review.store import events, people
from adapter.review.views import NotFound

if TYPE_CHECKING:
    from starlette.responses import Response

    from adapter.review.web.call import Call

EVENTS = 100
HIDDEN = {"time_ms", "event", "person", "chain", "number", "before", "key", "signature"}
"""Fields of an event that have their own column, or that belong to the chain."""


def everybody(call: Call) -> Response:
    """Show all people."""
    return _page(call)


def _page(call: Call, status: int = 200, notice: str = "", word: str = "") -> Response:
    with call.store.database.transaction() as cursor:
        found = people.everybody(cursor)
    return call.page(
        "people.html", status, found=found, roles=list(Role), notice=notice, word=word,
        now=call.store.now,
    )  # fmt: skip


def add(call: Call) -> Response:
    """Add a person and show their one-time log-in, which is not shown again."""
    name = call.form.get("name", "")
    try:
        word = call.console.access.add(name, call.form.get("role", ""), call.person.id)
    except RuleError as error:
        return _page(call, 400, f"The name {error.problem}.")
    return _page(
        call, notice=f"{name} can log in once with this word, and then set a password:", word=word
    )


def renew(call: Call) -> Response:
    """Replace a person's password with a new one-time log-in."""
    word = call.console.access.renew(call.path["person"], call.person.id)
    if word is None:
        raise NotFound
    return _page(call, notice="The old password is gone. Log in once with:", word=word)


def switch(call: Call) -> Response:
    """Activate or deactivate a person."""
    if call.path["person"] == call.person.id:
        return _page(call, 400, "You cannot deactivate yourself.")
    active = call.form.get("active") == "1"
    call.console.access.switch(call.path["person"], call.person.id, active=active)
    return _page(call, notice="Changed; all sessions of this person have ended.")


def log(call: Call) -> Response:
    """Show the latest events; with ``verify=1``, verify the chain."""
    before = max(0, call.number("before", 0))
    with call.store.database.transaction() as cursor:
        rows = events.latest(cursor, before, EVENTS)
        names = {p.id: p.name for p in people.everybody(cursor)}
    shown = [
        (number, row, [(key, value) for key, value in row.items() if key not in HIDDEN])
        for number, row in rows
    ]
    checked = None
    if call.query.get("verify") == "1":
        own = {call.store.signer.key_id: call.store.signer.public}
        publics = own | dict(call.console.publics or {})
        checked = events.verify(call.store.database, publics)
    return call.page("audit.html", rows=shown, names=names, checked=checked)
