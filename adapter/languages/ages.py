"""Words of ages: units other than years, stages of life, and ages over 89.

The table ``[ages]`` of a language's file::

    days = "day days d/o"            # and weeks, months, hours, minutes: units after a number
    letters = { d = "days" }         # units of one letter, joined to the number
    stages = "adult elderly forties" # words for ages up to 89, and words beside them
    decades = ["decad"]              # patterns of units longer than years
    older = [["noventa|cien", "90+"]]  # pattern of an age over 89 in words, and its replacement
    behind = [" anos?"]              # patterns of text that stays after such an age

Patterns are regular expressions over text in comparable form.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from adapter.errors import RuleError
from adapter.languages.reading import folded, patterns_of, place, table_of

if TYPE_CHECKING:
    from collections.abc import Mapping

UNITS = ("days", "weeks", "months", "hours", "minutes")


@dataclass(frozen=True, slots=True)
class Ages:
    """The words of ages of all languages."""

    units: Mapping[str, tuple[str, ...]]
    """Unit -> its words."""
    letters: Mapping[str, str]
    """Letter -> its unit."""
    stages: frozenset[str]
    decades: tuple[str, ...]
    older: tuple[tuple[str, str], ...]
    behind: tuple[str, ...]

    @classmethod
    def of(cls, tables: Mapping[str, Mapping[str, Any]]) -> Ages:
        """Compile the tables ``[ages]`` of several languages, by code, as one.

        Raises:
            RuleError: a key is unknown, or a value is not of the format.
        """
        keys = (*UNITS, "letters", "stages", "decades", "older", "behind")
        rows = [(code, table_of(code, table, "ages", keys)) for code, table in tables.items()]
        letters = {letter: unit for code, row in rows for letter, unit in _letters(code, row)}
        return cls(
            {
                u: tuple(w for code, row in rows for w in folded(code, row.get(u, "")))
                for u in UNITS
            },
            letters,
            frozenset(word for code, row in rows for word in folded(code, row.get("stages", ""))),
            tuple(p for code, row in rows for p in patterns_of(code, row.get("decades", []))),
            tuple(
                (patterns_of(code, [pattern])[0], new)
                for code, row in rows
                for pattern, new in row.get("older", ())
            ),
            tuple(p for code, row in rows for p in patterns_of(code, row.get("behind", []))),
        )


def _letters(code: str, table: Mapping[str, Any]) -> list[tuple[str, str]]:
    found = list(table.get("letters", {}).items())
    if any(unit not in UNITS for _, unit in found):
        raise RuleError(place(code), f"letters of [ages] must be among {', '.join(UNITS)}")
    return found
