"""Identities that key an entity's surrogates: equal for one person in all messages and formats."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING

import regex

from adapter.phrases.groups import (
    STAFF,
    first,
    number_place,
    referred,
    significant,
    squeeze,
    unpadded,
)
from adapter.phrases.names import meaningful
from adapter.types import Label

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from adapter.languages.field_words import FieldWords
    from adapter.phrases.groups import Group, Value
    from adapter.types import TextSegment

_CHART_TYPES = {"MR": 0, "MRN": 0, "PI": 1, "PT": 2}
"""Identifier types (HL7 table 0203) that identify a patient permanently, best first."""
_OTHER_CHART = 3
_RANKS = {Label.MEDICALRECORD: 5, Label.SSN: 8, Label.HEALTHPLAN: 9}
_LATER_RANK = 6
_SHARED_RANK = 8
"""Numbers of this rank or higher may be shared with other patients."""
_VISIT_RANK = 10
_VISIT_LABELS = frozenset({Label.ACCOUNT, Label.DEVICE, Label.LICENSE})
_SHORTEST_GIVEN = 2
_SENDERS = frozenset({"MSH-4", "MSH-4.1"})
_IDENTIFIER_LIST = regex.compile(r"PID(?:\[\d+\])?-3\.")


class Numbers(StrEnum):
    """Kinds of numbers that identify a patient; equal numbers of two kinds are different."""

    CHART = "chart"
    RESOURCE = "resource"
    SOCIAL = "social"
    PLAN = "plan"
    VISIT = "visit"


_STRONG = frozenset({Numbers.CHART, Numbers.RESOURCE})
_KINDS = {
    Label.SSN: Numbers.SOCIAL,
    Label.HEALTHPLAN: Numbers.PLAN,
    **dict.fromkeys(_VISIT_LABELS, Numbers.VISIT),
}


def bare(number: str) -> str:
    """Return the number in "kind:number"."""
    return number.partition(":")[2]


@dataclass(frozen=True, slots=True)
class Assigned:
    """Types and assigning authorities of identifiers, by the identifier's path (CX, Identifier).

    Only authorities that the site's rules name are included. ``sender`` is the authority of MSH-4,
    used for numbers without an authority; "" if the rules do not name MSH-4's.
    """

    types: Mapping[str, str] = field(default_factory=dict, repr=False)
    authorities: Mapping[str, str] = field(default_factory=dict, repr=False)
    sender: str = field(default="", repr=False)

    @classmethod
    def of(
        cls, segments: Sequence[TextSegment], names: Mapping[str, str] | None = None
    ) -> Assigned:
        """Read types and authorities from a message; ``names``: squeezed name -> its authority."""
        types: dict[str, str] = {}
        authorities: dict[str, str] = {}
        sender = ""
        for segment in segments:
            kind = segment.datatype
            if kind == "CX.5" or (kind == "Coding.code" and "/type/" in segment.path):
                types.setdefault(number_place(segment.path), segment.text.strip().upper())
            elif names and (known := names.get(squeeze(segment.text))):
                if segment.element in _SENDERS:
                    sender = sender or known
                elif kind.startswith("CX.4") or kind == "Identifier.system":
                    authorities.setdefault(number_place(segment.path), known)
        return cls(types, authorities, sender)

    def whole(self, key: str, path: str) -> str:
        """Return a squeezed number, prefixed with its authority if the authority is known."""
        own = self.authorities.get(number_place(path), self.sender)
        return f"{own}|{key}" if own else key


def patient_identity(group: Group, about: Assigned, words: FieldWords) -> str:
    """Return "id:..." for the best number, else "name:family|given|birthdate", else "".

    Chart numbers (type MR, PI) are best, then the patient's other numbers and the resource id.
    Numbers that mother and child or a family share (social security, payer, account, visit) rank
    below family name, given name and birth date together.
    """
    labels = {text: label for part, text, label in group.values if part == "id"}
    ranked = []
    for order, (path, text) in enumerate(group.numbers):
        key = unpadded(squeeze(text))
        if significant(key, words):
            rank = _rank(about.types.get(number_place(path), ""), labels.get(text), path)
            ranked.append((rank, order, about.whole(key, path)))
    if not ranked:
        return _named(group, words) or _referred(group, words)
    rank, _, number = min(ranked)
    return (rank >= _SHARED_RANK and _fully_named(group, words)) or f"id:{number}"


def _rank(kind: str, label: Label | None, path: str) -> int:
    if kind in _CHART_TYPES:
        return _CHART_TYPES[kind]
    if _IDENTIFIER_LIST.match(path):
        return _OTHER_CHART
    if path.endswith("/id") or path == "/id":
        return _LATER_RANK
    if label in _VISIT_LABELS:
        return _VISIT_RANK
    return _RANKS.get(label, _LATER_RANK) if label else _LATER_RANK


def numbers_of(
    group: Group, about: Assigned, words: FieldWords
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the strong and weak numbers of a patient as "kind:number", best first.

    Strong numbers belong to one patient alone: those of a chart or of a FHIR resource. Leading
    zeros distinguish ids of resources only.
    """
    labels = {text: label for part, text, label in group.values if part == "id"}
    strong: dict[str, int] = {}
    weak: dict[str, None] = {}
    for path, text in group.numbers:
        if not significant(key := squeeze(text), words):
            continue
        code, label = about.types.get(number_place(path), ""), labels.get(text)
        kind = _kind(code, label, path)
        key = key if kind is Numbers.RESOURCE else unpadded(key)
        number = f"{kind}:{about.whole(key, path) if kind is Numbers.CHART else key}"
        if kind in _STRONG:
            strong.setdefault(number, _rank(code, label, path))
        else:
            weak[number] = None
    for part, text, _ in group.values:
        if part == "reference" and significant(key := squeeze(referred(text)), words):
            strong.setdefault(f"{Numbers.RESOURCE}:{key}", _LATER_RANK)
    return tuple(sorted(strong, key=strong.__getitem__)), tuple(weak)


