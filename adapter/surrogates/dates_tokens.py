"""The pieces of a written date: numbers, months, weekdays, seasons, holidays, numbers in words."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import pairwise

import regex

from adapter.surrogates import spelled
from adapter.surrogates.festivals import HOLIDAYS, season_of
from adapter.surrogates.vocabulary import FILLERS, SETS, index_of

_TOKEN = regex.compile(
    r"(?P<time>(?<=\d)t\d\d(?::\d\d){1,2}(?:\.\d+)?(?:z|[+-]\d\d:?\d\d)?"
    r"|[@t]?\s*\b\d{1,2}:\d\d(?::\d\d(?:[.,]\d+)?)?(?:\s*[ap]\.?m\b\.?)?"
    r"(?:\s*(?:z|hrs?|hours|h|uhr|[+-]\d\d:?\d\d)\b)?"
    r"|\b\d{1,2}(?:\.\d\d)?\s?(?:uhr|[ap]\.?m\b\.?)"
    r"|(?<=\d\s)\d{4}\s*(?:hrs?|hours|h|uhr)\b)"
    r"|(?P<decade>'?\b\d{2}(?:\d\d)?(?:'?s|er)\b(?:\sjahren?\b)?|\banos\s\d{2}\b)"
    r"|(?P<week>\b(?:w|wk|week|kw|sem|semana)\.?\s?-?\d{1,2}(?:-[1-7])?\b(?!/\d\d?\b))"
    r"|(?P<quarter>\b[qt][1-4]\b|\b[1-4][qt](?=\d|\b)"
    r"|\b[1-4](?:st|nd|rd|th|er|o|\.)?\s?(?:quarter|quartal|trimestre)\b)"
    r"|(?P<short>'\d\d\b)"
    r"|(?P<number>\d+)(?P<suffix>(?:st|nd|rd|th|\.?o|ro|er|ero|do)\b)?"
    r"|(?P<holiday>\b(?:"
    + "|".join(map(regex.escape, sorted(HOLIDAYS, key=len, reverse=True)))
    + r")\b)"
    r"|(?P<word>\p{L}[\p{L}\p{M}]*)",
    regex.IGNORECASE,
)

_NUMBERS = re.compile(r"[0-9]+(?:[/.-][0-9]+)*")
_NUMBER = re.compile(r"[0-9]+")
_MONTH_AND_DAY = 2


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


def tokens(folded: str, language: str = "en") -> list[Token]:
    """The tokens of a folded mention, words that only stand between left out.

    ``language`` goes first where a word is of several ("mar" is March, marzo, martes).

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
    token.value = int(_NUMBER.findall(token.text)[0])
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
        if tuesday and sum(t.kind in ("number", "month") for t in found) > _MONTH_AND_DAY:
            token.kind, token.value = "weekday", 1
    return found


def _same(token: Token) -> Token:
    return token


_READERS = {
    "time": _same, "decade": _digits, "week": _week, "quarter": _digits, "short": _digits,
    "number": _number, "holiday": _same,
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
