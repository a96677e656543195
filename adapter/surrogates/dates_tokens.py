"""The pieces of a written date: numbers, months, weekdays, seasons, holidays, numbers in words."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import regex

from adapter.surrogates import spelled
from adapter.surrogates.vocabulary import (
    FILLERS,
    HOLIDAYS,
    MONTH_FORMS,
    SEASONS,
    WEEKDAY_FORMS,
)

_TOKEN = regex.compile(
    r"(?P<time>[@t]?\s*\b\d{1,2}:\d\d(?::\d\d)?(?:\s*[ap]\.?m\b\.?)?(?:\s*(?:z|hrs?|hours|[+-]\d\d:?\d\d))?"
    r"|(?<=\d\s)\d{4}\s*(?:hrs?|hours|h)\b)"
    r"|(?P<decade>'?\b\d{2}(?:\d\d)?'?s\b)"
    r"|(?P<week>\b(?:w|wk|week)\s?-?\d{1,2}\b)"
    r"|(?P<quarter>\bq[1-4]\b|\b[1-4]q(?=\d|\b))"
    r"|(?P<short>'\d\d\b)"
    r"|(?P<number>\d+)(?P<suffix>(?:st|nd|rd|th)\b)?"
    r"|(?P<holiday>\b(?:"
    + "|".join(map(regex.escape, sorted(HOLIDAYS, key=len, reverse=True)))
    + r")\b)"
    r"|(?P<word>\p{L}[\p{L}\p{M}]*)",
    regex.IGNORECASE,
)

_NUMBERS = re.compile(r"[0-9]+(?:[/.-][0-9]+)*")
_NUMBER = re.compile(r"[0-9]+")


class UnreadableDateError(ValueError):
    """A mention in no known layout; it carries no text."""


@dataclass(slots=True)
class Token:
    """A piece of a mention: ``[start, end)``, its kind, its value where it has one."""

    start: int
    end: int
    kind: str
    value: int = 0
    text: str = field(default="", repr=False)
    padded: bool = False


def tokens(folded: str) -> list[Token]:
    """The tokens of a folded mention, words that only stand between left out.

    Raises:
        UnreadableDateError: a word is none of a date.
    """
    if _NUMBERS.fullmatch(folded):  # most dates, and nothing else can be in them
        numbers = _NUMBER.finditer(folded)
        return [_number(Token(m.start(), m.end(), "number", text=m[0])) for m in numbers]
    found: list[Token] = []
    for match in _TOKEN.finditer(folded):
        kind = match.lastgroup or ""
        if kind == "suffix":
            kind = "number"
        start, end = match.span()
        found.append(_READERS[kind](Token(start, end, kind, text=match[0])))
    return _spelled(found)


def _number(token: Token) -> Token:
    digits = token.text.rstrip("stndrh")
    token.value = int(digits[:9])
    token.padded = digits[0] == "0" and len(digits) > 1
    if len(digits) < len(token.text):
        token.kind = "ordinal"
    return token


def _digits(token: Token) -> Token:
    token.value = int("".join(c for c in token.text if c.isdigit()))
    return token


def _word(token: Token) -> Token:
    for kind, table in (("month", MONTH_FORMS), ("weekday", WEEKDAY_FORMS), ("season", SEASONS)):
        if token.text in table:
            token.kind, token.value = kind, table[token.text]
            return token
    if token.text in spelled.ORDINALS:
        token.kind, token.value = "spelled-day", spelled.ORDINALS[token.text]
    elif token.text in spelled.CARDINALS or token.text in spelled.SCALES:
        token.kind = "spelled"
    elif token.text not in FILLERS:
        raise UnreadableDateError
    return token


def _same(token: Token) -> Token:
    return token


_READERS = {
    "time": _same, "decade": _digits, "week": _digits, "quarter": _digits, "short": _digits,
    "number": _number, "holiday": _same, "word": _word,
}  # fmt: skip


def _spelled(tokens: list[Token]) -> list[Token]:
    """Tokens with runs of number words joined to one day or one year."""
    done: list[Token] = []
    for token in tokens:
        last = done[-1] if done else None
        if token.kind == "spelled-day" and last and last.kind == "spelled":
            tens = spelled.value(last.text.split())
            if tens == 20 and token.value < 10:  # noqa: PLR2004 ("twenty" "eighth")
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
