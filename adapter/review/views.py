"""Readings as people see them: an item, the state of its spans, and the texts shown."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from adapter.review.judging import actions as judging
from adapter.review.judging.actions import Status
from adapter.review.judging.items import unpacked
from adapter.review.roles import may_read
from adapter.review.store import items, people, readings

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from adapter.review.judging.actions import State
    from adapter.review.judging.items import Content
    from adapter.review.store.items import Item
    from adapter.review.store.people import Person
    from adapter.review.store.protocol import Cursor
    from adapter.review.store.readings import Reading, Step
    from adapter.review.store.store import Store


class NotFound(Exception):  # noqa: N818 - as shown to people
    """The name is unknown, or not accessible to this person; the two cannot be distinguished."""


@dataclass(frozen=True, slots=True)
class View:
    """A reading as a person sees it. ``texts`` are the indexes of the texts shown."""

    reading: Reading
    item: Item
    content: Content = field(repr=False)
    state: State = field(repr=False)
    steps: Sequence[Step] = field(repr=False)
    texts: tuple[int, ...]

    @property
    def is_blind(self) -> bool:
        """Whether the machine's spans must not be shown."""
        return self.reading.queue == "recall"

    @property
    def spans(self) -> list[int]:
        """Return the numbers of the spans shown, in the order of the texts."""
        return [n for n in judging.ordered(self.state) if self.state[n].text in self.texts]

    @property
    def asked(self) -> list[int]:
        """Return the numbers of the spans to judge."""
        focus = self.reading.focus
        return [focus] if 0 <= focus < len(self.state) else self.spans

    @property
    def open(self) -> int:
        """Return how many of the spans to judge are not judged yet."""
        return sum(self.state[n].status is Status.OPEN for n in self.asked)

    def phrase(self, span: int) -> str:
        """Return the text of a span."""
        judged = self.state[span]
        return self.content.texts[judged.text].text[judged.start : judged.end]


def permitted(store: Store, cursor: Cursor, person: Person, name: str) -> View:
    """Return a reading, if this person may see it.

    Raises:
        NotFound: there is no such reading for this person.
    """
    reading = readings.of(cursor, name)
    if reading is None or not may_read(person, reading):
        raise NotFound
    return load(store, cursor, reading)


def load(store: Store, cursor: Cursor, reading: Reading) -> View:
    """Return a reading with its item and state, within a transaction that records its event.

    Raises:
        NotFound: the item has expired.
    """
    item, content = opened(store, cursor, reading.item)
    initial = _initial(store, cursor, reading, content)
    state, steps = marked(store, cursor, reading, content, initial)
    return View(reading, item, content, state, steps, _shown(reading, content, state))


def opened(store: Store, cursor: Cursor, item: str) -> tuple[Item, Content]:
    """Return an item and its content.

    Raises:
        NotFound: the item has expired.
    """
    found = items.read(cursor, store.box, item, store.now)
    if found is None:
        raise NotFound
    return found[0], unpacked(found[1])


def marked(
    store: Store, cursor: Cursor, reading: Reading, content: Content, initial: State
) -> tuple[State, Sequence[Step]]:
    """Return the state of a reading after its steps on an initial state, and the steps."""
    steps = readings.steps(cursor, store.box, reading.id)
    return judging.folded(content, initial, [s.action for s in steps if not s.undone]), steps


def _initial(store: Store, cursor: Cursor, reading: Reading, content: Content) -> State:
    if reading.queue == "recall":
        return ()
    if reading.queue == "disagreements":
        return judging.joined(blind(store, cursor, content, readers(cursor, reading.item)))
    return judging.initial(content)


def readers(cursor: Cursor, item: str) -> Mapping[str, Reading]:
    """Return the blind readings of an item, by the names of their readers."""
    names = {p.id: p.name for p in people.everybody(cursor)}
    found = readings.of_item(cursor, item, "recall")
    return {names.get(r.assignee, r.assignee): r for r in found}


def blind(
    store: Store, cursor: Cursor, content: Content, read: Mapping[str, Reading]
) -> Mapping[str, State]:
    """Return the spans that each reader of a recall sample marked in an item, by name."""
    return {name: marked(store, cursor, each, content, ())[0] for name, each in read.items()}


def _shown(reading: Reading, content: Content, state: State) -> tuple[int, ...]:
    """Return the indexes of the texts: free ones in a sample, else that of the focus, else all."""
    if reading.queue in {"recall", "disagreements"}:
        return content.free
    if 0 <= reading.focus < len(state):
        return (state[reading.focus].text,)
    return tuple(range(len(content.texts)))
