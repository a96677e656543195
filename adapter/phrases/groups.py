"""Structured fields grouped by owner: one group of values per person or thing."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

import regex

from adapter.languages.functions import name_extent
from adapter.normalize.folding import squeeze as squeezed
from adapter.phrases.names import NAMES, initials_apart, meaningful, name_in_id, parse
from adapter.types import Label

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from adapter.languages.field_words import FieldWords
    from adapter.types import Action, TextSegment

Value = tuple[str, str, Label | None]
"""(part, text, label) of one field."""

STAFF = frozenset(
    "attending referring consulting admitting ordering author staff insurer-contact".split()
)
"""Roles that one person may fill at once; surrogates depend on the name, whatever the role."""
PRIVATE = frozenset({"kin", "guarantor", "insured", "mother", "contact", "mentioned"})
"""Roles that the patient may fill too."""
ANONYMOUS = frozenset({"authority", "application"})
"""Roles whose values are replaced but give no trusted phrases."""

REFERENCE = "reference"
"""Scope of the parts of a reference whose resource says whose they are."""
RESOURCE_MARK = "#resource:"

squeeze = lru_cache(maxsize=65536)(squeezed)
"""Return a value's folded letters and digits; memoised, because the same few values recur."""

_NAMELESS = "uri"
"""Part of fields that name a system, a profile or a definition, and no person."""
_DATATYPE_TAIL = regex.compile(
    r"/(?:(?:name|telecom|address|identifier|qualification)(?:/.*)?"
    r"|extension(?!(?:/\d+/extension)*/\d+/value[A-Z][A-Za-z]+/)(?:/.*)?)$"
    r"|/(?:given|line|prefix|suffix|display|family|text|value|reference|id)(?:/\d+)?$"
)
_RESOURCE = regex.compile(r".*/(?:resource|contained/\d+)(?=/)")
_FHIR_NUMBER = regex.compile(r"/identifier(?:/\d+)?(?=/)")
_TYPED = regex.compile(r"(?:^|/)[A-Z][A-Za-z]+/([^/:#?|$_][^/:#?|]*)")
_REFERRED = regex.compile(r"([^/:#|]+)(?:/_history/[^/]*)?$")
_NEXT_PATIENT = "PID["
MERGED = "MRG"
"""Segment that names the record merged into the patient's, or from which something is moved."""
_LINK = "Patient.link.other.reference"
_KIND = regex.compile(r"(?:^|/)([A-Z][A-Za-z]+)/[^/]+(?:/_history/[^/]*)?$")
_TITLED = regex.compile(
    r"(\p{L}{2,12})(?:\. ?| )\p{Lu}[\p{L}\p{M}.'’-]*(?: [\p{L}\p{M}.'’-]+){0,4}(?:,.{1,20})?"
)
_HL7_SEGMENT = regex.compile(r"[^-.]*")
_HL7_FIELD = regex.compile(r"[^.]*")
_PADDED = regex.compile(r"(\p{L}*)0+(\d+)")


@dataclass(slots=True)
class Group:
    """Values of one entity in order of appearance, and the paths they came from."""

    role: str
    values: list[Value] = field(default_factory=list, repr=False)
    paths: list[str] = field(default_factory=list, repr=False)
    numbers: list[tuple[str, str]] = field(default_factory=list, repr=False)
    """(path, text) of the entity's ids."""
    sex: str | None = field(default=None, repr=False)
    beside: bool = False
    """Whether only references name it in places that are not for the subject of a resource."""

    parted: set[str] = field(default_factory=set, repr=False)
    """Squeezed names that came in a field of their own, not within a whole name."""

    def first(self, part: str) -> str:
        """Return the first text of a part; "" if there is none."""
        return first(self.values, part)

    def pairs(self) -> Iterator[tuple[str, str]]:
        """Yield the (part, text) of each value."""
        return ((part, text) for part, text, _ in self.values)

    def charts(self) -> frozenset[str]:
        """Return the squeezed medical record numbers, without leading zeros."""
        chart = Label.MEDICALRECORD
        own = (t for p, t, label in self.values if p == "id" and label is chart)
        return frozenset(unpadded(squeeze(text)) for text in own)

    def copy(self) -> Group:
        """Return a separate group with the same values."""
        lists = [*self.values], [*self.paths], [*self.numbers]
        return Group(self.role, *lists, self.sex, self.beside, {*self.parted})

    def absorb(self, other: Group) -> None:
        """Add all values, paths and numbers of another group of the same person."""
        known = {(part, text) for part, text, _ in self.values}
        self.values += [value for value in other.values if value[:2] not in known]
        self.paths += other.paths
        self.numbers += other.numbers
        self.parted |= other.parted
        self.sex = self.sex or other.sex
        self.beside = self.beside and other.beside


