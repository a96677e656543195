"""Roles and their rights. A page without the right is answered as if it did not exist."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from adapter.review.store.people import Person
    from adapter.review.store.readings import Reading


class Role(StrEnum):
    """The role of a person."""

    ANNOTATOR = "annotator"
    """Judges the items assigned to them, and reads recall samples blind."""
    OFFICER = "officer"
    """Judges held and uncertain items, settles disagreements, approves proposals of others."""
    AUDITOR = "auditor"
    """Reads events and figures; sees no message."""
    ADMIN = "admin"
    """Manages people; sees no message."""


class Right(StrEnum):
    """The right that a page or step requires."""

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
    """Return whether a person has a right."""
    return person.active and right in RIGHTS[Role(person.role)]


def may_read(person: Person, reading: Reading) -> bool:
    """Return whether a person may see a reading: annotators their own, officers any not blind."""
    if not has(person, Right.ITEMS):
        return False
    if person.role == Role.OFFICER:
        return reading.queue in _OFFICERS
    return reading.assignee == person.id and reading.queue in {"recall", "uncertain"}


def queues(person: Person) -> tuple[str, ...]:
    """Return the queues that a person works in."""
    if not has(person, Right.ITEMS):
        return ()
    if person.role == Role.OFFICER:
        return ("held", "uncertain", "disagreements")
    return ("uncertain", "recall")


def scope(person: Person) -> str | None:
    """Return whose readings a person sees: their own id, or None for everybody's."""
    return None if person.role == Role.OFFICER else person.id


def may_decide(person: Person, authors: tuple[str, ...]) -> bool:
    """Return whether a person may decide a proposal: an officer, but none of its authors."""
    return has(person, Right.PROPOSALS) and person.id not in authors
