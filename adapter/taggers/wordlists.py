"""Lexicons: ``rules/lexicons/<name>/items.txt``, compiled for look-up of words and phrases."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Lexicon:
    """Folded items, with one blank between tokens.

    ``strengths`` maps an item to the number in its second column (0 if the column is missing or has
    words); ``classes`` maps an item to the words of that column; ``lengths`` maps a first token to
    the lengths in tokens of the items of several tokens that begin with it, longest first.
    """

    strengths: Mapping[str, int] = field(repr=False)
    classes: Mapping[str, tuple[str, ...]] = field(repr=False)
    lengths: Mapping[str, tuple[int, ...]] = field(repr=False)

    @classmethod
    def parse(cls, items: str, exceptions: str = "") -> Lexicon:
        """Compile the text of ``items.txt``, without the items of ``exceptions.txt``."""
        lines = items.splitlines()
        strengths = dict.fromkeys(lines, 0) if "\t" not in items else {}
        classes: dict[str, tuple[str, ...]] = {}
        numbers = {"": 0}
        for line in () if strengths else lines:
            item, _, column = line.partition("\t")
            if column not in numbers and column.isdigit():
                numbers[column] = int(column)
            strengths[item] = numbers.get(column, 0)
            if column not in numbers:
                classes[item] = tuple(column.split())
        for item in exceptions.splitlines():
            strengths.pop(item, None)
        return cls(strengths, classes, _lengths(strengths))

    def __contains__(self, item: object) -> bool:
        return item in self.strengths

    def __iter__(self) -> Iterator[str]:
        return iter(self.strengths)

    def __len__(self) -> int:
        return len(self.strengths)

    def longest(self, words: Sequence[str], at: int) -> int:
        """Return the number of tokens of the longest item at ``words[at]``; 0 if there is none."""
        for length in self.lengths.get(words[at], ()):
            found = words[at : at + length]
            if len(found) == length and " ".join(found) in self.strengths:
                return length
        return 1 if words[at] in self.strengths else 0


def _lengths(items: Mapping[str, int]) -> dict[str, tuple[int, ...]]:
    found: dict[str, set[int]] = {}
    for item in items:
        if " " in item:
            words = item.split(" ")
            found.setdefault(words[0], set()).add(len(words))
    return {word: tuple(sorted(lengths, reverse=True)) for word, lengths in found.items()}
