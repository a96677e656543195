"""Additional training data: annotated notes with new names, dates, numbers and places.

Every mention is replaced by a value of the same kind and form, equal values by equal values, in
the header too, so that trusted phrases still match. Text outside mentions is kept byte for byte.
Random draws depend on a seed and the note's id. Originals are never changed: copies have ids
"<id>#<copy>", so that only originals are scored.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING, Any

from adapter.evaluate.headers import FIELDS
from adapter.train.augment.carriers import carried, inserted, made, screened
from adapter.train.augment.dates import Dates
from adapter.train.augment.names import NAME_TYPES, ROLES, Renaming
from adapter.train.augment.places import PLACE_TYPES, Places
from adapter.train.augment.tables import Tables
from adapter.train.augment.values import ID_TYPES, Values

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from adapter.evaluate.corpora.readers import Annotated, Mention

__all__ = ["Tables", "augmented", "carried", "inserted", "made", "resurrogated", "screened"]

_RECASED = {"upper": 0.03, "lower": 0.03}
_CASES = NAME_TYPES | PLACE_TYPES | {"CITY"}
_SAME_COUNTRY = 0.5
_HEADER_DATES = ("patient_dob", "visit_date")
_NAMES = frozenset({"family", "given", "middle", "suffix", "alias"})


def augmented(
    corpus: Sequence[Annotated], copies: int, seed: int, tables: Tables
) -> Iterator[Annotated]:
    """Yield ``copies`` copies of every text with different values, without the originals."""
    for copy in range(1, copies + 1):
        for note in corpus:
            yield resurrogated(note, seed * 1009 + copy, tables, f"{note.id}#{copy}")


def resurrogated(note: Annotated, seed: int, tables: Tables, name: str = "") -> Annotated:
    """Return the note with all mentions replaced, under the id ``name`` or "<id>#<seed>"."""
    draw = Redraw(note, tables, Random(f"{seed}/{note.id}"))  # noqa: S311 (training data)
    pieces: list[str] = []
    mentions: list[Mention] = []
    extents: list[tuple[int, int, int, int]] = []
    place = length = 0
    for mention in note.mentions:
        pieces.append(note.text[place : mention.start])
        new = draw.value(note.text[mention.start : mention.end], mention.type)
        start = length + mention.start - place
        pieces.append(new)
        place, length = mention.end, start + len(new)
        mentions.append(replace(mention, start=start, end=length))
        extents.append((mention.start, mention.end, start, length))
    pieces.append(note.text[place:])
    return replace(
        note,
        id=name or f"{note.id}#{seed}",
        text="".join(pieces),
        mentions=tuple(mentions),
        extra=tuple(_moved(mention, extents) for mention in note.extra),
        meta=draw.header(),
    )


def _moved(mention: Mention, extents: Sequence[tuple[int, int, int, int]]) -> Mention:
    """Map a mention to the new text; offsets inside a replaced mention move to its ends."""

    def at(offset: int, *, end: bool) -> int:
        shift = 0
        for old_start, old_end, new_start, new_end in extents:
            if offset <= old_start:
                break
            if offset < old_end:
                return new_end if end else new_start
            shift = new_end - old_end
        return offset + shift

    return replace(mention, start=at(mention.start, end=False), end=at(mention.end, end=True))


class Redraw:
    """New values for one note and its header."""

    def __init__(self, note: Annotated, tables: Tables, rng: Random) -> None:
        self._note, self._rng, self._tables = note, rng, tables
        self._renaming = Renaming(tables, rng)
        self._values = Values(tables, self._renaming, rng)
        self._places = Places(tables, rng)
        self._dates = Dates(tables.habits, str(note.meta.get("visit_date") or ""), rng)
        texts = [(note.text[m.start : m.end], m.type) for m in note.mentions]
        self._renaming.learn(note.meta, [text for text, kind in texts if kind in NAME_TYPES])
        named = [str(note.meta.get(key) or "") for key in ("facility", "street", "city")]
        self._places.learn([*named, *(text for text, kind in texts if kind in PLACE_TYPES)])
        self._header = self._redrawn(note.meta)

    def header(self) -> Mapping[str, Any]:
        """Return the structured fields with the people, numbers and places of the new text."""
        return self._header

    def _redrawn(self, meta: Mapping[str, Any]) -> dict[str, Any]:
        known = {key: str(meta[key]) for key in (*FIELDS, *_HEADER_DATES) if meta.get(key)}
        return {**meta, **{key: self._field(key, text) for key, text in known.items()}}

    def _field(self, key: str, text: str) -> str:
        if key in _HEADER_DATES:
            return self._dates.moved(text)
        role, _, part = key.partition("_")
        if role in ROLES and part in _NAMES:
            return self._renaming.render(text)
        label = FIELDS[key].action.label
        return self._valued(text, label.value) if label else text

    def value(self, text: str, kind: str) -> str:
        """Return the new text of a mention of a type."""
        new = self._valued(text, kind, relay=True)
        if kind in _CASES and new.strip() and not text.isupper() and not text.islower():
            lot = self._rng.random()
            if lot < _RECASED["upper"]:
                new = new.upper()
            elif lot > 1 - _RECASED["lower"]:
                new = new.lower()
        return new if new.strip() else text

    def _valued(self, text: str, kind: str, *, relay: bool = False) -> str:  # noqa: C901, PLR0911, PLR0912 (one return for each kind)
        values, places = self._values, self._places
        if kind in NAME_TYPES:
            return self._renaming.render(text)
        if kind in ID_TYPES:
            return values.identifier(
                text, relay=relay and self._tables.habits.relaid_numbers, letters=True
            )
        match kind:
            case "DATE":
                return self._dates.render(text)
            case "AGE":
                return values.age(text)
            case "PHONE" | "FAX" | "CONTACT":
                return values.phone(text) if relay else values.identifier(text, relay=False)
            case "SSN":
                return values.identifier(text, relay=False)
            case "EMAIL":
                return values.address(text)
            case "USERNAME":
                return values.username(text)
            case "URL":
                return values.url(text)
            case "IPADDR":
                return values.ip(text)
            case "PROFESSION":
                return values.job(text)
            case "CITY" | "LOCATION" if not any(c.isdigit() for c in text):
                return places.city(text)
            case "CITY" | "LOCATION" | "ZIP":
                return values.identifier(text, relay=False)
            case "STATE":
                return places.state(text)
            case "COUNTRY":
                same = self._tables.habits.same_country and self._rng.random() < _SAME_COUNTRY
                return text if same else places.country(text)
            case _ if kind in PLACE_TYPES:
                return places.render(text, kind)
        return text
