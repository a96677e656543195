"""Rewriting of days, months, years and weekdays of a date, each in its original style."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from adapter.normalize.folding import fold
from adapter.surrogates.case import like, phrase_like, unaccented
from adapter.surrogates.dates.written.tokens import ROMAN

if TYPE_CHECKING:
    from adapter.languages import Words
    from adapter.surrogates.dates.shift import Calendar
    from adapter.surrogates.dates.written.layouts import WrittenDate
    from adapter.surrogates.dates.written.tokens import Token


@dataclass(frozen=True, slots=True)
class Custom:
    """How a text writes dates, with the ``words`` of the languages.

    ``order`` ("mdy", "dmy") decides how to read 3/4/2024 if nothing else does; ``language`` takes
    precedence if a word belongs to several languages; ``accents`` says whether accents may be
    written.
    """

    words: Words = field(repr=False)
    order: str = "mdy"
    language: str = ""
    accents: bool = True


class Change(NamedTuple):
    """New text for the characters ``[start, end)`` of a mention."""

    start: int
    end: int
    text: str

    def __repr__(self) -> str:
        """Show no text."""
        return "Change()"


def changes_of(
    written_date: WrittenDate, calendar: Calendar, text: str, custom: Custom
) -> list[Change]:
    """Return new text for each day, month, year and weekday token of a date.

    Raises:
        ValueError: the date does not exist.
    """
    slots = written_date.slots
    weekday = slots.get("weekday")
    changes: list[Change] = []
    if weekday:
        turned = (weekday.value + (calendar.shift or 0)) % 7
        changes.append(change(weekday, _named(weekday, turned, text, custom)))
    if not slots.keys() - {"weekday"}:
        return changes
    month = written_date.month if slots.keys() & {"month", "day"} else 0
    year, month, day = calendar.moved(written_date.year, month, written_date.day)
    if (token := slots.get("month")) is not None:
        changes.append(change(token, _month(token, month, slots, text, custom)))
    if (token := slots.get("day")) is not None:
        changes.append(change(token, _day(token, day, slots, text, custom)))
        if written_date.lender is not None:
            changes += _own_month(written_date, month, calendar, text, custom)
    if (token := slots.get("year")) is not None:
        changes.append(change(token, year_written(token, year, text, custom)))
    return changes


def _own_month(
    written_date: WrittenDate, month: int, calendar: Calendar, text: str, custom: Custom
) -> list[Change]:
    """Write a month beside a day that shared its neighbour's month, if their months now differ."""
    lender = written_date.lender
    if lender is None or not lender.day:
        return []
    if calendar.moved(lender.year, lender.month, lender.day)[1] == month:
        return []
    token, day, own = lender.slots["month"], lender.slots["day"], written_date.slots["day"]
    name = _month(token, month, lender.slots, text, custom)
    if token.start < day.start:
        return [Change(own.start, own.start, name + text[token.end : day.start])]
    end = own.end + (text[own.end : own.end + 1] == ".")
    return [Change(end, end, text[day.end + (end > own.end) : token.start] + name)]


def _month(token: Token, month: int, slots: dict[str, Token], text: str, custom: Custom) -> str:
    if token.text in ROMAN:
        return like(ROMAN[month - 1].upper(), text[token.start : token.end])
    if token.kind == "month":
        return _named(token, month - 1, text, custom)
    return _padded(month, slots)


def change(token: Token, new: str) -> Change:
    """Return new text for a token."""
    return Change(token.start, token.end, new)


def _named(token: Token, index: int, text: str, custom: Custom) -> str:
    """Return the month or weekday in the token's language, length and letter case."""
    around = text[token.start - 1 : token.start] + text[token.end : token.end + 1]
    short = any(c == "-" or c.isdigit() for c in around)
    short = short and token.text in custom.words.in_role("short_months")
    name = custom.words.sibling(token.text, token.kind, index, custom.language, short=short)
    old = text[token.start : token.end]
    new = like(written(name, custom), old)
    return new.capitalize() if old[:1].isupper() and new.islower() else new


def written(name: str, custom: Custom) -> str:
    """Return a word, without accents if the text has none."""
    return name if custom.accents else unaccented(name)


def _padded(number: int, slots: dict[str, Token]) -> str:
    """Return a number, with a leading zero if the date's numbers have, or may have had, one."""
    others = [t for s, t in slots.items() if s in ("month", "day") and t.kind == "number"]
    if any(t.padded for t in others):
        return f"{number:02d}"
    wide = all(t.end - t.start == 2 for t in others) and "year" in slots and len(others) > 1  # noqa: PLR2004
    return f"{number:02d}" if wide or _abuts(slots) else str(number)


def _abuts(slots: dict[str, Token]) -> bool:
    """Whether a two-digit day directly precedes month or year ("14MAR2023", "Jan142024")."""
    day, others = slots.get("day"), (slots.get("month"), slots.get("year"))
    if day is None or day.end - day.start != 2:  # noqa: PLR2004
        return False
    return any(other is not None and day.end == other.start for other in others)


def _day(token: Token, day: int, slots: dict[str, Token], text: str, custom: Custom) -> str:
    counting = custom.words.counting(custom.language)
    if token.kind == "spelled-day":
        return phrase_like(counting.ordinal(day), text[token.start : token.end])
    if token.kind == "spelled":
        return phrase_like(counting.cardinal(day), text[token.start : token.end])
    if token.kind == "ordinal":
        digits = len(token.text) - len(token.text.lstrip("0123456789"))
        old = text[token.start + digits : token.end]
        suffix = custom.words.spelling(fold(old), custom.language).suffix(day)
        return f"{day}{like(suffix, old)}"
    return _padded(day, slots)


def year_written(token: Token, year: int, text: str, custom: Custom) -> str:
    """Return a year with the digits, words or apostrophe of the token."""
    if token.kind == "spelled":
        counting = custom.words.counting(custom.language)
        short = token.value < 100 and year % 100  # noqa: PLR2004 ("ninety eight")
        words = counting.cardinal(short) if short else counting.year(year, like=token.text)
        return phrase_like(words, text[token.start : token.end])
    digits = token.end - token.start
    if token.kind == "short":
        return f"{text[token.start]}{year % 100:02d}"
    return f"{year % 100:02d}" if digits == 2 else f"{year:0{digits}d}"  # noqa: PLR2004
