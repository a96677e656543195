"""The grammar of each place of a message, by its element and datatype."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from adapter.values.grammars import Grammar

FREE = "text"
"""Name of the grammar of places that no list contains."""
DOCUMENT = "cda:"
"""Beginning of the elements of CDA documents."""
UNIT = "/@unit"
_ASKED = re.compile(r"/(?:value|text)\b")
"""Steps of the elements of a CDA document that answer a question or a section's title."""
_IN_SEGMENT, _IN_RESOURCE = ("-5",), ("/value", "/answer", "/text")
"""Parts of a path that follow the holder of a question."""
_RESULT, _ANSWERS, _NARRATIVE = "OBX-5", (".value", ".answer"), ".div"
"""Parts of the elements of HL7 v2 and FHIR that answer a question or a section's title."""
_UNITS = ("-6.1", "-6.2", "-6")
"""Path endings of the unit of an observation (OBX-6)."""
LISTED = "bound"
"""Name of the grammar of codes of HL7-defined tables (ID); sites extend the other tables (IS)."""


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """A place's grammar; compared by identity, so that it can key memo tables.

    ``codes`` are the codes of its table; ``beside`` are path endings of siblings (".3", "/system").
    """

    grammar: Grammar
    codes: frozenset[str] = field(default=frozenset(), repr=False)
    beside: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()
    """Path endings of the questions that the value may answer."""
    aged: bool = False
    """Whether the place holds an age by its definition, whatever its datatype."""
    strict: bool = False
    """Whether a text is dropped for one unknown word, which may name people whom no field names."""
    structural: bool = False
    """Whether a code of the place's table determines how the message is read, and always stays."""
    titles: frozenset[str] = frozenset()
    """All runs of words in the standard's names of the place, squeezed: "locationtype"."""

    def questions(self, path: str, texts: Mapping[str, str]) -> tuple[str, ...]:
        """Return the texts of the questions that the value at a path may answer."""
        found = []
        for mark in _IN_RESOURCE if "/" in path else _IN_SEGMENT:
            holder, cut, _ = path.removesuffix("/value").rpartition(mark)
            if cut:
                found += [texts.get(holder + end, "") for end in self.asked]
        return tuple(found)

    def units(self, path: str, texts: Mapping[str, str]) -> tuple[str, ...]:
        """Return the texts of the units of a number, also of one within a composite OBX-5."""
        holder, cut, _ = path.rpartition("-5.")
        own = tuple(texts.get(holder + end, "") for end in _UNITS) if cut and self.asked else ()
        return own if any(own) else self.near(path, texts)

    def near(self, path: str, texts: Mapping[str, str]) -> tuple[str, ...]:
        """Return the texts beside a path, parallel to ``beside``; "" for a missing one."""
        if not self.beside:
            return ()
        holder = path[: path.rindex(self.beside[0][0])]
        return tuple(texts.get(holder + end, "") for end in self.beside)


def in_document(place: Place, element: str, asked: Sequence[str]) -> Place:
    """Return the place of an element in a CDA document, whose questions end in ``asked``."""
    if not element.startswith(DOCUMENT) or not _ASKED.search(element):
        return place
    beside = (UNIT,) if element.endswith("/@value") else place.beside
    return replace(place, asked=tuple(asked), beside=beside)


@dataclass(frozen=True, slots=True)
class Listing:
    """The table ``[hl7v2]`` or ``[fhir]`` of places.toml."""

    elements: Mapping[str, str] = field(repr=False)
    components: Mapping[str, str] = field(repr=False)
    names: Mapping[str, str] = field(repr=False)
    primitives: Mapping[str, str] = field(repr=False)
    beside: Mapping[str, Sequence[str]] = field(repr=False)
    like: Mapping[str, str] = field(repr=False)
    asked: Sequence[str] = field(repr=False)
    aged: Sequence[str] = field(repr=False)
    people: Mapping[str, str] = field(repr=False)
    """Segments and datatypes about people, and grammar -> the stricter grammar used in them."""
    strict: Sequence[str] = field(repr=False)
    structure: Sequence[str] = field(repr=False)

    @classmethod
    def of(cls, table: Mapping[str, Any]) -> Listing:
        """Read the table of one format."""
        parts = "elements components names primitives beside like asked aged people".split()
        lists = {part: table.get(part, ()) for part in ("strict", "structure")}
        return cls(**{part: table.get(part, {}) for part in parts}, **lists)


