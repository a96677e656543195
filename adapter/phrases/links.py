"""FHIR links between records of one patient (R4 section 8.1.5), and references to people.

A link says which record replaces which. The resource that a reference names says whose its display
and identifier are: elements such as `participant.actor` and `performer` hold references to patients
and to staff alike.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import regex

from adapter.phrases.groups import (
    PRIVATE,
    REFERENCE,
    STAFF,
    Group,
    container,
    names_patient,
    referred,
    squeeze,
)
from adapter.phrases.identity import Numbers
from adapter.phrases.linkage import compatible, person
from adapter.types import Handling, Label

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from adapter.languages.field_words import FieldWords
    from adapter.phrases.patients import Patient
    from adapter.types import Action, Message, TextSegment

_PATIENT = "Patient"
_PEOPLE = frozenset({_PATIENT, "Practitioner", "PractitionerRole", "RelatedPerson", "Person"})
_KIND = regex.compile(r"(?:^|/)([A-Z][A-Za-z]+)/[^/]+(?:/_history/[^/]*)?$")
_BY_KIND = {
    _PATIENT: ("patient", Label.PATIENT),
    "RelatedPerson": ("kin", Label.PATIENT),
    "Person": ("mentioned", Label.PATIENT),
}
"""Role and label of a person in a place for anything; any other is staff."""
_DISPLAY = "Reference.display"
_OPEN = frozenset({_DISPLAY, "Reference.reference", "Identifier.value"})
"""Datatypes of what names a person in a place for anything."""
_MEMBER = regex.compile(r"/(?:reference|display|type|identifier/value)$")
_ORGANISED = frozenset({"facility", "organization", "insurer", "employer"})
_NAMED = frozenset({"full", "org"})
_SURVIVORS = frozenset({"replaced-by", "refer"})
"""Link types of a record that another record replaces (FHIR R4 section 8.1.5)."""


Link = tuple[str, str]
"""(type of a link, id of the other record)."""


def linked(segments: Sequence[TextSegment]) -> dict[str, list[Link]]:
    """Map each resource to its links to other records of a patient, in order."""
    kinds: dict[str, str] = {}
    found: dict[str, list[Link]] = {}
    for segment in segments:
        if segment.element == "Patient.link.type":
            kinds[segment.path.rpartition("/")[0]] = segment.text
    for segment in segments:
        if segment.element == "Patient.link.other.reference":
            other = squeeze(referred(segment.text))
            if not other or not names_patient(segment.text):
                continue
            kind = kinds.get(segment.path.removesuffix("/other/reference"), "")
            found.setdefault(container(segment.path, "segment"), []).append((kind, other))
    return found


def led(
    patients: Sequence[Patient],
    groups: Sequence[Group],
    linked: Mapping[str, Sequence[Link]],
    words: FieldWords,
) -> list[Patient]:
    """Apply links to patients, unless the linked record is another person in the message.

    Of two records of one person in the message, the one that ends gets the identity of the other,
    and its own numbers become prior numbers.
    """
    if not linked:
        return list(patients)
    links = [_links(groups[patient.group], linked) for patient in patients]
    own = [_unlinked(*each) for each in zip(patients, links, strict=True)]
    holders = {number: place for place, patient in enumerate(own) for number in patient.strong}
    found = [
        _with_outer_links(patient, [link for link in each if link[1] not in holders])
        for patient, each in zip(own, links, strict=True)
    ]
    ends: dict[int, int] = {}
    for place, each in enumerate(links):
        for kind, other in each:
            holder = holders.get(other, place)
            one, two = (groups[own[at].group] for at in (place, holder))
            if holder != place and not _are_two(one, two, words):
                old, new = (place, holder) if kind in _SURVIVORS else (holder, place)
                if old not in ends and _last(new, ends) != old:
                    ends[old] = new
    return [
        _ended(patient, found[_last(place, ends)]) if place in ends else patient
        for place, patient in enumerate(found)
    ]


def _links(group: Group, linked: Mapping[str, Sequence[Link]]) -> list[Link]:
    """Return the links of a patient's resource as (type, number of the other record)."""
    resources = dict.fromkeys(container(path, "segment") for path in group.paths)
    return [
        (kind, f"{Numbers.RESOURCE}:{other}")
        for resource in resources
        for kind, other in linked.get(resource, ())
    ]


def _unlinked(patient: Patient, links: Sequence[Link]) -> Patient:
    """Return a patient without the numbers of linked records."""
    others = {other for _, other in links}
    return replace(patient, strong=tuple(n for n in patient.strong if n not in others))


