"""Tokens of a written date: numbers, months, weekdays, seasons, holidays, numbers in words."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

import regex

from adapter.languages.reading import either

if TYPE_CHECKING:
    from collections.abc import Sequence
    from collections.abc import Set as AbstractSet

    from adapter.languages import Words
    from adapter.languages.numbers import Numbers

ROMAN = tuple("i ii iii iv v vi vii viii ix x xi xii".split())
"""Months as Roman numerals between day and year ("14.III.2024")."""
_GLUED = (
    r"(?<=(?<!\d)\d{1,2}[/.-])(?:19|20)\d\d(?=\d{1,2}:\d\d|[0-2]\d[0-5]\d(?!\d))",
    r"(?<=(?<!\d)\d{1,2}/)(?:0[1-9]|[12]\d|3[01])(?=[0-2]\d[0-5]\d(?![\d/]))",
    r"(?<=\p{L}{3})(?:0[1-9]|[12]\d|3[01])(?=(?:19|20)\d\d(?!\d))",
)
"""Years and days that are directly followed by a time of day, or by a year ("Jan142024")."""
_YEAR = r"(?:19|20)\d\d"


def _times(words: Words) -> tuple[str, ...]:
    hours = words.said("hours")
    return (
        r"(?<=\d)t\d\d(?::?\d\d){1,2}(?:\.\d+)?(?:z|[+-]\d\d:?\d\d)?(?!\d)",  # T10:15, T101500Z
        (
            r"[@t]?\s*\b\d{1,2}:\d\d(?::\d\d(?:[.,]\d+)?)?(?:\s*[ap]\.?m\b\.?)?"
            rf"(?:\s*(?:z|{hours}|[+-]\d\d:?\d\d)\b)?"
        ),
        *words.patterns("time"),
        r"\b\d{1,2}(?:\.\d\d)?\s?[ap]\.?m\b\.?",
        rf"(?<=\d\s)\d{{4}}\s*{hours}\b",
        r"(?:utc|gmt)\s?[+-]\d\d?(?::?\d\d)?\b",
        r"(?<=(?<!\d)\d{1,2}[/.-](?:19|20)\d\d)(?:\d{1,2}:\d\d(?::\d\d)?|[0-2]\d[0-5]\d(?!\d))",
        r"(?<=(?<!\d)\d{1,2}/\d\d)[0-2]\d[0-5]\d(?![\d/])",  # 12/280610
    )


def _weeks(words: Words) -> tuple[str, ...]:
    return (
        (
            rf"\b{words.said('weeks')}\.?\s?(?:{words.said('number')}\.?\s?|\#)?-?"
            r"\d{1,2}(?:-[1-7])?\b(?!/\d\d?\b)"
        ),
        r"(?<=\d)w\d\d[1-7]?\b",  # 2024W114
        *words.patterns("week"),
    )


def _year_days(words: Words) -> tuple[str, ...]:
    return (
        (
            rf"\b{words.said('year_days')}\s(?:{words.said('number')}\.?\s?)?\d{{1,3}}"
            rf"(?=(?:\s{words.said('of_year')}){{0,3}}[\s/]{_YEAR}\b)"
        ),
        *words.patterns("year_day"),
        rf"(?<=\b{_YEAR}[-/.])\d{{3}}(?!\d|[/.-]\d)",
    )


def _quarters(words: Words, suffix: str) -> tuple[str, ...]:
    letter = words.said("quarter_letters")
    return (
        rf"\b{letter}[1-4]\b|\b[1-4]{letter}(?=\d|\b)",
        rf"\b[1-4](?:{suffix}|\.)?\s?{words.said('quarters')}\b",
    )


@lru_cache(maxsize=8)
def _token(words: Words) -> regex.Pattern[str]:
    """Return the pattern of a token, a group for each kind; a memo of a pure function."""
    suffix = either(end for numbers in words.numbers.values() for end in numbers.suffixes)
    holidays = "|".join(map(regex.escape, sorted(words.holidays, key=len, reverse=True)))
    kinds = {
        "time": "|".join(_times(words)),
        "decade": "|".join(words.patterns("decade")),
        "week": "|".join(_weeks(words)),
        "yearday": "|".join(_year_days(words)),
        "quarter": "|".join(_quarters(words, suffix)),
        "short": r"'\d\d\b",
        "roman": rf"(?<=\d[./ -]\s?)(?:{'|'.join(ROMAN)})(?=\.?\s?[./ -]\s?\d)",
        "number": rf"(?:{'|'.join(_GLUED)}|\d+)(?:{suffix}\b)?",
        "holiday": rf"\b(?:{holidays})\b",
        "word": r"\p{L}[\p{L}\p{M}]*",
    }
    groups = (f"(?P<{kind}>{pattern})" for kind, pattern in kinds.items() if pattern)
    return regex.compile("|".join(groups), regex.IGNORECASE)


_NUMBERS = re.compile(r"[0-9]{1,4}(?:[/.-][0-9]{1,4})*")
_NUMBER = re.compile(r"[0-9]+")
_ORDINAL_DATE = re.compile(rf"(?<!\d){_YEAR}[-/.]\d{{3}}(?![\d/.-])")
_MONTH_AND_DAY, _YEAR_DIGITS = 2, 4


class UnreadableDateError(ValueError):
    """A mention is in no known layout; the error contains no text."""


class RemainingDateError(UnreadableDateError):
    """A mention was read, but its surrogate does not read as the moved dates."""


@dataclass(slots=True)
class Token:
    """A token of a mention: ``[start, end)``, its kind, and its value, 0 if it has none."""

    start: int
    end: int
    kind: str
    value: int = 0
    text: str = field(default="", repr=False)
    padded: bool = False


def tokens(folded: str, words: Words, language: str) -> list[Token]:
    """Return the tokens of a folded mention, without connecting words.

    ``language`` takes precedence if a word belongs to several ("mar" is March, marzo, martes).

    Raises:
        UnreadableDateError: a word does not belong to a date, or a month has a number ("month 9").
    """
    if _NUMBERS.fullmatch(folded) and not _ORDINAL_DATE.search(folded):  # a fast path
        numbers = _NUMBER.finditer(folded)
        return [_number(Token(m.start(), m.end(), "number", text=m[0])) for m in numbers]
    found: list[Token] = []
    for match in _token(words).finditer(folded):
        kind = match.lastgroup or ""
        start, end = match.span()
        token = Token(start, end, kind, text=match[0])
        if kind in _READERS:
            found.append(_READERS[kind](token))
        elif kind == "holiday":
            month, day = words.holidays[token.text]
            found.append(replace(token, value=100 * month + day))
        else:
            found.append(_word(token, words, language))
    _check_months(found, words.in_role("month_words"))
    return _spelled(_distinguished(found, words, language), words.counting(language))


def _check_months(found: Sequence[Token], months: AbstractSet[str]) -> None:
    """Refuse "the ninth month" and "month 9": their number would be read as a day or a year.

    Raises:
        UnreadableDateError: a month has a number.
    """
    for one, other in pairwise(found):
        number = other if one.text in months else one if other.text in months else None
        if number is not None and number.kind in _COUNTED and number.value <= _LAST_MONTH:
            raise UnreadableDateError


_COUNTED = frozenset(("number", "ordinal", "spelled-day", "spelled"))
_LAST_MONTH = 12


def _number(token: Token) -> Token:
    digits = _NUMBER.findall(token.text)[0]
    token.value = int(digits[:9])
    token.padded = digits[0] == "0" and len(digits) > 1
    if len(digits) < len(token.text):
        token.kind = "ordinal"
    return token


def _digits(token: Token) -> Token:
    token.value = int("".join(c for c in token.text if c.isdigit()))
    return token


def _week(token: Token) -> Token:
    token.value = int(_NUMBER.findall(token.text)[0][:2])
    return token


def _year_day(token: Token) -> Token:
    token.value = int(_NUMBER.findall(token.text)[0])
    return token


def _roman(token: Token) -> Token:
    token.kind, token.value = "month", ROMAN.index(token.text) + 1
    return token


def _word(token: Token, words: Words, language: str) -> Token:
    for kind in ("month", "weekday"):
        if (index := words.index_of(token.text, kind, language)) is not None:
            token.kind, token.value = kind, index + (kind == "month")
            return token
    counting = words.counting(language)
    if (quarter := words.season_of(token.text, language)) is not None:
        token.kind, token.value = "season", quarter
    elif token.text in words.sets:
        token.kind = "set"
    elif token.text in counting.ordinals:
        token.kind, token.value = "spelled-day", counting.ordinals[token.text]
    elif token.text in counting.cardinals or token.text in counting.scales:
        token.kind = "spelled"
    elif token.text not in words.fillers:
        raise UnreadableDateError
    return token


def _distinguished(found: list[Token], words: Words, language: str) -> list[Token]:
    """Distinguish week numbers from days, and weekdays from months."""
    numbers = 0
    weeks = words.in_role("weeks")
    weekdays = words.weekday_months(language)
    for token, follower in pairwise(found):
        if token.kind in ("ordinal", "spelled-day") and follower.text in weeks:
            token.kind = "word"
        numbers += token.kind == "number"
        weekday = token.text in weekdays and not numbers and len(follower.text) != _YEAR_DIGITS
        if weekday and sum(t.kind in ("number", "month") for t in found) > _MONTH_AND_DAY:
            token.kind, token.value = "weekday", weekdays[token.text]
    return found


def _same(token: Token) -> Token:
    return token


_READERS = {
    "time": _same, "decade": _digits, "week": _week, "quarter": _digits, "short": _digits,
    "number": _number, "yearday": _year_day, "roman": _roman,
}  # fmt: skip


def _spelled(tokens: list[Token], counting: Numbers) -> list[Token]:
    """Join runs of number words into one day or one year.

    Raises:
        UnreadableDateError: a run spells several numbers ("six eleven fifty seven"), or a month has
            a number in words ("third day of the ninth month").
    """
    done: list[Token] = []
    for token in tokens:
        last = done[-1] if done else None
        if token.kind == "spelled-day" and last and last.kind == "spelled":
            tens = counting.value(last.text.split())
            if tens in (20, 30) and token.value < 10:  # noqa: PLR2004 ("twenty" "eighth")
                done[-1] = Token(last.start, token.end, "spelled-day", tens + token.value)
                continue
        joins = token.kind == "spelled" or token.text in counting.joints
        if joins and last and last.kind == "spelled":
            done[-1] = Token(last.start, token.end, "spelled", text=f"{last.text} {token.text}")
            continue
        done.append(token)
    for token in done:
        if token.kind == "spelled":
            value = counting.value(token.text.split())
            if value is None:
                raise UnreadableDateError
            token.value = value
    kinds = [token.kind for token in done]
    if kinds.count("spelled-day") > 1 and "month" not in kinds:
        raise UnreadableDateError
    return [token for token in done if token.kind != "word"]
