"""The last check before release: no known value is among the kept characters.

Only kept characters are read, so that a surrogate can never raise a false alarm; text on both sides
of a replacement is not joined.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, NamedTuple

import regex

from adapter.errors import LeakError
from adapter.normalize.canonical import canonical, displayed
from adapter.normalize.folding import contained, fold, unspaced
from adapter.normalize.notation import (
    APART,
    DAY_AFTER,
    DAY_BEFORE,
    HUMP,
    NUMBER_MARKS,
    SURE_NUMBER_MARKS,
    WORD,
)
from adapter.normalize.numerals import Numerals
from adapter.types import Label

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from adapter.types import Edit, Message, TrustedPhrase

CUT = "\x00"
"""Marks replaced text in the kept text, and separates segments."""
SHORTEST = 4
"""Minimum number of letters and digits in a value that is searched for."""
SHORTEST_NUMBER = 6
"""Minimum number of digits in a number that is searched for, with any marks between them."""
SHORTEST_UNSPACED = 2
"""Minimum number of characters in a Chinese, Japanese or Korean name."""
SHORTEST_BACKWARDS = 7
"""Minimum number of letters in a name also searched for from right to left (mirrored labels)."""
ANYWHERE = 8
"""Minimum number of letters in a name, or digits in a date, that is searched for inside a word."""
AT_AN_END = 6
"""Minimum number of letters in a name that is searched for at the end of a word."""
_SHORTEST_HALF = 3

_NO_NUMERALS = Numerals()

_HUMP = regex.compile(HUMP)
_JOINERS = regex.compile(
    r"(?<=[^\W_])(?:['\u2019`\u02bc_]|-(?=[^\W\d])|[-\u00ad]?[ \t]*\r?\n[ \t]*)(?=\w)"
)
_APART = regex.compile(rf"(?<![^\W_])[^\W_](?:{APART}[^\W_](?![^\W_])){{2,}}+")
"""Letters or digits written with spaces between."""
_SMALL = regex.compile(r"(?<!\w)[^\W\p{Lu}]\w*")
_GAPS = regex.compile(r"[^\w\x00]+|_+")
_ASCII_NOISE = {i: None for i in range(128) if not chr(i).isalnum() and chr(i) != CUT}
_NOISE = regex.compile(r"[^\w\x00]+|[_\p{M}]+")
_MARKS = regex.compile(r"\p{M}+")
_WORD = regex.compile(WORD)
_UNSURE = frozenset({Label.ZIP, Label.STATE, Label.COUNTRY, Label.CITY, Label.PROFESSION})
_ORGANISATIONS = frozenset({Label.HOSPITAL, Label.ORGANIZATION})
"""Labels whose one-word names also occur in codes."""
_WORDED = _ORGANISATIONS | {Label.LOCATION_OTHER, Label.STREET}


def check(
    message: Message,
    edits: Sequence[Edit],
    phrases: Iterable[TrustedPhrase],
    patterns: Sequence[regex.Pattern[str]],
    numerals: Numerals = _NO_NUMERALS,
) -> None:
    """Check that no known value and no pattern is in what the edits leave of a message.

    Names are found in any case, with any accents, order and punctuation, also run together, cut by
    a line break or written backwards; numbers with any marks between their digits. ``patterns`` are
    those of ``rules/leaks/``.

    Raises:
        LeakError: "known-value" or "pattern"; it does not tell which or where.
    """
    parts = _kept(message, edits)
    sought = [
        (phrase, _ways(phrase, _squeezed(phrase.text))) for phrase in phrases if not phrase.ordinary
    ]
    forms = {form for _, ways in sought for form in ways}
    for kept in _views(parts, numerals):
        met = contained(forms, _letters_and_digits(kept))
        near = [phrase for phrase, ways in sought if not met.isdisjoint(ways)] if met else ()
        if near:
            reading = _read(kept)
            if any(_leaks(phrase, reading) for phrase in near):
                raise LeakError("known-value")
        if any(pattern.search(kept) for pattern in patterns):
            raise LeakError("pattern")


def _ways(phrase: TrustedPhrase, key: str) -> tuple[str, ...]:
    """Return the letters and digits of a phrase; for longer names also from right to left."""
    backwards = phrase.label.category == "NAME" and len(key) >= SHORTEST_BACKWARDS
    return (key, key[::-1]) if backwards else (key,)


def _views(parts: Sequence[str], numerals: Numerals) -> Iterator[str]:
    """Yield the kept text, its displayed form if different, and its form with numbers in digits."""
    kept = CUT.join(parts)
    yield kept
    if canonical("\n".join(parts)) is not None:
        kept = CUT.join(map(displayed, parts))
        yield kept
    counted = numerals.read(kept)
    if counted is not None:
        yield counted.text


def _kept(message: Message, edits: Sequence[Edit]) -> list[str]:
    by_path: dict[str, list[Edit]] = {}
    for edit in edits:
        if edit.path in by_path:
            by_path[edit.path].append(edit)
        else:
            by_path[edit.path] = [edit]
    parts: list[str] = []
    for segment in message.segments:
        changed = by_path.get(segment.path)
        if changed is None:
            parts.append(segment.text)
        elif len(changed) > 1 or changed[0].start or changed[0].end < len(segment.text):
            parts += _between(segment.text, changed)
    return parts


def _between(text: str, edits: list[Edit]) -> list[str]:
    parts = []
    position = 0
    for edit in sorted(edits, key=lambda edit: edit.start):
        parts.append(text[position : edit.start])
        position = max(position, edit.end)
    parts.append(text[position:])
    return parts


class Reading(NamedTuple):
    """The kept text in the forms that values are searched in."""

    words: str
    """Folded words with single blanks between and around; camel case is split."""
    joined: str
    """The same, with words joined across apostrophes, hyphens and line breaks."""
    capitals: str
    """The words that begin with a capital; the others are cut out."""
    folded: str
    apart: str
    """Single letters and digits, each run of them joined to one word."""

    def __repr__(self) -> str:
        """Show no text."""
        return "Reading()"


def _read(kept: str) -> Reading:
    if not kept.isascii():
        kept = _MARKS.sub("", kept)
    folded = fold(kept)
    spaced = folded if kept == folded else fold(_HUMP.sub(" ", kept))
    return Reading(
        f" {_GAPS.sub(' ', spaced)} ".replace(CUT, f" {CUT} "),
        f" {_GAPS.sub(' ', _JOINERS.sub('', folded))} ".replace(CUT, f" {CUT} "),
        f" {_GAPS.sub(' ', fold(_SMALL.sub(CUT, kept)))} ".replace(CUT, f" {CUT} "),
        folded,
        " ".join(_GAPS.sub("", run) for run in _APART.findall(folded)),
    )


class Value(NamedTuple):
    """A known value in the forms that are searched for."""

    spaced: str
    """The words of the value, with blanks between and around."""
    squeezed: str
    number: bool

    def __repr__(self) -> str:
        """Show no text."""
        return "Value()"


def _letters_and_digits(text: str) -> str:
    """Return only the letters, digits and cuts of a text, folded."""
    folded = fold(text)
    return folded.translate(_ASCII_NOISE) if text.isascii() else _NOISE.sub("", folded)


_squeezed = lru_cache(maxsize=65536)(_letters_and_digits)


def value_of(text: str, label: Label) -> Value | None:
    """Return the forms to search for; None if a value is too short or common to prove a leak."""
    words = _WORD.findall(_MARKS.sub("", fold(text)))
    squeezed = "".join(words)
    if len(squeezed) >= SHORTEST_UNSPACED and unspaced(squeezed):
        return Value(f" {' '.join(words)} ", squeezed, number=False)
    digits = sum(c.isdigit() for c in squeezed)
    if len(squeezed) < SHORTEST or label in _UNSURE:
        return None
    number = digits > len(squeezed) // 2 and label not in _WORDED
    if label in _ORGANISATIONS and len(words) == 1:
        return None
    if number and label is Label.DATE:
        sure = digits >= ANYWHERE or (len(words) == 1 and digits == SHORTEST_NUMBER)
        return Value(f" {' '.join(words)} ", squeezed, number=False) if sure else None
    if number:
        squeezed = squeezed.lstrip("0")
    if number and len(squeezed) < SHORTEST_NUMBER:
        return None
    return Value(f" {' '.join(words)} ", squeezed, number)


class Known:
    """The values among phrases that the check searches for."""

    def __init__(self, phrases: Iterable[TrustedPhrase]) -> None:
        self._phrases = phrases

    def __contains__(self, text: str) -> bool:
        """Return whether a text is one of the values, whatever its case and marks."""
        return _squeezed(text) in self._sought

    @cached_property
    def _sought(self) -> frozenset[str]:
        return frozenset(
            _squeezed(phrase.text)
            for phrase in self._phrases
            if not phrase.ordinary
            and ":acronym" not in phrase.form
            and value_of(phrase.text, phrase.label) is not None
        )


def _leaks(phrase: TrustedPhrase, reading: Reading) -> bool:
    value = value_of(phrase.text, phrase.label)
    if value is None or ":acronym" in phrase.form:
        return False
    if value.number:
        return _contains_number(value.squeezed, reading.folded)
    if phrase.label is Label.DATE:
        return _contains_date(value, reading)
    if value.spaced in reading.words or value.spaced in reading.joined:
        return True
    if any(f" {way} " in reading.joined for way in _ways(phrase, value.squeezed)[1:]):
        return True
    return _contains_name(value.squeezed, reading)


def _contains_date(date: Value, reading: Reading) -> bool:
    """Whether a date occurs with any marks, with its characters spaced out, or as one number."""
    digits = date.squeezed
    if len(digits) >= ANYWHERE and (
        date.spaced in reading.words or date.spaced in reading.joined or digits in reading.apart
    ):
        return True
    if not digits.isdigit() or " " in date.spaced.strip():
        return False
    pattern = _date_pattern(digits)
    return any(map(pattern.search, (reading.folded, reading.apart)))


@lru_cache(maxsize=1024)
def _date_pattern(date: str) -> regex.Pattern[str]:
    return regex.compile(f"{DAY_BEFORE}{date}{DAY_AFTER}")


def _contains_name(squeezed: str, reading: Reading) -> bool:
    """Whether a name occurs run together with others, spaced out, or at the end of a word."""
    if squeezed in reading.apart or unspaced(squeezed):
        return True
    if len(squeezed) >= ANYWHERE:
        inside = squeezed in reading.joined and _within_words(squeezed, reading.folded)
        return inside or _in_two(squeezed, reading.capitals)
    end = "" if len(squeezed) >= AT_AN_END else " "
    return f"{end}{squeezed} " in reading.joined


def _within_words(name: str, folded: str) -> bool:
    """Whether a name is inside one word, or consists of whole joined words.

    "Okonk-wo's" is a mention of Okonkwo; "death-certification" is not one of Deathcert.
    """
    words = _GAPS.sub(" ", folded)
    return name in words or _joined_pattern(name).search(words) is not None


@lru_cache(maxsize=1024)
def _joined_pattern(name: str) -> regex.Pattern[str]:
    return regex.compile(rf"(?<!\w){' ?'.join(map(regex.escape, name))}(?: ?s)?(?!\w)")


def _in_two(name: str, words: str) -> bool:
    """Whether a name occurs as two words: "Garcia Marquez" for "Garciamarquez"."""
    cuts = range(_SHORTEST_HALF, len(name) - _SHORTEST_HALF + 1)
    return any(f" {name[:cut]} {name[cut:]} " in words for cut in cuts)


def _contains_number(digits: str, folded: str) -> bool:
    """Whether a number occurs by itself, not as a part of a longer one."""
    return _number_pattern(digits).search(folded) is not None


@lru_cache(maxsize=1024)
def _number_pattern(digits: str) -> regex.Pattern[str]:
    long = len(digits) > SHORTEST_NUMBER
    marks, before, after = (SURE_NUMBER_MARKS, "", "") if long else (NUMBER_MARKS, *_COUNTS)
    spelt = marks.join(map(regex.escape, digits))
    return regex.compile(rf"(?<!\d){before}(?:0{marks})*+{spelt}(?!\d){after}")


_COUNTS = (r"(?<!\d[.]|\d{4}-)", r"(?![.]\d|-\d{4})")
"""What is not beside a number of six digits, else a decimal, an arc of an OID, or a range."""
