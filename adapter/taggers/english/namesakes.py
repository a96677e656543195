"""Names that are also words: a family name after a given name, a given name that is a month."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.taggers.english.name_grammar import KNOWN_FAMILY, KNOWN_GIVEN, NEVER
from adapter.taggers.english.vocabulary import OFTEN_GIVEN
from adapter.taggers.english.words import BLANK, CAPITAL, NUMBER, words

if TYPE_CHECKING:
    from adapter.taggers.english.vocabulary import Vocabulary
    from adapter.taggers.english.words import Reading

_OF_MONTHS = words("of , . / - '")
"""Words and marks that follow a month rather than a name."""


class Namesakes:
    """Distinguishes names that are also words from these words, in one reading."""

    def __init__(self, reading: Reading, vocabulary: Vocabulary) -> None:
        self._r = reading
        self._v = vocabulary

    def surname(self, given: int) -> bool:
        """Whether a titled name ends with a family name that is a word: "Dr. David English"."""
        r, v, at = self._r, self._v, given + 1
        return (
            at < len(r)
            and r.shapes[given] == r.shapes[at] == CAPITAL
            and r.gaps[at] == BLANK
            and v.given.get(r.words[given], 0) >= KNOWN_GIVEN
            and v.family.get(r.words[at], 0) >= KNOWN_FAMILY
        )

    def given(self, at: int, *, direct: bool) -> bool:
        """Whether the word at ``at``, after kin, is a given name although it is also a word.

        It is one before a family name ("daughter, April Brown"), and ``direct``-ly after kin unless
        a day or year follows ("daughter June visits", but "mother June 2019").
        """
        r, v = self._r, self._v
        if at >= len(r) or r.shapes[at] != CAPITAL or not r.cues[at] & NEVER:
            return False
        if v.given.get(r.words[at], 0) < OFTEN_GIVEN:
            return False
        return self.surname(at) or (direct and not v.plain(r.words[at]) and not self._dated(at + 1))

    def _dated(self, at: int) -> bool:
        """Whether a day or year follows a month."""
        r = self._r
        if at < len(r) and r.words[at] in _OF_MONTHS:
            at += 1
        return at < len(r) and r.shapes[at] == NUMBER
