"""Names of persons by their form: given and family name, "Family, Given", initials."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.taggers.english.name_grammar import (  # fmt: skip
    ABBREVIATED,
    CREDENTIAL,
    HEADING,
    KNOWN_FAMILY,
    KNOWN_GIVEN,
    NAMED,
    NEVER,
    PARTICLE,
    STOP,
    NameGrammar,
)
from adapter.taggers.english.names import Names
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

STATED, SURE, LIKELY = 62, 60, 50
"""Priorities of names that are also words of dates, of certain names, and of likely names."""
_COMMON_GIVEN = 5
_SHORTEST = 3
_MONTHS = frozenset(("april", "may", "june", "august"))
_DATING = frozenset(
    (
        "in",
        "since",
        "until",
        "till",
        "last",
        "next",
        "this",
        "early",
        "late",
        "mid",
        "of",
        "on",
        "during",
        "before",
        "after",
        "through",
        "and",
        "to",
        "every",
        "each",
    )
)
_BEGINNERS = frozenset((":", "=", '"', "|"))


class Sequences:
    """The rules for names without a cue, over one reading."""

    def __init__(self, reading: Reading, vocabulary: Vocabulary) -> None:
        self._r = reading
        self._v = vocabulary
        self._form = NameGrammar(reading, vocabulary)
        self._names = Names(reading, vocabulary)

    def find(self) -> Iterator[Span]:
        """Yield the names found by their form."""
        r = self._r
        for at in r.capitals:
            if r.shapes[at] == INITIAL:
                if at and r.words[at - 1] == "," and self._form.degree(at):
                    yield from self._names.before_degree(at)
                yield from self._initial(at)
            else:
                yield from self._pair(at)
                if r.words[at + 1 : at + 2] == [","]:
                    yield from self._inverted(at)

    def _pair(self, at: int) -> Iterator[Span]:
        """Yield a given and a family name, or a name and an initial, that begin at ``at``."""
        r, v = self._r, self._v
        word, follow = r.words[at], at + 1
        if word in _MONTHS:
            yield from self._named_after_month(at)
        if len(word) < _SHORTEST or r.cues[at] & (STOP | HEADING | CREDENTIAL):
            return
        if follow >= len(r) or r.gaps[follow] != BLANK:
            return
        if r.shapes[follow] == INITIAL:
            if self._before_initial(at, follow):
                yield from self._with_initial(at, follow)
        elif v.given.get(word, 0) > 0 and self._matches(at, follow):
            end = self._form.forward(at, NAMED)
            if end > follow + (r.shapes[follow] == LOWER):
                yield self._span(at, end, "pair", SURE, self._profession(end))

    def _named_after_month(self, at: int) -> Iterator[Span]:
        """Yield "May Castellan", "June Smith RN": a month's name before a family name."""
        r, v = self._r, self._v
        follow = at + 1
        if follow >= len(r) or r.gaps[follow] != BLANK or r.shapes[follow] != r.shapes[at]:
            return
        before = at - 1 - (at > 1 and r.words[at - 1] == ".")
        if at and (r.words[before] in _DATING or r.cues[before] & (BIT["title"] | BIT["doctor"])):
            return
        family = r.words[follow]
        if not v.plain(family) and v.family.get(family, 0) > 0:
            end = self._form.forward(follow, NAMED)
            if end > follow:
                yield self._span(at, end, "pair", STATED, self._profession(end))

    def _profession(self, end: int) -> Label:
        """Return DOCTOR if a credential follows the name that ends at ``end``, else PATIENT."""
        r = self._r
        after = end + (r.words[end : end + 1] == [","])
        named = after < len(r) and r.gaps[after] < LINE and r.cues[after] & CREDENTIAL
        return Label.DOCTOR if named else Label.PATIENT

    def _matches(self, at: int, follow: int) -> bool:
        """Whether the words at ``at`` and ``follow`` are a given and a family name."""
        r, v = self._r, self._v
        word, family = r.words[at], r.words[follow]
        if r.shapes[follow] == LOWER:
            return bool(r.cues[follow] & PARTICLE) and not v.plain(word)
        if r.shapes[follow] != r.shapes[at] or r.cues[follow] & NEVER:
            return False
        if f"{word} {family}" in v.city or f"{word} {family}" in v.country:
            return False
        plain = v.plain(word) + v.plain(family)
        return plain == 0 or (
            plain == 1 and v.given[word] >= KNOWN_GIVEN and v.family.get(family, 0) >= KNOWN_FAMILY
        )

    def _before_initial(self, at: int, follow: int) -> bool:
        r, v = self._r, self._v
        word = r.words[at]
        if v.plain(word):
            return False
        return v.given.get(word, 0) >= _COMMON_GIVEN or (
            r.shapes[at] == CAPITAL and word in v.family and r.words[follow] not in "iax"
        )

    def _with_initial(self, at: int, follow: int) -> Iterator[Span]:
        """Yield "Robert S." and "John Q. Public"."""
        r = self._r
        end = follow + 1
        if r.words[follow] in "ia" and r.words[end : end + 1] != ["."]:
            return
        if end >= len(r) or r.gaps[end] >= LINE or r.shapes[end] in (MARK, LOWER):
            yield self._span(at, end, "initial", LIKELY)
        after = self._form.forward(at, NAMED)
        if after > end + 1:
            yield self._span(at, after, "pair", SURE)

    def _inverted(self, at: int) -> Iterator[Span]:
        """Yield "Gill, Harpreet K" at the start of a line, after a gap or after a colon."""
        r = self._r
        given = at + 2
        if given >= len(r) or r.gaps[at + 1] != GLUED or r.gaps[given] >= LINE:
            return
        first = self._family_start(at)
        begins = r.gaps[first] >= LINE or r.words[first - 1] in _BEGINNERS
        if begins and self._turned(at, given):
            end = self._form.forward(given, NAMED)
            yield self._span(first, max(end, given + 1), "inverted", SURE)

    def _family_start(self, at: int) -> int:
        """Return the start of the family name that ends at ``at``, such as "van den Berg"."""
        r = self._r
        first = at
        while first > 1 and r.words[first - 1] == "-" and r.gaps[first] == GLUED:
            first -= 2
        double = first - 1
        if (
            first == at
            and first > 0
            and r.gaps[first] == BLANK
            and r.shapes[double] == r.shapes[at]
            and not r.cues[double] & NEVER
            and not self._v.plain(r.words[double])
        ):
            first = double
        while first > 0 and r.gaps[first] == BLANK and r.cues[first - 1] & PARTICLE:
            first -= 1
        return first

    def _turned(self, at: int, given: int) -> bool:
        """Whether the words at ``at`` and ``given`` are a family and a given name."""
        r, v = self._r, self._v
        family, other = r.words[at], r.words[given]
        if family in v.eponym and v.eponyms.longest(r.words, given) > 1:
            return False  # "Crohn, Harvey-Bradshaw 6": a disease and its scale
        if r.cues[at] & (NEVER & ~BIT["generic"] | BIT["closing"]):
            return False
        if r.shapes[given] == INITIAL:
            return not v.plain(family) and v.named(family) and not self._form.degree(given)
        strength = v.given.get(other, 0)
        if r.shapes[given] != r.shapes[at] or r.cues[given] & NEVER:
            return False
        if v.plain(other):
            return not v.plain(family) and strength >= KNOWN_GIVEN
        return strength > 0 or (not v.plain(family) and family in v.family)

    def _initial(self, at: int) -> Iterator[Span]:
        """Yield "J. Smith", "K Obuya", "J.-L. Thibodeaux"."""
        r = self._r
        if at and r.gaps[at] == GLUED and r.shapes[at - 1] != MARK:
            return
        family = self._after_initials(at)
        if family == at + 1 < len(r) and r.gaps[family] == GLUED:  # "MCPs", "DTaP"
            return
        if family >= len(r) or r.gaps[family] >= LINE or not self._family(at, family):
            return
        end = self._form.forward(at, NAMED)
        if end > family:
            yield self._span(at, end, "initial", LIKELY, Label.DOCTOR)

    def _after_initials(self, at: int) -> int:
        r = self._r
        after = at + 1
        if r.words[after : after + 1] != ["."] or r.gaps[after] != GLUED:
            return after
        after += 1
        if r.words[after : after + 1] == ["-"] and r.gaps[after] == GLUED:
            after += 1
        if after < len(r) and r.shapes[after] == INITIAL:
            after += 1 + (r.words[after + 1 : after + 2] == ["."])
        return after

    def _family(self, at: int, family: int) -> bool:
        """Whether the word at ``family`` is a family name after the initials at ``at``."""
        r, v = self._r, self._v
        word, shape = r.words[family], r.shapes[family]
        if shape not in (CAPITAL, UPPER) or r.cues[family] & (NEVER & ~BIT["generic"]):
            return False
        if shape == UPPER and not r.shouted[family] and len(word) < ABBREVIATED:
            return False
        dotted = family > at + 1
        if not v.plain(word):
            return dotted or v.named(word)
        return (
            dotted
            and shape == CAPITAL
            and v.family.get(word, 0) >= KNOWN_FAMILY
            and not (at and r.shapes[at - 1] == NUMBER)
        )

    def _span(
        self, first: int, last: int, source: str, priority: int, label: Label = Label.PATIENT
    ) -> Span:
        r = self._r
        return Span(r.starts[first], r.ends[last - 1], label, f"names.{source}", 0.9, priority)
