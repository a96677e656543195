"""Reading of street lines: number, name and kind of street, in the order of any language.

A kind stands behind the name ("88 Ravine Lane"), before it ("Calle Ravine 88"), or is the end of
its last word ("Ravineweg 88").
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import regex

from adapter.normalize.folding import fold

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from adapter.languages.field_words import FieldWords

_TOKEN = regex.compile(r"[^\s/]+/?|/")
_SHORTEST_STEM = 3


class Street(NamedTuple):
    """One reading of a street line, and the words behind it, which may name a town."""

    number: str
    name: tuple[str, ...]
    kinds: tuple[str, ...] = ()
    """Spellings of the kind of street, that of the line first; () if the line names no kind."""
    kind_first: bool = False
    number_first: bool = True
    glued: bool = False
    """Whether the kind is the end of the name's last word, as in "Ravineweg"."""
    rest: str = ""

    def __repr__(self) -> str:
        """Show no text."""
        return "Street()"

    def lines(self, *, numbered: bool) -> Iterator[str]:
        """Yield the line with each spelling of its kind."""
        for kind in self.kinds or ("",):
            words = (kind, *self.name) if self.kind_first else (*self.name, kind)
            yield self.written(words) if numbered else " ".join(filter(None, words))

    def written(self, words: Sequence[str]) -> str:
        """Return words of the line with its number."""
        ordered = (self.number, *words) if self.number_first else (*words, self.number)
        return " ".join(filter(None, ordered))


def street_readings(text: str, words: FieldWords) -> Iterator[Street]:
    """Yield the possible readings of one part of an address, without a flat or room, as a street.

    There are several if more than one word may end the street ("88 Ravine Lane Court Augusta"), and
    none if the part has neither a number nor a kind of street.
    """
    tokens = _TOKEN.findall(text)
    bare = [fold(token).strip(".,;:") for token in tokens]
    counts = [any(c.isdigit() for c in token) for token in bare]
    if len(tokens) > 1 and counts[0]:
        start = 2 if bare[1] in words.street_numbers and len(tokens) > 2 else 1  # noqa: PLR2004
        yield from _behind_number(tokens, bare, start, words)
    elif tokens and not counts[0]:
        yield from _before_number(tokens, bare, counts, words)


def _behind_number(
    tokens: list[str], bare: list[str], start: int, words: FieldWords
) -> Iterator[Street]:
    """Yield readings of "88 Ravine Lane Augusta", one for each word that can end the street."""
    number, end = tokens[0], len(tokens)
    clear = words.kinds_of_street - words.unclear_streets
    dotted = tokens[start].endswith(".") and bare[start] in words.dotted_streets
    before = (dotted or bare[start] in clear) and start + 1 < end
    if before:
        kinds = _spellings(bare[start], words)
        yield Street(number, tuple(tokens[start + 1 :]), kinds, kind_first=True)
    ends = [at for at in range(start + 1, end) if bare[at] in words.kinds_of_street]
    for at in [at for at in ends if bare[at] in clear] or ends:
        behind = at + 1
        while behind < end and bare[behind] in words.directions:
            behind += 1
        name = tuple(tokens[start:at])
        yield Street(number, name, _spellings(bare[at], words), rest=" ".join(tokens[behind:]))
    if not (ends or before):
        yield _compound(number, tokens[start:], "", words)._replace(number_first=True)


def _before_number(
    tokens: list[str], bare: list[str], counts: list[bool], words: FieldWords
) -> Iterator[Street]:
    """Yield the reading of "Calle Ravine 88", "Ravineweg 88" or "Ravine Lane"."""
    end = counts.index(True) if True in counts else len(tokens)
    number, behind = (tokens[end], end + 1) if end < len(tokens) else ("", end)
    if tokens[behind : behind + 1] and len(bare[behind]) == 1 and bare[behind].isalpha():
        behind += 1
    rest = " ".join(tokens[behind:])
    while end > 1 and bare[end - 1] in words.street_numbers:
        end -= 1
    own = tuple(tokens[:end])
    first, last = (end > 1 and bare[at] in words.kinds_of_street for at in (0, end - 1))
    dotted = tokens[0].endswith(".") and bare[0] in words.dotted_streets
    if first := first or (dotted and end > 1):
        kinds = _spellings(bare[0], words)
        yield Street(number, own[1:], kinds, kind_first=True, number_first=False, rest=rest)
    if last and end > 1 + first:
        kinds = _spellings(bare[end - 1], words)
        yield Street(number, own[:-1], kinds, number_first=False, rest=rest)
    found = _compound(number, own, rest, words)
    if not (first or last) and (found.kinds or number):
        yield found


def _compound(number: str, name: Sequence[str], rest: str, words: FieldWords) -> Street:
    """Return the reading of a street whose last word may end with its kind ("Ravineweg")."""
    last = fold(name[-1])
    bare = last.rstrip(".")
    endings = {
        ending
        for group in words.street_endings
        for ending in group
        if bare.endswith(ending) and (len(ending) > 1 or last != bare)
    }
    for ending in sorted(endings, key=len, reverse=True):
        stem = len(bare) - len(ending)
        if stem >= _SHORTEST_STEM:
            own = (*name[:-1], name[-1][:stem].rstrip("-"))
            kinds = _spellings(ending, words)
            return Street(number, own, kinds, number_first=False, glued=True, rest=rest)
    return Street(number, tuple(name), number_first=False, rest=rest)


def _spellings(kind: str, words: FieldWords) -> tuple[str, ...]:
    """Return the spellings of a folded kind of street, the given one first."""
    others = [words.long.get(kind), words.short.get(kind)]
    for group in (*words.street_endings, *words.street_spellings):
        if kind in group:
            others += group
    return tuple(dict.fromkeys((kind, *filter(None, others))))