def _with_outer_links(patient: Patient, links: Sequence[Link]) -> Patient:
    """Apply links to records outside the message: they replace the record, or it replaces them."""
    survivor = next((other for kind, other in links if kind in _SURVIVORS), None)
    prior = tuple(other for kind, other in links if kind not in _SURVIVORS)
    if survivor is None:
        return replace(patient, prior=prior) if prior else patient
    return replace(patient, strong=(survivor,), weak=(), prior=(*patient.strong, *prior))


def _ended(patient: Patient, survivor: Patient) -> Patient:
    """Return a record that another record of the message replaces."""
    numbers = dict.fromkeys((*patient.strong, *patient.prior))
    return replace(
        patient,
        identity=survivor.identity,
        strong=survivor.strong,
        weak=(),
        prior=tuple(number for number in numbers if number not in survivor.strong),
    )


def _last(place: int, ends: Mapping[int, int]) -> int:
    """Return the record at the end of a chain of records that replace each other."""
    while place in ends:
        place = ends[place]
    return place


def _are_two(one: Group, other: Group, words: FieldWords) -> bool:
    mine, theirs = (person(group.pairs(), words) for group in (one, other))
    return compatible(mine, theirs, strong=True) is None


def attributed(message: Message, actions: Sequence[Action]) -> tuple[Action, ...]:
    """Return the actions, in which parts of references to people belong to the people they name.

    The display of a reference to a patient names that patient, whatever the element says, that of a
    person in the place of an organisation is no organisation's name, and that of a person where
    anything may stand (the items of a list) is no text.
    """
    found = {place: kind for place, kind in _referents(message.segments).items() if kind in _PEOPLE}
    if not found:
        return tuple(actions)
    return tuple(
        _of(action, found.get(_MEMBER.sub("", segment.path), ""), segment.datatype)
        for segment, action in zip(message.segments, actions, strict=True)
    )


def _of(action: Action, kind: str, datatype: str) -> Action:
    if not kind:
        return action
    if action.role is None and datatype in _OPEN and action.handling is not Handling.DROP:
        part = "full" if datatype == _DISPLAY else action.part
        role, name = _BY_KIND.get(kind, ("staff", Label.DOCTOR))
        return _owned(replace(action, handling=Handling.SURROGATE, part=part), role, name)
    if action.handling is Handling.DROP:
        named = action.part == "full" and action.role is None
        return _owned(action, "mentioned", Label.PATIENT) if named else action
    if kind == _PATIENT and action.role in STAFF | PRIVATE | _ORGANISED:
        return _owned(action, "patient", Label.PATIENT)
    if action.role in _ORGANISED:
        return _owned(action, "staff", Label.DOCTOR)
    return action


def _owned(action: Action, role: str, name: Label) -> Action:
    """Return the action for a value of a person in a role, whose names have the label ``name``."""
    made = replace(action, role=role, scope=REFERENCE)
    if action.part in _NAMED:
        return replace(made, part="full", label=name)
    return replace(made, label=Label.MEDICALRECORD) if _is_chart(made) else made


def _is_chart(action: Action) -> bool:
    return action.role == "patient" and action.part == "id" and action.label is Label.IDNUM


def _referents(segments: Sequence[TextSegment]) -> dict[str, str]:
    """Map the path of each reference to the type of the resource that it names."""
    found: dict[str, str] = {}
    kinds: Mapping[str, str] | None = None
    for segment in segments:
        if segment.datatype == "Reference.type":
            found[segment.path.removesuffix("/type")] = segment.text.rpartition("/")[2]
        elif segment.datatype == "Reference.reference":
            typed = _KIND.search(segment.text)
            if typed is None and kinds is None:
                kinds = _kinds(segments)
            kind = typed[1] if typed else (kinds or {}).get(squeeze(referred(segment.text)))
            if kind:
                found[segment.path.removesuffix("/reference")] = kind
    return found


def _kinds(segments: Sequence[TextSegment]) -> dict[str, str]:
    """Map the addresses and ids of the message's resources to their types."""
    resources: dict[str, str] = {}
    found: dict[str, str] = {}
    for segment in segments:
        kind, _, element = segment.element.partition(".")
        place = container(segment.path, "segment")
        resources.setdefault(place, kind)
        if element == "id":
            found.setdefault(squeeze(segment.text), kind)
    for segment in segments:
        if segment.element == "Bundle.entry.fullUrl":
            place = segment.path.removesuffix("fullUrl") + "resource"
            if place in resources:
                found.setdefault(squeeze(referred(segment.text)), resources[place])
    return found
