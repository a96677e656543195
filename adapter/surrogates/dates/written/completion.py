"""Completion of dates from their neighbours in the mention and from the message's own date."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.surrogates.dates.shift import full_year, nearest_year
from adapter.surrogates.dates.written.layouts import LAST_DAY, LAST_MONTH, LAST_YEAR
from adapter.surrogates.dates.written.tokens import UnreadableDateError

if TYPE_CHECKING:
    from adapter.surrogates.dates.shift import Calendar
    from adapter.surrogates.dates.written.layouts import WrittenDate
    from adapter.surrogates.dates.written.tokens import Token


def complete(dates: list[WrittenDate], calendar: Calendar) -> None:
    """Set year, month and day of each date; missing parts come from neighbours, else the reference.

    Raises:
        UnreadableDateError: a number is too large for its part.
    """
    for written_date in dates:
        slots = written_date.slots
        written_date.year = year_of(slots["year"], calendar) if "year" in slots else 0
        written_date.month = slots["month"].value if "month" in slots else 0
        written_date.day = slots["day"].value if "day" in slots else 0
        if (
            written_date.month > LAST_MONTH
            or written_date.day > LAST_DAY
            or written_date.year > LAST_YEAR
        ):
            raise UnreadableDateError
    now = calendar.now()
    for place, written_date in enumerate(dates):
        if written_date.day and not written_date.month:
            nearby = (*reversed(dates[:place]), *dates[place + 1 :])
            written_date.lender = next((other for other in nearby if "month" in other.slots), None)
            written_date.month = written_date.lender.month if written_date.lender else now.month
    for place, written_date in enumerate(dates):
        if "year" not in written_date.slots:
            month, day = _usual(written_date)
            written_date.year = _borrowed_year(place, dates) or nearest_year(month, day, now)


def _usual(written_date: WrittenDate) -> tuple[int, int]:
    """Return the month and day assumed for a date without them, to find its year."""
    slots = written_date.slots
    if "holiday" in slots:
        return divmod(slots["holiday"].value, 100)
    if "week" in slots:
        return min(slots["week"].value * 12 // 53 + 1, LAST_MONTH), 15
    if "season" in slots:
        return 1 + 3 * slots["season"].value, 15
    return written_date.month or 7, written_date.day or 15


def _borrowed_year(place: int, dates: list[WrittenDate]) -> int:
    """Return a neighbouring date's year, adjusted so that the dates stay in order; 0 without one.

    In "Dec 30 - Jan 2, 2023" the first date is in 2022.
    """
    own = dates[place].month, dates[place].day
    for other in (*dates[place + 1 :], *reversed(dates[:place])):
        if "year" in other.slots:
            behind = other in dates[place + 1 :]
            theirs = other.month, other.day
            if not (own[0] and theirs[0]):
                return other.year
            return other.year - (behind and own > theirs) + (not behind and own < theirs)
    return 0


def year_of(token: Token, calendar: Calendar) -> int:
    """Return the year of a token, in four digits."""
    if token.value > 99 or (token.kind != "spelled" and token.end - token.start > 3):  # noqa: PLR2004
        return token.value
    return full_year(token.value, calendar)
