"""Words of scanned texts that contain a name: "#justiceforokonkwo", "Okonkwoville", a street's.

The leak check finds a long name inside any word, and a shorter one at the end of a word; what it
would find and no tagger has is replaced here, by the whole word. In scripts without blanks between
words only the name is.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

import regex

from adapter.leakcheck import ANYWHERE, AT_AN_END, value_of
from adapter.normalize.folding import fold, squeeze
from adapter.priorities import PHRASE
from adapter.types import Handling, Label, Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from adapter.types import Action, Edit, Message, TrustedPhrase

    Extent = tuple[int, int]

SOURCE = "glued"
"""Source of spans over words that contain a name."""
UNSPACED = 4
"""Minimum number of letters in a name in a script without blanks between words."""
_WORD = regex.compile(r"[^\W_][\w\p{M}]*")
_INSIDE = regex.compile(r"[\w\p{M}]")
_MARK = regex.compile(r"\p{M}")
_NO_BLANKS = regex.compile(r"[\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]")


class _Letters(NamedTuple):
    """Folded letters of a text without marks, and the offset of each in the text."""

    text: str
    offsets: list[int]

    def __repr__(self) -> str:
        """Show no text."""
        return "_Letters()"


def with_glued(
    message: Message,
    actions: Sequence[Action],
    spans: Mapping[str, tuple[Span, ...]],
    phrases: Iterable[TrustedPhrase],
    passed_over: Iterable[Edit],
) -> Mapping[str, tuple[Span, ...]]:
    """Return the spans by path, with those of words in scanned places that contain a name.

    ``passed_over`` are extents that stay, such as eponyms that contain somebody's name.
    """
    scan = Handling.SCAN  # looked up once: reading a member of an enum is slow
    scanned = [
        (segment, _bare(segment.text))
        for segment, action in zip(message.segments, actions, strict=True)
        if action.handling is scan
    ]
    names = _names(phrases, "\n".join(bare for _, bare in scanned))
    if not names:
        return spans
    stays: dict[str, list[Edit]] = {}
    for edit in passed_over:
        stays.setdefault(edit.path, []).append(edit)
    found: dict[str, tuple[Span, ...]] = {}
    for segment, bare in scanned:
        near = {name: phrase for name, phrase in names.items() if name in bare}
        if not near:
            continue
        own = spans.get(segment.path, ())
        taken = _merged((s.start, s.end) for s in (*own, *stays.get(segment.path, ())))
        more = tuple(_found(segment.text, bare, near, taken))
        if more:
            found[segment.path] = tuple(sorted((*own, *more), key=lambda span: span.start))
    return {**spans, **found} if found else spans


def _names(phrases: Iterable[TrustedPhrase], bare: str) -> dict[str, TrustedPhrase]:
    """Return the names within folded texts that may be inside a word, by their folded letters.

    A street of several words may be one here: "Ravine weg" in "Ravinewegs".
    """
    names: dict[str, TrustedPhrase] = {}
    for phrase in phrases:
        street = phrase.label is Label.STREET
        named = street or phrase.label.category == "NAME"
        if not named or phrase.ordinary or ":acronym" in phrase.form:
            continue
        if squeeze(phrase.text) not in bare:
            continue
        value = value_of(phrase.text, phrase.label)
        if value is None or value.number or not (street or " " not in value.spaced.strip()):
            continue
        least = ANYWHERE if street else UNSPACED if _NO_BLANKS.search(value.squeezed) else AT_AN_END
        if len(value.squeezed) >= least:
            names.setdefault(value.squeezed, phrase)
    return names


def _merged(extents: Iterable[Extent]) -> list[Extent]:
    """Return extents in order, with those that overlap joined."""
    merged: list[Extent] = []
    for start, end in sorted(extents):
        if merged and start < merged[-1][1]:
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        else:
            merged.append((start, end))
    return merged


def _found(
    text: str, bare: str, names: Mapping[str, TrustedPhrase], taken: Sequence[Extent]
) -> Iterator[Span]:
    """Yield spans over words with a name, outside the extents ``taken``, in order and apart."""
    for word in _words(text, bare, names):
        plain = _bare(word[0])
        within = [name for name in names if name in plain]
        if not within:
            continue
        beside = _overlapping(taken, word.span())
        if any(start <= word.start() and word.end() <= end for start, end in beside):
            continue
        letters = _letters(word[0], word.start())
        for name in within:
            extent = _extent(letters, name, word.span(), text)
            if extent is None or _overlapping(beside, extent):
                continue
            beside = sorted((*beside, extent))
            phrase = names[name]
            yield Span(*extent, phrase.label, SOURCE, 1.0, PHRASE, phrase.entity, None)


def _words(text: str, bare: str, names: Iterable[str]) -> Iterator[regex.Match[str]]:
    """Yield the words of a text in order, without those that cannot contain a name."""
    if len(bare) != len(text):  # marks were removed
        yield from _WORD.finditer(text)
        return
    done = 0
    for at in sorted({at for name in names for at in _occurrences(name, bare)}):
        if at >= done:
            start = at
            while start > done and _INSIDE.match(text, start - 1):
                start -= 1
            word = _WORD.search(text, start)
            if word is not None:
                done = word.end()
                yield word


def _occurrences(name: str, bare: str) -> Iterator[int]:
    at = bare.find(name)
    while at >= 0:
        yield at
        at = bare.find(name, at + 1)


def _overlapping(extents: Sequence[Extent], extent: Extent) -> Sequence[Extent]:
    first = bisect_right(extents, extent[0], key=itemgetter(1))
    return extents[first : bisect_left(extents, extent[1], key=itemgetter(0))]


def _bare(text: str) -> str:
    """Return the folded text without combining marks."""
    folded = fold(text)
    return folded if folded.isascii() else _MARK.sub("", folded)


def _extent(
    letters: _Letters, name: str, word: tuple[int, int], text: str
) -> tuple[int, int] | None:
    """Return what is replaced of a word that contains a name, or None if it does not count."""
    at = letters.text.find(name)
    if at < 0:
        return None
    if _NO_BLANKS.search(name):
        end = letters.offsets[at + len(name) - 1] + 1
        while end < word[1] and _MARK.match(text, end):
            end += 1
        return letters.offsets[at], end
    counts = len(name) >= ANYWHERE or letters.text.endswith(name)
    return word if counts else None


def _letters(word: str, start: int) -> _Letters:
    folded = [
        (letter, start + place)
        for place, char in enumerate(word)
        for letter in fold(char)
        if not _MARK.match(letter)
    ]
    return _Letters("".join(letter for letter, _ in folded), [place for _, place in folded])
