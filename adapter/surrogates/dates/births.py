"""Dates of birth that are known from a field, where text writes them in an unusual way.

Without separators ("092374"), with characters apart ("0 9 2 3 1 9 7 4"), or with any mark between
the parts ("09|23|1974"): only the known date tells how such text is to be read.
"""

from __future__ import annotations

from datetime import date
from functools import lru_cache
from typing import TYPE_CHECKING

import regex

from adapter.normalize.folding import fold
from adapter.surrogates.dates.ending import Ending
from adapter.surrogates.dates.shift import parsed

if TYPE_CHECKING:
    from collections.abc import Iterable

    from adapter.languages import Words
    from adapter.surrogates.dates.shift import Calendar

_LAYOUTS = ("%Y%m%d", "%m%d%Y", "%d%m%Y", "%m%d%y", "%d%m%y", "%y%m%d")
_USUAL = frozenset("-/., \n\r\t")
_APART = regex.compile(r"[^\W_](?:[\W_]{1,3}[^\W_]){4,}")
_SHORT_YEAR = regex.compile(r"['\u2019](?=\d\d\Z)")
"""The apostrophe of a year of two digits ("16 Sep '62"), as people usually write it."""
_BEFORE = 32
"""Characters before a date that are searched for a word of birth."""
_MARKS = regex.compile(r"[\W_]+")


def unusual(text: str) -> bool:
    """Whether a mention of a date of birth is written as digits alone, apart, or with odd marks."""
    if text.isdigit() or _APART.fullmatch(text):
        return True
    return any(not c.isalnum() and c not in _USUAL for c in _SHORT_YEAR.sub("", text))


def digits_of_birth(calendar: Calendar, text: str, births: Iterable[str]) -> str | None:
    """Return the surrogate of one of ``births``, its digits in the places of those of ``text``.

    None if the text has other digits than these dates have in any layout without separators.
    """
    if any(c.isalpha() for c in text):
        return None
    written = "".join(c for c in text if c.isdigit())
    for birth in filter(None, map(parsed, births)):
        for layout in _LAYOUTS:
            if birth.strftime(layout) == written:
                return _moved(calendar, text, birth, layout)
    return None


def _moved(calendar: Calendar, text: str, birth: date, layout: str) -> str:
    year, month, day = calendar.moved(birth.year, birth.month, birth.day)
    if calendar.shift is None:
        return f"{year:04d}"
    return _placed(date(year, month, day).strftime(layout), text)


def usual(text: str) -> str:
    """Return a date as people write it: "2 3 S E P 1 9 7 4" as "23SEP1974", "9|3|74" with "/"."""
    return _MARKS.sub("" if _APART.fullmatch(text) else "/", text)


def like(new: str, text: str) -> str:
    """Return a surrogate with the marks of an original of as many letters and digits."""
    bare = _MARKS.sub("", new)
    return _placed(bare, text) if len(bare) == sum(map(str.isalnum, text)) else new


def _placed(letters: str, text: str) -> str:
    """Return a text with other letters and digits in the places of its own."""
    new = iter(letters)
    return "".join(next(new) if c.isalnum() else c for c in text)


def is_told(text: str, start: int, words: Words) -> bool:
    """Whether a word of birth stands before the date at ``start``: "born in 1929"."""
    near = fold(text[max(start - _BEFORE, 0) : start])
    return _told(words).start(near, len(near)) < len(near)


@lru_cache(maxsize=8)
def _told(words: Words) -> Ending:
    """Return the pattern of a word of birth and a few more before a date; memoised."""
    return Ending(rf"(?<!\p{{L}}){words.said('births')}(?!\p{{L}})[^\d;\n]{{0,16}}")
