"""Who may do what. Whatever is not listed is answered as if it did not exist."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from adapter.review.store.people import Person
    from adapter.review.store.readings import Reading


class Role(StrEnum):
    """What somebody is to the console."""

    ANNOTATOR = "annotator"
    """Judges the items assigned to them, and reads recall samples blind."""
    OFFICER = "officer"
    """Judges held and uncertain items, settles disagreements, approves what others propose."""
    AUDITOR = "auditor"
    """Reads events and figures; sees no message."""
    ADMIN = "admin"
    """Looks after people; sees no message."""


class Right(StrEnum):
    """What a page or step needs."""

    ITEMS = "items"
    HELD = "held"
    PROPOSALS = "proposals"
    FIGURES = "figures"
    PEOPLE = "people"
    EVENTS = "events"


RIGHTS: dict[Role, frozenset[Right]] = {
    Role.ANNOTATOR: frozenset({Right.ITEMS}),
    Role.OFFICER: frozenset({Right.ITEMS, Right.HELD, Right.PROPOSALS, Right.FIGURES}),
    Role.AUDITOR: frozenset({Right.FIGURES, Right.EVENTS}),
    Role.ADMIN: frozenset({Right.PEOPLE}),
}
_OFFICERS = frozenset({"held", "uncertain", "disagreements"})


def has(person: Person, right: Right) -> bool:
    """Whether somebody has a right."""
    return person.active and right in RIGHTS[Role(person.role)]


def may_read(person: Person, reading: Reading) -> bool:
    """Whether somebody may see a reading: an annotator their own, an officer all but blind ones."""
    if not has(person, Right.ITEMS):
        return False
    if person.role == Role.OFFICER:
        return reading.queue in _OFFICERS
    return reading.assignee == person.id and reading.queue in {"recall", "uncertain"}


def queues(person: Person) -> tuple[str, ...]:
    """The queues somebody works in."""
    if not has(person, Right.ITEMS):
        return ()
    if person.role == Role.OFFICER:
        return ("held", "uncertain", "disagreements")
    return ("uncertain", "recall")


def scope(person: Person) -> str | None:
    """Whose readings somebody sees: their own, or (None) anybody's."""
    return None if person.role == Role.OFFICER else person.id


def may_decide(person: Person, authors: tuple[str, ...]) -> bool:
    """Whether somebody may approve a proposal: an officer, never one of its own authors."""
    return has(person, Right.PROPOSALS) and person.id not in authors
