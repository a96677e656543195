"""Judges the surrogate of a name's mention by the fields alone.

Knows nothing of how surrogates are made: it aligns the words of a mention with the words of the
persons in the message's fields, and asks that each be what the same word became in its field.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING

from rapidfuzz.distance import OSA

from adapter.normalize.folding import squeeze

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

WORD = re.compile(r"[^\W\d_]+(?:['’`][^\W\d_]+)*|\d+")
POSSESSIVE = re.compile(r"['’`][sS]$")
BREAK = re.compile(r"-?\s*\n\s*")
FIRM = frozenset("dr mr mrs ms miss prof md rn np jr sr ii iii iv phd".split())
"""Titles that are never part of a name where other words stand."""
TITLES = FIRM | frozenset(
    "doctor doc professor mx sir madam lady rev reverend fr father sister brother pastor rabbi"
    " chaplain nurse officer judge deputy capt captain sgt lt col sra do pa pac rph pharmd lpn lcsw"
    " msw lmft dds dmd dpm od pt ot slp ma ba bs fnp crna cnm dnp aprn arnp agnp acnp bc mph mba"
    " facs facp facc faap frcp frcs mbbs mbchb don doña herr frau and or the of de la del van von"
    " den der da dos di el al bin ibn rrt cma lmhc lpc psyd rd cna emt msn bsn st cns ccc crnp te"
    " whnp pmhnp esq".split()
)
"""Words around names that say nothing of who it is; some are names too, and may be replaced."""


@dataclass(frozen=True, slots=True)
class Person:
    """A person of the fields: (real, surrogate) words, squeezed, of given and family names."""

    circle: str
    """"DOCTOR" of staff, "PATIENT" of patients and their kin: the label of their mentions."""
    given: tuple[tuple[str, str], ...] = field(repr=False)
    family: tuple[tuple[str, str], ...] = field(repr=False)
    whole: tuple[tuple[str, str], ...] = field(repr=False, default=())
    """Compound names written as one word."""

    def initials(self) -> Iterator[tuple[str, str]]:
        """Yield initials of some of the names in either order, and their surrogates."""
        for count in range(3):
            for some in combinations(self.given, count):
                for family in ((), self.family[:1], self.family):
                    for order in ((*some, *family), (*family, *some)):
                        yield "".join(r[:1] for r, _ in order), "".join(n[:1] for _, n in order)


@dataclass(slots=True)
class Oracle:
    """Judges the mentions of one note in their order."""

    people: Sequence[Person]
    nicknames: Mapping[str, Sequence[str]] = field(repr=False)
    seen: dict[tuple[str, str], str] = field(default_factory=dict, repr=False)
    full: dict[tuple[str, str, str], str] = field(default_factory=dict, repr=False)
    """(label, family, initial) of the unnamed -> the initial they have become."""

    def errors(self, label: str, real: str, new: str) -> tuple[str, ...]:
        """Return the kinds of errors in a mention's surrogate; () if it is right."""
        for text in dict.fromkeys((real, BREAK.sub("", real))):
            pairs = _aligned(text, new)
            if pairs is not None:
                return tuple(dict.fromkeys(self._errors(label, pairs)))
        return ("layout",)

    def _errors(self, label: str, pairs: list[tuple[str, str]]) -> Iterator[str]:
        yield from (kind for real, new in pairs if (kind := _case(real, new)))
        names = [(squeeze(r), squeeze(n)) for r, n in pairs]
        if all(len(real) == 1 for real, _ in names) and len(names) > 1:
            names = [tuple("".join(side) for side in zip(*names, strict=True))]
        own = self._meant(label, [real for real, _ in names])
        fits = [p for p in own if all(r in TITLES or self._of(p, r) for r, _ in names)]
        for real, new in names:
            expected = {e for p in fits or own for e in self._of(p, real)}
            if real in TITLES and len(names) > 1 and not expected:
                if real != new and real in FIRM:
                    yield "title"
            elif expected and new not in expected:
                yield _kind(real, own)
            elif not expected:
                yield from self._unnamed(label, real, new, names)

    def _meant(self, label: str, words: list[str]) -> list[Person]:
        """Whom words may name: of the label's kind by any whole word, others exactly."""
        own = [
            p
            for p in self.people
            if p.circle == label
            and any(self._of(p, w) for w in words if len(w) > 1 or len(words) == 1)
        ]
        others = [p for p in self.people if any(r in words for r, _ in _names(p) if len(r) > 1)]
        return own or others

    def _of(self, person: Person, real: str) -> frozenset[str]:
        """Return the allowed surrogates of a word of a person; empty if it is not theirs."""
        exact = {n for r, n in _names(person) if r == real}
        if exact:
            return frozenset(exact)
        if len(real) == 1:
            both = (*person.given, *person.family)
            return frozenset(n[:1] for r, n in both if r[:1] == real)
        if len(real) <= 3 and (some := {n for r, n in person.initials() if r == real}):
            return frozenset(some)
        short = [n for r, n in person.given if self._nickname(real, r)]
        if short:
            return frozenset(form for n in short for form in (n, *self.nicknames.get(n, ())))
        plural = {n + "s" for r, n in person.family if f"{r}s" == real}
        return frozenset(plural | {n for r, n in _names(person) if _misspelt(real, r)})

    def _nickname(self, one: str, other: str) -> bool:
        return one in self.nicknames.get(other, ()) or other in self.nicknames.get(one, ())

    def _unnamed(
        self, label: str, real: str, new: str, names: list[tuple[str, str]]
    ) -> Iterator[str]:
        """A word of nobody in the fields is replaced, always by the same in one note."""
        if len(real) == 1:
            family = next((r for r, _ in reversed(names) if len(r) > 1 and r not in TITLES), "")
            if self.full.get((label, family, real), new) != new:
                yield "initial of an unnamed person"
            return
        if real == new:
            yield "unchanged"
        if self.seen.setdefault((label, real), new) != new and not real.isdigit():
            yield "inconsistent"
        if real == names[-1][0]:
            for r, n in names[:-1]:
                if len(r) > 1 and r not in TITLES:
                    self.full.setdefault((label, real, r[0]), n[:1])


