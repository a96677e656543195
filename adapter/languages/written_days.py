r"""Days as people write them in any language, with or without rules.

The tables of ``rules/languages/days/*.toml``::

    roman = "i ii ... xii"            # months as Roman numerals
    between = "de of"                 # words that may stand between a day, a month and a year
    behind_day = "st er"              # what follows the digits of a day
    [days.it]
    months = "gennaio febbraio ..."   # twelve; those of languages with rules are in their files
    short = "gen feb ..."             # their usual abbreviations
    also = { sett = 9 }               # other forms, by the number of the month
    numbers = ["uno due ..."]         # series of the numbers 1 to 99, each as one word
    ordinals = ["primo"]              # series of the days from the first on
    centuries = { 19 = "millenovecento" }  # before the last two digits of a year in words

They serve to find a date that a field says, in a text of whatever language: no other date is read
with them, because in other languages the same words mean something else.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from adapter.errors import RuleError
from adapter.languages.reading import folded, place, table_of
from adapter.normalize.folding import squeeze

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from adapter.languages.calendar import Calendar

_FILE = "days/words"
_KEYS = ("roman", "between", "behind_day", "days")
_LANGUAGE = ("months", "short", "also", "numbers", "ordinals", "centuries")
_MONTHS, _NUMBERS = 12, 99
_SHORTEST_FORM = 3
"""Minimum number of letters in a form of a month; "so" and "mo" are words."""

Meanings = dict[str, frozenset[int]]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class WrittenDays:
    """Words of days, months and years, folded and squeezed, with the numbers that they may mean."""

    months: Mapping[str, frozenset[int]] = field(default_factory=dict)
    days: Mapping[str, frozenset[int]] = field(default_factory=dict)
    years: Mapping[str, frozenset[int]] = field(default_factory=dict)
    """A number below 100 stands for the last two digits of a year."""
    between: frozenset[str] = frozenset()
    """Words between a day, a month and a year."""

    @classmethod
    def of(
        cls, tables: Iterable[Mapping[str, Any]], calendars: Iterable[Calendar] = ()
    ) -> WrittenDays:
        """Compile the parsed files, with the months of languages with rules.

        Raises:
            RuleError: a key is unknown, or a value is malformed.
        """
        months: list[tuple[str, int]] = []
        days: list[tuple[str, int]] = []
        years: list[tuple[str, int]] = []
        between: set[str] = set()
        for table in tables:
            if unknown := table.keys() - set(_KEYS):
                raise RuleError(place(_FILE), f"unknown keys {sorted(unknown)}")
            months += _numbered(folded(_FILE, table.get("roman", "")))
            between.update(folded(_FILE, table.get("between", "")))
            between.update(folded(_FILE, table.get("behind_day", "")))
            languages = table.get("days", {})
            for code in languages:
                row = table_of(_FILE, languages, code, _LANGUAGE)
                months += _months(row)
                days += _days(row)
                years += _years(row)
        months += (
            (form, at + 1)
            for calendar in calendars
            for form, (at, _) in calendar.months.forms.items()
            if len(form) >= _SHORTEST_FORM
        )
        return cls(_meanings(months), _meanings(days), _meanings(years), frozenset(between))


def _months(row: Mapping[str, Any]) -> Iterator[tuple[str, int]]:
    for key in ("months", "short"):
        names = folded(_FILE, row.get(key, ""))
        if len(names) not in (0, _MONTHS):
            raise RuleError(place(_FILE), f"{key} must be {_MONTHS} words")
        yield from _numbered(names)
    yield from row.get("also", {}).items()


def _days(row: Mapping[str, Any]) -> Iterator[tuple[str, int]]:
    for series in (*_series(row), *row.get("ordinals", ())):
        yield from _numbered(folded(_FILE, series)[:31])


def _years(row: Mapping[str, Any]) -> Iterator[tuple[str, int]]:
    """Yield years in words, also without their century."""
    centuries = {int(key): folded(_FILE, words) for key, words in row.get("centuries", {}).items()}
    for series in _series(row):
        for word, number in _numbered(folded(_FILE, series)):
            yield word, number
            for century, fronts in centuries.items():
                yield from ((front + word, 100 * century + number) for front in fronts)
    for century, fronts in centuries.items():
        yield from ((front, 100 * century) for front in fronts)


def _series(row: Mapping[str, Any]) -> tuple[str, ...]:
    found = tuple(row.get("numbers", ()))
    if any(len(series.split()) != _NUMBERS for series in found):
        raise RuleError(place(_FILE), f"numbers must be series of {_NUMBERS} words")
    return found


def _numbered(words: Iterable[str]) -> Iterator[tuple[str, int]]:
    return ((word, number) for number, word in enumerate(words, 1))


def _meanings(words: Iterable[tuple[str, int]]) -> Meanings:
    found: dict[str, set[int]] = {}
    for word, number in words:
        found.setdefault(squeeze(word), set()).add(number)
    return {word: frozenset(numbers) for word, numbers in found.items()}
