"""Known dates of birth that a text writes with the name of a month or with numbers in words.

Day, month and year may be in any order and language: "3/III/1974", "16 sett. 1962", "trois mars mil
neuf cent soixante-quatorze". Only a date that a field says is looked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.priorities import PHRASE
from adapter.types import PHRASE_SOURCE, Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from adapter.languages.written_days import WrittenDays
    from adapter.taggers.document.tokens import Tokens
    from adapter.types import TrustedPhrase

    Births = Mapping[tuple[int, int, int], TrustedPhrase]

_MARKS = frozenset(".,-/'`\u00b4\u2019_|\u00b0\u00ba\u00aa()")
_MOST_BETWEEN, _MOST_WORDS = 4, 10
"""Maximum number of tokens between two parts of a date, and in one part written in words."""
_YEAR_DIGITS, _SHORT_DIGITS = 4, 2


def births_in(tokens: Tokens, births: Births, written: WrittenDays) -> Iterator[Span]:
    """Yield a span for each known date of birth that is written around the name of a month."""
    if not births or written.months.keys().isdisjoint(tokens.words):
        return
    for place, word in enumerate(tokens.words):
        for month in written.months.get(word, ()):
            for (year, birth_month, day), phrase in births.items():
                ends = _around(tokens, place, year, day, written) if birth_month == month else None
                if ends is not None:
                    start, end = tokens.starts[ends[0]], tokens.ends[ends[1]]
                    yield Span(
                        start, end, phrase.label, PHRASE_SOURCE, 1.0, PHRASE, phrase.entity,
                        phrase.form,
                    )  # fmt: skip


def _around(
    tokens: Tokens, place: int, year: int, day: int, written: WrittenDays
) -> tuple[int, int] | None:
    """Return the first and last token of a date whose month is at ``place``; None if none is."""
    day_before = _part(tokens, place, -1, day, written)
    if day_before is not None:
        year_behind = _part(tokens, place, 1, year, written)
        return None if year_behind is None else (day_before, year_behind)
    day_behind = _part(tokens, place, 1, day, written)
    if day_behind is None:
        return None
    year_behind = _part(tokens, day_behind, 1, year, written)
    if year_behind is not None:
        return place, year_behind
    year_before = _part(tokens, place, -1, year, written)
    return None if year_before is None else (year_before, day_behind)


def _part(tokens: Tokens, place: int, step: int, number: int, written: WrittenDays) -> int | None:
    """Return the last token of a number that stands beside ``place`` in a direction, else None."""
    at = place + step
    for _ in range(_MOST_BETWEEN):
        if not 0 <= at < len(tokens):
            return None
        word = tokens.words[at]
        if word.isdecimal():
            return at if _is_number(word, number) else None
        found = _in_words(tokens, at, step, number, written)
        if found is not None:
            return found
        if word not in _MARKS and word not in written.between:
            return None
        at += step
    return None


def _is_number(digits: str, number: int) -> bool:
    """Whether digits are a day, or a year of four or two digits."""
    if number > 99:  # noqa: PLR2004
        short = len(digits) == _SHORT_DIGITS and int(digits) == number % 100
        return short or (len(digits) == _YEAR_DIGITS and int(digits) == number)
    return len(digits) <= _SHORT_DIGITS and int(digits) == number


def _in_words(
    tokens: Tokens, place: int, step: int, number: int, written: WrittenDays
) -> int | None:
    """Return the last token of the longest run of words from ``place`` on that spells a number."""
    meanings = written.years if number > 99 else written.days  # noqa: PLR2004
    wanted = {number, number % 100}
    spelled, last = "", None
    for at in range(place, place + step * _MOST_WORDS, step):
        if not 0 <= at < len(tokens):
            break
        word = tokens.words[at]
        if word == "-":
            continue
        if not word.isalpha():
            break
        spelled = spelled + word if step > 0 else word + spelled
        if not wanted.isdisjoint(meanings.get(spelled, ())):
            last = at
    return last
