"""Verification that the result contains the moved dates, by reading it again."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING

from adapter.surrogates.dates.written.completion import complete
from adapter.surrogates.dates.written.layouts import PERIODS
from adapter.surrogates.dates.written.tokens import UnreadableDateError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adapter.surrogates.dates.shift import Calendar
    from adapter.surrogates.dates.written.layouts import WrittenDate


def agrees(old: Sequence[WrittenDate], new: list[WrittenDate], calendar: Calendar) -> bool:
    """Whether each rewritten date is the old date moved, to its written precision.

    ``old`` dates are complete; ``calendar`` is the calendar that moved them.
    """
    if len(old) != len(new):
        return False
    try:
        complete(new, calendar)
    except UnreadableDateError:
        return False
    return all(_is_moved(a, b, calendar) for a, b in zip(old, new, strict=True))


def _is_moved(old: WrittenDate, new: WrittenDate, calendar: Calendar) -> bool:
    said = old.slots.keys()
    if "weekday" in said and not _is_weekday_moved(old, new, calendar):
        return False
    if not said.isdisjoint(PERIODS):
        return said <= new.slots.keys() and _is_period_moved(old, new, calendar)
    month = old.month if said & {"month", "day"} else 0
    year, month, day = calendar.moved(old.year, month, old.day)
    written = new.slots.keys()
    if said == {"day"} and "month" not in written:  # "3" alone is a day, "13" may be a year
        return [token.value for token in new.slots.values()] == [day]
    return (
        said <= written
        and ("day" not in said or new.day == day)
        and ("month" not in written or new.month == month)
        and ("year" not in said or _is_year(new, year))
    )


def _is_year(new: WrittenDate, year: int | None) -> bool:
    """Whether the year is as expected; two digits are compared without the century."""
    token = new.slots["year"]
    if year is not None and token.end - token.start <= _SHORT:
        return (new.year or 0) % 100 == year % 100
    return new.year == year


_SHORT = 2
"""Most digits of a short year."""


def _is_weekday_moved(old: WrittenDate, new: WrittenDate, calendar: Calendar) -> bool:
    written = new.slots.get("weekday")
    turned = (old.slots["weekday"].value + (calendar.shift or 0)) % 7
    return written is not None and written.value == turned


def _is_period_moved(old: WrittenDate, new: WrittenDate, calendar: Calendar) -> bool:
    """Whether a day of the year moved exactly, or a holiday changed; other periods always pass."""
    if "yearday" in old.slots:
        return _yearday(new) == calendar.later(_yearday(old))
    if "holiday" in old.slots:
        return old.slots["holiday"].text != new.slots["holiday"].text
    return True


def _yearday(written_date: WrittenDate) -> date:
    return date(written_date.year, 1, 1) + timedelta(written_date.slots["yearday"].value - 1)
