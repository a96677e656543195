"""Units of measure in the grammar of UCUM (The Unified Code for Units of Measure, 5 to 18)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import regex

if TYPE_CHECKING:
    from collections.abc import Mapping

KEYS = frozenset({"format", "prefixes", "metric", "other", "written", "people", "annotations"})
LONGEST = 40
_PIECE = regex.compile(
    r"(?P<annotation>\{[^{}]{1,30}\})|(?P<mark>[./()])|(?P<number>\d{1,4}(?:\.\d{1,3})?(?![\d*^]))"
    r"|(?P<unit>10[*^](?:[+-]?\d{1,2})?|(?:\[[^\[\]]{1,15}\]|[^\[\]{}()./\d+-]){1,20}(?:[+-]?\d)?)"
)
_EXPONENT = regex.compile(r"(?<!\*|\^)[+-]?\d$|(?<=[*^])[+-]?\d{1,2}$")


@dataclass(frozen=True, slots=True)
class Units:
    """Atoms and prefixes of UCUM, and other usual spellings of units."""

    prefixes: frozenset[str] = field(repr=False)
    metric: frozenset[str] = field(repr=False)
    atoms: frozenset[str] = field(repr=False)
    written: frozenset[str] = field(repr=False)
    people: frozenset[str] = field(repr=False)
    """Words of ``written`` that are also names of people; several of them alone are not a unit."""
    annotations: frozenset[str] = field(repr=False)

    def has(self, text: str) -> bool:
        """Whether a text is a UCUM unit without unknown annotations, or a usual spelling."""
        text = text.strip()
        if not text or len(text) > LONGEST:
            return False
        words = text.casefold().split()
        if self.written.issuperset(words):  # "international units per milliliter"
            return len(words) == 1 or not self.people.issuperset(words)
        return self._is_expression(text.removeprefix("x").removeprefix("X"))

    def _is_expression(self, text: str) -> bool:
        """Whether the text consists of known pieces of units with marks between them."""
        at, operand, depth, named = 0, False, 0, text == "1"
        while at < len(text):
            piece = _PIECE.match(text, at)
            if piece is None or not self._knows(piece):
                return False
            if piece.lastgroup == "mark":
                depth += {"(": 1, ")": -1}.get(piece[0], 0)
                if depth < 0 or (piece[0] in ".)" and not operand):
                    return False
                operand = piece[0] == ")"
            elif piece.lastgroup != "annotation" and operand:
                return False
            else:
                operand, named = True, named or piece.lastgroup != "number"
            at = piece.end()
        return operand and named and depth == 0

    def _knows(self, piece: regex.Match[str]) -> bool:
        if piece.lastgroup == "annotation":
            return piece[0][1:-1] in self.annotations
        return piece.lastgroup != "unit" or self._unit(_EXPONENT.sub("", piece[0]))

    def _unit(self, name: str) -> bool:
        if name in self.atoms or name in self.metric:
            return True
        return any(
            name[:length] in self.prefixes and name[length:] in self.metric for length in (1, 2)
        )


def compile_units(table: Mapping[str, Any]) -> Units:
    """Compile a file of format "units".

    Raises:
        ValueError: a key is unknown.
    """
    if unknown := set(table) - KEYS:
        raise ValueError(f"unknown key '{min(unknown)}'")
    words = {key: frozenset(table.get(key, "").split()) for key in KEYS - {"format"}}
    return Units(
        words["prefixes"],
        words["metric"],
        words["other"],
        frozenset(word.casefold() for word in words["written"]),
        frozenset(word.casefold() for word in words["people"]),
        words["annotations"],
    )
