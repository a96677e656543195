"""Known names in parts: by a stray blank, hyphen or line break, by marks, or by markup.

"Thistle waite", "Thistle.waite", "(Thistle)waite", "<b>Th</b>istlewaite".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import regex

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from adapter.taggers.document.document import Document
    from adapter.types import TrustedPhrase

    Found = tuple[int, int, TrustedPhrase]
    Names = Mapping[str, Sequence[TrustedPhrase]]

SHORTEST = 6
"""Minimum number of letters in a name that is looked for in parts."""
_LONG = 8
"""Minimum number of letters in a name both parts of which may be words of the language."""
_SHORTEST_REST = 4
"""Minimum number of letters beside a part of one letter."""
_GAP = regex.compile(r"[ \t]{1,2}|-?[ ]?\r?\n[ ]{0,8}|-")
_MARKS = regex.compile(r"<[^<>\n]{1,60}>|&#?\w{1,20};|[^\p{L}\p{N}\s]")
_WORD = regex.compile(r"(?:<[^<>\n]{1,60}>|\S)+")
_BETWEEN = regex.compile(rf"\p{{L}}(?:{_MARKS.pattern})++\p{{L}}")


def certain(phrases: Iterable[TrustedPhrase]) -> TrustedPhrase | None:
    """Return the first phrase that is no word of the language, or None."""
    return next((phrase for phrase in phrases if not phrase.ordinary), None)


def parted_names(
    document: Document, names: Names, is_common: Callable[[str], bool]
) -> Iterator[Found]:
    """Yield (start, end, phrase) of two neighbouring words that make up a known name.

    Names that are words of the language are left alone, as are parts that are names themselves,
    and two common words unless the first is capitalised, the second is not, and the name is long.
    """
    tokens = document.tokens
    for place, after in _neighbours(tokens.words):
        first, second = tokens.words[place], tokens.words[after]
        phrase = certain(names.get(first + second, ()))
        if phrase is None or first in names or second in names:
            continue
        start, end = tokens.starts[place], tokens.ends[after]
        gap = document.text[tokens.ends[place] : tokens.starts[after]]
        if not _GAP.fullmatch(gap) or not _tells(first, second):
            continue
        common = is_common(first) and is_common(second)
        if not common or _is_broken(document.text[start:end], first, second):
            yield start, end, phrase


def _neighbours(words: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield the numbers of tokens that are beside each other, or with a hyphen between."""
    last = len(words) - 1
    for place in range(last):
        hyphen = words[place + 1] == "-" and place + 1 < last
        yield place, place + (2 if hyphen else 1)


def interrupted_names(folded: str, names: Names) -> Iterator[Found]:
    """Yield (start, end, phrase) of known names with marks or markup between their letters.

    A name begins and ends where the word does, or at such a mark.
    """
    long = {
        name: phrase
        for name, phrases in names.items()
        if len(name) >= SHORTEST and (phrase := certain(phrases)) is not None
    }
    if not long:
        return
    for begin, word in _words(folded):
        if len(word) > SHORTEST and not word.isalpha() and _BETWEEN.search(word):
            yield from _inside(word, begin, long)


def _words(folded: str) -> Iterator[tuple[int, str]]:
    """Yield begin and text of what stands between white space; that inside a tag is none."""
    if "<" in folded:
        yield from ((found.start(), found[0]) for found in _WORD.finditer(folded))
        return
    end = 0
    for word in folded.split():
        begin = folded.index(word, end)
        end = begin + len(word)
        yield begin, word


def _inside(word: str, begin: int, names: Mapping[str, TrustedPhrase]) -> Iterator[Found]:
    """Yield the names in a word without its marks, if marks were between their letters."""
    letters: list[str] = []
    places: list[int] = []
    borders, place = {0}, 0
    for mark in (*_MARKS.finditer(word), None):
        end = mark.start() if mark else len(word)
        letters += word[place:end]
        places += range(place, end)
        borders.add(len(letters))
        place = mark.end() if mark else end
    bare = "".join(letters)
    for name, phrase in names.items():
        for found in regex.finditer(regex.escape(name), bare):
            start, end = found.span()
            inside = borders.intersection(range(start + 1, end))
            if inside and start in borders and end in borders:
                yield begin + places[start], begin + places[end - 1] + 1, phrase


def _tells(first: str, second: str) -> bool:
    """Whether parts make up a long name, and are more than an initial and a short word."""
    shorter, longer = sorted((len(first), len(second)))
    return shorter + longer >= SHORTEST and (shorter > 1 or longer >= _SHORTEST_REST)


def _is_broken(text: str, first: str, second: str) -> bool:
    """Whether two common words are written as one name would be: "Under wood"."""
    long = len(first) + len(second) >= _LONG
    return long and text[0].isupper() and text[-len(second)].islower()
