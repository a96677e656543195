"""The pieces of a written date: numbers, months, weekdays, seasons, holidays, numbers in words."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import pairwise

import regex

from adapter.surrogates import spelled
from adapter.surrogates.festivals import HOLIDAYS, season_of
from adapter.surrogates.vocabulary import FILLERS, ROMAN, SETS, index_of

_CLOCK = (
    r"(?<=\d)t\d\d(?::?\d\d){1,2}(?:\.\d+)?(?:z|[+-]\d\d:?\d\d)?(?!\d)",  # T10:15, T101500Z
    (
        r"[@t]?\s*\b\d{1,2}:\d\d(?::\d\d(?:[.,]\d+)?)?(?:\s*[ap]\.?m\b\.?)?"
        r"(?:\s*(?:z|hrs?|hours|h|uhr|[+-]\d\d:?\d\d)\b)?"
    ),
    r"\b\d{1,2}(?:\.\d\d)?\s?(?:uhr|[ap]\.?m\b\.?)",
    r"(?<=\d\s)\d{4}\s*(?:hrs?|hours|h|uhr)\b",
    r"(?:utc|gmt)\s?[+-]\d\d?(?::?\d\d)?\b",
    r"(?<=(?<!\d)\d{1,2}[/.-](?:19|20)\d\d)(?:\d{1,2}:\d\d(?::\d\d)?|[0-2]\d[0-5]\d(?!\d))",
    r"(?<=(?<!\d)\d{1,2}/\d\d)[0-2]\d[0-5]\d(?![\d/])",  # 12/280610
)
_GLUED = (
    r"(?<=(?<!\d)\d{1,2}[/.-])(?:19|20)\d\d(?=\d{1,2}:\d\d|[0-2]\d[0-5]\d(?!\d))",
    r"(?<=(?<!\d)\d{1,2}/)(?:0[1-9]|[12]\d|3[01])(?=[0-2]\d[0-5]\d(?![\d/]))",
)
"""Years and days to which a time of day sticks."""
_YEAR = r"(?:19|20)\d\d"
_WEEK = (
    (
        r"\b(?:w|wk|week|[ck]w|kalenderwoche|woche|sem|semana)\.?\s?(?:number\s|numero\s|n[or]\.?\s?|\#)?-?"
        r"\d{1,2}(?:-[1-7])?\b(?!/\d\d?\b)"
    ),
    r"(?<=\d)w\d\d[1-7]?\b",  # 2024W114
    r"\b\d{1,2}\.?\s?(?:kw|kalenderwoche)\b",
    r"\b(?:[6-9]|[1-5]\d)(?:th|st|nd|rd)\sweek\b",
)
_YEAR_DAY = (
    (
        rf"\b(?:day|doy|tag|dia|julian\sday)\s(?:number\s|numero\s|n[or]\.?\s?)?\d{{1,3}}"
        rf"(?=(?:\s(?:of|de|del|des|in|im|jahres|jahr|the|year|ano)){{0,3}}[\s/]{_YEAR}\b)"
    ),
    rf"\b\d{{1,3}}(?:st|nd|rd|th)\sday(?=\sof\s(?:the\syear\s)?{_YEAR}\b)",
    rf"(?<=\b{_YEAR}[-/.])\d{{3}}(?!\d|[/.-]\d)",
)
_KINDS = {
    "time": "|".join(_CLOCK),
    "decade": r"'?\b\d{2}(?:\d\d)?(?:'?s|er)\b(?:\sjahren?\b)?|\banos\s\d{2}\b",
    "week": "|".join(_WEEK),
    "yearday": "|".join(_YEAR_DAY),
    "quarter": r"\b[qt][1-4]\b|\b[1-4][qt](?=\d|\b)"
    r"|\b[1-4](?:st|nd|rd|th|er|o|\.)?\s?(?:quarter|quartal|trimestre)\b",
    "short": r"'\d\d\b",
    "roman": rf"(?<=\d[./ -]\s?)(?:{'|'.join(ROMAN)})(?=\.?\s?[./ -]\s?\d)",
    "number": rf"(?:{'|'.join(_GLUED)}|\d+)",
    "holiday": rf"\b(?:{'|'.join(map(regex.escape, sorted(HOLIDAYS, key=len, reverse=True)))})\b",
    "word": r"\p{L}[\p{L}\p{M}]*",
}
_SUFFIX = r"(?:(?:st|nd|rd|th|\.?o|ro|er|ero|do)\b)?"
_TOKEN = regex.compile(
    "|".join(
        f"(?P<{kind}>{pattern}{_SUFFIX if kind == 'number' else ''})"
        for kind, pattern in _KINDS.items()
    ),
    regex.IGNORECASE,
)

_NUMBERS = re.compile(r"[0-9]{1,4}(?:[/.-][0-9]{1,4})*")
_NUMBER = re.compile(r"[0-9]+")
_ORDINAL_DATE = re.compile(rf"(?<!\d){_YEAR}[-/.]\d{{3}}(?![\d/.-])")
_MONTH_AND_DAY, _YEAR_DIGITS = 2, 4


class UnreadableDateError(ValueError):
    """A mention in no known layout; it carries no text."""


class RemainingDateError(UnreadableDateError):
    """A mention that was read, but whose surrogate does not read as its dates moved."""


@dataclass(slots=True)
class Token:
    """A piece of a mention: ``[start, end)``, its kind, its value where it has one."""

    start: int
    end: int
    kind: str
    value: int = 0
    text: str = field(default="", repr=False)
    padded: bool = False


def tokens(folded: str, language: str = "en") -> list[Token]:
    """The tokens of a folded mention, words that only stand between left out.

    ``language`` goes first where a word is of several ("mar" is March, marzo, martes).

    Raises:
        UnreadableDateError: a word is none of a date.
    """
    if _NUMBERS.fullmatch(folded) and not _ORDINAL_DATE.search(folded):  # most dates are so
        numbers = _NUMBER.finditer(folded)
        return [_number(Token(m.start(), m.end(), "number", text=m[0])) for m in numbers]
    found: list[Token] = []
    for match in _TOKEN.finditer(folded):
        kind = match.lastgroup or ""
        start, end = match.span()
        token = Token(start, end, kind, text=match[0])
        found.append(_word(token, language) if kind == "word" else _READERS[kind](token))
    return _spelled(_told_apart(found, language))


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


def _word(token: Token, language: str) -> Token:
    for kind in ("month", "weekday"):
        if (index := index_of(token.text, kind, language)) is not None:
            token.kind, token.value = kind, index + (kind == "month")
            return token
    if (quarter := season_of(token.text, language)) is not None:
        token.kind, token.value = "season", quarter
    elif token.text in SETS:
        token.kind = "set"
    elif token.text in spelled.ORDINALS:
        token.kind, token.value = "spelled-day", spelled.ORDINALS[token.text]
    elif token.text in spelled.CARDINALS or token.text in spelled.SCALES:
        token.kind = "spelled"
    elif token.text not in FILLERS:
        raise UnreadableDateError
    return token


def _told_apart(found: list[Token], language: str) -> list[Token]:
    """Tokens with a week's number in its month, and Spanish Tuesdays, told from days and months."""
    numbers = 0
    for token, follower in pairwise(found):
        if token.kind in ("ordinal", "spelled-day") and follower.text in ("week", "semana"):
            token.kind = "word"
        numbers += token.kind == "number"
        tuesday = language == "es" and token.text == "mar" and not numbers
        tuesday &= len(follower.text) != _YEAR_DIGITS
        if tuesday and sum(t.kind in ("number", "month") for t in found) > _MONTH_AND_DAY:
            token.kind, token.value = "weekday", 1
    return found


def _same(token: Token) -> Token:
    return token


_READERS = {
    "time": _same, "decade": _digits, "week": _week, "quarter": _digits, "short": _digits,
    "number": _number, "holiday": _same, "yearday": _year_day, "roman": _roman,
}  # fmt: skip


def _spelled(tokens: list[Token]) -> list[Token]:
    """Tokens with runs of number words joined to one day or one year."""
    done: list[Token] = []
    for token in tokens:
        last = done[-1] if done else None
        if token.kind == "spelled-day" and last and last.kind == "spelled":
            tens = spelled.value(last.text.split())
            if tens in (20, 30) and token.value < 10:  # noqa: PLR2004 ("twenty" "eighth")
                done[-1] = Token(last.start, token.end, "spelled-day", tens + token.value)
                continue
        joins = token.kind == "spelled" or token.text == "and"
        if joins and last and last.kind == "spelled":
            done[-1] = Token(last.start, token.end, "spelled", text=f"{last.text} {token.text}")
            continue
        done.append(token)
    for token in done:
        if token.kind == "spelled":
            token.value = spelled.value(token.text.split()) or 0
    return [token for token in done if token.kind != "word"]
