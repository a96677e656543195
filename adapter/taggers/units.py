"""The units that sequence models label: tokens, and the line breaks between them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from adapter.taggers.document import Document

LINE, PARAGRAPH = "<br>", "<p>"
BREAK = frozenset((LINE, PARAGRAPH))
"""Forms of line breaks: one, or with blank lines; no token looks like them."""
GLUED, BLANK, WIDE = "glued", "blank", "wide"
"""What stands before a unit: nothing, a blank, or a tab or wider gap as in a table."""


@dataclass(frozen=True, slots=True)
class Units:
    """Parallel columns: unit i is ``text[starts[i]:ends[i]]``; a break's extent is its gap."""

    starts: list[int] = field(repr=False)
    ends: list[int] = field(repr=False)
    forms: list[str] = field(repr=False)
    words: list[str] = field(repr=False)
    gaps: list[str] = field(repr=False)

    def __len__(self) -> int:
        return len(self.starts)


def units(document: Document) -> Units:
    """Return the units of document in order."""
    found = Units([], [], [], [], [])
    text, tokens = document.text, document.tokens
    starts, ends, forms, words, gaps = (
        found.starts.append,
        found.ends.append,
        found.forms.append,
        found.words.append,
        found.gaps.append,
    )
    last = 0
    for start, end, word in zip(tokens.starts, tokens.ends, tokens.words, strict=True):
        gap = GLUED
        if start != last:
            space = text[last:start]
            gap = BLANK if space == " " else WIDE
            if "\n" in space:
                form = PARAGRAPH if space.count("\n") > 1 else LINE
                starts(last)
                ends(start)
                forms(form)
                words(form)
                gaps(BLANK)
        starts(start)
        ends(end)
        forms(text[start:end])
        words(word)
        gaps(gap)
        last = end
    return found


def stretches(sequence: Units) -> list[int]:
    """Return the first units of what a chain runs over: lines, and the sentences of long ones.

    What stands on either side of a border still sees the other through its features.
    """
    forms, words, gaps = sequence.forms, sequence.words, sequence.gaps
    firsts = [0]
    for place in range(1, len(sequence)):
        before = forms[place - 1]
        if (
            before in BREAK
            or (
                before in _STOPS
                and place - firsts[-1] > _LONG
                and gaps[place] != GLUED
                and len(words[place - 2]) >= _WORD
                and forms[place - 2].islower()
            )
            or place - firsts[-1] >= _LONGEST
        ):
            firsts.append(place)
    return firsts


_STOPS = frozenset(".;?!")
_LONG, _LONGEST, _WORD = 12, 100, 4
"""Units from which a line is cut at sentences, units it has at most, letters before its stop."""
