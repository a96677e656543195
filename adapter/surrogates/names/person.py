"""One entity's names and their surrogates, and the matching of words with them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rapidfuzz.distance import OSA

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_SHORTEST_ALIKE = 4
"""Fewest letters of a name that may be misspelt."""
_INITIAL, _ALIKE, _EXACT = 1, 2, 4


@dataclass(slots=True)
class Person:
    """One entity's names: surrogates by real word (``words``) and by ``slots`` ("family#1")."""

    scope: str = field(repr=False)
    words: dict[str, str] = field(default_factory=dict, repr=False)
    slots: dict[str, list[str]] = field(default_factory=dict, repr=False)
    given: list[tuple[str, str]] = field(default_factory=list, repr=False)
    """(real, surrogate) of given and middle names in order."""
    family: list[tuple[str, str]] = field(default_factory=list, repr=False)
    nicknames: dict[str, str] = field(default_factory=dict, repr=False)
    """Squeezed nickname -> surrogate of its given name."""

    def initials(self) -> Iterator[tuple[str, str]]:
        """Yield (real, surrogate) initials in the orders that people write, likeliest first."""
        given, family = self.given, self.family
        for names in (
            (*given[:1], *family[:1]), (*given[:2], *family[:1]), (*family[:1], *given[:1]),
            (*family[:1], *given[:2]), (*given, *family), given, (*given[:1], *family), family,
        ):  # fmt: skip
            if len(names) > 1:
                yield "".join(real[0] for real, _ in names), "".join(new[0] for _, new in names)

    def word(self, value: str) -> str | None:
        """Return the surrogate of a squeezed name or nickname of the person, or None."""
        return self.words.get(value) or self.nicknames.get(value)

    def lettered(self, value: str) -> str | None:
        """Return the surrogate of a one-letter family name ("O"), which is no initial, or None."""
        return next((new for real, new in self.family if real == value), None)

    def nearest(self, value: str, *, wide: bool = False) -> str | None:
        """Return the surrogate of the name that a squeezed word misspells, or None if none is near.

        One letter may differ in five to seven letters, two in eight or more; with ``wide``, one in
        three.
        """
        best, least = None, len(value)
        for word in sorted(self.words):
            length = max(len(value), len(word))
            most = len(value) // 3 if wide else (length > 4) + (length > 7)  # noqa: PLR2004
            apart = length - min(len(value), len(word))
            if length - apart < _SHORTEST_ALIKE or not apart <= most > 0:
                continue
            distance = OSA.distance(value, word, score_cutoff=most)
            if 0 < distance <= most and distance < least:
                best, least = self.words[word], distance
        return best

    def match(self, values: Sequence[str]) -> tuple[int, bool]:
        """Return how well squeezed words match the person, and whether each of them may match."""
        marks = [self._mark(value) for value in values]
        named = max(marks, default=0) > _INITIAL
        return (sum(marks) if named else 0), 0 not in marks

    def _mark(self, value: str) -> int:
        if len(value) == 1:
            names = (*self.given, *self.family)
            return _INITIAL if any(real[0] == value for real, _ in names) else 0
        if value in self.words:
            return _EXACT
        return _ALIKE if value in self.nicknames or self.nearest(value) else 0


def handle(person: Person, run: str) -> str | None:
    """Rewrite the letters of a user name made of the person's name, with the surrogate name.

    Handles "jsmith", "smithj", "johnsmith", "smith", also truncated ("kbaptis"); returns None for
    other letters.
    """
    if run in person.words:
        return person.words[run].lower()
    for given, new_given in person.given:
        for family, new_family in person.family:
            if new := _joined(run, (given, new_given.lower()), (family, new_family.lower())):
                return new
    return None


def _joined(run: str, given: tuple[str, str], family: tuple[str, str]) -> str | None:
    shortest = 5
    pairs: Iterable[tuple[str, str]] = (
        (given[0] + family[0], given[1] + family[1]),
        (family[0] + given[0], family[1] + given[1]),
        (given[0][:1] + family[0], given[1][:1] + family[1]),
        (family[0] + given[0][:1], family[1] + given[1][:1]),
    )
    for real, new in pairs:
        if run == real:
            return new
        if len(run) >= shortest and real.startswith(run):
            return new[: len(run)]
    if len(run) >= shortest and run[-1] == given[0][:1] and family[0].startswith(run[:-1]):
        return family[1][: len(run) - 1] + given[1][:1]
    return None
