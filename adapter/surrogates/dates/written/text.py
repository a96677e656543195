"""Rewriting of dates as people write them, in any layout.

A mention is split into tokens; the tokens of one date form a `WrittenDate`, a range has two. Dates
borrow missing parts from their neighbours and from the message's own date. The moved values replace
the old ones in place; padding, ordinal suffix, abbreviation and letter case are kept.

The result is read again: if a date in it differs from the shifted date because some part was
misread, the mention has no surrogate.
"""

from __future__ import annotations

from contextlib import suppress
from datetime import date
from functools import lru_cache
from typing import TYPE_CHECKING

import regex

from adapter.normalize.folding import fold
from adapter.surrogates.dates.written.completion import complete
from adapter.surrogates.dates.written.layouts import WrittenDate, written_dates
from adapter.surrogates.dates.written.periods import MOVES
from adapter.surrogates.dates.written.rewrite import Change, Custom, changes_of
from adapter.surrogates.dates.written.second_reading import agrees
from adapter.surrogates.dates.written.tokens import RemainingDateError, UnreadableDateError, tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adapter.languages import Words
    from adapter.surrogates.dates.shift import Calendar
    from adapter.surrogates.dates.written.tokens import Token

__all__ = ["LONGEST", "Custom", "rewrite"]

LONGEST = 240
"""Most characters of a mention; nobody writes a longer date."""
_BREAK = regex.compile(r"(?<=\d)[ \t]*\n[ \t]*(?=\d)")


def rewrite(
    calendar: Calendar, text: str, custom: Custom, part: tuple[int, int] | None = None
) -> str:
    """Return a mention with its dates moved; a number cut in two by a line break is joined.

    ``text`` may include neighbouring dates that lend the mention a month; ``part`` is then the
    mention's extent in it.

    Raises:
        RemainingDateError: the result does not read as the moved dates.
        UnreadableDateError: the mention is in no known layout.
    """
    if len(text) > LONGEST:
        raise UnreadableDateError
    if part is not None:
        return _rewritten(calendar, text, custom, part)
    whole = _BREAK.sub("", text)
    if whole != text:
        # The break may also separate two dates: then the text is read, and checked, with it.
        with suppress(UnreadableDateError):
            return _rewritten(calendar, whole, custom, (0, len(whole)))
    return _rewritten(calendar, text, custom, (0, len(text)))


def days_of(calendar: Calendar, text: str, custom: Custom) -> frozenset[date]:
    """Return the days that a mention gives; a missing month or day is the first."""
    with suppress(ValueError):
        dates = _read(text[:LONGEST], custom.order, custom)
        complete(dates, calendar)
        return frozenset(date(d.year, d.month or 1, d.day or 1) for d in dates)
    return frozenset()


def _rewritten(calendar: Calendar, text: str, custom: Custom, part: tuple[int, int]) -> str:
    dates = _read(text, custom.order, custom)
    if not dates:
        raise UnreadableDateError
    complete(dates, calendar)
    try:
        if calendar.shift is None:
            return _years_only(
                [written_date for written_date in dates if _is_within(written_date, part)], calendar
            )
        changes = [
            c for written_date in dates for c in _changes(written_date, calendar, text, custom)
        ]
        new = _spliced(text, changes)
        again = _read(new, _order(dates, custom.order), custom)
        if not agrees(dates, again, calendar):
            raise RemainingDateError
    except UnreadableDateError:
        raise
    except ValueError:
        raise UnreadableDateError from None  # the text of the cause may quote the mention
    if part == (0, len(text)):
        return new
    own = [c for c in changes if part[0] <= c.start and c.end <= part[1]]
    return _spliced(text[: part[1]], own)[part[0] :]


def _read(text: str, order: str, custom: Custom) -> list[WrittenDate]:
    return [WrittenDate(slots) for slots in _slots(text, order, custom.language, custom.words)]


@lru_cache(maxsize=16384)
def _slots(text: str, order: str, language: str, words: Words) -> tuple[dict[str, Token], ...]:
    """Return the tokens of each date by slot; memoised, because dates recur."""
    folded = fold(text)
    found = tokens(folded, words, language)
    return tuple(written_date.slots for written_date in written_dates(found, folded, order, words))


def _changes(
    written_date: WrittenDate, calendar: Calendar, text: str, custom: Custom
) -> list[Change]:
    """Return new text for every token of one date."""
    for kind, moves in MOVES.items():
        if kind in written_date.slots:
            return moves(written_date, calendar, text, custom)
    return changes_of(written_date, calendar, text, custom)


def _order(dates: Sequence[WrittenDate], order: str) -> str:
    """Return the order in which the dates were read; the result must be read the same way."""
    for written_date in dates:
        month, day = written_date.slots.get("month"), written_date.slots.get("day")
        if month and day and month.kind == day.kind == "number":
            return "dmy" if day.start < month.start else "mdy"
    return order


def _is_within(written_date: WrittenDate, part: tuple[int, int]) -> bool:
    return any(part[0] <= t.start and t.end <= part[1] for t in written_date.slots.values())


def _years_only(dates: list[WrittenDate], calendar: Calendar) -> str:
    """Return the years of the dates, those of a range joined by a dash."""
    years: list[str] = []
    for written_date in dates:
        if "decade" in written_date.slots:
            value = written_date.slots["decade"].value
            years.append(f"{value if value > 99 else 1900 + value}s")  # noqa: PLR2004
            continue
        month = written_date.month if written_date.slots.keys() & {"month", "day"} else 0
        years.append(f"{calendar.moved(written_date.year, month, written_date.day)[0]:04d}")
    if not years:
        raise UnreadableDateError
    return "-".join(dict.fromkeys(years))


def _spliced(text: str, changes: Sequence[Change]) -> str:
    pieces: list[str] = []
    place = 0
    for start, end, new in sorted(changes):
        pieces += text[place:start], new
        place = end
    return "".join((*pieces, text[place:]))
