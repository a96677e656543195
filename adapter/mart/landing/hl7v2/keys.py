"""Natural keys of the resources of a message, as defined in the tables.

A key is the first of its alternatives whose parts are all valued. A part is a place, the first
valued of several ("OBX-3.1|4|2"), a named list of places ("order"), or one of ``patient``,
``encounter`` and ``nth``; a trailing "?" allows it to be empty. Short numbers are unique only
within a patient.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

from adapter.errors import RuleError
from adapter.normalize.folding import squeeze

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from adapter.codecs.hl7v2.delimiters import Delimiters

SHORT = 5
"""Minimum number of letters and digits of a number that is unique across patients."""
NTH = "nth"
_CONTEXT = frozenset({"patient", "encounter"})
_PART = re.compile(r"([A-Z][A-Z0-9]{2})-(\d+)(?:\.([\d|]+))?")

Source = tuple[str, int, tuple[int, ...]]
"""(segment, field, components); the first valued component counts, () means the whole field."""


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a key: a ``name`` from the context, or ``sources``, places in order."""

    name: str
    sources: tuple[Source, ...]
    optional: bool
    number: bool


@dataclass(frozen=True, eq=False)
class Keys:
    """The keys of all resource types."""

    names: Mapping[str, Sequence[str]]
    resources: Mapping[str, Mapping[str, Any]]
    delimiters: Delimiters = field(repr=False)

    @cached_property
    def alternatives(self) -> dict[str, tuple[tuple[Part, ...], ...]]:
        """Resource type -> its alternative keys, the preferred first."""
        return {
            resource: tuple(
                tuple(self._part(text) for text in alternative.split(" + "))
                for alternative in entry.get("key", ())
            )
            for resource, entry in self.resources.items()
        }

    def _part(self, text: str) -> Part:
        name = text.removesuffix("?")
        optional = name != text
        if name in _CONTEXT or name == NTH:
            return Part(name, (), optional, number=False)
        places = self.names.get(name, [name])
        return Part("", tuple(_source(place) for place in places), optional, name in self.names)

    def of(
        self, resource: str, rows: Mapping[str, list[str]], context: Mapping[str, str]
    ) -> str | None:
        """Return a resource's natural key without its ordinal; None if the message has none."""
        for parts in self.alternatives[resource]:
            key = self._key(parts, rows, context)
            if key is not None:
                return key
        return None

    def counted(self, resource: str) -> bool:
        """Return whether resources with the same key in one message are numbered in order."""
        return resource in self._counted

    @cached_property
    def _counted(self) -> frozenset[str]:
        return frozenset(
            resource
            for resource, alternatives in self.alternatives.items()
            if any(part.name == NTH for parts in alternatives for part in parts)
        )

    def _key(
        self, parts: Sequence[Part], rows: Mapping[str, list[str]], context: Mapping[str, str]
    ) -> str | None:
        texts = []
        for part in parts:
            if part.name == NTH:
                continue
            text = context.get(part.name, "") if part.name else self._text(part, rows)
            if part.number and text and len(text) < SHORT:
                text = f"{context.get('patient', '')}/{text}"
            if not text and not part.optional:
                return None
            texts.append(text)
        return "|".join(texts)

    def _text(self, part: Part, rows: Mapping[str, list[str]]) -> str:
        known = self.delimiters
        for segment, number, components in part.sources:
            row = rows.get(segment)
            if row is not None and number < len(row) and (raw := row[number]):
                text = _first(raw, components, known.repetition, known.component)
                if text:
                    return text
        return ""


@lru_cache(maxsize=16384)
def _first(raw: str, components: tuple[int, ...], repetition: str, separator: str) -> str:
    """Return the first valued component, squeezed; cached, because codes repeat."""
    raw = raw.partition(repetition)[0]
    if not components:
        return squeeze(raw)
    parts = raw.split(separator)
    found = (squeeze(parts[c - 1]) for c in components if c <= len(parts))
    return next(filter(None, found), "")


def _source(place: str) -> Source:
    match = _PART.fullmatch(place)
    if match is None:
        raise RuleError("rules/mart/hl7v2", f"not a place: {place!r}")
    components = tuple(int(c) for c in (match[3] or "").split("|") if c)
    return match[1], int(match[2]), components
