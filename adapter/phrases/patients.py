"""The patients of a message, and its groups of people and things."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from adapter.phrases.names import NAMES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from adapter.phrases.groups import Group


@dataclass(frozen=True, slots=True)
class Patient:
    """A patient of a message: index of the patient's group, identity, and "kind:number" numbers."""

    group: int
    identity: str = field(repr=False)
    strong: tuple[str, ...] = field(repr=False)
    weak: tuple[str, ...] = field(repr=False)
    prior: tuple[str, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class MessageSubjects:
    """The groups of a message's people and things, and its patients.

    With several patients, ``subjects`` maps a path to its patient's index in ``patients``.
    ``ended`` maps the index of a group whose record ends to (index of its patient, prior number).
    """

    groups: tuple[Group, ...] = field(repr=False)
    patients: tuple[Patient, ...] = field(repr=False)
    subjects: Mapping[str, int] = field(default_factory=dict, repr=False)
    ended: Mapping[int, tuple[int, str]] = field(default_factory=dict, repr=False)

    @property
    def subject(self) -> str | None:
        """The first patient's identity, or None without patients."""
        return self.patients[0].identity if self.patients else None

    def parts(self) -> list[list[Group]]:
        """Return the groups in each patient's part of the message, parallel to ``patients``."""
        own = {patient.group: number for number, patient in enumerate(self.patients)}
        found: list[list[Group]] = [[] for _ in self.patients]
        prior: dict[int, list[Group]] = {}
        for place, (whose, _) in self.ended.items():
            prior.setdefault(whose, []).append(self.groups[place])
        for place, group in enumerate(self.groups):
            if place in own:
                found[own[place]].append(_with_names(group, prior.get(own[place], ())))
            elif group.role != "patient" and found:
                found[self._whose(group)].append(group)
        return found

    def _whose(self, group: Group) -> int:
        return self.subjects.get(group.paths[0], 0) if group.paths else 0


def _with_names(group: Group, prior: Sequence[Group]) -> Group:
    """Return a patient's group with the names from ended records added."""
    whole = group.copy() if prior else group
    for other in prior:
        whole.values += [v for v in other.values if v[0] in NAMES and v not in whole.values]
    return whole