def first(values: Sequence[Value], part: str) -> str:
    """Return the first text of a part among values; "" if there is none."""
    for name, text, _ in values:
        if name == part:
            return text
    return ""


def gather(
    segments: Sequence[TextSegment], actions: Sequence[Action], words: FieldWords
) -> list[Group]:
    """Return the groups of a message's values, one per role and scope container, in order.

    In HL7 v2 each further PID begins the part of a message about another patient, and each MRG
    is a record of its own. A person in the place of an organisation is staff.
    """
    groups: dict[tuple[str, str], Group] = {}
    part_of_message = ""
    givens = frozenset(
        squeeze(segment.text)
        for segment, action in zip(segments, actions, strict=True)
        if action.part == "given"
    )
    for segment, action in zip(segments, actions, strict=True):
        role, part, path = action.role, action.part, segment.path
        if role is None or part is None or part == _NAMELESS or _links_to_another(segment):
            continue
        label = action.label
        if part == "org" and _is_person(segment.text, words):
            role, part, label = "staff", "full", Label.DOCTOR
        if action.scope != "message":
            place = role, container(path, action.scope)
        elif path.startswith(MERGED):
            place = role, part_of_message + container(path, "segment")
        else:
            if path.startswith(_NEXT_PATIENT):
                part_of_message = container(path, "segment")
            place = role, part_of_message if role == "patient" else ""
        group = groups.get(place)
        if group is None:
            group = groups[place] = Group(role, beside=action.scope == REFERENCE)
        _add(group, part, segment, label, words, givens=givens)
    return list(groups.values())


def _is_person(text: str, words: FieldWords) -> bool:
    """Whether the name of an organisation is a person's, with a title: "Dr. Casimir Holm"."""
    found = _TITLED.fullmatch(text.strip())
    if found is None or squeeze(found[1]) not in words.titles.prefixes:
        return False
    return words.organisations.isdisjoint(squeezed_words(text))


def _links_to_another(segment: TextSegment) -> bool:
    """Whether a segment links a patient to a record of another kind (a RelatedPerson)."""
    return segment.element == _LINK and not names_patient(segment.text)


def names_patient(reference: str) -> bool:
    """Whether a FHIR reference may point to a Patient: its type is Patient or not given."""
    return kind_of(reference) in ("Patient", "")


def kind_of(reference: str) -> str:
    """Return the type of the resource to which a FHIR reference points; "" if it names none."""
    kind = _KIND.search(reference)
    return str(kind[1]) if kind else ""


def _add(
    group: Group,
    part: str,
    segment: TextSegment,
    label: Label | None,
    words: FieldWords,
    *,
    givens: frozenset[str],
) -> None:
    text = segment.text
    if part == "sex":
        group.sex = group.sex or text
        return
    group.paths.append(segment.path)
    if part == "id":
        group.numbers.append((segment.path, text))
    if part in NAMES:
        group.parted.update(squeezed_words(text))
    if part in _SPLIT and (part != "family" or "," in text):
        values = _values(group.role, part, text, label, words, givens=givens)
        group.values += [value for value in values if value not in group.values]
    elif (value := (part, text, label)) not in group.values:
        group.values.append(value)


def squeezed_words(text: str) -> list[str]:
    """Return the words of a text, letters and digits only."""
    return [squeeze(word) for word in text.split()]


_SPLIT = frozenset({"full", "family", "id"})
"""Parts that may hold a whole name."""


def _values(
    role: str,
    part: str,
    text: str,
    label: Label | None,
    words: FieldWords,
    *,
    givens: frozenset[str],
) -> tuple[Value, ...]:
    """Return the values of one field: a whole name is split into its parts.

    ``givens`` are the squeezed given names of the message.
    """
    if part == "full":
        start, end = name_extent(text, words)
        text = text[start:end]
    if part == "full" or (part == "family" and "," in text):
        if "://" in text or "@" in text:
            return (("url", text, label),)
        if not words.organisations.isdisjoint(squeezed_words(text)):
            return (("org", text, label),)
        parts = initials_apart(parse(text, words), givens)
        return tuple((name, value, label) for name, value in parts)
    if part == "id" and role in STAFF and (named := name_in_id(text, words)):
        return tuple((name, value, Label.DOCTOR) for name, value in named)
    return ((part, text, label),)


