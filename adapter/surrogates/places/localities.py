"""The places of one message: the surrogate row of each real city, state and ZIP."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from adapter.checkdigits import digits_of
from adapter.normalize.folding import squeeze
from adapter.surrogates.case import like
from adapter.surrogates.numbers.identifiers import distinct
from adapter.surrogates.places import addresses
from adapter.types import Label

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adapter.surrogates.drawing.keys import Key
    from adapter.surrogates.drawing.tables import City, Tables
    from adapter.surrogates.options import SurrogateOptions
    from adapter.types import Entity, Extraction, Span, TextSegment

_PIECE = re.compile(r"(\s*[,;\n]\s*)")
_AREA = re.compile(r"(.*?\S)(\s+)([0-9]{5}(?:-[0-9]{4})?)")
_ZIP = re.compile(r"[0-9]{5}(?:-?[0-9]{4})?")
_BEHIND = re.compile(
    r"[ ,\n]{1,3}(?P<words>[A-Za-z]+(?: [A-Za-z]+){0,2})?[ ,]{0,2}(?P<zip>[0-9]{5}\b)?"
)
_DIGIT = re.compile(r"[0-9]")
_GAP = 3
"""Most characters between a city and its state: ", " and one more blank."""
_PARTS = ("city", "state", "zip")


class Localities:
    """Renders cities, states, ZIPs, countries, streets and whole addresses of one message.

    A state or ZIP that follows a city in the same text takes the city's row; therefore the spans of
    a text must be rendered in order.
    """

    def __init__(
        self,
        key: Key,
        tables: Tables,
        options: SurrogateOptions,
        extraction: Extraction,
        real: frozenset[str],
    ) -> None:
        self._key, self._tables, self._options, self._real = key, tables, options, real
        self._ends: dict[tuple[str, int], City] = {}
        self._rows: dict[tuple[str, str], City] = {}
        self._cities: dict[str, City] = {}
        self._named = {
            (part, squeeze(text))
            for e in extraction.entities
            for part, text in e.parts
            if part in ("city", "state")
        }
        for entity in extraction.entities:
            self._learn(entity)

    def city(self, text: str, span: Span, within: TextSegment | None) -> str:
        """Return the surrogate of a city; a mention such as "Springfield, IL" is split."""
        if _DIGIT.search(text) or "," in text:
            return self.address(text, street_first=False)
        row = self.row(squeeze(text), self._ahead(span, within))
        self._mark(row, span, within)
        return like(row.name, text)

    def state(self, text: str, span: Span, within: TextSegment | None) -> str:
        """Return the state of the surrogate city it belongs to, or another state."""
        value = self._state(text)
        stays = self._stays and value in self._tables.states
        row = self._before(span, within) or self._known("state", value, span)
        if stays and (row is None or row.state != value):
            row = addresses.row_within(self._key, self._tables, value.lower(), value)
        row = row or addresses.state_row(self._key, self._tables, value)
        self._mark(row, span, within)
        if stays:
            return text
        return addresses.state_like(self._tables, row, text)

    def zip(self, text: str, span: Span, within: TextSegment | None) -> str:
        """Return a ZIP in the surrogate city's area, or by option in the real three-digit area."""
        if self._options.zip == "zip3":
            return addresses.zip_area(self._key, self._tables, text)
        value = digits_of(text)[:5]
        row = self._before(span, within) or self._known("zip", value, span)
        return self._zip(text, row)

    def country(self, text: str) -> str:
        """Return another country, or the same if the options keep it."""
        if self._stays and self._is_country(squeeze(text)):
            return text
        return addresses.country(self._key, self._tables, text)

    def is_place(self, label: Label, text: str, *, field: bool = False) -> bool:
        """Whether a text is certainly a place of the label, not a name mistaken for a place.

        Some regions are called Mary, Paul or Victoria: regions outside the USA count in a
        ``field``, and in a text only if a field of the message names them.
        """
        value = squeeze(text)
        match label:
            case Label.CITY:
                return value in self._tables.city_states or ("city", value) in self._named
            case Label.STATE:
                known = field or ("state", value) in self._named
                regions = self._tables.known_regions if known else frozenset()
                return value in self._tables.state_codes or value in regions
            case Label.ZIP:
                return _ZIP.fullmatch(text) is not None
        return self._is_country(value)

    def street(self, text: str) -> str:
        """Return the surrogate of a street line, or of a whole address with commas or line ends."""
        lines = text.split("\n")
        if "," in text or ";" in text or (len(lines) > 1 and _AREA.fullmatch(lines[-1].strip())):
            return self.address(text, street_first=True)
        return self._street(text)

    def address(self, text: str, *, street_first: bool) -> str:
        """Return the surrogate of a whole address, with city, state and ZIP from one row."""
        pieces = _PIECE.split(text)
        kinds = [self._kind(p, first=street_first and not at) for at, p in enumerate(pieces[::2])]
        cities = [p for p, kind in zip(pieces[::2], kinds, strict=True) if kind == "city"]
        row = (
            self.row(squeeze(_without_area(cities[0])), self._state_in(pieces[::2], kinds))
            if cities
            else None
        )
        pieces[::2] = [
            self._piece(p, kind, row) for p, kind in zip(pieces[::2], kinds, strict=True)
        ]
        return "".join(pieces)

    def row(self, city: str, state: str = "") -> City:
        """Return the row of a squeezed city, whose name is not a real value of this message.

        If states stay, the row is in the given state, or in the only state that has the city.
        """
        if city not in self._cities:
            within = self._within(city, state)

            def draw(attempt: int) -> str:
                row = self._cities[city] = self._drawn(city, within, attempt)
                return row.name

            distinct(draw, city, self._real)
        return self._cities[city]

    def _state_in(self, pieces: Sequence[str], kinds: Sequence[str]) -> str:
        """Return the state in an address, or the state of its ZIP; "" if it has neither."""
        for piece, kind in zip(pieces, kinds, strict=True):
            if kind == "state":
                return self._state(_without_area(piece))
        areas = (_AREA.fullmatch(piece) for piece in pieces)
        codes = [p for p, kind in zip(pieces, kinds, strict=True) if kind == "zip"]
        codes += [area[3] for area in areas if area]
        return addresses.state_of_zip(self._tables, digits_of(codes[0])) if codes else ""

    @property
    def _stays(self) -> bool:
        """Whether the options keep states and countries."""
        return self._options.places != "surrogate"

    def _within(self, city: str, state: str) -> str:
        """Return the state whose towns may replace a city; "" for any state."""
        if not self._stays:
            return ""
        if state in addresses.rows_by_state(self._tables):
            return state
        states = self._tables.city_states.get(city, frozenset())
        return next(iter(states)) if len(states) == 1 else ""

    def _drawn(self, city: str, state: str, attempt: int) -> City:
        if state:
            return addresses.row_within(self._key, self._tables, city, state, attempt)
        return addresses.city_row(self._key, self._tables, city, attempt)

    def _ahead(self, span: Span, within: TextSegment | None) -> str:
        """Return the state that follows a city in the text, by name, code or ZIP; "" if none."""
        found = _BEHIND.match(within.text, span.end) if within is not None else None
        if found is None:
            return ""
        words = found["words"].split(" ") if found["words"] else []
        for count in range(len(words), 0, -1):
            state = self._tables.state_codes.get(squeeze(" ".join(words[:count])))
            if state:
                return state
        return addresses.state_of_zip(self._tables, found["zip"]) if found["zip"] else ""

    def _learn(self, entity: Entity) -> None:
        """Record the row of an entity's states and ZIPs, each address separately."""
        if not any(part == "city" for part, _ in entity.parts):
            return
        columns = {part: [t for p, t in entity.parts if p == part] for part in _PARTS}
        for at, city in enumerate(columns["city"]):
            state = self._state(columns["state"][at]) if at < len(columns["state"]) else ""
            if not state and at < len(columns["zip"]) and _ZIP.fullmatch(columns["zip"][at]):
                state = addresses.state_of_zip(self._tables, columns["zip"][at])
            row = self.row(squeeze(city), state)
            for part in ("state", "zip"):
                if at < len(columns[part]):
                    text = columns[part][at]
                    value = self._state(text) if part == "state" else digits_of(text)[:5]
                    self._rows.setdefault((part, value), row)
                    self._rows.setdefault((f"{entity.id}/{part}", value), row)

    def _state(self, text: str) -> str:
        """Return the postal abbreviation of a state, or other text squeezed."""
        value = squeeze(text)
        return self._tables.state_codes.get(value, value)

    def _known(self, part: str, value: str, span: Span) -> City | None:
        return self._rows.get((f"{span.entity}/{part}", value)) or self._rows.get((part, value))

    def _mark(self, row: City, span: Span, within: TextSegment | None) -> None:
        if within is not None:
            self._ends[within.text, span.end] = row

    def _before(self, span: Span, within: TextSegment | None) -> City | None:
        """Return the row of the place that ends just before the span, or None."""
        if within is None:
            return None
        for end in range(span.start, span.start - _GAP - 1, -1):
            row = self._ends.get((within.text, end))
            if row and not within.text[end : span.start].strip(" ,\n"):
                return row
        return None

    def _zip(self, text: str, row: City | None) -> str:
        if row is None:
            area = digits_of(text)[:5]
            own = self._stays and _ZIP.fullmatch(text) is not None
            state = addresses.state_of_zip(self._tables, area) if own else ""
            row = self._drawn(f"zip{area}", state, 0)

        def draw(attempt: int) -> str:
            return addresses.zip_code(self._key, row, text, attempt)

        return distinct(draw, text, self._real)

    def _street(self, text: str) -> str:
        def draw(attempt: int) -> str:
            return addresses.street(self._key, self._tables, text, attempt)

        return distinct(draw, text, self._real)

    def _kind(  # noqa: PLR0911 (one return for each kind)
        self, piece: str, *, first: bool
    ) -> str:
        value = squeeze(piece)
        area = _AREA.fullmatch(piece)
        if not value:
            return "mark"
        if first or self._tables.words.fields.unit_first.match(piece):
            return "street"
        if value in self._tables.state_codes:
            return "state"
        if area:
            return "state" if squeeze(area[1]) in self._tables.state_codes else "city"
        if value.isdigit() and len(value) in (5, 9):
            return "zip"
        if self._is_country(value):
            return "country"
        return "street" if _DIGIT.search(piece) else "city"

    def _piece(  # noqa: PLR0911 (one return for each kind)
        self, piece: str, kind: str, row: City | None
    ) -> str:
        area = _AREA.fullmatch(piece) if kind in ("state", "city") else None
        text = area[1] if area else piece
        tail = area[2] + self._area(area[3], row) if area else ""
        match kind:
            case "street":
                return self._street(piece)
            case "state":
                if self._stays:
                    return text + tail
                own = row or addresses.state_row(self._key, self._tables, squeeze(text))
                return addresses.state_like(self._tables, own, text) + tail
            case "city" if self._options.places == "town" and self.is_place(Label.CITY, text):
                return text + tail
            case "city":
                return like(self.row(squeeze(text)).name, text) + tail
            case "zip":
                return self._area(piece, row)
            case "country":
                return self.country(piece)
        return piece

    def _area(self, text: str, row: City | None) -> str:
        if self._options.zip == "keep":
            return text
        if self._options.zip == "zip3":
            return addresses.zip_area(self._key, self._tables, text)
        return self._zip(text, row)

    def _is_country(self, value: str) -> bool:
        return value in self._tables.known_countries


def _without_area(text: str) -> str:
    area = _AREA.fullmatch(text)
    return area[1] if area else text
