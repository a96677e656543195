"""Names of persons by the words beside them: title, degree, kin, role, field of a form.

Lee 2017 (section 2.5) and Szarvas 2006 (trigger words) list such contexts.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from adapter.taggers.english.name_grammar import (
    KNOWN_GIVEN,
    NAMED,
    OPEN,
    STRICT,
    NameGrammar,
)
from adapter.taggers.english.namesakes import Namesakes
from adapter.taggers.english.vocabulary import BIT
from adapter.taggers.english.words import (
    BLANK,
    CAPITAL,
    LINE,
    LOWER,
    MARK,
    NUMBER,
    UPPER,
    words,
)
from adapter.types import Label, Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from adapter.taggers.english.vocabulary import Vocabulary
    from adapter.taggers.english.words import Reading

CUED, LISTED = 60, 50
"""Priorities of names introduced by a title, degree or field, and of names beside a role."""

TITLE, DOCTOR, CREDENTIAL, STAFF = BIT["title"], BIT["doctor"], BIT["credential"], BIT["staff"]
KIN, PATIENT, FIELD, BY = BIT["kin"], BIT["patient"], BIT["field"], BIT["by"]
TRIGGERS = TITLE | DOCTOR | CREDENTIAL | STAFF | KIN | PATIENT | FIELD | BY
_PEOPLE = KIN | STAFF | PATIENT

_CLEAR_TITLES = words("dr drs mr mrs ms mx doctor prof rev mister missus")
_SURE_SOURCES = frozenset(("title",))
"""Rules whose cue makes a name certain under any learned model."""
_SMALL_TITLES = words("miss pastor det ofc")
_LINKS = words("and & / +")
_LEADERS = words(". _ ( s )")
_LEADER_DOTS = 3
_ABBREVIATED = 4
_SHORTEST_SURE = 3


class Names:
    """The rules for names with a cue, over one reading."""

    def __init__(self, reading: Reading, vocabulary: Vocabulary) -> None:
        self._r = reading
        self._v = vocabulary
        self._form = NameGrammar(reading, vocabulary)
        self._namesakes = Namesakes(reading, vocabulary)

    def find(self) -> Iterator[Span]:
        """Yield the names found by their contexts."""
        for at, cues in enumerate(self._r.cues):
            if cues & TRIGGERS:
                yield from self._cued(at, cues)

    def _cued(self, at: int, cues: int) -> Iterator[Span]:
        if cues & CREDENTIAL:
            yield from self.before_degree(at)
        if cues & (TITLE | DOCTOR):
            yield from self._after_title(at, Label.DOCTOR if cues & DOCTOR else Label.PATIENT)
        if cues & FIELD:
            yield from self._after_field(at, cues)
        if cues & (_PEOPLE | BY):
            yield from self._after_role(at, cues)

    def _after_title(self, at: int, label: Label) -> Iterator[Span]:
        r = self._r
        word, shape = r.words[at], r.shapes[at]
        if self._measures(at):
            return
        start = self._skip(at + 1, '."')
        if word in _CLEAR_TITLES:
            yield from self._names(start, OPEN, label, "title")
        elif shape != LOWER or word in _SMALL_TITLES:
            sure = word == "miss" and shape == CAPITAL and start < len(r) and self._known(start)
            how = OPEN if sure else STRICT
            yield from self._names(start, how, label, "title")

    def _measures(self, at: int) -> bool:
        """Whether letters are a unit, a gauge, a grade's valve or a disease, and no title.

        "0.5 ms", "19 Fr", "3/6 MR", "MS".
        """
        r, word = self._r, self._r.words[at]
        numbered = at > 0 and r.shapes[at - 1] == NUMBER and r.gaps[at] < LINE
        spoken = r.shapes[at] != UPPER or r.shouted[at]
        if word == "ms":
            return not spoken or (numbered and r.shapes[at] == LOWER)
        return numbered and (word == "fr" or (word == "mr" and not spoken))

    def _after_field(self, at: int, cues: int) -> Iterator[Span]:
        r = self._r
        colon = at + 1
        while colon < len(r) and r.words[colon] in _LEADERS:
            colon += 1
        signed = r.words[colon : colon + 1] in ([":"], ["="])
        if not signed and colon - at - 1 < _LEADER_DOTS:
            return
        start = self._skip_titles(colon + signed)
        if start < len(r) and r.gaps[start] != LINE:
            label = Label.PATIENT if cues & (PATIENT | KIN) else Label.DOCTOR
            yield from self._names(start, NAMED, label, "field", comma=True)

    def _after_role(self, at: int, cues: int) -> Iterator[Span]:
        r = self._r
        start = self._after_in_law(at + 1)
        if start >= len(r) or r.gaps[start] >= LINE or self._shortened(start):
            return
        mark = r.words[start] if r.shapes[start] == MARK else ""
        if (mark and mark not in ',(:="#-') or (
            not cues & _PEOPLE and (mark not in ("", '"') or r.shapes[start] == LOWER)
        ):
            return
        start = self._skip(start + 1, '"') if mark else start
        namesake = bool(cues & KIN) and self._namesakes.given(start, direct=not mark)
        start = start if namesake else self._skip_titles(start)
        if not cues & _PEOPLE and r.words[start : start + 1] and r.words[start] in self._v.eponym:
            return
        label = Label.PATIENT if cues & (KIN | PATIENT) else Label.DOCTOR
        how = NAMED if self._direct(start, cues, mark) else STRICT
        how = OPEN if namesake else how
        found = self._names(start, how, label, "role", comma=bool(cues & PATIENT))
        kin = namesake or (bool(cues & KIN) and self._known(start))
        yield from (replace(span, sure=True) for span in found) if kin else found

    def _direct(self, start: int, cues: int, mark: str) -> bool:
        """Whether the word at ``start`` can hardly be anything but the role holder's name."""
        r = self._r
        if start >= len(r) or r.gaps[start] != BLANK or r.shouted[start]:
            return bool(
                cues & KIN
                and mark == "("
                and start < len(r)
                and not r.shouted[start]
                and r.gaps[start] == BLANK
            )
        return bool(cues & (KIN | STAFF)) and (not mark or (mark == "(" and bool(cues & KIN)))

    def _known(self, at: int) -> bool:
        """Whether the word at ``at`` is capitalised and listed as a name."""
        r = self._r
        return (
            at < len(r)
            and r.shapes[at] == CAPITAL
            and len(r.words[at]) >= _SHORTEST_SURE
            and self._v.named(r.words[at])
            and not r.cues[at] & TITLE
        )

    def _shortened(self, at: int) -> bool:
        r = self._r
        return r.shapes[at] == UPPER and not r.shouted[at] and len(r.words[at]) < _ABBREVIATED

    def before_degree(self, at: int) -> Iterator[Span]:
        """Yield the name before the degree or credential at ``at``."""
        r, v = self._r, self._v
        if r.shapes[at] == LOWER and (not r.cues[at] & STAFF or self._is_patient(at)):
            return
        last = at - 1
        if last >= 0 and r.words[last] == "," and r.gaps[at] != LINE:
            last -= 1
        elif r.gaps[at] >= LINE:
            return
        first = self._form.backward(last)
        while (
            first < last
            and r.shapes[first] == CAPITAL
            and r.shapes[first + 1] != MARK
            and v.plain(r.words[first])
            and v.given.get(r.words[first], 0) < KNOWN_GIVEN
        ):
            first += 1
        if (
            first <= last
            and self._form.person(first, last + 1)
            and not self._letter(first, last)
            and not self._degree(first, last)
        ):
            yield self._span(first, last + 1, Label.DOCTOR, "credential")

    def _is_patient(self, at: int) -> bool:
        """Whether "pt" in small letters among others is short for the patient."""
        return self._r.words[at] == "pt" and not self._r.quiet

    def _degree(self, first: int, last: int) -> bool:
        """Whether a degree or credential stands before another: "PsyD, ABPP", "D.O., FAAP"."""
        alone = first == last and bool(self._r.cues[first] & CREDENTIAL)
        return alone or self._form.degree(first)

    def _letter(self, first: int, last: int) -> bool:
        """Whether there is but a letter with its full stop: "parts A. PA-1", "boot L. Pt walks"."""
        words = self._r.words
        return len(words[first]) == 1 and words[first + 1 : last + 1] in ([], ["."])

    def _names(
        self, start: int, how: int, label: Label, source: str, *, comma: bool = False
    ) -> Iterator[Span]:
        """Yield the name at ``start``, and a name linked to it by "and" or a slash."""
        end = self._form.forward(start, how, comma=comma)
        if end == start:
            return
        if source != "field" and end == start + 1:
            end += self._namesakes.surname(start)
        yield self._span(start, end, label, source)
        if end < len(self._r) and self._r.words[end] in _LINKS:
            further = self._skip_titles(end + 1)
            last = self._form.forward(further, how)
            if last > further:
                yield replace(self._span(further, last, label, source), sure=False)

    def _skip(self, at: int, marks: str) -> int:
        r = self._r
        while at < len(r) and r.shapes[at] == MARK and r.words[at] in marks and r.gaps[at] != LINE:
            at += 1
        return at

    def _skip_titles(self, at: int) -> int:
        r = self._r
        while at < len(r) and r.cues[at] & (TITLE | DOCTOR) and r.gaps[at] < LINE:
            at = self._skip(at + 1, ".")
        return at

    def _after_in_law(self, at: int) -> int:
        following = self._r.words[at : at + 4]
        if [w for w in following if w != "-"][:2] == ["in", "law"]:
            return at + 2 + following.count("-")
        return at

    def _span(self, first: int, last: int, label: Label, source: str) -> Span:
        r = self._r
        priority = LISTED if source == "role" else CUED
        start, end = r.starts[first], r.ends[last - 1]
        sure = source in _SURE_SOURCES
        return Span(start, end, label, f"names.{source}", 0.9, priority, sure=sure)
