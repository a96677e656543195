"""The grammar of a person's name: capitalised words, initials, particles, hyphens, nicknames.

A name is read forward from a word or backward from its last word. How ordinary its words may be
depends on how strongly the context indicates a name: `STRICT`, `NAMED` or `OPEN`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.taggers.english.vocabulary import BIT
from adapter.taggers.english.words import (
    CAPITAL,
    GLUED,
    INITIAL,
    LINE,
    LOWER,
    MARK,
    NUMBER,
    UPPER,
    words,
)

if TYPE_CHECKING:
    from adapter.taggers.english.vocabulary import Vocabulary
    from adapter.taggers.english.words import Reading

LONGEST = 5
"""Maximum number of words in a name."""
STRICT, NAMED, OPEN = range(3)
"""Requirement on the first word: not an ordinary word; a known name; or only capitalised."""
KNOWN_GIVEN, KNOWN_FAMILY, FAMILIAR = 6, 3, 4
"""Minimum strengths of an ordinary word as a given or family name beside another name, and as a
family name alone."""
ABBREVIATED, COMMON = 4, 9
"""Maximum number of letters in an abbreviation in capitals; minimum strength as a given name for
such a word to be a name instead."""

STOP, HEADING, CREDENTIAL, PARTICLE = (
    BIT["stop"], BIT["heading"], BIT["credential"], BIT["particle"],
)  # fmt: skip
_WORDED = BIT["brandish"] | BIT["demonym"]
_MIXED = STOP | HEADING | BIT["generic"] | BIT["org"]
NEVER = (
    _MIXED
    | CREDENTIAL
    | sum(
        BIT[name]
        for name in words(
            "staff kin patient field doctor facility verb prep demonym brandish centre title"
        )
    )
)
"""Classes of words that are no part of a name unless they are common names."""
_DEGREES = frozenset(
    ("ph d", "pharm d", "r ph", "psy d", "ed d", "m d", "d o", "r n", "n p", "p a", "p t", "l p")
)


class NameGrammar:
    """Reads names in one reading."""

    def __init__(self, reading: Reading, vocabulary: Vocabulary) -> None:
        self._r = reading
        self._v = vocabulary

    def forward(self, start: int, how: int, *, comma: bool = False) -> int:
        """Return the end of the name that begins at ``start``, or ``start`` if none does.

        With ``comma``, a given name or initial may follow after a comma.
        """
        r = self._r
        at = end = start
        for count in range(LONGEST):
            if at >= len(r) or (at > start and r.gaps[at] >= LINE):
                break
            step = self._element(at, how, first=count == 0)
            if not step:
                break
            at += step
            if r.shapes[at - step] != LOWER or not r.cues[at - step] & PARTICLE:
                end = at
            if self._hyphenated(at):
                end = at = at + 2
            elif comma and count == 0 and self._turned(at):
                at += 1
        return end if self._worthy(start, end, how) else start

    def backward(self, last: int) -> int:
        """Return the start of the name that ends with the word ``last``, else ``last + 1``."""
        r = self._r
        first = last + 1
        while first > 0 and last - first < LONGEST:
            if first <= last and r.gaps[first] >= LINE:
                break
            if not self._precedes(first - 1, first, last):
                break
            first -= 1
        while first <= last and (
            r.shapes[first] == MARK or (r.shapes[first] == LOWER and r.cues[first] & PARTICLE)
        ):
            first += 1
        return first

    def person(self, first: int, last: int) -> bool:
        """Whether one of the words from ``first`` up to ``last`` is a name rather than a word."""
        r, v = self._r, self._v
        inside = [at for at in range(first, last) if r.shapes[at] != MARK]
        for count, at in enumerate(inside):
            if r.shapes[at] == INITIAL:
                if first + 1 < last:
                    return True
            elif not v.plain(r.words[at]) or v.common_name(r.words[at]):
                barred = r.cues[at] & NEVER
                return not barred or count > 0 or (not barred & ~_WORDED and len(inside) > 1)
        return False

    def degree(self, at: int) -> bool:
        """Whether the initials at ``at`` are a degree: "M.D."."""
        letters = [w for w in self._r.words[at : at + 4] if w != "."]
        return " ".join(letters[:2]) in _DEGREES

    def _hyphenated(self, at: int) -> bool:
        """Whether a hyphen and a further part of a double name begin at ``at``."""
        r = self._r
        part = at + 1
        return (
            part < len(r)
            and r.words[at] == "-"
            and r.gaps[at] == r.gaps[part] == GLUED
            and r.shapes[part] in (CAPITAL, UPPER, LOWER)
            and r.shapes[part] == r.shapes[at - 1]
            and not r.cues[part] & (CREDENTIAL | STOP)
        )

    def _turned(self, at: int) -> bool:
        """Whether a comma and a given name or initial begin at ``at``."""
        r, v = self._r, self._v
        given = at + 1
        if given >= len(r) or r.words[at] != "," or r.gaps[given] >= LINE:
            return False
        if r.shapes[given] == INITIAL:
            return True
        word = r.words[given]
        return (
            r.shapes[given] in (CAPITAL, UPPER)
            and not r.cues[given] & (CREDENTIAL | BIT["staff"] | STOP | HEADING)
            and (not v.plain(word) or v.given.get(word, 0) >= KNOWN_GIVEN)
        )

    def _worthy(self, start: int, end: int, how: int) -> bool:
        shapes = self._r.shapes[start:end]
        if how == OPEN:
            return end > start
        return any(shape in (CAPITAL, UPPER, LOWER) for shape in shapes) and self.person(start, end)

    def _element(self, at: int, how: int, *, first: bool) -> int:
        """Return the number of words of the name element at ``at``; 0 if there is none."""
        r = self._r
        shape = r.shapes[at]
        if shape == CAPITAL:
            return int(self._capital(at, how, first=first))
        if shape == UPPER:
            return int(self._upper(at, how, first=first))
        if shape == INITIAL:
            if r.shapes[at + 1 : at + 2] == [CAPITAL] and r.gaps[at + 1] == GLUED:
                return 0  # "RNs"
            dotted = r.words[at + 1 : at + 2] == ["."] and r.gaps[at + 1] == GLUED
            return 1 + dotted if dotted or not first or how != STRICT else 0
        if shape == LOWER:
            return int(self._particle(at) if r.cues[at] & PARTICLE else self.small(at, how))
        quoted = r.words[at] == '"' and not first and r.words[at + 2 : at + 3] == ['"']
        return 3 if quoted and r.shapes[at + 1] == CAPITAL else 0

    def _particle(self, at: int) -> bool:
        """Whether a capitalised word or another particle follows."""
        r = self._r
        after = at + 1
        return after < len(r) and (
            r.shapes[after] == CAPITAL
            or (r.shapes[after] == LOWER and bool(r.cues[after] & PARTICLE))
        )

    def _capital(self, at: int, how: int, *, first: bool) -> bool:
        v, word = self._v, self._r.words[at]
        plain = v.plain(word)
        if self._r.cues[at] & NEVER and not (v.common_name(word) and (how != STRICT or not plain)):
            return False
        if not plain or (how == OPEN and first):
            return True
        least = FAMILIAR if first else KNOWN_FAMILY
        return how != STRICT and (
            v.given.get(word, 0) >= KNOWN_GIVEN or v.family.get(word, 0) >= least
        )

    def _upper(self, at: int, how: int, *, first: bool) -> bool:
        r, v, word = self._r, self._v, self._r.words[at]
        shouted, common = r.shouted[at], v.common_name(word)
        if r.cues[at] & NEVER and not common:
            return False
        if not shouted and not self._spelt_out(word, how, first=first):
            return False
        if not v.plain(word):
            return True
        if first:
            return (how != STRICT and common and shouted) or (how == OPEN and v.named(word))
        return shouted and common and word not in v.ordinary

    def _spelt_out(self, word: str, how: int, *, first: bool) -> bool:
        """Whether capitals in a line of mixed case are more than an abbreviation."""
        if not first:
            return (
                len(word) > ABBREVIATED
                or (len(word) == ABBREVIATED and self._v.named(word))
                or (len(word) == ABBREVIATED - 1 and self._v.given.get(word, 0) >= COMMON)
            )
        return len(word) >= ABBREVIATED - 1 or (how == OPEN and self._v.named(word))

    def small(self, at: int, how: int) -> bool:
        """Whether the lower-case word at ``at`` is a name."""
        v, word, quiet = self._v, self._r.words[at], self._r.quiet
        if len(word) < ABBREVIATED - 1 and not (how == OPEN and v.named(word)):
            return False
        dictated = how == OPEN and quiet and v.family.get(word, 0) >= FAMILIAR
        if self._r.cues[at] & (NEVER & ~BIT["demonym"] if dictated else NEVER):
            return False
        if v.plain(word) or word in v.ordinary:
            return dictated
        least = 1 if how == NAMED else 2 if quiet else KNOWN_GIVEN
        return how == OPEN or v.given.get(word, 0) >= least or (quiet and v.family.get(word, 0) > 1)

    def _precedes(self, at: int, first: int, last: int) -> bool:
        """Whether the word at ``at`` belongs to the name that so far begins at ``first``."""
        r = self._r
        shape, word = r.shapes[at], r.words[at]
        if shape == MARK:
            if word == ".":
                return at > 0 and r.shapes[at - 1] == INITIAL
            return word == "-" and first <= last and r.gaps[first] == r.gaps[at] == GLUED
        if shape == LOWER:
            if r.cues[at] & PARTICLE and not r.cues[at] & BIT["prep"]:
                return first <= last
            return first > last and self.small(at, STRICT)
        if shape in (INITIAL, NUMBER):
            glued = r.gaps[at + 1] == GLUED and r.shapes[at + 1] in (CAPITAL, UPPER, LOWER)
            return shape == INITIAL and word != "i" and not glued
        return self._capitalised(at)

    def _capitalised(self, at: int) -> bool:
        """Whether a capitalised word may stand before a further part of a name."""
        r, v = self._r, self._v
        word, cues = r.words[at], r.cues[at]
        if cues & NEVER & ~_MIXED:
            return v.common_name(word) and not v.plain(word)
        if cues & (STOP | HEADING) and not v.common_name(word):
            return False
        return r.shapes[at] == CAPITAL or (
            not v.plain(word) and (len(word) >= ABBREVIATED or v.named(word))
        )
