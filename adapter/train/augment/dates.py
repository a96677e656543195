"""Dates of one text: all shifted by the same days, some in another layout of the language."""

from __future__ import annotations

import re
from datetime import date
from typing import TYPE_CHECKING

from adapter.normalize.folding import fold
from adapter.surrogates.case import like
from adapter.surrogates.dates.shift import Calendar
from adapter.surrogates.dates.written.layouts import written_dates
from adapter.surrogates.dates.written.text import Custom, rewrite
from adapter.surrogates.dates.written.tokens import UnreadableDateError, tokens

if TYPE_CHECKING:
    from random import Random

    from adapter.languages.numbers import Numbers
    from adapter.train.augment.habits import Habits

_SHIFTS = range(-4400, 1100)
"""Days by which the dates of a text may be shifted."""
_RELAID = 0.25
_NUMBER = re.compile(r"\d+")
_MONTH = re.compile(r"(0?[1-9]|1[0-2])(/)(\d\d)")
_CENTURY = range(1900, 2101)
_ENGLISH = "en"
"""The language that takes precedence where a word belongs to several."""


def laid_out(layout: str, day: date, habits: Habits) -> str:
    """Return the date in a layout: ``d``, ``dd`` the day, ``m``, ``mm``, ``mon``, ``month`` ..."""
    name = habits.words.calendars[habits.language].months.names[day.month - 1]
    counting = habits.words.counting(habits.language)
    return layout.format(
        d=day.day, dd=f"{day.day:02d}", m=day.month, mm=f"{day.month:02d}",
        y=f"{day.year:04d}", yy=f"{day.year % 100:02d}", month=name, Month=name.capitalize(),
        mon=name[:3], MON=name[:3].upper(), th=f"{day.day}{counting.suffix(day.day)}",
        ordinal=counting.ordinal(day.day),
    )  # fmt: skip


class Dates:
    """Shifts the dates of one text."""

    def __init__(self, habits: Habits, visit: str, rng: Random) -> None:
        self._habits = habits
        self._custom = Custom(habits.words, habits.order, habits.language)
        self._months = habits.words.calendars[habits.language].months.names
        self._rng = rng
        shift = 0
        while not shift:
            shift = rng.choice(_SHIFTS)
        self._shift = shift
        self._calendar = Calendar(shift, _iso(visit))

    def render(self, text: str) -> str:
        """Return the shifted mention; in an unknown layout, numbers and months are redrawn."""
        if self._habits.order == "dmy" and (short := _MONTH.fullmatch(text)):
            return self._month(short)
        if self._rng.random() < _RELAID and (new := self._relaid(text)):
            return new
        try:
            moved = rewrite(self._calendar, text, self._custom)
        except (UnreadableDateError, ValueError, KeyError):
            return self._drawn(text)
        return moved if moved != text else self._drawn(text)

    def _month(self, short: re.Match[str]) -> str:
        """Return a month and a short year ("03/19"), in languages that write the day first."""
        year = self._full(int(short[3]))
        moved_year, month, _ = self._calendar.moved(year, int(short[1]), 0)
        width = len(short[1])
        return f"{month:0{width}d}{short[2]}{moved_year % 100:02d}"

    def _full(self, year: int) -> int:
        """Return the full year of a two-digit year, such that it is not after the visit."""
        return year + (2000 if year <= self._calendar.now().year % 100 else 1900)

    def moved(self, iso: str) -> str:
        """Return a date, YYYY-MM-DD, shifted."""
        try:
            return rewrite(self._calendar, iso, self._custom)
        except (UnreadableDateError, ValueError):
            return iso

    def _relaid(self, text: str) -> str | None:
        """Return the shifted date in another layout, or None if the mention is not one date."""
        day = self._read(text)
        if day is None:
            return None
        parts, known = day
        try:
            year, month, number = self._calendar.moved(*known)
            moved = date(year or 2020, month or 1, number or 1)
        except (ValueError, OverflowError):
            return None
        layout = self._rng.choice(self._habits.layouts[parts])
        return like(laid_out(layout, moved, self._habits), text)

    def _read(self, text: str) -> tuple[str, tuple[int, int, int]] | None:
        """Return (parts given, (year, month, day)) of a mention that is one plain date, or None."""
        folded, words = fold(text), self._habits.words
        try:
            dates = written_dates(
                tokens(folded, words, _ENGLISH), folded, self._habits.order, words
            )
        except (UnreadableDateError, ValueError):
            return None
        if len(dates) != 1 or "\n" in text or re.search(r"[:@]", text):
            return None
        slots = dates[0].slots
        if slots.keys() - {"year", "month", "day"}:
            return None
        parts = "".join(p[0] for p in ("day", "month", "year") if p in slots)
        if parts not in self._habits.layouts or any(s.value == 0 for s in slots.values()):
            return None
        year = slots["year"].value if "year" in slots else 2020
        if year < 100:  # noqa: PLR2004 (two digits)
            year = self._full(year)
        month = slots["month"].value if "month" in slots else 0
        number = slots["day"].value if "day" in slots else 0
        return parts, (year, month, number)

    def _drawn(self, text: str) -> str:
        """Return the mention with years shifted, months and days redrawn."""
        months = set(map(fold, self._months))

        def number(found: re.Match[str]) -> str:
            value, width = int(found[0]), len(found[0])
            if value in _CENTURY:
                return str(value + round(self._shift / 365))
            if 0 < value <= 12:  # noqa: PLR2004 (fits a day and a month)
                return f"{self._rng.randint(1, 12):0{width if found[0][0] == '0' else 1}d}"
            if value <= 31:  # noqa: PLR2004
                return f"{self._rng.randint(13, 28)}"
            return "".join(str(self._rng.randrange(10)) for _ in found[0])

        def word(found: re.Match[str]) -> str:
            if fold(found[0]) not in months:
                return found[0]
            name = self._months[self._rng.randrange(12)]
            name = name.capitalize() if found[0][0].isupper() else name.lower()
            return like(name, found[0])

        return re.sub(r"[^\W\d_]+", word, _NUMBER.sub(number, text))


def _iso(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def age_in_words(years: int, counting: Numbers) -> str:
    """Return an age as dictated: 47 -> "forty seven"."""
    return counting.cardinal(years) if years < 100 else "one hundred"  # noqa: PLR2004
