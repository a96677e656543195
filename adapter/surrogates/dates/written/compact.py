"""Dates of digits without separators (MMDDYY, DDMMYYYY, YYMMDD) and seconds since 1970."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING

from adapter.surrogates.dates.shift import full_year

if TYPE_CHECKING:
    from adapter.surrogates.dates.shift import Calendar

_LAYOUTS = {
    ("mdy", 6): ("MMDDYY", "DDMMYY", "YYMMDD"), ("dmy", 6): ("DDMMYY", "MMDDYY", "YYMMDD"),
    ("ymd", 6): ("YYMMDD", "MMDDYY", "DDMMYY"),
    ("mdy", 8): ("MMDDYYYY", "DDMMYYYY"), ("dmy", 8): ("DDMMYYYY", "MMDDYYYY"),
    ("ymd", 8): ("MMDDYYYY", "DDMMYYYY"),
}  # fmt: skip
"""(order, number of digits) -> layouts, likeliest first; HL7's YYYYMMDD is tried before them."""
COMPACT = frozenset((6, 8, 10, 12, 14))
"""Numbers of digits of a date without separators, with or without a time of day."""
CLOCK_DIGITS = re.compile(r"(?:[01]\d|2[0-3])[0-5]\d[0-5]\d", re.ASCII)
"""A time of day of six digits."""
_YEAR_FIRST = re.compile(
    r"(?:18|19|20|21)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:\d\d){0,3}"
)
_YEARS = range(1800, 2200)
_SECONDS, _MILLISECONDS = 10, 13
_NOW = "1"
"""First digit of the seconds since 1970 from 2001 to 2033."""
_DAY = 86_400
"""Seconds."""


def split(text: str, order: str) -> str | None:
    """Return the layout of the date in six or more digits, without its time of day, or None.

    A date of eight digits has its year first wherever that is possible.
    """
    if _YEAR_FIRST.fullmatch(text):
        return "YYYYMMDD"
    layouts = _LAYOUTS.get((order, len(text)), ())
    return next((layout for layout in layouts if _is_date(text, layout)), None)


def _is_date(text: str, layout: str) -> bool:
    year, month, day = (int(_part(text, layout, mark)) for mark in "YMD")
    if len(text) > 6 and year not in _YEARS:  # noqa: PLR2004
        return False
    try:
        date(year if year > 99 else 2000 + year, month, day)  # noqa: PLR2004
    except ValueError:
        return False
    return True


def digits(calendar: Calendar, text: str, order: str) -> str | None:
    """Return the surrogate of a date of six or eight digits in its layout, or None."""
    if not (text.isascii() and text.isdigit()):
        return None
    for layout in _LAYOUTS.get((order, len(text)), ()):
        parts = {mark: int(_part(text, layout, mark)) for mark in "YMD"}
        if len(text) == 6:  # noqa: PLR2004
            parts["Y"] = full_year(parts["Y"], calendar)
        try:
            new = calendar.moved(parts["Y"], parts["M"] or -1, parts["D"] or -1)
        except ValueError:
            continue
        if calendar.shift is None:
            return f"{new[0]:04d}"
        return _written(layout, dict(zip("YMD", new, strict=True)))
    return None


def epoch(calendar: Calendar, text: str) -> str | None:
    """Return the surrogate of seconds or milliseconds since 1970 (POSIX.1-2017, 4.16), else None.

    Where only years stay, the surrogate is the year. Ten digits that do not begin with 1 are more
    likely a telephone number.
    """
    if len(text) not in (_SECONDS, _MILLISECONDS) or not (text.isascii() and text.isdigit()):
        return None
    if text[0] != _NOW:
        return None
    second = int(text[:_SECONDS])
    day = datetime.fromtimestamp(second, UTC).date()
    year = calendar.moved(day.year, day.month, day.day)[0]
    if calendar.shift is None:
        return str(year)
    moved = second + (calendar.later(day) - day).days * _DAY
    return f"{moved:0{_SECONDS}d}{text[_SECONDS:]}" if 0 <= moved < 10**_SECONDS else None


def _part(text: str, layout: str, mark: str) -> str:
    return text[layout.index(mark) : layout.rindex(mark) + 1]


def _written(layout: str, parts: dict[str, int]) -> str:
    for mark, number in parts.items():
        width = layout.count(mark)
        layout = layout.replace(mark * width, f"{number:04d}"[-width:])
    return layout
