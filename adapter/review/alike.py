"""Shows and judges all occurrences of a phrase in the items that a person may judge."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from adapter.review.desk import judge
from adapter.review.judging.actions import ActionError, Kind, Status
from adapter.review.judging.editing import canonical, occurrences
from adapter.review.roles import queues, scope
from adapter.review.store import events, items, readings
from adapter.review.store.store import fresh_id
from adapter.review.views import NotFound, load, permitted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from adapter.review.judging.actions import Action
    from adapter.review.store.people import Person
    from adapter.review.store.protocol import Cursor
    from adapter.review.store.store import Store
    from adapter.review.views import View

MOST_ITEMS = 200
"""Maximum number of items searched for a phrase."""


@dataclass(frozen=True, slots=True)
class Done:
    """The result of a step: the batch of its actions, and the number of items and spans."""

    batch: str
    items: int
    spans: int


def seen(store: Store, person: Person, reading: str, span: int) -> tuple[View, list[View]]:
    """Return a reading and all that contain a span's phrase, after recording the view.

    Raises:
        NotFound: there is no such reading or span for this person.
        StoreError: the event cannot be written, so nothing is shown.
    """
    with store.step("view phrase", person.id, reading=reading) as cursor:
        view = permitted(store, cursor, person, reading)
        if span not in view.spans:
            raise NotFound
        found = list(_containing(store, cursor, person, view, span))
        entry = {"event": "view", "person": person.id, "time_ms": store.now}
        for other in found:
            events.append(cursor, store.signer, entry | {"reading": other.reading.id})
        return view, found


def everywhere(store: Store, person: Person, reading: str, version: int, action: Action) -> Done:
    """Apply an action on a span to every occurrence of its phrase that this person may judge.

    Raises:
        NotFound: there is no such reading for this person.
        ActionError: the action is not possible.
        Conflict: one of the items was changed by somebody else; nothing was done.
    """
    with store.step("judge everywhere", person.id, reading=reading) as cursor:
        view = permitted(store, cursor, person, reading)
        if action.span not in view.spans:
            raise ActionError("there is no such span")
        batch, counted, spans = fresh_id(), 0, 0
        for other in _containing(store, cursor, person, view, action.span):
            found = list(_same(other, view, action))
            if found:
                at = version if other.reading.id == reading else other.reading.version
                judge(store, cursor, person, other, version=at, actions=found, batch=batch)
                counted, spans = counted + 1, spans + len(found)
        return Done(batch, counted, spans)


def _containing(
    store: Store, cursor: Cursor, person: Person, view: View, span: int
) -> Iterator[View]:
    """Yield this reading, then the unfinished working-queue readings that contain the phrase."""
    yield view
    if view.is_blind or view.reading.queue == "disagreements":
        return
    who, known = scope(person), store.mac(canonical(view.phrase(span)))
    for item in items.containing(cursor, known, who, MOST_ITEMS):
        for queue in queues(person):
            if queue not in {"held", "uncertain"}:
                continue
            for other in readings.of_item(cursor, item, queue):
                mine = who is None or other.assignee == who
                if other.id != view.reading.id and mine and not other.done:
                    yield load(store, cursor, other)


def _same(other: View, view: View, action: Action) -> Iterator[Action]:
    """Yield the equivalent actions for another reading, on whole words and open spans.

    An addition applies where there is no span, any other action to spans of the same extent.
    """
    judged, phrase = view.state[action.span], view.phrase(action.span)
    for number in other.texts:
        for start, end in occurrences(other.content.texts[number].text, phrase):
            here = [
                n
                for n, s in enumerate(other.state)
                if s.text == number and s.start < end and start < s.end
            ]
            exact = [n for n in here if (other.state[n].start, other.state[n].end) == (start, end)]
            if exact and action.kind is not Kind.ADD:
                first = other.state[exact[0]]
                same = other.reading.id == view.reading.id and exact[0] == action.span
                if same or (first.status is Status.OPEN and first.label == judged.label):
                    yield replace(action, span=exact[0])
            elif not here and action.kind is Kind.ADD:
                yield replace(action, text=number, start=start, end=end, label=judged.label)
