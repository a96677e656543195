"""Links between records of one patient in FHIR (R4 section 8.1.5): which record ends in which."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from adapter.phrases.groups import Group, container, names_patient, referred, squeeze
from adapter.phrases.identity import Numbers
from adapter.phrases.linkage import compatible, person

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from adapter.languages.field_words import FieldWords
    from adapter.phrases.patients import Patient
    from adapter.types import TextSegment

_SURVIVORS = frozenset({"replaced-by", "refer"})
"""Types of links from a record that another one replaces (FHIR R4 section 8.1.5)."""


def linked(segments: Sequence[TextSegment]) -> dict[str, tuple[str, str]]:
    """Map each resource to (link type, id of the other record) of its first link."""
    kinds: dict[str, str] = {}
    found: dict[str, tuple[str, str]] = {}
    for segment in segments:
        if segment.element == "Patient.link.type":
            kinds[segment.path.rpartition("/")[0]] = segment.text
    for segment in segments:
        if segment.element == "Patient.link.other.reference":
            if not names_patient(segment.text):
                continue
            kind = kinds.get(segment.path.removesuffix("/other/reference"), "")
            resource = container(segment.path, "segment")
            found.setdefault(resource, (kind, squeeze(referred(segment.text))))
    return found


def led(
    patients: Sequence[Patient],
    groups: Sequence[Group],
    linked: Mapping[str, tuple[str, str]],
    words: FieldWords,
) -> list[Patient]:
    """Apply links to patients, unless the other record is in the message as another person."""
    if not linked:
        return list(patients)
    holders = {number: patient for patient in patients for number in patient.strong}
    return [_led(patient, groups, linked, holders, words) for patient in patients]


def _led(
    patient: Patient,
    groups: Sequence[Group],
    linked: Mapping[str, tuple[str, str]],
    holders: Mapping[str, Patient],
    words: FieldWords,
) -> Patient:
    """Apply one link to a patient: another record ends in this one, or this one in another."""
    paths = groups[patient.group].paths
    link = next((linked[r] for p in paths if (r := container(p, "segment")) in linked), None)
    if link is None or not link[1]:
        return patient
    kind, other = link[0], f"{Numbers.RESOURCE}:{link[1]}"
    own = tuple(number for number in patient.strong if number != other)
    holder = holders.get(other, patient)
    if holder is not patient and _are_two(groups[patient.group], groups[holder.group], words):
        return replace(patient, strong=own)
    if kind in _SURVIVORS:
        return replace(patient, strong=(other,), weak=(), prior=own)
    return replace(patient, strong=own, prior=(other,))


def _are_two(one: Group, other: Group, words: FieldWords) -> bool:
    mine, theirs = (person(group.pairs(), words) for group in (one, other))
    return compatible(mine, theirs, strong=True) is None
