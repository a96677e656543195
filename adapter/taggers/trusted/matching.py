"""Keys of trusted phrases, and the matching of a key with a sequence of tokens.

Phrases are compared by their letters and digits alone. Their kind decides which characters may
stand between their words, or inside one (an apostrophe, the line break of a faulty export).
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import regex

from adapter.normalize.folding import fold, unspaced
from adapter.normalize.notation import APART, HUMP, LOST, NUMBER_MARKS, SURE_NUMBER_MARKS, WORD

if TYPE_CHECKING:
    from collections.abc import Callable

    from adapter.taggers.document.tokens import Tokens
    from adapter.types import TrustedPhrase

_WORD = regex.compile(WORD)
_MARKS = regex.compile(r"\p{M}+")
_HUMP = regex.compile(HUMP)
_NAME_GAP = frozenset(("", " ", ". ", ", ", "  ", " - ", "\n"))
_NAME_MARK = regex.compile(r"[^\p{L}\p{N}\s]{1,2}")
"""Marks that stand inside a name as it was sent: "M?ller" and "Ma??n" of lost letters."""
_NAME_INSIDE = frozenset(("", "'", "-", "`"))
_LOST_GAP = regex.compile(r"[?\ufffd\u00bf_*#~]{1,2}")
"""What is written for a letter that was lost: one mark, or one for each of its bytes."""
_BLANKS = frozenset((" ", "\u3000", "\u30fb", "\u00b7"))
"""Further separators between the characters of Chinese, Japanese and Korean names."""
_APART = regex.compile(APART)
_CUT = regex.compile(r"[-\u00ad\u2010]?[ \t]*\r?\n[ \t]*")
_NUMBER_GAP = regex.compile(NUMBER_MARKS)
_SURE_NUMBER_GAP = regex.compile(SURE_NUMBER_MARKS)
_DATE_GAP = regex.compile(r"[-/., ]{1,2}['\u2019]?|\n|[ ]?[-/|\\_~\u00b7\u2022\u2010-\u2015][ ]?")
_SURE_DATE_GAP = regex.compile(r"[-/., ]{1,2}['\u2019]?|\n|[ ]?[^\p{L}\p{N}\s][ ]?")
"""The same where the year has four digits, so that it is no time of day, ratio or sum."""
_TEXT_GAP = regex.compile(r"[^\p{L}\p{N}]{0,4}")
_TEXT_INSIDE = frozenset(("", "'", "\u2019", ".", "-", ". "))


_LONG_ENOUGH_TO_CUT = 5
_LONG_NUMBER = 6
"""Minimum number of digits of a number that may have separators anywhere: as many as a time has."""
_YEAR_DIGITS = 4
_SHORTEST_APART = 3
_SHORTEST_DATE_APART = 6
_SURE_DATE_APART = 8
"""Minimum number of letters and digits in a spaced-out date; in one within a longer row."""
_SURE_APART = 4
"""Minimum number of letters in a spaced-out name; in one with further spaced letters beside it."""
_TWO_NAMES = 7
_SHORTEST_HALF = 3
"""Minimum number of letters in a name written as two words, and in each of these words."""


class Key(NamedTuple):
    """The compared properties of a phrase: letters and digits, word boundaries, kind."""

    text: str
    bounds: frozenset[int]
    kind: str
    """"name", "initials", "number", "date", "acronym", "damaged" or "text"."""

    def __repr__(self) -> str:
        """Show no text."""
        return "Key()"


_PARTS = {
    **dict.fromkeys(("family", "given", "middle", "full"), "name"),
    **dict.fromkeys(("id", "reference", "phone", "fax", "zip"), "number"),
    **dict.fromkeys(("birthdate", "deathdate", "date"), "date"),
}
_VIEWS = {":acronym}": "acronym", "}{family[0]}": "initials"}
_PART = regex.compile(r"\{([a-z]+)")


@lru_cache(maxsize=65536)
def key_of(text: str, form: str) -> Key:
    """Return the key of a phrase; the form determines the kind. Memoised."""
    kind = "damaged" if LOST in text else _kind(form)
    words = bare_words(fold(_HUMP.sub(" ", text) if kind == "name" else text))
    bounds = []
    length = 0
    for word in words[:-1]:
        length += len(word)
        bounds.append(length)
    return Key("".join(words), frozenset(bounds), kind)


def _kind(form: str) -> str:
    for end, kind in _VIEWS.items():
        if form.endswith(end):
            return kind
    part = _PART.match(form)
    return _PARTS.get(part[1], "text") if part else "text"


def bare_words(folded: str) -> list[str]:
    """Return the words and numbers of a folded text, without combining marks."""
    words: list[str] = _WORD.findall(folded)
    return words if folded.isascii() else [_MARKS.sub("", word) for word in words]


class Entry(NamedTuple):
    """A key as one string, and the phrases that have this key."""

    text: str
    bounds: frozenset[int]
    kind: str
    phrases: list[TrustedPhrase]
    leading: regex.Pattern[str]
    """Particles that a name sent as one word begins with: "Vandenbroeck"."""

    def __repr__(self) -> str:
        """Show no text."""
        return "Entry()"


def last_token(entry: Entry, tokens: Tokens, text: str, first: int) -> int:
    """Return the last token of an occurrence of ``entry`` that begins at ``first``; -1 if none."""
    words, target = tokens.words, entry.text
    length, last = len(words[first]), first
    if length == len(target):
        return -1 if entry.kind == "damaged" or (entry.kind == "date" and entry.bounds) else first
    allowed = _GAPS[entry.kind]
    least = _SHORTEST_DATE_APART if entry.kind == "date" else _SHORTEST_APART
    apart = length == 1 and len(target) >= least
    for place in range(first + 1, min(first + 4 * len(target), len(words))):
        word = words[place]
        if not word[0].isalnum():
            if place - last > _WIDEST_GAP:
                break
            continue
        if not target.startswith(word, length):
            break
        gap = fold(text[tokens.ends[last] : tokens.starts[place]])
        apart = apart and len(word) == 1 and _APART.fullmatch(gap) is not None
        if not (
            apart or allowed(gap, length, entry) or _in_two(entry, tokens, text, (first, place))
        ):
            break
        last = place
        length += len(word)
        if length == len(target):
            return -1 if apart and _goes_on(entry, tokens, text, first, last) else last
    return -1


def _in_two(entry: Entry, tokens: Tokens, text: str, places: tuple[int, int]) -> bool:
    """Whether a name sent as one word is written as two ("Garcia Marquez", GARCIAMARQUEZ)."""
    first, second = places
    halves = len(tokens.words[first]), len(tokens.words[second])
    return (
        entry.kind == "name"
        and sum(halves) == len(entry.text) >= _TWO_NAMES
        and min(halves) >= _SHORTEST_HALF
        and text[tokens.ends[first] : tokens.starts[second]] in _BETWEEN
        and all(text[tokens.starts[place]].isupper() for place in places)
    )


_BETWEEN = frozenset((" ", "-"))


def _goes_on(entry: Entry, tokens: Tokens, text: str, first: int, last: int) -> bool:
    """Whether spaced letters continue beyond a short name: "A N N" in "A N N E X".

    A date goes on only in digits: "0 9 2 3 7 4 F" has a sex behind it.
    """
    target, date = entry.text, entry.kind == "date"
    if len(target) >= (_SURE_DATE_APART if date else _SURE_APART) and (
        date or not target.isdigit()
    ):
        return False
    beside = (tokens, text, first - 1, first), (tokens, text, last, last + 1)
    return any(_is_apart(*places, digits=date) for places in beside)


def _is_apart(tokens: Tokens, text: str, one: int, other: int, *, digits: bool) -> bool:
    """Whether two neighbouring tokens are single letters or digits separated by a blank."""
    if one < 0 or other >= len(tokens):
        return False
    letters = tokens.words[one], tokens.words[other]
    gap = text[tokens.ends[one] : tokens.starts[other]]
    counts = str.isdigit if digits else str.isalnum
    return all(len(c) == 1 and counts(c) for c in letters) and gap == " "


_WIDEST_GAP = 3


def _name_gap(gap: str, place: int, key: Entry) -> bool:
    if place in key.bounds:
        return gap in _NAME_GAP or bool(_CUT.fullmatch(gap) or _NAME_MARK.fullmatch(gap))
    if gap in _NAME_INSIDE:
        return gap == "" or key.text[place:] != "s"
    if gap in _BLANKS:
        return _leads(key.leading, key.text[:place]) or unspaced(key.text)
    return len(key.text) >= _LONG_ENOUGH_TO_CUT and _CUT.fullmatch(gap) is not None


@lru_cache(maxsize=4096)
def _leads(leading: regex.Pattern[str], start: str) -> bool:
    """Whether the beginning of a name consists of particles. Memoised."""
    return leading.fullmatch(start) is not None


def _number_gap(gap: str, place: int, key: Entry) -> bool:
    if gap in ("", "-", "_", ",") or (place in key.bounds and gap == " "):
        return True
    if len(key.text) < _LONG_NUMBER:
        return False
    marks = _SURE_NUMBER_GAP if len(key.text) > _LONG_NUMBER else _NUMBER_GAP
    return marks.fullmatch(gap) is not None or _CUT.fullmatch(gap) is not None


def _date_gap(gap: str, place: int, key: Entry) -> bool:
    if place not in key.bounds:
        return False
    if gap == "":
        return key.text[place - 1].isdigit() != key.text[place].isdigit()
    sure = _YEAR_DIGITS in (min(key.bounds), len(key.text) - max(key.bounds))
    return (_SURE_DATE_GAP if sure else _DATE_GAP).fullmatch(gap) is not None


def _text_gap(gap: str, place: int, key: Entry) -> bool:
    if place in key.bounds:
        return _TEXT_GAP.fullmatch(gap) is not None
    return gap in _TEXT_INSIDE or _CUT.fullmatch(gap) is not None


def _damaged_gap(gap: str, place: int, key: Entry) -> bool:
    return gap == "" or (place in key.bounds and _LOST_GAP.fullmatch(gap) is not None)


def _acronym_gap(gap: str, place: int, key: Entry) -> bool:
    del place, key
    return gap in (".", "")


_GAPS: dict[str, Callable[[str, int, Entry], bool]] = {
    "name": _name_gap,
    "number": _number_gap,
    "date": _date_gap,
    "text": _text_gap,
    "acronym": _acronym_gap,
    "damaged": _damaged_gap,
    "initials": _acronym_gap,
}
