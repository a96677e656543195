"""The subjects of a message: its people and things, its patients, and each patient's part.

A merge ends one record of a patient: in HL7 v2 (chapter 3, section 3.3) the numbers of MRG become
those of the PID before it, and A24 says that its two PIDs are one person; in FHIR `Patient.link`
says so. Events that move a visit or an account (A43 to A45) name another patient in MRG.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from adapter.phrases.groups import (
    MERGED,
    REFERENCE,
    Group,
    container,
    gather,
    merge,
    squeeze,
    unpadded,
)
from adapter.phrases.identity import Assigned, numbers_of, patient_identity
from adapter.phrases.linkage import has_other_name, person
from adapter.phrases.links import led, linked
from adapter.phrases.patients import MessageSubjects, Patient

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from adapter.languages.field_words import FieldWords
    from adapter.phrases.linkage import Person
    from adapter.types import Action, Message, TextSegment

_MOVES = ("A43", "A44", "A45")
_ONE_PERSON = "A24"
_PID = "PID"
_OWN = ("Patient.", "Parameters.")
"""Beginnings of elements whose values of a patient are those of the resource in their entry."""


def message_subjects(
    message: Message,
    actions: Sequence[Action],
    words: FieldWords,
    authorities: Mapping[str, str] | None = None,
) -> MessageSubjects:
    """Return the subjects that structured fields name; ``actions`` are parallel to the segments.

    ``authorities`` map squeezed names of assigning authorities to one name for each authority;
    numbers of different authorities are different.
    """
    segments = message.segments
    gathered = gather(segments, actions, words)
    if message.kind == "Bundle":
        _add_addresses(segments, gathered)
    ends = {} if message.kind[-3:] in _MOVES else _ends(gathered)
    groups = merge([group for group in gathered if id(group) not in ends], words)
    own = [place for place, group in enumerate(groups) if group.role == "patient"]
    numbered = any(groups[place].numbers for place in own)
    about = Assigned.of(segments, authorities) if numbered or ends else Assigned()
    foreign = _foreign(groups, len(own))
    patients = [_patient(place, groups[place], about, foreign, words) for place in own]
    known = _apart([patient for patient in patients if patient.identity], groups)
    subjects: dict[str, int] = {}
    if len(known) > 1:
        beside = {
            segment.path
            for segment, action in zip(segments, actions, strict=True)
            if action.scope == REFERENCE
        }
        subjects = _subjects(message, groups, known, beside)
        if message.kind.endswith(_ONE_PERSON):
            known = _one_person(known, [person(groups[p.group].pairs(), words) for p in known])
    if message.format == "fhir":
        known = led(known, groups, linked(segments), words)
    found = MessageSubjects(tuple(groups), tuple(known), subjects)
    return _with_ended(found, list(ends.values()), about, words) if ends else found


_Ends = dict[int, tuple[Group, Group]]


def _ends(gathered: Sequence[Group]) -> _Ends:
    """Return (MRG group, group of the PID before it) by the `id` of the MRG group."""
    found: _Ends = {}
    patient = None
    for group in gathered:
        if group.role != "patient":
            continue
        if not group.paths[:1] or not group.paths[0].startswith(MERGED):
            patient = group
        elif patient is not None:
            found[id(group)] = group, patient
    return found


def _with_ended(
    found: MessageSubjects,
    ends: Sequence[tuple[Group, Group]],
    about: Assigned,
    words: FieldWords,
) -> MessageSubjects:
    """Add the records that end: their numbers become prior numbers of their patients."""
    whose = {
        path: number
        for number, patient in enumerate(found.patients)
        for path in found.groups[patient.group].paths
    }
    patients, groups = list(found.patients), list(found.groups)
    ended: dict[int, tuple[int, str]] = {}
    for group, patient in ends:
        number = whose.get(patient.paths[0]) if patient.paths else None
        strong, weak = numbers_of(group, about, words)
        if number is not None:
            whole = patients[number]
            prior = tuple(dict.fromkeys(n for n in strong if n not in whole.strong))
            own = tuple(dict.fromkeys((*whole.weak, *weak)))
            patients[number] = replace(whole, weak=own, prior=(*whole.prior, *prior))
            if prior:
                ended[len(groups)] = number, prior[0]
        groups.append(group)
    return replace(found, patients=tuple(patients), groups=tuple(groups), ended=ended)


def _foreign(groups: Sequence[Group], patients: int) -> Mapping[str, frozenset[str]]:
    """Return squeezed numbers of kin by PID; with one patient also those outside PID, under ""."""
    found: dict[str, set[str]] = defaultdict(set)
    for group in groups:
        if group.role in {"kin", "mother"}:
            for path, text in group.numbers:
                place = container(path, "segment") if path.startswith(_PID) else ""
                if place or patients == 1:
                    found[place].add(unpadded(squeeze(text)))
    return {place: frozenset(numbers) for place, numbers in found.items()}


def _apart(patients: Sequence[Patient], groups: Sequence[Group]) -> list[Patient]:
    """Give each patient a unique identity: of two with one number, the second gets names added."""
    found: dict[str, Patient] = {}
    for patient in patients:
        identity, values = patient.identity, groups[patient.group]
        if identity in found:
            names = "|".join(squeeze(values.first(part)) for part in ("family", "given"))
            identity = f"{identity}/{names}|{squeeze(values.first('birthdate'))[:8]}"
        found.setdefault(identity, replace(patient, identity=identity))
    return list(found.values())


def _add_addresses(segments: Sequence[TextSegment], groups: Sequence[Group]) -> None:
    """Give patients the address of their Bundle entry, by which other resources refer to them.

    The address of a patch is that of the resource that it changes.
    """
    addresses: dict[str, str] = {}
    for segment in segments:
        place = segment.path.removesuffix("request/url").removesuffix("fullUrl") + "resource"
        if segment.element == "Bundle.entry.fullUrl" or (
            segment.element == "Bundle.entry.request.url" and segment.text.startswith("Patient/")
        ):
            addresses.setdefault(place, segment.text)
    own = {s.path for s in segments if s.element.startswith(_OWN)} if addresses else ()
    for group in groups:
        if group.role == "patient" and group.paths and group.paths[0] in own:
            address = addresses.get(container(group.paths[0], "segment"))
            if address:
                group.values.append(("reference", address, None))


def _patient(
    place: int,
    group: Group,
    about: Assigned,
    foreign: Mapping[str, frozenset[str]],
    words: FieldWords,
) -> Patient:
    kin = foreign.get("", frozenset()).union(
        *(foreign[c] for p in group.paths[:1] if (c := container(p, "segment")) in foreign)
    )
    own = [n for n in group.numbers if unpadded(squeeze(n[1])) not in kin] if kin else []
    if own:
        group = Group(group.role, group.values, group.paths, own, group.sex)
    strong, weak = numbers_of(group, about, words)
    if not own and len(strong) > 1 and person(group.pairs(), words).newborn:
        strong = _first_of_each_kind(strong)
    return Patient(place, patient_identity(group, about, words), strong, weak)


def _first_of_each_kind(strong: Sequence[str]) -> tuple[str, ...]:
    """Return a newborn's best chart number and resource id: others may be the mother's."""
    return tuple({n.partition(":")[0]: n for n in reversed(strong)}.values())[::-1]


def _one_person(patients: Sequence[Patient], people: Sequence[Person]) -> list[Patient]:
    """Link records of one person: the other records' numbers become prior numbers of the first.

    Records with another given name stay apart: families are linked in the same way.
    """
    first, *others = patients
    pairs = zip(others, people[1:], strict=True)
    same = (other for other, own in pairs if not has_other_name(people[0], own))
    prior = tuple(number for other in same for number in other.strong)
    whole = Patient(first.group, first.identity, first.strong, first.weak, first.prior + prior)
    return [whole, *others]


def _subjects(
    message: Message,
    groups: Sequence[Group],
    patients: Sequence[Patient],
    beside: Collection[str],
) -> dict[str, int]:
    """Map paths to patients: in FHIR by the resource's reference, in HL7 v2 by the last PID.

    The paths ``beside`` name patients in other places than that of the resource's subject.
    """
    places: dict[str, int] = {}
    paths = [(p, number) for number, own in enumerate(patients) for p in groups[own.group].paths]
    for path, number in sorted(paths, key=lambda each: each[0] in beside):
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
    """Return the patient of a resource, else of the one that contains it, else the first."""
    return places.get(resource, places.get(resource.partition("/contained/")[0], 0))
