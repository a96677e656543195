"""Initials of signers: at the end of a text or line, or before a typist's initials.

"-- jtm", "EG/ml", "Rounds done. KA", "5/16 TF".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.taggers.english.vocabulary import BIT
from adapter.taggers.english.words import GLUED, LINE, LOWER, MARK, NUMBER, UPPER, WIDE, words
from adapter.types import Label, Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from adapter.taggers.english.vocabulary import Vocabulary
    from adapter.taggers.english.words import Reading

PRIORITY = 50
SHORTEST, LONGEST = 2, 3
CLOCK = 4
"""Minimum and maximum number of letters of initials; digits of a time of day."""
DAY_END, HOUR_END = "2400", "6"
"""Exclusive upper bounds, compared as text, of a time of day and of the minutes' first digit."""
_THANKS = words("thx thanks ty")
_HOURS = words("am pm est edt cst cdt mst mdt pst pdt gmt utc bst ist hrs hr h us ct mr")
_CENTURIES = frozenset(("19", "20"))
_ENDS = frozenset((".", ",", ";", ":", ")"))
_DATE_MARKS = frozenset(("/", "-"))
_NEVER = sum(BIT[name] for name in words("stop heading generic staff kin street centre org"))


class Initials:
    """The rules for signing initials over one reading."""

    def __init__(self, reading: Reading, vocabulary: Vocabulary) -> None:
        self._r = reading
        self._v = vocabulary

    def find(self) -> Iterator[Span]:
        """Yield initials that sign."""
        r = self._r
        for at, word in enumerate(r.words):
            if (
                SHORTEST <= len(word) <= LONGEST
                and r.shapes[at] in (UPPER, LOWER)
                and (self._signs(at) or (r.shapes[at] == UPPER and self._after_date(at)))
            ):
                yield Span(r.starts[at], r.ends[at], Label.DOCTOR, "names.initials", 0.7, PRIORITY)

    def _signs(self, at: int) -> bool:
        r = self._r
        if self._known_word(at):
            return False
        if self._before_credential(at):
            return True
        ends = at + 1 >= len(r) or r.gaps[at + 1] == LINE
        typist = self._typist(at)
        if not (ends or typist or self._stamped(at)):
            return False
        if at == 0 or r.gaps[at] == LINE:
            last = at + 1 >= len(r)
            return at > 0 and (typist or last or r.shapes[at] == UPPER)
        if r.shapes[at - 1] == MARK:
            return self._after_mark(at)
        return r.shapes[at] == UPPER and self._after_word(at, ends=ends, typist=typist)

    def _after_date(self, at: int) -> bool:
        """Whether a date or time of day precedes the initials, and a mark or nothing follows.

        "(6/14/22 BW)", "reviewed Fri 11/29/2024 MS", "1/02, TL.", "0410 CFW.".
        """
        r, word = self._r, self._r.words[at]
        last = at - 1 - (at > 1 and r.words[at - 1] == ",")
        if last < 1 or r.shapes[last] != NUMBER or r.gaps[at] >= LINE or self._technical(word):
            return False
        after = at + 1
        ends = after >= len(r) or r.gaps[after] >= LINE
        if r.cues[at] & _NEVER or not (
            ends or (r.gaps[after] == GLUED and r.words[after] in _ENDS)
        ):
            return False
        if not self._dated(last):
            return last == at - 1 and _is_clock(r.words[last])
        return (
            self._dated(last - 2)
            or r.words[after : after + 1] == [")"]
            or (ends or after + 1 >= len(r) or r.gaps[after + 1] >= LINE)
        )

    def _technical(self, word: str) -> bool:
        """Whether the letters are a usual abbreviation, or part of a time of day ("AM")."""
        v = self._v
        return word in v.abbreviation or word in v.medical or word in _HOURS

    def _dated(self, at: int) -> bool:
        """Whether the number at ``at`` is the second or third number of a written date."""
        r = self._r
        return (
            at > 1
            and r.words[at - 1] in _DATE_MARKS
            and r.gaps[at] == r.gaps[at - 1] == GLUED
            and r.shapes[at - 2] == NUMBER
        )

    def _before_credential(self, at: int) -> bool:
        """Whether the initials begin a line and a credential follows: "CLM RN 6/5", "jm, CHW"."""
        r = self._r
        after = at + 1 + (r.words[at + 1 : at + 2] == [","])
        if r.gaps[at] != LINE or after >= len(r) or r.gaps[after] >= LINE:
            return False
        further = after + 1
        return (
            bool(r.cues[after] & BIT["credential"])
            and len(r.words[after]) > 1
            and (further >= len(r) or r.gaps[further] >= LINE or r.shapes[further] == NUMBER)
        )

    def _after_word(self, at: int, *, ends: bool, typist: bool) -> bool:
        """Whether thanks, a time of day or a wide gap before makes the initials a signature."""
        r = self._r
        timed = r.shapes[at - 1] == NUMBER and len(r.words[at - 1]) == CLOCK
        return (timed and typist) or (
            ends and (timed or r.words[at - 1] in _THANKS or r.gaps[at] == WIDE)
        )

    def _known_word(self, at: int) -> bool:
        r, v = self._r, self._v
        word = r.words[at]
        last = at + 1 >= len(r) and r.shapes[at] == UPPER and not self._of_findings(at)
        return bool(
            (word in v.abbreviation and not last)
            or r.cues[at]
            or (word in v.state and not last)
            or (r.shapes[at] == LOWER and word in v.ordinary)
        )

    def _of_findings(self, at: int) -> bool:
        """Whether an abbreviation stands behind another ("DNR/DNI"), or an act behind a year.

        "9/9/2023 EGD", "Sept 2023 EGD"; initials of two letters sign even there.
        """
        r, v = self._r, self._v
        if r.words[at] not in v.abbreviation:
            return False
        if r.words[at - 1] == "/" and at > 1 and r.gaps[at] == r.gaps[at - 1] == GLUED:
            return r.shapes[at - 2] == UPPER and r.words[at - 2] in v.abbreviation
        year = at > 1 and len(r.words[at - 1]) == CLOCK and r.words[at - 1][:2] in _CENTURIES
        return year and len(r.words[at]) == LONGEST and r.shapes[at - 2] != NUMBER

    def _after_mark(self, at: int) -> bool:
        """Whether the mark before ends a sentence or separates the signature from the text."""
        r = self._r
        before = r.words[at - 1]
        if before == "/" and r.gaps[at] == GLUED and r.shapes[at] == LOWER:
            return at > 1 and r.shapes[at - 2] not in (UPPER, LOWER)
        if before == "-":
            return r.gaps[at - 1] != GLUED or r.words[at - 2] == "-"
        return before in ".!?)/"

    def _typist(self, at: int) -> bool:
        """Whether a slash and a second person's initials follow, and nothing after them."""
        r = self._r
        slash = at + 1
        if slash >= len(r) or r.words[slash] not in "/:" or r.gaps[slash] != GLUED:
            return False
        second = slash + 1
        if second >= len(r) or r.gaps[second] == LINE:
            return True
        return (
            len(r.words[second]) <= LONGEST
            and r.shapes[second] in (LOWER, UPPER)
            and (
                r.gaps[second] == GLUED
                and r.shapes[at] == UPPER
                and (r.gaps[at] == LINE or r.words[second] not in self._v.abbreviation)
                and self._closes(second + 1)
            )
        )

    def _closes(self, at: int) -> bool:
        """Whether the line ends at ``at``, or a full stop or date is there."""
        r = self._r
        return (
            at >= len(r)
            or r.gaps[at] >= LINE
            or r.words[at] == "."
            or (r.shapes[at] == NUMBER and r.words[at + 1 : at + 2] in (["/"], ["."]))
        )

    def _stamped(self, at: int) -> bool:
        """Whether a time of day follows, without a unit that would make it a quantity."""
        r = self._r
        after = at + 1
        if after >= len(r) or not _is_clock(r.words[after]) or r.shapes[at - 1] != MARK:
            return False
        if at > 1 and r.shapes[at - 2] == NUMBER:
            return False
        further = after + 1
        return not self._technical(r.words[at]) and (
            further >= len(r) or r.gaps[further] >= LINE or r.words[further] in _ENDS
        )


def _is_clock(word: str) -> bool:
    """Whether digits are a time of day: "0410"."""
    return len(word) == CLOCK and word < DAY_END and word[2] < HOUR_END
