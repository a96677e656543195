"""Dates of one text: all moved by the same days, some written in another layout of the language."""

from __future__ import annotations

import re
from datetime import date
from typing import TYPE_CHECKING

from adapter.folding import fold
from adapter.surrogates.dates import Calendar
from adapter.surrogates.dates_atoms import atoms_of
from adapter.surrogates.dates_text import Custom, rewrite
from adapter.surrogates.dates_tokens import UnreadableDateError, tokens
from adapter.surrogates.spelled import cardinal, ordinal
from adapter.surrogates.styles import like, ordinal_suffix
from adapter.surrogates.vocabulary import MONTHS

if TYPE_CHECKING:
    from collections.abc import Mapping
    from random import Random

_SHIFTS = range(-4400, 1100)
"""Days that the dates of a text may move."""
_RELAID = 0.25
_NUMBER = re.compile(r"\d+")
_MONTH = re.compile(r"(0?[1-9]|1[0-2])(/)(\d\d)")
_CENTURY = range(1900, 2101)

LAYOUTS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "en": {
        "dmy": (
            *("{m}/{d}/{y}", "{mm}/{dd}/{y}", "{m}/{d}/{yy}", "{mm}/{dd}/{yy}", "{y}-{mm}-{dd}"),
            *("{month} {d}, {y}", "{mon} {d}, {y}", "{mon} {d} {y}", "{d} {mon} {y}"),
            *("{mm}-{dd}-{y}", "{m}-{d}-{yy}", "{dd}-{mon}-{y}", "{m}.{d}.{yy}", "{dd}{mon}{y}"),
            *("{month} {th}, {y}", "{d} {month} {y}", "{y}/{mm}/{dd}", "{mon} {d} '{yy}"),
            *("{mm}{dd}{y}", "{th} of {month} {y}", "{dd}-{MON}-{yy}", "{y}{mm}{dd}"),
            *("{month} {d} {y}", "{mon}. {d}, {y}", "{dd}.{mm}.{y}", "{dd}/{mm}/{y}"),
        ),
        "dm": (
            *("{m}/{d}", "{mm}/{dd}", "{m}-{d}", "{month} {d}", "{mon} {d}", "{month} {th}"),
            *("{d} {mon}", "{mon} {th}", "{d}-{mon}", "{th} of {month}", "{dd}{mon}", "{mon}. {d}"),
            *("{month} {ordinal}", "{mm}-{dd}", "{m}.{d}"),
        ),
        "my": (
            *("{month} {y}", "{mon} {y}", "{mm}/{y}", "{m}/{yy}", "{mon} '{yy}", "{month} of {y}"),
            *("{mm}-{y}", "{month}, {y}", "{mon}-{yy}", "{m}/{y}", "{y}-{mm}", "{mon}. {y}"),
        ),
        "y": ("{y}", "{y}", "{y}", "'{yy}"),
    },
    "es": {
        "dmy": (
            *("{dd}/{mm}/{y}", "{d}/{m}/{y}", "{dd}-{mm}-{y}", "{d} de {month} de {y}"),
            *("{dd}/{mm}/{yy}", "{d}/{m}/{yy}", "{d} de {month} del {y}", "{d}-{m}-{yy}"),
            *("{dd}.{mm}.{y}", "{d} {month} {y}", "{d}-{mon}-{y}", "{y}-{mm}-{dd}"),
        ),
        "dm": ("{d} de {month}", "{dd}/{mm}", "{d}/{m}", "{d}-{mon}", "{d} {month}"),
        "my": (
            *("{month} de {y}", "{month} {y}", "{month} del {y}", "{mm}/{y}", "{month} {yy}"),
            *("{Month} de {y}", "{Month} {y}", "{mon} {y}", "{m}-{y}", "{month} del año {y}"),
        ),
        "y": ("{y}",),
    },
    "de": {
        "dmy": (
            *("{dd}.{mm}.{y}", "{d}.{m}.{y}", "{dd}.{mm}.{yy}", "{d}.{m}.{yy}", "{d}. {month} {y}"),
            *("{dd}/{mm}/{y}", "{y}-{mm}-{dd}", "{dd}. {month} {y}", "{d}/{m}/{y}"),
            "{d}. {mon}. {y}",
        ),
        "dm": ("{dd}.{mm}.", "{d}.{m}.", "{d}. {month}", "{dd}.{mm}"),
        "my": ("{month} {y}", "{mm}/{y}", "{mm}/{yy}", "{mm}.{y}", "{m}/{yy}", "{mon}. {y}"),
        "y": ("{y}",),
    },
}  # fmt: skip
"""Language -> parts that are given -> layouts of them."""


