"""The page of a queue: its readings, page by page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.review.roles import Right, has, queues, scope
from adapter.review.store import people, proposed, readings
from adapter.review.views import NotFound

if TYPE_CHECKING:
    from starlette.responses import Response

    from adapter.review.web.call import Call

ROWS = 50
NAMES = {
    "held": "Held",
    "uncertain": "Uncertain",
    "recall": "Recall sample",
    "disagreements": "Disagreements",
}
EXPLAINED = {
    "held": "Messages that the adapter did not release.",
    "uncertain": "Mentions the machine is least sure of, one message a phrase.",
    "recall": "Messages drawn at random, read without suggestions. Each is read by two people.",
    "disagreements": "What the two readers of a sample marked differently.",
}


def show(call: Call) -> Response:
    """Show a page of a queue."""
    known = queues(call.person)
    queue = call.query.get("queue") or (known[0] if known else "")
    if queue not in known:
        raise NotFound
    done, after = call.query.get("done") == "1", call.query.get("after", "")
    with call.store.database.transaction() as cursor:
        counts = readings.counts(cursor, scope(call.person))
        rows = readings.listed(
            cursor, queue, scope(call.person), done=done, after=after, most=ROWS + 1
        )
        names = {p.id: p.name for p in people.everybody(cursor)}
        waiting = (
            proposed.count(cursor, proposed.OPEN) if has(call.person, Right.PROPOSALS) else None
        )
    return call.page(
        "queue.html",
        queue=queue,
        known=[(name, NAMES[name], counts.get(name, 0)) for name in known],
        title=NAMES[queue],
        explained=EXPLAINED[queue],
        rows=rows[:ROWS],
        more=len(rows) > ROWS,
        after=after,
        done=done,
        names=names,
        waiting=waiting,
    )