def _kind(code: str, label: Label | None, path: str) -> Numbers:
    if path.endswith("/id") or path == "/id":
        return Numbers.RESOURCE
    if code in _CHART_TYPES or label is None:
        return Numbers.CHART
    return _KINDS.get(label, Numbers.CHART)


def _named(group: Group, words: FieldWords) -> str:
    family, given = (squeeze(meaningful(group.first(part), words)) for part in ("family", "given"))
    birth = squeeze(group.first("birthdate"))[:8]
    return f"name:{family}|{given}|{birth}" if family or given else ""


def _fully_named(group: Group, words: FieldWords) -> str:
    """Return "name:..." if family, given (even a placeholder) and birth date exist, else ""."""
    family, given = group.first("family"), group.first("given")
    birth = squeeze(group.first("birthdate"))[:8]
    meant = meaningful(family, words)
    if not (meant and squeeze(given) and birth):
        return ""
    return f"name:{squeeze(meant)}|{squeeze(meaningful(given, words) or given)}|{birth}"


def _referred(group: Group, words: FieldWords) -> str:
    reference = unpadded(squeeze(referred(group.first("reference"))))
    return f"id:{reference}" if significant(reference, words) else ""


@lru_cache(maxsize=16384)
def identity(role: str, values: tuple[Value, ...], words: FieldWords) -> str:
    """Return the identity of a person or thing that is not the patient; "" if its values give none.

    Persons are identified by name (staff by family and given name, with or without a number), else
    by number; organisations by name.
    """
    family, given = (
        squeeze(meaningful(first(values, part), words)) for part in ("family", "given")
    )
    number = next((squeeze(t) for p, t, _ in values if p in ("id", "email", "phone")), "")
    spelt = len(given) >= _SHORTEST_GIVEN
    if family and (spelt or not number or role not in STAFF):
        return f"name:{family}|{given}"
    if given and role not in STAFF:
        return f"name:|{given}"
    org = squeeze(first(values, "org"))
    if org and not family:
        return f"org:{org}"
    if significant(number, words):
        return f"id:{number}"
    street = squeeze(first(values, "street") or first(values, "address"))
    return f"place:{street}" if street else ""
