"""Cities, states, countries and known organisations from lists, in suitable context."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.taggers.english.vocabulary import BIT
from adapter.taggers.english.words import (
    BLANK,
    CAPITAL,
    GLUED,
    INITIAL,
    LINE,
    LOWER,
    MARK,
    NUMBER,
    UPPER,
)
from adapter.types import Label, Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from adapter.taggers.english.vocabulary import Vocabulary
    from adapter.taggers.english.words import Reading

PRIORITY = 50
PREP, STOP = BIT["prep"], BIT["stop"]
_BLOCKED = (
    STOP | BIT["generic"] | BIT["credential"] | BIT["staff"] | BIT["verb"] | BIT["demonym"]
    | BIT["kin"] | BIT["patient"]
)  # fmt: skip
_ENDS = frozenset((",", ".", ")", ";", "("))
_ZIP = 5
ABBREVIATED, LONGEST = 2, 4
"""Letters of a state's postal abbreviation; maximum number of words in a city."""


class Places:
    """The list rules over one reading."""

    def __init__(self, reading: Reading, vocabulary: Vocabulary) -> None:
        self._r = reading
        self._v = vocabulary

    def find(self) -> Iterator[Span]:
        """Yield the listed places and organisations."""
        r, v = self._r, self._v
        starts = v.place_starts
        for at in range(len(r)) if r.quiet else r.capitals:
            word = r.words[at]
            if word not in starts or r.shapes[at] in (NUMBER, MARK):
                continue
            if word in v.state.lengths or word in v.state:
                yield from self._state(at)
            if word in v.country.lengths or word in v.country:
                yield from self._whole(at, v.country.longest(r.words, at), Label.COUNTRY)
            if word in v.known.lengths or word in v.known:
                yield from self._known(at)
            if word in v.hospital.lengths:
                length = v.hospital.longest(r.words, at)
                yield from self._whole(at, length if length > 1 else 0, Label.HOSPITAL)
            if word in v.city.lengths:
                yield from self._long_city(at)

    def _state(self, at: int) -> Iterator[Span]:
        r, v = self._r, self._v
        length = v.state.longest(r.words, at)
        if length > 1 or len(r.words[at]) > ABBREVIATED:
            yield from self._whole(at, length, Label.STATE)
        elif length and at and r.shapes[at] == UPPER and r.gaps[at] < LINE:
            yield from self._abbreviated(at)

    def _abbreviated(self, at: int) -> Iterator[Span]:
        """Yield the postal abbreviation at ``at`` and the city before it."""
        r = self._r
        comma = r.words[at - 1] == ","
        last = at - 1 - comma
        if last < 0 or r.shapes[last] not in (CAPITAL, UPPER) or r.cues[last] & _BLOCKED:
            return
        if (
            r.shapes[last] == UPPER
            and not r.shouted[last]
            and (r.words[last] in self._v.abbreviation)
        ):
            return
        first = self._city_before(last)
        end = self._zip(at + 1)
        if end or self._follows_city(at, first, comma=comma):
            yield self._span(first, last + 1, Label.CITY, "before-state")
            yield self._span(at, at + 1, Label.STATE, "abbreviation")
        if end:
            yield self._span(at + 1, end, Label.ZIP, "zip")

    def _follows_city(self, at: int, first: int, *, comma: bool) -> bool:
        """Whether a state, not a degree or a word, follows the city at ``first``."""
        r = self._r
        listed = " ".join(r.words[first : at - comma]) in self._v.city
        if r.cues[at] & BIT["credential"]:
            return listed and comma and not self._named(first)
        ends = at + 1 >= len(r) or r.gaps[at + 1] >= LINE or r.words[at + 1] in _ENDS
        return (comma and (ends or not r.shouted[at])) or (ends and listed)

    def _named(self, first: int) -> bool:
        """Whether a given name or an initial makes the city at ``first`` a family name."""
        r = self._r
        before = first - 1
        if before < 0 or r.gaps[first] != BLANK:
            return False
        if r.words[before] == ".":
            before -= 1
        return r.shapes[before] == INITIAL or (
            r.shapes[before] in (CAPITAL, UPPER)
            and not r.cues[before] & PREP
            and self._v.given.get(r.words[before], 0) > 0
        )

    def _zip(self, at: int) -> int:
        """Return the end of the ZIP code at ``at``; 0 if there is none."""
        r = self._r
        at += at < len(r) and r.words[at] == ","
        if at >= len(r) or r.shapes[at] != NUMBER or len(r.words[at]) != _ZIP:
            return 0
        if (
            at + 2 < len(r)
            and r.words[at + 1] == "-"
            and len(r.words[at + 2]) == _ZIP - 1
            and (r.gaps[at + 2] == GLUED)
        ):
            return at + 3
        return at + 1

    def _city_before(self, last: int) -> int:
        """Return the start of the city that ends at ``last``: by the list, else by capitals."""
        r, v = self._r, self._v
        for first in range(max(0, last - LONGEST + 1), last):
            if " ".join(r.words[first : last + 1]) in v.city and all(
                gap <= BLANK for gap in r.gaps[first + 1 : last + 1]
            ):
                return first
        first = last
        while (
            first > max(0, last - 2)
            and r.words[last] not in v.city
            and r.gaps[first] == BLANK
            and r.shapes[first - 1] == r.shapes[last]
            and not r.cues[first - 1] & (_BLOCKED | BIT["street"] | BIT["facility"])
        ):
            first -= 1
        return first

    def _whole(self, at: int, length: int, label: Label) -> Iterator[Span]:
        r = self._r
        if not length or not self._cased(at, length):
            return
        word, after = r.words[at], at + length
        if length == 1 and (word in self._v.ordinary) and r.shapes[at] != CAPITAL:
            return
        if (
            after < len(r)
            and r.gaps[after] == BLANK
            and r.shapes[after] == LOWER
            and (label != Label.HOSPITAL and r.cues[after] & BIT["eponymic"])
        ):
            return  # "Brazil nut", "Texas cath"
        yield self._span(at, at + length, label, "list")

    def _cased(self, at: int, length: int) -> bool:
        """Whether a phrase is written as a name: only connectives are in lower case."""
        r = self._r
        if r.quiet and length == 1:
            return r.shapes[at] != LOWER or r.words[at] not in self._v.ordinary
        if r.quiet:
            return True
        return all(
            r.shapes[k] != LOWER or r.words[k] in ("of", "the", "and", "s")
            for k in range(at, at + length)
        ) and all(gap < LINE for gap in r.gaps[at + 1 : at + length])

    def _known(self, at: int) -> Iterator[Span]:
        r, v = self._r, self._v
        length = v.known.longest(r.words, at)
        if not length or not self._cased(at, length):
            return
        phrase = " ".join(r.words[at : at + length])
        classes = v.known.classes.get(phrase, ())
        if "acronym" in classes and r.shapes[at] != UPPER:
            return
        if "context" in classes and not (at and r.cues[at - 1] & PREP):
            return
        label = Label.HOSPITAL if "hospital" in classes else Label.ORGANIZATION
        yield self._span(at, at + length, label, "known")

    def _long_city(self, at: int) -> Iterator[Span]:
        r, v = self._r, self._v
        length = v.city.longest(r.words, at)
        if length < 2 or not self._cased(at, length):  # noqa: PLR2004
            return
        sure = at and r.cues[at - 1] & PREP and r.gaps[at] == BLANK
        open_words = [
            w for k, w in enumerate(r.words[at : at + length])
            if r.shapes[at + k] != MARK and len(w) > 2  # noqa: PLR2004
            and (v.plain(w) or r.cues[at + k] & _BLOCKED)
        ]  # fmt: skip
        if r.shapes[at] == INITIAL and not sure:
            return
        if (
            sure
            or len(open_words) < 1
            or (not r.shouted[at] and not r.quiet and len(open_words) < length)
        ):
            yield self._span(at, at + length, Label.CITY, "city")

    def _span(self, first: int, end: int, label: Label, source: str) -> Span:
        r = self._r
        return Span(r.starts[first], r.ends[end - 1], label, f"places.{source}", 0.9, PRIORITY)
