"""The order of day and month in a text's numeric dates, as the text or a known date tells it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable
    from collections.abc import Set as AbstractSet
    from datetime import date

    Known = AbstractSet[tuple[int, int, int]]

_NUMERIC_DATE = re.compile(
    r"(?<![0-9/.-])([0-9]{1,2})([/.-])([0-9]{1,2})[/.-]([0-9]{4}|[0-9]{2})\b(?![/.-][0-9])"
)
"""A date in digits, and no part of a longer number such as a telephone's."""
_MENTION = re.compile(
    r"(?<![0-9])([0-9]{1,2})([^0-9A-Za-z]{1,3})([0-9]{1,2})[^0-9A-Za-z]{1,3}([0-9]{4}|[0-9]{2})\b"
)
"""The same with any marks and blanks, in what is known to be a date: "11 - 03 - '57"."""
_LAST_MONTH, _LAST_DAY = 12, 31


class Votes(NamedTuple):
    """By how many more of a text's dates have the day first than the month, by their marks."""

    dots: int
    others: int


def known_days(dates: Iterable[date]) -> Known:
    """Return known dates as (year without its century, month, day)."""
    return frozenset((day.year % 100, day.month, day.day) for day in dates)


def votes(text: str, known: Known) -> Votes:
    """Return the votes of a text's dates: those that are known, and those that have one reading."""
    dots = others = 0
    for first, mark, second, year in _NUMERIC_DATE.findall(text):
        one, two = int(first), int(second)
        vote = _vote(one, two, int(year), known)
        if max(one, two) <= _LAST_DAY:
            vote = vote or (one > _LAST_MONTH >= two) - (two > _LAST_MONTH >= one)
        dots, others = (dots + vote, others) if mark == "." else (dots, others + vote)
    return Votes(dots, others)


def order_of(mention: str, others: Votes, known: Known, usual: str) -> str:
    """Return the order of a mention's day and month, "dmy" or "mdy".

    A mention that is a known date in one reading only has that order. Otherwise the ``others`` of
    the text decide, first those that have dots too, or none either. Failing these, a date with dots
    has the day first, and any other date the ``usual`` order.
    """
    found = _MENTION.findall(mention)
    own = sum(_vote(int(one), int(two), int(year), known) for one, _, two, year in found)
    if any(mark.strip() == "." for _, mark, *_ in found):
        decided = own or others.dots or 1
    else:
        decided = own or others.others or others.dots
    if not decided:
        return usual
    return "dmy" if decided > 0 else "mdy"


def _vote(one: int, two: int, year: int, known: Known) -> int:
    """Return 1 if a date is known only with the day first, -1 only with the month, else 0."""
    return ((year % 100, two, one) in known) - ((year % 100, one, two) in known)