def _names(person: Person) -> Iterable[tuple[str, str]]:
    return (*person.given, *person.family, *person.whole)


def _aligned(real: str, new: str) -> list[tuple[str, str]] | None:
    """Words beside words, without possessives; None if order or punctuation differ."""
    marks = [" ".join(re.sub(WORD, "x", _bare(text)).split()) for text in (real, new)]
    if marks[0] != marks[1]:
        return None
    return list(zip(WORD.findall(_bare(real)), WORD.findall(_bare(new)), strict=True))


def _bare(text: str) -> str:
    return re.sub(r"(?<=\w)['’`][sS](?!\w)", " 's", text).replace(" 's", " '")


def _case(real: str, new: str) -> str:
    if (
        len(real) > 1
        and len(new) > 1
        and (real.isupper(), real.islower())
        != (
            new.isupper(),
            new.islower(),
        )
    ):
        return "letter case"
    return ""


def _misspelt(word: str, name: str) -> bool:
    """Return whether one letter differs of five, or two of eight."""
    most = 2 if len(name) > 7 else int(len(name) > 4)
    return min(len(word), len(name)) > 3 and 0 < OSA.distance(word, name) <= most


def _kind(real: str, people: Sequence[Person]) -> str:
    """What sort of word it was that became somebody else's."""
    if len(real) == 1:
        return "initial"
    for name, kind in ((lambda p: p.family, "family name"), (lambda p: p.given, "given name")):
        if any(r == real for p in people for r, _ in name(p)):
            return kind
    if any(r == real for p in people for r, _ in p.initials()):
        return "initials"
    near = any(_misspelt(real, r) for p in people for r, _ in _names(p))
    return "misspelling" if near else "nickname"