@dataclass(frozen=True, slots=True)
class Hl7Places:
    """Places of HL7 v2; ``components`` maps "XCN.9" to its datatype in the latest version."""

    listing: Listing
    grammars: Mapping[str, Grammar] = field(repr=False)
    components: Mapping[str, str] = field(repr=False)
    tables: Mapping[str, frozenset[str]] = field(repr=False)
    titles: Mapping[str, str] = field(default_factory=dict, repr=False)
    """Fields ("PV1-14") and components ("PL.6") -> their names ("PERSON_LOCATION_TYPE")."""

    def place(self, element: str, datatype: str) -> Place:
        """Return the place of an element ("PID-8") of a datatype ("IS", "XCN.9.3")."""
        leaf, primitive, whole = self._leaf(datatype)
        listing = self.listing
        codes = self.tables.get(element, frozenset()) | self.tables.get(leaf, frozenset())
        name = listing.elements.get(element) or ""
        if not name:
            name = listing.components.get(leaf) or listing.primitives.get(primitive, FREE)
            if codes and name == "code" and primitive == "ID":
                name = LISTED
            if self._of_people(element, datatype):
                name = listing.people.get(name, name)
        beside = listing.beside.get(leaf if "." in leaf else element, ()) if whole else ()
        asked = tuple(listing.asked) if self.answers(element, datatype) else ()
        strict = element.partition(".")[0] in listing.strict
        structural = element in listing.structure
        titles = _runs(self.titles.get(key, "") for key in (element.partition(".")[0], leaf))
        return Place(
            self.grammars[name],
            codes,
            tuple(beside),
            asked,
            element.partition(".")[0] in listing.aged,
            strict,
            structural,
            titles,
        )

    @staticmethod
    def answers(element: str, datatype: str) -> bool:
        """Whether a place may answer a question."""
        del datatype
        return element.startswith(_RESULT)

    def _of_people(self, element: str, datatype: str) -> bool:
        """Whether a place is next to personal values, which a lost separator would move into it."""
        people = self.listing.people
        segments, types = people.get("segments", ""), people.get("types", "")
        owner, inner, _ = datatype.partition(".")
        return element[:3] in segments.split() or (bool(inner) and owner in types.split())

    def _leaf(self, datatype: str) -> tuple[str, str, bool]:
        """Return the innermost component ("HD.3"), its primitive type, and if all positions fit."""
        name, *positions = datatype.split(".")
        leaf, used = name, 0
        for position in positions:
            name = self.listing.like.get(name, name)
            if f"{name}.1" not in self.components:
                break
            leaf, used = f"{name}.{position}", used + 1
            name = self.components.get(leaf, "")
        while (inner := self.components.get(f"{name}.1")) is not None:
            leaf, name = f"{name}.1", inner
        return leaf, name, used == len(positions)


def _runs(names: Iterable[str]) -> frozenset[str]:
    """Return every run of words of names ("CHECK_DIGIT_SCHEME"), joined without separators."""
    split = [name.lower().split("_") for name in names]
    return frozenset(
        "".join(words[start:end])
        for words in split
        for start in range(len(words))
        for end in range(start + 1, len(words) + 1)
    )


def _backbone(element: str) -> tuple[str, str]:
    """Return type and element of "Patient.contact.gender": ("PatientContact", "gender").

    Backbone elements within themselves have one type: "Questionnaire.item.item.type".
    """
    *path, last = element.split(".")
    steps = [step for step, before in zip(path, ["", *path], strict=False) if step != before]
    return "".join(step[:1].upper() + step[1:] for step in steps), last


@dataclass(frozen=True, slots=True)
class FhirPlaces:
    """Places of FHIR; ``types`` are those of `adapter.fields.Vocabulary`.

    ``bindings`` maps a type and its element to the codes of the element's value set, which always
    stay: another code would make the resource invalid.
    """

    listing: Listing
    grammars: Mapping[str, Grammar] = field(repr=False)
    types: Mapping[str, Mapping[str, tuple[str, ...]]] = field(repr=False)
    bindings: Mapping[str, Mapping[str, str]] = field(default_factory=dict, repr=False)

    def place(self, element: str, datatype: str) -> Place:
        """Return the place of an element of a datatype ("code", "Coding.display")."""
        listing = self.listing
        owner, _, last = datatype.partition(".")
        usual = f"{listing.like.get(owner, owner)}.{last}" if last else datatype
        name = (
            listing.elements.get(usual)
            or listing.elements.get(element)
            or listing.names.get(element.rpartition(".")[2])
            or listing.primitives.get(self._primitive(owner, last), FREE)
        )
        asked = tuple(listing.asked) if self.answers(element, datatype) else ()
        aged = any(step in listing.aged for step in element.split("."))
        beside = tuple(listing.beside.get(usual, ()))
        codes = self._codes(element, owner, last)
        return Place(
            self.grammars[name],
            codes,
            beside,
            asked,
            aged,
            strict=element in listing.strict or usual in listing.strict,
            structural=bool(codes),
        )

    def _codes(self, element: str, owner: str, last: str) -> frozenset[str]:
        """Return the codes to which an element of a datatype, or else of a resource, is bound."""
        if not last:
            owner, last = _backbone(element)
        return frozenset(self.bindings.get(owner, {}).get(last, "").split())

    @staticmethod
    def answers(element: str, datatype: str) -> bool:
        """Whether a place may answer a question, or is the text below a title."""
        return element.endswith(_NARRATIVE) or any(
            part in element or part in datatype for part in _ANSWERS
        )

    def _primitive(self, owner: str, last: str) -> str:
        if not last:
            return owner
        if owner == "Extension" and last.startswith("value"):
            return last[5:6].lower() + last[6:]
        kinds = self.types.get(owner, {}).get(last, ())
        return kinds[0] if kinds else ""
