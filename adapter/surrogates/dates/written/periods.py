"""Moving of seasons, holidays, quarters, weeks, days of a year, decades and weekday sets."""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import TYPE_CHECKING

from adapter.normalize.folding import fold
from adapter.surrogates.case import like, phrase_like
from adapter.surrogates.dates.written.completion import year_of
from adapter.surrogates.dates.written.layouts import LAST_MONTH
from adapter.surrogates.dates.written.rewrite import Change, change, written, year_written
from adapter.surrogates.dates.written.tokens import UnreadableDateError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from adapter.surrogates.dates.shift import Calendar
    from adapter.surrogates.dates.written.layouts import WrittenDate
    from adapter.surrogates.dates.written.rewrite import Custom


def _season(
    written_date: WrittenDate, calendar: Calendar, text: str, custom: Custom
) -> list[Change]:
    token = written_date.slots["season"]
    year, month, _ = calendar.moved(written_date.year, 1 + 3 * token.value, 15)
    if month == LAST_MONTH:
        year += 1
    quarter = month % 12 // 3
    changes = []
    if quarter != token.value:
        name = custom.words.season_name(token.text, quarter, custom.language)
        name = phrase_like(written(name, custom), text[token.start : token.end])
        changes.append(change(token, name))
    if (until := written_date.slots.get("until")) is not None:
        last = year_of(until, calendar) + year - written_date.year
        changes.append(change(until, year_written(until, last, text, custom)))
    return changes + _with_year(written_date, year, text, custom)


def _holiday(
    written_date: WrittenDate, calendar: Calendar, text: str, custom: Custom
) -> list[Change]:
    token = written_date.slots["holiday"]
    month, day = divmod(token.value, 100)
    year, month, day = calendar.moved(written_date.year, month, day)
    name = written(custom.words.holiday_name(month, day, token.text), custom)
    changes = [change(token, like(name, text[token.start : token.end]))]
    return changes + _with_year(written_date, year, text, custom)


def _quarter(
    written_date: WrittenDate, calendar: Calendar, text: str, custom: Custom
) -> list[Change]:
    token = written_date.slots["quarter"]
    year, month, _day = calendar.moved(written_date.year, 3 * token.value - 1, 15)
    new, old = (month + 2) // 3, text[token.start : token.end]
    return [
        change(token, _renumbered(old, (token.value, new), str(new), custom)),
        *_with_year(written_date, year, text, custom),
    ]


def _renumbered(text: str, numbers: tuple[int, int], new: str, custom: Custom) -> str:
    """Return text with a number, and its ordinal suffix if it has one, replaced by another."""
    found = _RANKED.search(text)
    if found is None:
        return text
    suffix = found["suffix"]
    if suffix:
        spelling = custom.words.spelling(fold(suffix), custom.language)
        own = suffix == spelling.suffix(numbers[0], rank=True)
        suffix = spelling.suffix(numbers[1], rank=True) if own else suffix
    return text[: found.start()] + new + suffix + text[found.end() :]


_RANKED = re.compile(r"[0-9]+(?P<suffix>[^\W\d_]*)")
_WEEK = re.compile(
    r"(?P<number>[0-9]{1,2})(?:(?P<suffix>[^\W\d_]+)|(?P<mark>-?)(?P<weekday>[1-7]))?(?![0-9])"
)


def _week(written_date: WrittenDate, calendar: Calendar, text: str, custom: Custom) -> list[Change]:
    """Move a week by its Thursday, or a day of a week ("2023-W11-2", ISO 8601)."""
    token = written_date.slots["week"]
    old = text[token.start : token.end]
    found = _WEEK.search(old)
    if found is None:
        raise UnreadableDateError
    number, mark, weekday = found["number"], found["mark"], found["weekday"]
    day = date.fromisocalendar(written_date.year, token.value, int(weekday or 4))
    year, week, exact = calendar.later(day).isocalendar()
    behind = found["suffix"] or ""
    suffix = custom.words.spelling(fold(behind), custom.language).suffix(week, rank=True)
    new = f"{week}{like(suffix, behind)}" if suffix else f"{week:0{len(number)}d}{behind}"
    new += f"{mark}{exact}" if weekday else ""
    whole = old[: found.start()] + new + old[found.end() :]
    return [change(token, whole), *_with_year(written_date, year, text, custom)]


def _yearday(
    written_date: WrittenDate, calendar: Calendar, text: str, custom: Custom
) -> list[Change]:
    """Move a day given by its number in the year ("2024-074", ISO 8601; "day 74 of 2024")."""
    token = written_date.slots["yearday"]
    day = calendar.later(date(written_date.year, 1, 1) + timedelta(token.value - 1))
    number, old = day.timetuple().tm_yday, text[token.start : token.end]
    digits = "".join(c for c in old if c.isdigit())
    new = f"{number:0{len(digits)}d}" if digits[:1] == "0" or digits == old else str(number)
    return [
        change(token, _renumbered(old, (token.value, number), new, custom)),
        *_with_year(written_date, day.year, text, custom),
    ]


def _set(written_date: WrittenDate, calendar: Calendar, text: str, custom: Custom) -> list[Change]:
    token = written_date.slots["set"]
    old = text[token.start : token.end]
    return [change(token, custom.words.set_moved(old, token.text, calendar.shift or 0))]


def _decade(written_date: WrittenDate, calendar: Calendar, text: str, _: Custom) -> list[Change]:
    token = written_date.slots["decade"]
    full = token.value if token.value > 99 else 1900 + token.value  # noqa: PLR2004
    if token.value < 30:  # noqa: PLR2004 (the 20s are ours)
        full = 2000 + token.value
    year = calendar.moved(full // 10 * 10 + 5)[0]
    old = text[token.start : token.end]
    digits = sum(c.isdigit() for c in old)
    new = str(year // 10 * 10)[-digits:]
    first = next(at for at, c in enumerate(old) if c.isdigit())
    return [change(token, old[:first] + new + old[first + digits :])]


def _with_year(written_date: WrittenDate, year: int, text: str, custom: Custom) -> list[Change]:
    token = written_date.slots.get("year")
    return [change(token, year_written(token, year, text, custom))] if token else []


MOVES: Mapping[str, Callable[[WrittenDate, Calendar, str, Custom], list[Change]]] = {
    "season": _season, "holiday": _holiday, "quarter": _quarter, "week": _week, "decade": _decade,
    "set": _set, "yearday": _yearday,
}  # fmt: skip
"""Slot -> function that returns new text for the slot's token and the year beside it."""
