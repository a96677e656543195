"""What a store of the mart is, and the rows that go in and out."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple, Protocol

from adapter.mart.versions import Landed

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterator, Mapping, Sequence

    from adapter.mart.folding import Said
    from adapter.mart.versions import Merge, Version


class Lane(NamedTuple):
    """A partition of a topic, or a file of a folder, of which progress is kept."""

    topic: str
    partition: int


class Outcome(StrEnum):
    """What became of a message."""

    RELEASED = "released"
    REJECTED = "rejected"  # nothing of it could be landed
    TOMBSTONE = "tombstone"
    HELD = "held"  # by the adapter, as its audit says
    ERASED = "erased"  # it was, at least in part, of a person who has been erased


@dataclass(frozen=True, slots=True)
class MessageRow:
    """One message of the output lane; its place decides the order of its versions."""

    message_id: str
    topic: str
    partition: int
    offset: int
    landed: dt.date
    ruleset: str = ""
    key_id: str = ""
    outcome: Outcome = Outcome.RELEASED


NOTHING = Landed()
"""What a message brings that has nothing to land."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A message and what it brings; ``erases`` are numbers of persons that it erases."""

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
    """A lane that this loader has taken: any loader with a lesser epoch is fenced.

    ``next_offset`` is None where nothing of it has been loaded.
    """

    lane: Lane
    epoch: int
    next_offset: int | None


@dataclass(frozen=True, slots=True)
class Count:
    """Messages of one day of loading, topic, kind and outcome; held ones with stage and code.

    The topic of a held message is that of the adapter's input. One that was released later counts
    as released.
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
    """How often a place could not be mapped for a reason."""

    place: str
    code: str
    count: int


@dataclass(frozen=True, slots=True)
class ReleaseRow:
    """A release of tables to researchers; ``manifest`` is its JSON, ``recalled`` names why."""

    name: str
    released_on: dt.date
    key_id: str
    persons: int
    approved_by: str
    manifest: str = field(repr=False)
    recalled: str = ""


@dataclass(frozen=True, slots=True)
class Erasure:
    """What an erasure did: rows that are gone, and releases that had been made before."""

    numbers: int
    versions: int
    recall: tuple[str, ...]


class Store(Protocol):
    """One project's mart. What the database refuses is a MartError "no-store".

    Everything that writes is one transaction.
    """

    def take(self, lanes: Sequence[Lane]) -> tuple[Taken, ...]:
        """Take lanes: whoever had them before can commit nothing more."""

    def progress(self) -> Mapping[Lane, tuple[int, int | None]]:
        """Epoch and next offset of every lane."""

    def commit(
        self,
        entries: Sequence[Entry],
        taken: Taken,
        next_offset: int,
        held: Sequence[HeldRow] = (),
    ) -> int:
        """Keep what is new, what was held beside it, and the lane's progress; how many were new.

        Raises:
            MartError: "fenced", if another loader has taken the lane.
        """

    def hold(self, rows: Sequence[HeldRow], taken: Taken, next_offset: int) -> int:
        """Keep which messages were held, and the progress of the audit's lane; how many were new.

        Raises:
            MartError: "fenced", if another loader has taken the lane.
        """

    def resources(self, types: Sequence[str] = ()) -> Iterator[tuple[Version, ...]]:
        """The versions of each resource in the order of their messages, by type and id."""

    def together(self, resource_type: str, ids: Sequence[str]) -> Iterator[Version]:
        """The versions of several resources of a type, in the order of their messages."""

    def types(self) -> tuple[str, ...]:
        """The types of resources there are, sorted."""

    def subjects(self, resource_type: str) -> Iterator[tuple[str, str | None]]:
        """Id and subject of every resource of a type, sorted."""

    def numbers(self) -> Iterator[tuple[str, str]]:
        """Pairs of number keys of one person."""

    def merges(self) -> Iterator[Merge]:
        """Merges in the order of their messages."""

    def parts(self) -> bool:
        """Whether any message says of numbers that they are not one person's."""

    def said(self) -> Iterator[Said]:
        """What messages say of who is one person, and who is not; the latest message first."""

    def counts(self) -> tuple[Count, ...]:
        """How many messages there are, sorted."""

    def keys(self) -> tuple[str, ...]:
        """The ids of the adapter's keys that messages were released under, sorted."""

    def rejects(self) -> tuple[Rejects, ...]:
        """What could not be mapped, sorted."""

    def erase(self, numbers: Sequence[str], reason: str, day: dt.date) -> Erasure:
        """Delete all rows of the persons with these numbers, and block them for good."""

    def erased(self) -> frozenset[str]:
        """Numbers of erased persons."""

    def compact(self) -> bool:
        """Purge deleted bytes from the database's files; return whether there were any."""

    def release(self, row: ReleaseRow) -> None:
        """Record a release."""

    def releases(self) -> tuple[ReleaseRow, ...]:
        """Every release, oldest first."""

    def close(self) -> None:
        """Close the database."""