def laid_out(layout: str, day: date, language: str) -> str:
    """The date in a layout: ``d`` and ``dd`` the day, ``m``, ``mm``, ``mon`` and ``month`` ..."""
    name = MONTHS[language].split()[day.month - 1]
    return layout.format(
        d=day.day, dd=f"{day.day:02d}", m=day.month, mm=f"{day.month:02d}",
        y=f"{day.year:04d}", yy=f"{day.year % 100:02d}", month=name, Month=name.capitalize(),
        mon=name[:3], MON=name[:3].upper(), th=f"{day.day}{ordinal_suffix(day.day)}",
        ordinal=ordinal(day.day),
    )  # fmt: skip


class Dates:
    """Moves the dates of one text."""

    def __init__(self, language: str, visit: str, rng: Random) -> None:
        self._language = language if language in LAYOUTS else "en"
        self._order = "mdy" if self._language == "en" else "dmy"
        self._rng = rng
        shift = 0
        while not shift:
            shift = rng.choice(_SHIFTS)
        self._shift = shift
        self._calendar = Calendar(shift, _iso(visit))

    def render(self, text: str) -> str:
        """The mention moved; a layout that nobody knows has its numbers and months drawn anew."""
        if self._order == "dmy" and (short := _MONTH.fullmatch(text)):
            return self._month(short)
        if self._rng.random() < _RELAID and (new := self._relaid(text)):
            return new
        try:
            moved = rewrite(self._calendar, text, Custom(self._order, self._language))
        except (UnreadableDateError, ValueError, KeyError):
            return self._drawn(text)
        return moved if moved != text else self._drawn(text)

    def _month(self, short: re.Match[str]) -> str:
        """A month and a short year ("03/19"), where days do not stand behind months."""
        year = self._full(int(short[3]))
        moved_year, month, _ = self._calendar.moved(year, int(short[1]), 0)
        width = len(short[1])
        return f"{month:0{width}d}{short[2]}{moved_year % 100:02d}"

    def _full(self, year: int) -> int:
        """A year of two digits with its century: none lies after the visit."""
        return year + (2000 if year <= self._calendar.now().year % 100 else 1900)

    def moved(self, iso: str) -> str:
        """YYYY-MM-DD moved."""
        try:
            return rewrite(self._calendar, iso, Custom())
        except (UnreadableDateError, ValueError):
            return iso

    def _relaid(self, text: str) -> str | None:
        """The one date of the mention in another layout of the same parts."""
        day = self._read(text)
        if day is None:
            return None
        parts, known = day
        try:
            year, month, number = self._calendar.moved(*known)
            moved = date(year or 2020, month or 1, number or 1)
        except (ValueError, OverflowError):
            return None
        layout = self._rng.choice(LAYOUTS[self._language][parts])
        return like(laid_out(layout, moved, self._language), text)

    def _read(self, text: str) -> tuple[str, tuple[int, int, int]] | None:
        """(parts given, (year, month, day)) of a mention that is one plain date."""
        folded = fold(text)
        try:
            atoms = atoms_of(tokens(folded), folded, self._order)
        except (UnreadableDateError, ValueError):
            return None
        if len(atoms) != 1 or "\n" in text or re.search(r"[:@]", text):
            return None
        slots = atoms[0].slots
        if slots.keys() - {"year", "month", "day"}:
            return None
        parts = "".join(p[0] for p in ("day", "month", "year") if p in slots)
        if parts not in LAYOUTS[self._language] or any(s.value == 0 for s in slots.values()):
            return None
        year = slots["year"].value if "year" in slots else 2020
        if year < 100:  # noqa: PLR2004 (two digits)
            year = self._full(year)
        month = slots["month"].value if "month" in slots else 0
        number = slots["day"].value if "day" in slots else 0
        return parts, (year, month, number)

    def _drawn(self, text: str) -> str:
        """The mention with years moved, months and days drawn."""
        months = {fold(name) for name in MONTHS[self._language].split()}

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
            name = MONTHS[self._language].split()[self._rng.randrange(12)]
            name = name.capitalize() if found[0][0].isupper() else name.lower()
            return like(name, found[0])

        return re.sub(r"[^\W\d_]+", word, _NUMBER.sub(number, text))


def _iso(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def age_in_words(years: int) -> str:
    """Return an age as dictated: 47 -> "forty seven"."""
    return cardinal(years) if years < 100 else "one hundred"  # noqa: PLR2004
