"""The protocol of a store of the mart, and its input and output rows."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple, Protocol

from adapter.mart.versions import Landed

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterator, Mapping, Sequence

    from adapter.mart.folding import IdentityStatement
    from adapter.mart.versions import Merge, Version


class Lane(NamedTuple):
    """A partition of a topic, or a file of a folder, whose progress is stored."""

    topic: str
    partition: int


class Outcome(StrEnum):
    """The outcome of a message."""

    RELEASED = "released"
    REJECTED = "rejected"  # no part could be landed
    TOMBSTONE = "tombstone"
    HELD = "held"  # by the adapter, according to its audit records
    ERASED = "erased"  # at least part of it was about an erased person


@dataclass(frozen=True, slots=True)
class MessageRow:
    """One message of an output lane; its position orders the versions of a resource."""

    message_id: str
    topic: str
    partition: int
    offset: int
    landed: dt.date
    ruleset: str = ""
    key_id: str = ""
    outcome: Outcome = Outcome.RELEASED


NOTHING = Landed()
"""The landing of a message without content for the mart."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A message and its landed rows; ``erases`` are the number keys of persons that it erases."""

    message: MessageRow
    landed: Landed = NOTHING
    erases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class HeldRow:
    """A message that the adapter held, by its source and the stage and code of the reason."""

    message_id: str
    topic: str
    stage: str
    code: str
    landed: dt.date


@dataclass(frozen=True, slots=True)
class Taken:
    """A lane taken by this loader; loaders with a lower epoch are fenced.

    ``next_offset`` is None if nothing of the lane has been loaded.
    """

    lane: Lane
    epoch: int
    next_offset: int | None


@dataclass(frozen=True, slots=True)
class Count:
    """The number of messages by loading day, topic, kind and outcome; held ones by stage and code.

    The topic of a held message is that of the adapter's input. A held message that was released
    later counts as released.
    """

    landed: dt.date
    topic: str
    format: str
    kind: str
    outcome: str
    stage: str
    code: str
    messages: int
    keyless_results: int


@dataclass(frozen=True, slots=True)
class Rejects:
    """The number of times that an element could not be mapped for a reason."""

    place: str
    code: str
    count: int


@dataclass(frozen=True, slots=True)
class ReleaseRow:
    """A release of tables; ``manifest`` is its JSON, ``recalled`` the reason of its recall."""

    name: str
    released_on: dt.date
    key_id: str
    persons: int
    approved_by: str
    manifest: str = field(repr=False)
    recalled: str = ""


@dataclass(frozen=True, slots=True)
class Erasure:
    """The result of an erasure: counts of numbers and deleted versions, and releases to recall."""

    numbers: int
    versions: int
    recall: tuple[str, ...]


class Store(Protocol):
    """One project's mart. Errors of the database are raised as MartError "no-store".

    Every method that writes is one transaction.
    """

    def take(self, lanes: Sequence[Lane]) -> tuple[Taken, ...]:
        """Take lanes, so that loaders that had them before can no longer commit."""

    def progress(self) -> Mapping[Lane, tuple[int, int | None]]:
        """Return (epoch, next offset) of every lane."""

    def commit(
        self,
        entries: Sequence[Entry],
        taken: Taken,
        next_offset: int,
        held: Sequence[HeldRow] = (),
    ) -> int:
        """Store new messages, held ones and the lane's progress; return the number of new ones.

        Raises:
            MartError: "fenced", if another loader has taken the lane.
        """

    def hold(self, rows: Sequence[HeldRow], taken: Taken, next_offset: int) -> int:
        """Store held messages and the audit lane's progress; return the number of new ones.

        Raises:
            MartError: "fenced", if another loader has taken the lane.
        """

    def resources(self, types: Sequence[str] = ()) -> Iterator[tuple[Version, ...]]:
        """Yield the versions of each resource in message order, sorted by type and id."""

    def together(self, resource_type: str, ids: Sequence[str]) -> Iterator[Version]:
        """Yield the versions of several resources of a type, in message order."""

    def types(self) -> tuple[str, ...]:
        """Return the resource types in the store, sorted."""

    def subjects(self, resource_type: str) -> Iterator[tuple[str, str | None]]:
        """Yield (id, subject) of every resource of a type, sorted."""

    def numbers(self) -> Iterator[tuple[str, str]]:
        """Yield pairs of number keys of one person."""

    def merges(self) -> Iterator[Merge]:
        """Yield the merges in message order."""

    def parts(self) -> bool:
        """Return whether any message states that numbers belong to different persons."""

    def identity_statements(self) -> Iterator[IdentityStatement]:
        """Yield each message's statements on whose numbers belong together, the latest first."""

    def counts(self) -> tuple[Count, ...]:
        """Return the counts of messages, sorted."""

    def keys(self) -> tuple[str, ...]:
        """Return the ids of the adapter's keys that messages were released under, sorted."""

    def rejects(self) -> tuple[Rejects, ...]:
        """Return the counts of rejects, sorted."""

    def erase(self, numbers: Sequence[str], reason: str, day: dt.date) -> Erasure:
        """Delete all rows of the persons with these numbers, and block them permanently."""

    def erased(self) -> frozenset[str]:
        """Return the number keys of erased persons."""

    def compact(self) -> bool:
        """Purge deleted bytes from the database's files; return whether there were any."""

    def release(self, row: ReleaseRow) -> None:
        """Record a release."""

    def releases(self) -> tuple[ReleaseRow, ...]:
        """Return every release, oldest first."""

    def close(self) -> None:
        """Close the database."""
