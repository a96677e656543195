"""Heads of columns: what the words at the top of a table say of the cells below them.

A head is read as written and by its parts ("dateOfBirth", "LAST_NAME", "address1"), whole or by its
last words ("night nurse"), with its words joined ("lastname"), and without what brackets add.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import regex

from adapter.normalize.folding import fold
from adapter.taggers.document.meanings import WORD, Meaning, meaning_of
from adapter.taggers.document.tokens import tokenize

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

FEWEST = 2
"""Heads with a name that make a table certain, so that attributes name columns too."""
SHORTEST = 6
"""Fewest letters of a name whose words may be joined."""
_BRACKETS = regex.compile(r"[(\[][^()\[\]]*+[)\]]")
_FIGURE = regex.compile(
    r"""[<>≤≥=~]{0,2}[ ]?[+-]?(?:[0-9]{1,3}(?:[.,][0-9]{1,3})?[ ]?%?|1[0-9]{2}/[0-9]{2,3})$"""
)
_NAMED = frozenset({"NAME", "PROFESSION", "LOCATION"})
FIGURES = Meaning(None, _FIGURE, "attributes.figures")
"""The meaning of a column whose head names nobody: its short numbers are values."""

PLACE = Meaning(None, regex.compile(r"[A-Z]{0,2}[0-9]{1,2}$"), "attributes.place")
"""The meaning of a number too short for anybody's, of a sample in its rack or batch."""
HEAD = Meaning(None, None, "attributes.heads")
WORDS = Meaning(None, None, "attributes.words", outside=("medical", "ordinary"))
"""The meanings of heads themselves: a known one names nobody, nor do words beside two of them."""


@dataclass(frozen=True, slots=True)
class Column:
    """The meaning of the cells of a column, and the words of other heads on which it depends.

    It does not hold beside a word in ``unless``, or without one of ``beside`` if there are any; if
    ``whole``, it does not hold for a head with more words.
    """

    meaning: Meaning
    unless: frozenset[str] = field(default=frozenset(), repr=False)
    beside: frozenset[str] = field(default=frozenset(), repr=False)
    whole: bool = False

    def holds(self, words: frozenset[str], *, whole: bool) -> bool:
        """Whether it holds in a table with these words in its heads."""
        fits = not self.beside or not self.beside.isdisjoint(words)
        return fits and self.unless.isdisjoint(words) and (whole or not self.whole)


@dataclass(frozen=True, slots=True)
class Head:
    """A head that was read: its known name, or "", the number of words before it, and all words."""

    name: str
    rest: int
    words: frozenset[str] = field(repr=False)
    other: bool = False
    """Whether it is of words that head a column of anything."""

    @property
    def known(self) -> bool:
        """Whether it may head a column."""
        return bool(self.name) or self.other


class Heads:
    """The heads of columns of a language."""

    def __init__(self, table: Mapping[str, Any], meanings: Mapping[str, Meaning]) -> None:
        """Compile the columns of a parsed rule file; ``meanings`` are those of its attributes.

        Raises:
            RuleError: a label, shape or regex is unknown or invalid.
        """
        self._columns: dict[str, tuple[Column, ...]] = {}
        for column in table.get("column", ()):
            compiled = _column(column, table.get("shapes", {}))
            for name in (" ".join(WORD.findall(name)) for name in column["names"]):
                self._columns[name] = (*self._columns.get(name, ()), compiled)
        self._meanings = meanings
        self._others = frozenset(table.get("columns", "").split())
        self._joined = {
            name.replace(" ", ""): name
            for name in (*meanings, *self._columns)
            if len(name) > SHORTEST and " " in name
        }

    def __bool__(self) -> bool:
        """Whether the language has any columns."""
        return bool(self._columns)

    def meanings(self) -> Iterator[Meaning]:
        """Yield the meanings of all columns."""
        for columns in self._columns.values():
            yield from (column.meaning for column in columns)

    def read(self, text: str) -> Head:
        """Return the head that a cell is, known or not."""
        readings = tuple(_readings(text))
        said = frozenset(word for words in readings for word in words)
        for words in readings:
            for first in range(len(words)):
                if name := self._named(words[first:]):
                    return Head(name, first, said)
        return Head("", 0, said, other=self._others.issuperset(readings[0]))

    def heads_column(self, head: Head) -> bool:
        """Whether a head is the name of a column, and not only of an attribute."""
        return head.name in self._columns

    def names(self, head: Head, said: frozenset[str]) -> bool:
        """Whether a head is a name that says something beside other words."""
        columns = self._columns.get(head.name, ())
        return head.name in self._meanings or any(
            column.holds(said, whole=not head.rest) for column in columns
        )

    def numbers(self, head: Head) -> bool:
        """Whether the cells below a head are numbers or days of people."""
        columns = self._columns.get(head.name, ())
        said = [column.meaning.label for column in columns]
        if not columns and head.name in self._meanings:
            said = [self._meanings[head.name].label]
        return any(label is not None and label.category not in _NAMED for label in said)

    def columns(self, heads: Sequence[Head]) -> Mapping[int, Meaning]:
        """Return the meanings of the columns of a table by their numbers."""
        said = frozenset(word for head in heads for word in head.words)
        certain = sum(bool(head.name) for head in heads) >= FEWEST
        found = ((at, self._column(head, said, certain=certain)) for at, head in enumerate(heads))
        columns = {at: meaning for at, meaning in found if meaning is not None}
        if not certain or not any(meaning.label for meaning in columns.values()):
            columns = {at: column for at, column in columns.items() if column is not FIGURES}
        return columns

    def _column(self, head: Head, said: frozenset[str], *, certain: bool) -> Meaning | None:
        if head.name in self._columns:
            for column in self._columns[head.name]:
                if column.holds(said, whole=not head.rest):
                    return column.meaning
            return None
        meaning = self._meanings.get(head.name)
        if meaning is None or meaning.label is None:
            return FIGURES if meaning is None or meaning.vetoes else None
        return meaning if certain else None

    def _named(self, words: Sequence[str]) -> str:
        for name in (" ".join(words), self._joined.get("".join(words), "")):
            if name in self._columns or name in self._meanings:
                return name
        return ""


def _readings(text: str) -> Iterator[tuple[str, ...]]:
    """Yield the words of a head as written, of its parts, and of those without numbers."""
    bare = _BRACKETS.sub(" ", text)
    bare = bare if WORD.search(bare) else text
    yield tuple(WORD.findall(fold(bare)))
    parts = tuple(word for word in tokenize(bare).words if word.isalnum())
    yield parts
    yield tuple(word for word in parts if not word.isdigit())


def _column(column: Mapping[str, Any], shapes: Mapping[str, str]) -> Column:
    return Column(
        meaning_of(column, shapes),
        frozenset(column.get("unless", ())),
        frozenset(column.get("beside", ())),
        column.get("whole", False),
    )
