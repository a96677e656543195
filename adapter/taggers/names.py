"""Person names by what stands beside them: title, credential, kin, role, field, initials.

A name is read from left to right as capitalised words, initials, particles ("van der"), hyphens,
a nickname in quotes; ordinary words end it unless the cue is strong (Lee 2017, section 2.5 lists
such contexts; Szarvas 2006 calls them triggers).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.taggers.reading import (
    BIT, BLANK, CAPITAL, GLUED, INITIAL, LINE, LOWER, MARK, NUMBER, UPPER, WIDE,
)  # fmt: skip
from adapter.types import Label, Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from adapter.taggers.reading import Reading, Vocabulary

CUED, LISTED = 60, 50
"""Priorities: names that a title, degree, field or form vouches for, and others."""
_CUED = frozenset(("title", "credential", "field", "inverted", "pair"))
LONGEST = 5
"""Words one name may have, marks not counted."""

TITLE, DOCTOR, CREDENTIAL, STAFF = BIT["title"], BIT["doctor"], BIT["credential"], BIT["staff"]
KIN, PATIENT, FIELD, PARTICLE = BIT["kin"], BIT["patient"], BIT["field"], BIT["particle"]
BY, STOP, HEADING, GENERIC, ORG, FACILITY = (
    BIT["by"], BIT["stop"], BIT["heading"], BIT["generic"], BIT["org"], BIT["facility"],
)  # fmt: skip
NEVER = (
    STOP | HEADING | CREDENTIAL | STAFF | KIN | PATIENT | FIELD | DOCTOR | GENERIC | FACILITY | BIT["verb"]
    | BIT["prep"] | BIT["demonym"] | BIT["brandish"] | BIT["centre"] | ORG | TITLE
)  # fmt: skip
TRIGGERS = TITLE | DOCTOR | CREDENTIAL | STAFF | KIN | PATIENT | FIELD | BY
STRICT, NAMED, OPEN = range(3)
"""How sure the context is: not an ordinary word; or else a known name; or any capitalised word."""

_CLEAR_TITLES = frozenset("dr drs mr mrs ms mx doctor prof rev mister missus".split())
_SPLIT_CREDENTIALS = frozenset(
    ("ph d", "pharm d", "r ph", "psy d", "ed d", "m d", "d o", "r n", "n p", "p a", "p t", "l p")
)
_LINKS = frozenset(("and", "&", "/", "+", ",", "or"))
_INVERTED = frozenset("mc mac".split())


class Names:
    """The name rules over one reading."""

    def __init__(self, reading: Reading, vocabulary: Vocabulary) -> None:
        self._r = reading
        self._v = vocabulary

    def find(self) -> Iterator[Span]:
        """Yield the names found by their contexts."""
        r = self._r
        for at, cues in enumerate(r.cues):
            if cues & TRIGGERS:
                yield from self._cued(at, cues)
        for at, shape in enumerate(r.shapes):
            if shape == INITIAL:
                if at and r.words[at - 1] == "," and self._degree(at):
                    yield from self._before_credential(at)
                yield from self._initial(at)
            elif shape == CAPITAL or shape == UPPER:
                yield from self._pair(at)
                if at + 2 < len(r) and r.words[at + 1] == ",":
                    yield from self._inverted(at)

    def _cued(self, at: int, cues: int) -> Iterator[Span]:
        if cues & CREDENTIAL:
            yield from self._before_credential(at)
        if cues & (TITLE | DOCTOR):
            yield from self._after_title(at, Label.DOCTOR if cues & DOCTOR else Label.PATIENT)
        if cues & FIELD:
            yield from self._after_field(at, cues)
        if cues & (KIN | STAFF | PATIENT | BY):
            yield from self._after_role(at, cues)

    # -- contexts ---------------------------------------------------------------------------

    def _after_title(self, at: int, label: Label) -> Iterator[Span]:
        r = self._r
        word = r.words[at]
        clear = word in _CLEAR_TITLES
        if word == "ms" and r.shapes[at] == UPPER and not r.shouted[at]:
            return
        start = self._skip(at + 1, (".", '"'))
        if clear:
            yield from self._names(start, OPEN, label, "title")
        elif start < len(r) and r.shapes[at] != LOWER or word in ("miss", "pastor", "det", "ofc"):
            yield from self._names(start, STRICT, label, "title")

    def _after_field(self, at: int, cues: int) -> Iterator[Span]:
        r = self._r
        colon = at + 1
        leaders = 0
        while colon < len(r) and r.words[colon] in (".", "_", "(", "s", ")"):
            colon += 1
            leaders += 1
        if colon < len(r) and r.words[colon] in (":", "="):
            colon += 1
        elif leaders < 3:  # noqa: PLR2004 (dot leaders of a form)
            return
        if colon < len(r) and r.gaps[colon] == LINE:
            return
        label = Label.PATIENT if cues & (PATIENT | KIN) else Label.DOCTOR
        colon = self._skip_titles(colon)
        yield from self._names(colon, NAMED, label, "field", comma=True)

    def _after_role(self, at: int, cues: int) -> Iterator[Span]:
        r = self._r
        start = self._after_in_law(at + 1)
        if start >= len(r) or r.gaps[start] >= LINE:
            return
        mark = r.words[start] if r.shapes[start] == MARK else ""
        if mark == "'" or (mark and mark not in ",(:=\"#-"):
            return
        if cues & BY and not cues & (KIN | STAFF | PATIENT) and (
            mark or r.shapes[start] == LOWER
        ):
            return
        if r.shapes[start] == UPPER and not r.shouted[start] and len(r.words[start]) < 4:  # noqa: PLR2004
            return
        if mark:
            start = self._skip(start + 1, ('"',))
        start = self._skip_titles(start)
        direct = cues & (KIN | STAFF) and r.gaps[start] == BLANK and not r.shouted[start]
        how = NAMED if direct and mark in ("", "(" if cues & KIN else "") else STRICT
        label = Label.PATIENT if cues & (KIN | PATIENT) else Label.DOCTOR
        yield from self._names(start, how, label, "role", comma=bool(cues & PATIENT))

    def _before_credential(self, at: int) -> Iterator[Span]:
        r = self._r
        if r.shapes[at] == LOWER and not self._v.cues.get(r.words[at], 0) & STAFF:
            return
        last = at - 1
        if last >= 0 and r.words[last] == "," and r.gaps[at] != LINE:
            last -= 1
        elif r.gaps[at] >= LINE:
            return
        first = self._back(last)
        while first < last and r.shapes[first] == CAPITAL and r.shapes[first + 1] != MARK and (
            self._v.plain(r.words[first]) and self._v.given.get(r.words[first], 0) < 6  # noqa: PLR2004
        ):
            first += 1
        if first <= last and self._person(first, last + 1):
            yield self._span(first, last + 1, Label.DOCTOR, "credential")

    def _back(self, last: int) -> int:
        """Where the name that ends at last begins; last + 1 where none does."""
        r = self._r
        first = last + 1
        while first > 0 and last - first < LONGEST:
            at = first - 1
            if first <= last and r.gaps[first] >= LINE:
                break
            if not self._backward(at, first, last):
                break
            first = at
        while first <= last and (r.shapes[first] == MARK or r.shapes[first] == LOWER):
            if r.shapes[first] == LOWER and not r.cues[first] & PARTICLE:
                break
            first += 1
        return first

    def _backward(self, at: int, first: int, last: int) -> bool:
        r = self._r
        shape, word = r.shapes[at], r.words[at]
        if shape == MARK:
            if word == ".":
                return at > 0 and r.shapes[at - 1] == INITIAL
            return word == "-" and first <= last and r.gaps[first] == GLUED and r.gaps[at] == GLUED
        if shape == INITIAL:
            return word != "i"
        if shape == LOWER:
            if r.cues[at] & PARTICLE and not r.cues[at] & BIT["prep"]:
                return first <= last
            return first > last and self._lower(at, STRICT)
        if shape == NUMBER or r.cues[at] & NEVER & ~STOP & ~HEADING & ~GENERIC & ~ORG:
            return shape != NUMBER and self._v.common_name(word) and not self._v.plain(word)
        if r.cues[at] & (STOP | HEADING) and not self._v.common_name(word):
            return False
        if shape == UPPER:
            return not self._v.plain(word) and (len(word) > 3 or self._v.named(word))
        return True

    def _person(self, first: int, last: int) -> bool:
        """Whether words first to last hold one that is a name rather than a word."""
        r, v = self._r, self._v
        words = 0
        for at in range(first, last):
            if r.shapes[at] == MARK:
                continue
            words += 1
            if r.shapes[at] == INITIAL and first + 1 < last:
                return True
            if r.shapes[at] != INITIAL and (
                not v.plain(r.words[at]) or v.common_name(r.words[at])
            ):
                return not r.cues[at] & NEVER or words > 1
        return False

    def _pair(self, at: int) -> Iterator[Span]:
        """Given and family name, one after the other; a name and an initial."""
        r, v = self._r, self._v
        word = r.words[at]
        strength = v.given.get(word, -1)
        if len(word) < 3 or r.cues[at] & (STOP | HEADING | CREDENTIAL):  # noqa: PLR2004
            return
        follow = at + 1
        if follow >= len(r) or r.gaps[follow] != BLANK:
            return
        if strength < 1:
            if r.shapes[follow] == INITIAL and not v.plain(word) and word in v.family and (
                r.shapes[at] == CAPITAL and r.words[follow] not in ("i", "a", "x")
            ):
                yield from self._with_initial(at, follow)
            return
        if r.shapes[follow] == INITIAL:
            if not v.plain(word) and strength >= 5:
                yield from self._with_initial(at, follow)
            return
        if r.shapes[follow] == LOWER and r.cues[follow] & PARTICLE and not v.plain(word):
            end = self._parse(at, NAMED)
            if end > follow + 1:
                yield self._span(at, end, Label.PATIENT, "pair")
            return
        if r.shapes[follow] != r.shapes[at] or r.cues[follow] & NEVER:
            return
        other = v.family.get(r.words[follow], 0)
        plain = v.plain(word) + v.plain(r.words[follow])
        if plain == 0 or (plain == 1 and strength >= 6 and other >= 3):
            end = self._parse(at, NAMED)
            if end > follow:
                yield self._span(at, end, Label.PATIENT, "pair")

    def _inverted(self, at: int) -> Iterator[Span]:
        """"Gill, Harpreet K", at the start of a line, after a gap or after a colon."""
        r, v = self._r, self._v
        first = at
        while first > 1 and r.words[first - 1] == "-" and r.gaps[first] == GLUED:
            first -= 2
        while first > 0 and r.gaps[first] == BLANK and (
            r.cues[first - 1] & PARTICLE or r.shapes[first - 1] == r.shapes[at]
            and first == at and not r.cues[first - 1] & NEVER
            and not v.plain(r.words[first - 1])
        ):
            first -= 1
        if not (r.gaps[first] >= LINE or r.words[first - 1] in (":", "=", '"', "|")):
            return
        given, word = r.words[at + 2], r.words[at]
        if r.gaps[at + 1] != GLUED or r.cues[at] & (NEVER & ~GENERIC) or r.gaps[at + 2] >= LINE:
            return
        if r.shapes[at + 2] == INITIAL:
            if v.plain(word) or not v.named(word) or self._degree(at + 2):
                return
        elif r.shapes[at + 2] != r.shapes[at] or v.given.get(given, 0) < 1 or (
            r.cues[at + 2] & NEVER
        ) or (v.plain(given) and (v.plain(word) or v.given.get(given, 0) < 6)):  # noqa: PLR2004
            return
        end = self._parse(at + 2, NAMED)
        yield self._span(first, max(end, at + 3), Label.PATIENT, "inverted")

    def _degree(self, at: int) -> bool:
        """Whether initials are a degree: "M.D."."""
        letters = [w for w in self._r.words[at : at + 4] if w != "."]
        return " ".join(letters[:2]) in _SPLIT_CREDENTIALS

    def _with_initial(self, at: int, follow: int) -> Iterator[Span]:
        """"Robert S." and "John Q. Public"."""
        r = self._r
        end = follow + 1
        if r.words[follow] in ("i", "a") and not (end < len(r) and r.words[end] == "."):
            return
        stop = end >= len(r) or r.gaps[end] >= LINE or r.shapes[end] in (MARK, LOWER)
        if stop:
            yield self._span(at, end, Label.PATIENT, "initial")
        after = self._parse(at, NAMED)
        if after > end + 1:
            yield self._span(at, after, Label.PATIENT, "pair")

    def _initial(self, at: int) -> Iterator[Span]:
        """"J. Smith", "K Obuya"."""
        r, v = self._r, self._v
        if r.gaps[at] == GLUED and at and r.shapes[at - 1] != MARK:
            return
        family = at + 1
        dotted = family < len(r) and r.words[family] == "." and r.gaps[family] == GLUED
        family += dotted
        if family < len(r) and r.shapes[family] == INITIAL and dotted:
            family += 1 + (family + 1 < len(r) and r.words[family + 1] == ".")
        if family >= len(r) or r.gaps[family] >= LINE or r.shapes[family] not in (CAPITAL, UPPER):
            return
        word = r.words[family]
        if r.cues[family] & (NEVER & ~GENERIC) or len(word) < 2:
            return
        if r.shapes[family] == UPPER and not r.shouted[family] and len(word) < 4:
            return
        sure = not v.plain(word) and (dotted or v.named(word))
        if sure or (dotted and r.shapes[at - 1] != NUMBER and v.family.get(word, 0) >= 3
                    and r.shapes[family] == CAPITAL):
            end = self._parse(at, NAMED)
            if end > family:
                yield self._span(at, end, Label.DOCTOR, "initial")

    # -- reading a name ---------------------------------------------------------------------

    def _names(
        self, start: int, how: int, label: Label, source: str, *, comma: bool = False
    ) -> Iterator[Span]:
        """Yield the name at start, and those linked to it by "and" or a slash."""
        end = self._parse(start, how, comma=comma)
        if end == start:
            return
        yield self._span(start, end, label, source)
        r = self._r
        if end < len(r) and r.words[end] in ("and", "&", "/", "+"):
            further = self._skip_titles(end + 1)
            last = self._parse(further, how)
            if last > further:
                yield self._span(further, last, label, source)

    def _parse(self, start: int, how: int, *, comma: bool = False) -> int:
        """Where the name that begins at start ends; start where none begins."""
        r = self._r
        at = start
        end = start
        count = 0
        while at < len(r) and count < LONGEST:
            if at > start and r.gaps[at] >= LINE:
                break
            step = self._element(at, how, first=count == 0)
            if not step:
                break
            if r.shapes[at] != LOWER or not r.cues[at] & PARTICLE:
                end = at + step
            count += 1
            at = at + step
            if at + 1 < len(r) and r.words[at] == "-" and r.gaps[at + 1] == r.gaps[at] == GLUED:
                if r.shapes[at + 1] in (CAPITAL, UPPER, LOWER) and r.shapes[at + 1] <= UPPER:
                    if r.cues[at + 1] & (CREDENTIAL | STOP) or r.shapes[at + 1] != r.shapes[at - 1]:
                        break
                    end = at + 2
                at += 2 if end == at + 2 else 0
                if end != at:
                    break
            elif comma and count == 1 and at + 1 < len(r) and r.words[at] == ",":
                if r.gaps[at + 1] < LINE and self._given(at + 1):
                    at += 1
        if end < len(r) and end > start and r.words[end] == "." and r.shapes[end - 1] == INITIAL:
            return end
        return end if self._worthy(start, end, how) else start

    def _worthy(self, start: int, end: int, how: int) -> bool:
        r = self._r
        return any(r.shapes[at] in (CAPITAL, UPPER, LOWER) for at in range(start, end)) and (
            how == OPEN or self._person(start, end)
        )

    def _given(self, at: int) -> bool:
        r, v = self._r, self._v
        if r.shapes[at] == INITIAL:
            return True
        return (
            r.shapes[at] in (CAPITAL, UPPER)
            and not r.cues[at] & (CREDENTIAL | STAFF | STOP | HEADING)
            and (not v.plain(r.words[at]) or v.given.get(r.words[at], 0) >= 6)
        )

    def _element(self, at: int, how: int, *, first: bool) -> int:
        """How many words the element of a name at ``at`` takes; 0 where it is none."""
        r, v = self._r, self._v
        shape, word, cues = r.shapes[at], r.words[at], r.cues[at]
        if shape == CAPITAL:
            if cues & NEVER and not (v.common_name(word) and (how != STRICT or not v.plain(word))):
                return 0
            if how == OPEN and first:
                return 1
            return self._acceptable(at, how, first=first)
        if shape == UPPER:
            if cues & NEVER and not v.common_name(word):
                return 0
            if not r.shouted[at] and len(word) < 3 and not (how == OPEN and v.named(word)):
                return 0
            if not r.shouted[at] and not first and len(word) < 5 and not (  # noqa: PLR2004
                v.named(word) and len(word) > 3  # noqa: PLR2004
            ):
                return 0
            if v.plain(word):
                return int(
                    first and (how != STRICT and v.common_name(word) and r.shouted[at]
                               or how == OPEN and v.named(word))
                    or not first and r.shouted[at] and word not in v.ordinary
                    and v.common_name(word)
                )
            return 1
        if shape == INITIAL:
            dotted = at + 1 < len(r) and r.words[at + 1] == "." and r.gaps[at + 1] == GLUED
            return 1 + dotted if dotted or not first or how != STRICT else 0
        if shape == LOWER:
            if cues & PARTICLE and at + 1 < len(r) and r.shapes[at + 1] in (CAPITAL, LOWER):
                nxt = r.shapes[at + 1]
                return int(nxt == CAPITAL or bool(r.cues[at + 1] & PARTICLE))
            return int(self._lower(at, how))
        if word == '"' and not first:
            return self._quoted(at)
        return 0

    def _acceptable(self, at: int, how: int, *, first: bool) -> int:
        v, word = self._v, self._r.words[at]
        if not v.plain(word):
            return 1
        if how == STRICT:
            return 0
        least = 6 if first else 3
        return int(v.given.get(word, 0) >= 6 or v.family.get(word, 0) >= least)

    def _lower(self, at: int, how: int) -> bool:
        """Whether a word in small letters is a name here."""
        v, word = self._v, self._r.words[at]
        if len(word) < 3 and not (how == OPEN and v.named(word)):
            return False
        if self._r.cues[at] & NEVER or v.plain(word) or word in v.ordinary:
            return False
        if how == OPEN:
            return True
        least = 1 if how == NAMED else 2 if self._r.quiet else 6
        return v.given.get(word, 0) >= least or self._r.quiet and v.family.get(word, 0) >= 2

    def _quoted(self, at: int) -> int:
        r = self._r
        if at + 2 < len(r) and r.words[at + 2] == '"' and r.shapes[at + 1] == CAPITAL:
            return 3
        return 0

    # -- small steps ------------------------------------------------------------------------

    def _skip(self, at: int, marks: tuple[str, ...]) -> int:
        r = self._r
        while at < len(r) and r.words[at] in marks and r.gaps[at] != LINE:
            at += 1
        return at

    def _skip_titles(self, at: int) -> int:
        r = self._r
        while at < len(r) and r.cues[at] & (TITLE | DOCTOR) and r.gaps[at] < LINE:
            at = self._skip(at + 1, (".",))
        return at

    def _after_in_law(self, at: int) -> int:
        words = self._r.words
        tail = [w for w in words[at : at + 4] if w != "-"]
        if tail[:2] == ["in", "law"]:
            return at + 2 + words[at : at + 4].count("-")
        return at

    def _span(self, first: int, last: int, label: Label, source: str) -> Span:
        r = self._r
        priority = CUED if source in _CUED else LISTED
        return Span(
            r.starts[first], r.ends[last - 1], label, f"names.{source}", 0.9, priority
        )
