"""Assignment of the tokens of a mention to dates: layouts, orders and ranges."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

import regex

from adapter.surrogates.dates.written.compact import CLOCK_DIGITS, COMPACT, split
from adapter.surrogates.dates.written.tokens import Token, UnreadableDateError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from collections.abc import Set as AbstractSet

    from adapter.languages import Words

LAST_DAY, LAST_MONTH, LAST_YEAR = 31, 12, 9999
NEXT_DAYS = 2
"""Most days from a day to the one behind its slash ("Nov 20/21"); what is further is a year."""
PERIODS = frozenset(("season", "holiday", "quarter", "week", "decade", "set", "yearday"))
"""Slots that are a date by themselves, with at most a year beside them."""
_CLUSTER = frozenset("/.-_|\\")
_DOTTED = regex.compile(r"\d\.\s?\d{1,2}\.(?!\s?\d)")
"""A date with a final dot (14.03.), which is German and has the day first."""
_YEARS = range(1800, 2200)


@lru_cache(maxsize=8)
def _range(words: Words) -> regex.Pattern[str]:
    """Return the pattern of a separator between dates of a range or list; memoised."""
    return regex.compile(rf"\.?\s*(?:-|/|&|,|{words.said('between')})\s*", regex.IGNORECASE)


@dataclass(slots=True)
class WrittenDate:
    """One date: its tokens by slot ("year", "month", "day", "weekday", "season" ...)."""

    slots: dict[str, Token] = field(default_factory=dict)
    year: int = 0
    month: int = 0
    day: int = 0
    lender: WrittenDate | None = None
    """The date that lends this date a month, or None."""


def written_dates(tokens: list[Token], text: str, order: str, words: Words) -> list[WrittenDate]:
    """Return the dates of the tokens in order; a token for a slot already taken starts a new date.

    Raises:
        UnreadableDateError: a number fits nowhere in a date.
    """
    dates: list[WrittenDate] = []
    place = 0
    order = "dmy" if _DOTTED.search(text) else order
    while place < len(tokens):
        token = tokens[place]
        if token.kind == "number" and token.end - token.start in COMPACT:
            _put(dates, _unmarked(tokens, place, text, order))
            place += 1
            continue
        cluster = _cluster(tokens, place, text)
        if len(cluster) > 1 and not _awaits_day(dates) and not _awaits_year(dates, token):
            for slots in _numeric(cluster, order):
                _put(dates, slots)
            place += len(cluster)
            continue
        if token.value in _YEARS and _is_glued(tokens, place):
            _put(dates, {"year": token, "yearday": tokens[place + 1]})
            place += 2
            continue
        slot = _slot(place, tokens, dates, text, words)
        if slot:
            _put(dates, {slot: token})
        place += 1
    return dates


def _is_glued(tokens: list[Token], place: int) -> bool:
    """Whether a number after a separator is the day of the year ("2024-074")."""
    behind = tokens[place + 1 : place + 2]
    return bool(behind) and behind[0].kind == "yearday" and behind[0].start == tokens[place].end + 1


def _unmarked(tokens: list[Token], place: int, text: str, order: str) -> dict[str, Token]:
    """Return the slots of a date of six or eight digits; none for a time of day after a date.

    Raises:
        UnreadableDateError: the token is neither.
    """
    token = tokens[place]
    gap = text[tokens[place - 1].end : token.start] if place else "-"
    if not gap.strip("t @") and CLOCK_DIGITS.fullmatch(token.text):
        return {}
    layout = split(token.text, order)
    if layout is None:
        raise UnreadableDateError
    names = {"Y": "year", "M": "month", "D": "day"}
    return {names[mark]: _part(token, layout, mark) for mark in names}


def _part(token: Token, layout: str, mark: str) -> Token:
    start, end = layout.index(mark), layout.rindex(mark) + 1
    text = token.text[start:end]
    return Token(token.start + start, token.start + end, "number", int(text), text, padded=True)


def _awaits_day(dates: list[WrittenDate]) -> bool:
    """Whether a named month still lacks its day, so that 3-5 after it are days."""
    last = dates[-1].slots if dates else {}
    return "month" in last and last["month"].kind == "month" and "day" not in last


def _awaits_year(dates: list[WrittenDate], token: Token) -> bool:
    """Whether a number is the year of the month and day before it: "14 March 2000 - 16 March"."""
    last = dates[-1].slots.keys() if dates else set()
    return {"month", "day"} <= last and "year" not in last and token.value in _YEARS


def _cluster(tokens: list[Token], place: int, text: str) -> list[Token]:
    """Return two or three numbers joined by the same separator ("3/14/23")."""
    run = [tokens[place]]
    mark = ""
    for token in tokens[place + 1 : place + 3]:
        between = text[run[-1].end : token.start].strip()
        plain = token.kind in ("number", "short") and run[-1].kind == "number"
        marked = between in _CLUSTER or (not between and _is_spaced(tokens))
        if not plain or not marked or (mark and between != mark):
            break
        mark = between
        run.append(token)
    if len(run) == 2 and _awaits_month(tokens, place):  # noqa: PLR2004 ("12-14 Jan")
        return run[:1]
    return run


def _is_spaced(tokens: list[Token]) -> bool:
    """Whether the mention is exactly three numbers ("03 14 1971")."""
    return len(tokens) == 3 and all(token.kind == "number" for token in tokens)  # noqa: PLR2004


def _awaits_month(tokens: list[Token], place: int) -> bool:
    """Whether a number is a day whose named month follows, perhaps after other days."""
    for token in tokens[place:]:
        if token.kind == "month":
            return True
        if token.kind not in ("number", "ordinal") or token.value > LAST_DAY:
            return False
    return False


def _numeric(run: list[Token], order: str) -> list[dict[str, Token]]:
    """Return slots of 2023-03-14, 3/14/23, 14.03.2023, 3/14, 3/2023, 2023-03; two for 2019-20.

    Raises:
        UnreadableDateError: a number is too long or short for its slot ("2.5.1").
    """
    values, widths = [t.value for t in run], [t.end - t.start for t in run]
    if values[0] in _YEARS and len(run) == 2 and values[1] > LAST_MONTH:  # noqa: PLR2004
        return [{"year": token} for token in run]
    if values[0] in _YEARS:
        return [dict(zip(("year", "month", "day"), run, strict=False))]
    if widths[0] > 2 or (len(run) > 2 and widths[1] > 2):  # noqa: PLR2004
        raise UnreadableDateError
    if len(run) == 2:  # noqa: PLR2004
        if values[1] > LAST_DAY or run[1].kind == "short":
            return [{"month": run[0], "year": _full(run[1])}]
        return [dict(zip(_day_first(values, order), run, strict=True))]
    first = _day_first(values, order)
    return [{**dict(zip(first, run[:2], strict=True)), "year": _full(run[2])}]


def _full(token: Token) -> Token:
    if token.end - token.start not in (2, 4) and token.kind == "number":
        raise UnreadableDateError
    return token


def _day_first(values: Sequence[int], order: str) -> tuple[str, str]:
    first = values[0] > LAST_MONTH or (order == "dmy" and values[1] <= LAST_MONTH)
    return ("day", "month") if first else ("month", "day")


def _slot(  # noqa: PLR0911 (one return for each thing a token may be)
    place: int, tokens: list[Token], dates: list[WrittenDate], text: str, words: Words
) -> str:
    """Return the slot of a token that stands alone; "" for a time of day, which stays."""
    token = tokens[place]
    if token.kind == "time":
        return ""
    if token.kind in ("ordinal", "spelled-day"):
        return "day"
    if token.kind == "short" or (token.kind == "spelled" and token.value > LAST_DAY):
        return "year"
    if token.kind not in ("number", "spelled"):
        return token.kind
    last = dates[-1].slots if dates else {}
    if token.value in _YEARS and token.end - token.start > 2:  # noqa: PLR2004
        timed = "year" in last and "day" in last and token.value % 100 < 60  # noqa: PLR2004
        return "" if timed and token.value < 2400 else "year"  # noqa: PLR2004
    if token.end - token.start > 2 or token.value > 99:  # noqa: PLR2004
        return _clock(token, last)
    if token.kind == "number" and _awaits_month(tokens, place):
        return "day"
    if "month" in last and "day" in last and "year" not in last:
        return "year" if _ends_date(place, tokens, last, text, words) else "day"
    if token.value > LAST_DAY:
        return "year"
    return "day" if last or _is_day(token, text) else "year"


def _ends_date(
    place: int, tokens: list[Token], last: dict[str, Token], text: str, words: Words
) -> bool:
    """Whether a two-digit number after month and day is their year rather than another day."""
    token = tokens[place]
    one, two = sorted((last["month"], last["day"]), key=lambda t: t.start)
    mark, between = text[one.end : two.start], text[two.end : token.start]
    if token.value > LAST_DAY or (mark == between and mark in _CLUSTER):  # "14-mar-23"
        return True
    if between == "/" and not 0 < token.value - last["day"].value <= NEXT_DAYS:
        return token.end - token.start == 2  # noqa: PLR2004 ("Jan12/24")
    behind = tokens[place + 1 : place + 4]
    listed = any(t.value in _YEARS or _is_small(t) for t in behind)
    return not listed and ("," in between or _range(words).fullmatch(between) is None)


def _is_small(token: Token) -> bool:
    """Whether a token is a day number, as in the list "March 14, 15, and 16"."""
    return token.kind == "number" and 0 < token.value <= LAST_DAY


def _is_day(token: Token, text: str) -> bool:
    """Whether a number alone is a day: "3", "12." (German); not "08"."""
    return token.end - token.start == 1 or text[token.end : token.end + 1] == "."


def _clock(token: Token, last: dict[str, Token]) -> str:
    """Return "" (no slot) for a time of day of three or four digits after a date.

    Raises:
        UnreadableDateError: the token is not a time of day.
    """
    hours, minutes = divmod(token.value, 100)
    if last and token.end - token.start in (3, 4) and hours < 25 and minutes < 60:  # noqa: PLR2004
        return ""
    raise UnreadableDateError


def _put(dates: list[WrittenDate], slots: dict[str, Token]) -> None:
    """Add slots to the last date, or to a new date if they are taken."""
    known = dates[-1].slots if dates else {}
    if not slots:
        return
    if slots.keys() == {"year"} and {"season", "year"} <= known.keys() and "until" not in known:
        known["until"] = slots["year"]  # "winter 2019-20"
        return
    if not dates or known.keys() & slots.keys() or _apart(known.keys() | slots.keys()):
        dates.append(WrittenDate())
    dates[-1].slots.update(slots)


def _apart(slots: AbstractSet[str]) -> bool:
    """Whether slots belong to two dates: a holiday and its day, a decade and a year."""
    if slots.isdisjoint(PERIODS):
        return False
    years = {"until"} if "decade" in slots else {"year", "until"}
    return len(slots - years) > 1 or ("decade" in slots and "year" in slots)
