"""Whom a message is about: its people and things, its patients, and which part is whose.

A merge ends one record of a patient: in HL7 v2 (chapter 3, section 3.3) the numbers of MRG become
those of the PID before it, and A24 says that its two PIDs are one person; in FHIR `Patient.link`
says so. Events that move a visit or an account (A43 to A45) name another patient in MRG.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from adapter.phrases.groups import Group, container, gather, merge, referred, squeeze
from adapter.phrases.identity import Assigned, Numbers, numbers_of, patient_identity

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from adapter.types import Action, Message, TextSegment

_MOVES = ("A43", "A44", "A45")
_ONE_PERSON = "A24"
_MERGED = "MRG"
_SURVIVORS = frozenset({"replaced-by", "refer"})
"""Link types of a record that another takes the place of (FHIR R4 section 8.1.5)."""


@dataclass(frozen=True, slots=True)
class Patient:
    """A patient of a message: which of its groups, the identity it gives, the numbers it has."""

    group: int
    identity: str = field(repr=False)
    strong: tuple[str, ...] = field(repr=False)
    weak: tuple[str, ...] = field(repr=False)
    prior: tuple[str, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class Census:
    """Groups of a message's people and things, and its patients, those with an identity first.

    ``subjects`` say of a path whose it is, as an index of ``patients``, where there are several.
    """

    groups: tuple[Group, ...] = field(repr=False)
    patients: tuple[Patient, ...] = field(repr=False)
    subjects: Mapping[str, int] = field(default_factory=dict, repr=False)

    @property
    def subject(self) -> str | None:
        """The first patient's identity."""
        return self.patients[0].identity if self.patients else None

    def of(self, patient: int) -> list[Group]:
        """The groups that the part of the message about a patient names."""
        own = self.patients[patient].group
        return [
            group
            for place, group in enumerate(self.groups)
            if place == own or (group.role != "patient" and self._whose(group) == patient)
        ]

    def _whose(self, group: Group) -> int:
        return self.subjects.get(group.paths[0], 0) if group.paths else 0


def census(
    message: Message, actions: Sequence[Action], authorities: Mapping[str, str] | None = None
) -> Census:
    """Count whom the structured fields name; ``actions`` are parallel to the segments.

    ``authorities`` are squeezed names of those whose equal numbers are not one patient's.
    """
    segments = message.segments
    moves = message.kind[-3:] in _MOVES
    gathered = gather(segments, actions, _MERGED) if moves else gather(segments, actions)
    if message.kind == "Bundle":
        _tell_addresses(segments, gathered)
    groups = merge(gathered)
    own = [place for place, group in enumerate(groups) if group.role == "patient"]
    about = (
        Assigned.of(segments, authorities) if any(groups[p].numbers for p in own) else Assigned()
    )
    patients = [_patient(place, groups[place], about, merged=not moves) for place in own]
    known = [patient for patient in patients if patient.identity]
    subjects: dict[str, int] = {}
    if len(known) > 1:
        subjects = _subjects(message, groups, known)
        known = _one_person(known) if message.kind.endswith(_ONE_PERSON) else known
    linked = _linked(segments) if message.format == "fhir" else {}
    return Census(tuple(groups), tuple(_led(p, groups[p.group], linked) for p in known), subjects)


def _tell_addresses(segments: Sequence[TextSegment], groups: Sequence[Group]) -> None:
    """Give patients the address of their entry, by which others may refer to them."""
    addresses = {
        s.path.removesuffix("fullUrl") + "resource": s.text
        for s in segments
        if s.element == "Bundle.entry.fullUrl"
    }
    own = {s.path for s in segments if s.element.startswith("Patient.")} if addresses else ()
    for group in groups:
        if group.role == "patient" and group.paths and group.paths[0] in own:
            address = addresses.get(container(group.paths[0], "segment"))
            if address:
                group.values.append(("reference", address, None))


def _patient(place: int, group: Group, about: Assigned, *, merged: bool) -> Patient:
    prior = [path for path, _ in group.numbers if merged and path.startswith(_MERGED)]
    numbers = numbers_of(group, about, frozenset(prior))
    return Patient(place, patient_identity(group, about), *numbers)


def _one_person(patients: Sequence[Patient]) -> list[Patient]:
    """Two records linked: the second ends in the first."""
    first, *others = patients
    prior = tuple(number for other in others for number in other.strong)
    whole = Patient(first.group, first.identity, first.strong, first.weak, first.prior + prior)
    return [whole, *others]


def _subjects(
    message: Message, groups: Sequence[Group], patients: Sequence[Patient]
) -> dict[str, int]:
    """Whose each path is: in FHIR by what its resource refers to, in HL7 v2 by the PID before."""
    places: dict[str, int] = {}
    for number, patient in enumerate(patients):
        for path in groups[patient.group].paths:
            places.setdefault(container(path, "segment"), number)
    if message.format == "fhir":
        found = ((s.path, _place(container(s.path, "segment"), places)) for s in message.segments)
        return dict(found)
    current, subjects = 0, {}
    for segment in message.segments:
        if segment.path.startswith("PID"):
            current = places.get(container(segment.path, "segment"), current)
        subjects[segment.path] = current
    return subjects


def _place(resource: str, places: Mapping[str, int]) -> int:
    """The patient of a resource, else of the one it is contained in, else the first."""
    return places.get(resource, places.get(resource.partition("/contained/")[0], 0))


def _linked(segments: Sequence[TextSegment]) -> dict[str, tuple[str, str]]:
    """Resource -> (link type, id of the other record) of its first link."""
    kinds: dict[str, str] = {}
    found: dict[str, tuple[str, str]] = {}
    for segment in segments:
        if segment.element == "Patient.link.type":
            kinds[segment.path.rpartition("/")[0]] = segment.text
    for segment in segments:
        if segment.element == "Patient.link.other.reference":
            kind = kinds.get(segment.path.removesuffix("/other/reference"), "")
            resource = container(segment.path, "segment")
            found.setdefault(resource, (kind, squeeze(referred(segment.text))))
    return found


def _led(patient: Patient, group: Group, linked: Mapping[str, tuple[str, str]]) -> Patient:
    """The patient with what a link says: another record ends in this one, or this in another."""
    link = next((linked[r] for p in group.paths if (r := container(p, "segment")) in linked), None)
    if link is None or not link[1]:
        return patient
    kind, other = link[0], f"{Numbers.RESOURCE}:{link[1]}"
    own = tuple(number for number in patient.strong if number != other)
    if kind in _SURVIVORS:
        return Patient(patient.group, patient.identity, (other,), (), own)
    return Patient(patient.group, patient.identity, own, patient.weak, (other,))
