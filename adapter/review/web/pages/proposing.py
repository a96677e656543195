"""Pages of proposals: the effect of each on the rules, and its approval by a second person."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

from adapter.review.judging.actions import ActionError
from adapter.review.judging.editing import canonical
from adapter.review.judging.proposals import Effect
from adapter.review.judging.reasons import WORDINGS
from adapter.review.roles import may_decide
from adapter.review.store import people, proposed
from adapter.review.store.protocol import Conflict
from adapter.review.views import NotFound
from adapter.review.web.call import redirect

if TYPE_CHECKING:
    from starlette.responses import Response

    from adapter.review.store.proposed import Proposed
    from adapter.review.store.protocol import Cursor
    from adapter.review.web.call import Call

ROWS = 50
MEANT = {
    Effect.TERM: "hide this term wherever it stands, as",
    Effect.REMOVE: "take this term out of the lexicons; it was hidden as",
    Effect.VETO: "do not hide this phrase, which was taken for",
    Effect.DISTRUST: "do not trust this value, whatever field gives it; it was hidden as",
    Effect.PATTERN: "hide letters and digits of this form as",
    Effect.CORRECT: "hide this phrase as",
    Effect.FIELD: "decide whether this field need be hidden; it is replaced as",
}


def listing(call: Call) -> Response:
    """Show a page of the proposals in a state."""
    state = call.query.get("state") or proposed.OPEN
    if state not in proposed.STATES:
        raise NotFound
    number = max(0, call.number("page", 0))
    with call.store.database.transaction() as cursor:
        found = proposed.listed(cursor, call.store.box, state, skip=number * ROWS, most=ROWS + 1)
        counts = {name: proposed.count(cursor, name) for name in proposed.STATES}
    call.console.originals.proposals(call.person, [each.id for each in found[:ROWS]])
    return call.page(
        "proposals.html", state=state, found=found[:ROWS], more=len(found) > ROWS, number=number,
        counts=counts, meant=MEANT, states=proposed.STATES,
    )  # fmt: skip


def _found(call: Call) -> Proposed:
    with call.store.step("view proposal", call.person.id, proposal=call.path["proposal"]) as cursor:
        found = proposed.of(cursor, call.store.box, call.path["proposal"])
    if found is None:
        raise NotFound
    return found


def show(call: Call) -> Response:
    """Show a proposal with its effect, after its view was recorded."""
    return _page(call, _found(call))


def _page(call: Call, found: Proposed, status: int = 200, notice: str = "") -> Response:
    call.console.originals.proposals(call.person, [found.id])
    with call.store.database.transaction() as cursor:
        names = {p.id: p.name for p in people.everybody(cursor)}
    return call.page(
        "proposal.html",
        status,
        found=found,
        meant=MEANT[found.proposal.effect],
        why=WORDINGS[found.proposal.why].name if found.proposal.why in WORDINGS else "",
        authors=[names.get(author, author) for author in found.authors],
        approver=names.get(found.approver, found.approver),
        effect=json.loads(found.preview) if found.preview else None,
        may_decide=may_decide(call.person, found.authors) and found.state == proposed.OPEN,
        own=call.person.id in found.authors,
        can_preview=call.console.previewer is not None,
        notice=notice,
    )


def preview(call: Call) -> Response:
    """Compute and store the effect of a proposal on the shadow sample."""
    found = _found(call)
    if call.console.previewer is None:
        raise ActionError("this console has no rules to preview with")
    if found.state != proposed.OPEN:
        raise ActionError("it is decided: its preview is on record")
    effect = call.console.previewer.effect(found.proposal)
    with call.store.step("preview", call.person.id, proposal=found.id) as cursor:
        proposed.previewed(cursor, found.id, found.version, json.dumps(effect.as_dict()))
    return redirect(f"/proposals/{found.id}")


def _is_unseen(found: Proposed) -> bool:
    return not found.preview and found.proposal.effect is not Effect.FIELD


def _check(call: Call, cursor: Cursor, identity: str, state: str) -> None:
    """Check that the proposal, as it is stored now, may be decided.

    Raises:
        NotFound: it does not exist, or the person is one of its authors or lacks the right.
        Conflict: its preview was dropped by a change.
    """
    now = proposed.of(cursor, call.store.box, identity)
    if now is None or not may_decide(call.person, now.authors):
        raise NotFound
    if state == proposed.APPROVED and _is_unseen(now):
        raise Conflict("it was changed meanwhile: compute its effect again")


def decide(call: Call) -> Response:
    """Approve or decline a proposal; its authors may not."""
    found = _found(call)
    state = call.form.get("state", "")
    if state not in {proposed.APPROVED, proposed.DECLINED}:
        raise ActionError("a proposal is approved or declined")
    if not may_decide(call.person, found.authors):
        raise NotFound
    if state == proposed.APPROVED and _is_unseen(found):
        return _page(call, found, 409, "Compute its effect first: nobody approves what is unseen.")
    try:
        with call.store.step(state, call.person.id, proposal=found.id) as cursor:
            _check(call, cursor, found.id, state)
            proposed.decide(
                cursor, found.id, call.number("version"), state=state, approver=call.person.id,
                now=call.store.now,
            )  # fmt: skip
    except Conflict as conflict:
        return _page(call, _found(call), 409, f"Nothing was changed: {conflict}.")
    return redirect("/proposals")


def narrow(call: Call) -> Response:
    """Change the neighbouring words of a veto, and drop its preview."""
    found = _found(call)
    if found.proposal.effect is not Effect.VETO:
        raise ActionError("only a veto has neighbours")
    before, behind = (canonical(call.form.get(name, ""))[:60] for name in ("before", "behind"))
    changed = replace(found.proposal, before=before, behind=behind)
    same = call.store.mac(changed.key.decode())
    with call.store.step("narrow", call.person.id, proposal=found.id) as cursor:
        proposed.replace(cursor, call.store.box, found.id, changed, same)
        proposed.support(cursor, found.id, f"narrowed by {call.person.id}", call.person.id)
    return redirect(f"/proposals/{found.id}")
