"""Surrogates of organisations, named places and professions: the kind stays, the name changes.

Words that name the kind of thing ("Hospital", "River", "of") stay; each run of other words becomes
invented words keyed by that run, so that the short form of a name agrees with the long form.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import takewhile
from typing import TYPE_CHECKING

import regex

from adapter.normalize.folding import fold, squeeze
from adapter.surrogates.case import like, phrase_like, unaccented
from adapter.surrogates.numbers.identifiers import plain

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from adapter.languages import Words
    from adapter.surrogates.drawing.keys import Key
    from adapter.surrogates.drawing.tables import Tables

_WORD = regex.compile(r"[\p{L}\p{M}\p{N}]+(?:['’`´][\p{L}\p{M}]+)*")
_ORDINAL = regex.compile(r"([0-9]+)([^\W\d_]+)")
_DIGIT = regex.compile(r"\d")
_LINK = regex.compile(r"[\s.\-]*")
ENGLISH = "en"
_ACRONYM = 6
"""Most capitals of an acronym; longer words are names."""
_SEVERAL = 3
"""Fewest words of a run that become two words instead of one."""


@lru_cache(maxsize=8192)
def organisation(key: Key, tables: Tables, text: str, attempt: int = 0) -> str:
    """Return a name of the same kind with other words; an acronym gets other letters.

    Memoised. Of several names of kinds that are the whole name or stand before the name proper
    ("Forest Park Elementary", "General Motors Ashby"), only the last one stays.
    """
    if text.isupper() and text.isalpha() and len(text) <= _ACRONYM and text.isascii():
        return plain(key, text, attempt)
    found = [(m.start(), m.end()) for m in _WORD.finditer(text)]
    kept = _kept(tables, [text[start:end].lower() for start, end in found])
    pieces: list[str] = []
    place = 0
    for start, end, run in _runs(text, found, kept):
        pieces += text[place:start], _run(key, tables, run, text[start:end], attempt)
        place = end
    return "".join((*pieces, text[place:]))


def _kept(tables: Tables, words: Sequence[str]) -> list[bool]:
    """Return which words stay: those that name a kind, but not several before the name proper."""
    small = tables.words.fields.connectives
    kept = [word in tables.heads for word in words]
    telling = [n for n, word in enumerate(words) if word not in small]
    going: Sequence[int]
    if all(kept):
        going = telling[:-1] or telling or range(len(words))
    else:
        going = _leading([n for n in telling if not _DIGIT.search(words[n])], kept)
    for n in going:
        kept[n] = False
    return kept


def _leading(telling: Sequence[int], kept: Sequence[bool]) -> Sequence[int]:
    """Return the kinds in a row before the name proper, without the last: "General" of "Motors"."""
    before = [*takewhile(kept.__getitem__, telling)]
    if not before or len(before) == len(telling):
        return ()
    in_a_row = telling[len(before)] - before[0] == len(before)
    return before[:-1] if in_a_row else ()


def numbered(key: Key, text: str, words: Words, attempt: int = 0) -> str:
    """Replace the digits of a word; an ordinal ("14th") stays an ordinal."""
    if found := _ORDINAL.fullmatch(text):
        new = plain(key, found[1], attempt)
        spelling = words.spelling(fold(found[2]), "")
        if suffix := spelling.suffix(int(new), rank=True):
            return new + like(suffix, found[2])
    return plain(key, text, attempt)


def acronym(name: str, words: Words) -> str:
    """Return the initials of a name's words in capitals, without connectives."""
    small = words.fields.connectives
    return "".join(w[0] for w in _WORD.findall(name) if w.lower() not in small).upper()


def word(key: Key, tables: Tables, *values: str) -> str:
    """Return an invented name of one word, such as "Larkfield"."""
    drawn = key.draw("word", *values)
    drawn, second = divmod(drawn, len(tables.second))
    return (tables.first[drawn % len(tables.first)] + tables.second[second]).capitalize()


def profession(
    key: Key, tables: Tables, text: str, attempt: int = 0, *, language: str, ascii_only: bool
) -> str:
    """Return another occupation of the language that takes the same article, of the same gender.

    It is an English one where the language has no table of occupations. ``ascii_only``: without
    accents.
    """
    values = squeeze(text), *((str(attempt),) if attempt else ())
    own = tables.occupations.get(language) or tables.occupations[ENGLISH]
    new = phrase_like(key.choose(own.like(text), "occupation", *values), text)
    return unaccented(new) if ascii_only else new


def _runs(
    text: str, found: Sequence[tuple[int, int]], kept: Sequence[bool]
) -> Iterable[tuple[int, int, list[str]]]:
    """Yield (start, end, words) of runs of adjacent words that do not stay; a number is a run."""
    start = end = -1
    run: list[str] = []
    for (first, last), head in zip(found, kept, strict=True):
        item = text[first:last]
        number = any(c.isdigit() for c in item)
        apart = not run or number or _LINK.fullmatch(text, end, first) is None
        if run and (head or apart):
            yield start, end, run
            run = []
        if not head:
            start = start if run else first
            end = last
            run.append(item)
        if run and number:
            yield start, end, run
            run = []
    if run:
        yield start, end, run


def _run(key: Key, tables: Tables, run: list[str], text: str, attempt: int) -> str:
    if any(c.isdigit() for c in text):
        return numbered(key, text, tables.words, attempt)
    value, tweak = squeeze(text.removesuffix("'s").removesuffix("’s")), str(attempt)
    name = like(word(key, tables, "name", value, tweak), text)
    if len(run) >= _SEVERAL:
        name += " " + like(word(key, tables, "second", value, tweak), text)
    return name + text[-2:] if text.endswith(("'s", "’s")) else name