@lru_cache(maxsize=65536)
def container(path: str, scope: str) -> str:
    """Return the part of a path that one entity of the scope occupies.

    A "segment" is an HL7 v2 segment occurrence, a FHIR resource or a document; a "repetition" is
    an HL7 v2 field repetition, a FHIR array item, or the object or document element that holds the
    value.
    """
    outer, mark, inner = path.rpartition("!")
    if mark:
        return f"{outer}!" + (inner.rpartition("/")[0] if scope == "repetition" else "")
    if not path.startswith("/"):
        shape = _HL7_SEGMENT if scope == "segment" else _HL7_FIELD
        match = shape.match(path)
        return match.group() if match else path
    if scope == "segment":
        resource = _RESOURCE.match(path)
        return resource.group() if resource else ""
    return _DATATYPE_TAIL.sub("", path)


def number_place(path: str) -> str:
    """Return the path of the identifier (CX, Identifier) that holds a leaf; "" if none does."""
    if path.startswith("/"):
        match = _FHIR_NUMBER.search(path)
        return path[: match.end()] if match else ""
    return path.partition(".")[0]


def merge(groups: Sequence[Group], words: FieldWords) -> list[Group]:
    """Unite groups of one person or thing: same name or same number, in compatible roles."""
    merged: list[Group] = []
    by_key: dict[tuple[str, str], Group] = {}
    for group in sorted(groups, key=_patient_last):
        keys = _keys(group.role, tuple(group.values), words)
        same = next((by_key[key] for key in keys if key in by_key), None)
        if same is not None and _agree(same, group):
            same.absorb(group)
        else:
            merged.append(group)
            same = group
        for key in keys:
            by_key.setdefault(key, same)
    return merged


def _patient_last(group: Group) -> int:
    """Sort key: fullest patients first, then references to patients, then all others in order."""
    if group.role != "patient" or group.beside:
        return 3 - group.beside
    return 0 if any(part in NAMES or part == "birthdate" for part, *_ in group.values) else 1


def _circle(role: str) -> str:
    if role in STAFF:
        return "staff"
    return "patient" if role in PRIVATE else role


def referred(reference: str) -> str:
    """Return the id in a FHIR reference ("Patient/7/_history/2", "urn:uuid:..", "#p1"), or "".

    A version after the resource's id is not part of the id.
    """
    if typed := _TYPED.findall(reference):
        return str(typed[-1])
    match = _REFERRED.search(reference)
    return match[1] if match else ""


@lru_cache(maxsize=65536)
def unpadded(key: str) -> str:
    """Return a squeezed number without leading zeros, which its surrogate ignores too.

    Letters may stand before the zeros. A number that would identify nothing without them keeps
    them ("0011").
    """
    found = _PADDED.fullmatch(key)
    short = found[1] + found[2] if found else key
    return short if len(set(short)) > 1 else key


@lru_cache(maxsize=16384)
def _keys(role: str, values: tuple[Value, ...], words: FieldWords) -> tuple[tuple[str, str], ...]:
    """Return the keys by which groups of one person or thing are recognised."""
    keys = []
    family, given = first(values, "family"), first(values, "given")
    if family and given and meaningful(family, words) and meaningful(given, words):
        keys.append((_circle(role), f"{squeeze(family)}|{squeeze(given)}"))
    for part, text, label in values:
        if part == "id":
            key = squeeze(text)
            resource = label is Label.IDNUM and role == "patient"
            keys.append((role, f"{RESOURCE_MARK}{key}" if resource else f"#{unpadded(key)}"))
        elif part == "reference":
            key = squeeze(referred(text))
            keys += [(role, f"{RESOURCE_MARK}{key}"), (role, f"#{unpadded(key)}")]
        elif part == "org" and not family:
            keys.append((role, f"={squeeze(text)}"))
    return tuple(key for key in keys if significant(key[1], words))


def _agree(one: Group, other: Group) -> bool:
    """Whether two groups may be one entity: birth dates, suffixes and charts do not conflict."""
    for part, length in (("birthdate", 8), ("suffix", 9)):
        first, second = squeeze(one.first(part))[:length], squeeze(other.first(part))[:length]
        if first and second and first != second:
            return False
    if one.role == other.role == "patient":
        numbers, others = one.charts(), other.charts()
        return not (numbers and others) or not numbers.isdisjoint(others)
    if one.role == other.role:
        return True
    return bool(other.first("family"))


def significant(key: str, words: FieldWords) -> bool:
    """Whether a squeezed value identifies something: no placeholder, not one repeated character."""
    bare = key.removeprefix(RESOURCE_MARK).lstrip("#=")
    return len(set(bare)) > 1 and bare not in words.placeholders
