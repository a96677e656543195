"""The tokens that sequence models label: words, numbers, punctuation marks and line breaks."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from adapter.taggers.document.document import Document

Columns = tuple[tuple[str, ...], ...]
"""Features that one token gives to the tokens around it, in the order of those tokens."""
LINE, PARAGRAPH = "<br>", "<p>"
BREAK = frozenset((LINE, PARAGRAPH))
"""Forms of line breaks, single or with blank lines. No other token has these forms."""
GLUED, BLANK, WIDE = "glued", "blank", "wide"
"""The gap before a token: none, a blank, or a tab or wide gap as in a table."""


@dataclass(frozen=True, slots=True)
class SequenceTokens:
    """Parallel columns: token i is ``text[starts[i]:ends[i]]``; a line break spans its gap."""

    starts: list[int] = field(repr=False)
    ends: list[int] = field(repr=False)
    forms: list[str] = field(repr=False)
    words: list[str] = field(repr=False)
    gaps: list[str] = field(repr=False)

    def __len__(self) -> int:
        return len(self.starts)


def sequence_tokens(document: Document) -> SequenceTokens:
    """Return the tokens of a document in order."""
    found = SequenceTokens([], [], [], [], [])
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


def segments(sequence: SequenceTokens) -> list[int]:
    """Return the first token of each segment to decode: lines, and sentences of long lines.

    Tokens on either side of a border still contribute to each other's features.
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
"""Tokens after which lines are split at sentence ends, most tokens of a segment, and fewest
letters of the word before a full stop."""
