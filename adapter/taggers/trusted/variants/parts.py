"""Known names in parts: by stray blanks, hyphens or line breaks, by marks, or by markup.

"Thistle waite", "This- tle wai te", "Thistle.waite", "(Thistle)waite", "<b>Th</b>istlewaite".
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

import regex

from adapter.normalize.folding import fold
from adapter.taggers.trusted.matching import bare_words

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
_MOST_PARTS = 6
_PAIR = 2
_GAP = regex.compile(r"[ \t]{0,2}(?:-[ \t]{0,2})?(?:\r?\n[ \t]{0,8})?(?:-[ \t]{0,2})?|[._/]")
_MARK = frozenset("-._/")
_MARKS = regex.compile(r"<[^<>\n]{1,60}>|&#?\w{1,20};|[^\p{L}\p{N}\s]")
_WORD = regex.compile(r"(?:<[^<>\n]{1,60}>|\S)+")
_BETWEEN = regex.compile(rf"\p{{L}}(?:{_MARKS.pattern})++\p{{L}}")


def certain(phrases: Iterable[TrustedPhrase]) -> TrustedPhrase | None:
    """Return the first phrase that is no word of the language, or None."""
    return next((phrase for phrase in phrases if not phrase.ordinary), None)


class Parts:
    """The names of a message that are looked for in parts, prepared once for all its texts."""

    def __init__(self, names: Names) -> None:
        """Take all names; those that are short or only words of the language are left alone."""
        self._names = names
        self._sure = {
            name: phrase
            for name, phrases in names.items()
            if len(name) >= SHORTEST and (phrase := certain(phrases)) is not None
        }
        self._heads: dict[str, list[tuple[str, TrustedPhrase]]] = {}
        for name, phrase in self._sure.items():
            self._heads.setdefault(name[0], []).append((name, phrase))

    def parted(self, document: Document, is_common: Callable[[str], bool]) -> Iterator[Found]:
        """Yield (start, end, phrase) of neighbouring words that make up a known name.

        Parts that are names themselves are left alone, as are common words unless the first is
        capitalised, the others are not, and the name is long.
        """
        tokens = document.tokens
        for word, begins in document.index.items() if self._sure else ():
            for name, phrase in self._heads.get(word[0], ()):
                if len(word) >= len(name) or not name.startswith(word):
                    continue
                for begin in begins:
                    places = _spelt(name, bisect_left(tokens.starts, begin), document)
                    parts = [tokens.words[at] for at in places]
                    if parts and _counts(parts, phrase, self._names):
                        start, end = begin, tokens.ends[places[-1]]
                        text = document.text[start:end]
                        common = all(map(is_common, parts))
                        if not text.isalpha() and (not common or _is_broken(text, word, name)):
                            yield start, end, phrase

    def interrupted(self, folded: str) -> Iterator[Found]:
        """Yield (start, end, phrase) of known names with marks or markup between their letters.

        A name begins and ends where the word does, or at such a mark.
        """
        for begin, word in _words(folded) if self._sure else ():
            if len(word) > SHORTEST and not word.isalpha() and _BETWEEN.search(word):
                yield from _inside(word, begin, self._sure)


def _spelt(name: str, first: int, document: Document) -> list[int]:
    """Return the tokens from the first that together spell a name, with gaps between; else none."""
    tokens, text = document.tokens, document.folded
    places, length = [first], len(tokens.words[first])
    for place in range(first + 1, min(first + 3 * _MOST_PARTS, len(tokens))):
        word = tokens.words[place]
        if word in _MARK and place - places[-1] == 1:
            continue
        gap = text[tokens.ends[places[-1]] : tokens.starts[place]]
        if not name.startswith(word, length) or not _GAP.fullmatch(gap):
            break
        places.append(place)
        length += len(word)
        if length == len(name):
            return places
    return []


def _counts(parts: Sequence[str], phrase: TrustedPhrase, names: Names) -> bool:
    """Whether parts are no names themselves, not written as the name is, and no mere letters."""
    if len(parts) == _PAIR:
        return not any(part in names for part in parts) and _tells(*parts)
    whole = all(part in names for part in parts)
    return not whole and max(map(len, parts)) > 1 and list(parts) != bare_words(fold(phrase.text))


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


def _is_broken(text: str, first: str, name: str) -> bool:
    """Whether common words are written as one name would be: "Under wood"."""
    rest = text[len(first) :]
    return len(name) >= _LONG and text[0].isupper() and rest.lower() == rest
