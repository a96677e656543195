"""Names that begin with their kind: "St. Anselm's", "City of Burnaby", "Our Lady of Lourdes"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.taggers.english.organisations import ENDS, PREP, PRIORITY, STOP, Organisations
from adapter.taggers.english.vocabulary import BIT
from adapter.taggers.english.words import BLANK, CAPITAL, INITIAL, UPPER, words
from adapter.types import Label, Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from adapter.taggers.english.vocabulary import Vocabulary
    from adapter.taggers.english.words import Reading

EPONYMIC = BIT["eponymic"]
_SAINTS = words("st saint ste sta san santa")
_DEVICES = words("jude elevation elev depression segment changes")
_CHARTERED = words("city town village port lady state province bank")


class Dedications:
    """The rules for saints and chartered bodies over one reading."""

    def __init__(self, reading: Reading, vocabulary: Vocabulary) -> None:
        self._r = reading
        self._v = vocabulary
        self._names = Organisations(reading, vocabulary)

    def find(self) -> Iterator[Span]:
        """Yield the names that begin with their kind."""
        r = self._r
        for at in r.capitals:
            word = r.words[at]
            if r.shapes[at] == INITIAL:
                continue
            if word in _SAINTS:
                end = self._saint(at)
                if end:
                    yield self._span(at, end, Label.HOSPITAL)
            elif word in _CHARTERED and r.words[at + 1 : at + 2] == ["of"]:
                end = self._names.right(at)
                if end > at + 1:
                    first = at - (at > 0 and r.words[at - 1] == "our")
                    yield self._span(first, end, Label.ORGANIZATION)

    def _saint(self, at: int) -> int:
        """Return the end of a name that begins with a saint; 0 for a street or an eponym."""
        r = self._r
        name = at + 1 + (r.words[at + 1 : at + 2] == ["."])
        if not self._names.upper(name) or not self._holy(at, name):
            return 0
        end = name + 1
        while self._names.upper(end) and not r.cues[end] & (ENDS | EPONYMIC):
            end += 1
        if r.words[end : end + 2] == ["'", "s"]:
            end = self._names.capitals(end + 2)
        follows = end < len(r) and r.gaps[end] == BLANK and r.cues[end] & EPONYMIC
        return 0 if follows else end

    def _holy(self, at: int, name: int) -> bool:
        """Whether the words at ``at`` and ``name`` mean a saint, not a street or device."""
        r, v = self._r, self._v
        word = r.words[name]
        street = (
            at > 0
            and name > at + 1
            and r.gaps[at] == BLANK
            and r.shapes[at - 1] == CAPITAL
            and not r.cues[at - 1] & (PREP | STOP)
        )
        return (
            not street
            and word not in _DEVICES
            and (r.shapes[at] == CAPITAL or r.shapes[name] == UPPER)
            and (v.common_name(word) or not v.plain(word))
        )

    def _span(self, first: int, end: int, label: Label) -> Span:
        r = self._r
        return Span(r.starts[first], r.ends[end - 1], label, "organisations.head", 0.9, PRIORITY)
