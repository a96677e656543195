"""Unwrapping of texts broken into short lines: soft breaks are read as blanks.

Senders break notes at 60 to 130 columns, also inside names, dates and addresses. A break is soft if
the first word of the next line did not fit in the line before (greedy line breaking), or if a line
of words ends with one after which no sentence ends ("the", "of", "Dr").
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from adapter.normalize.tables import are_rows

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

NARROWEST, WIDEST = 40, 132
"""Minimum and maximum number of characters of the longest line of a text that may be unwrapped."""
_FEWEST = 2
_WORD = re.compile(r"\S+")
_OPEN = re.compile(r"(?:[^\W_][^\s:|=]*[ ]+){3,}(?P<last>[^\W\d_]+)[.]?[ ]*")
"""A line of at least four words, without a sign of a table or an attribute."""
_BEGINS = re.compile(
    r"\s|$|[-*•·+>#\[=_|]|\d{1,3}[.)]\s|\(?[a-zA-Z0-9]\)\s|[^\W\d_][^:\n]{0,30}:(?!\d)"
)
"""Beginnings of a deliberate new line: indentation, a bullet, a heading."""
_ENDS = ":-|="


def unwrapped(text: str, goes_on: Collection[str] = ()) -> str:
    """Return a text of the same length with a blank in place of each soft line break.

    ``goes_on`` are words in lower case after which a line goes on. Unchanged: text whose lines are
    cut at one column inside words or not broken by width at all, and lists of long lines, but for
    lines that end with such a word; and text with carriage returns, whose breaks are two
    characters.
    """
    if "\n" not in text or "\r" in text:
        return text
    sent = text.split("\n")
    lines = [line.rstrip() for line in sent]
    soft = _filled(sent, lines) | _unfinished(lines, goes_on)
    if not soft:
        return text
    gaps = [" " if place in soft else "\n" for place in range(len(sent) - 1)]
    return "".join(line + gap for line, gap in zip(sent, [*gaps, ""], strict=True))


def _filled(sent: Sequence[str], lines: Sequence[str]) -> frozenset[int]:
    """Return indices of the lines of a text broken by width whose next word did not fit."""
    width = max(map(len, lines))
    if len(lines) <= _FEWEST or not NARROWEST <= width <= WIDEST:
        return frozenset()
    soft, long = _soft(lines, width)
    if len(soft) < _FEWEST or len(soft) * 2 < long or _cut(sent, soft) or _listed(lines, soft):
        return frozenset()
    return soft


def _unfinished(lines: Sequence[str], goes_on: Collection[str]) -> frozenset[int]:
    """Return indices of lines of words that end with a word after which a line goes on."""
    return frozenset(
        place
        for place, (line, following) in enumerate(pairwise(lines))
        if (found := _OPEN.fullmatch(line)) is not None
        and found["last"].lower() in goes_on
        and not _BEGINS.match(following)
    )


def _soft(lines: Sequence[str], width: int) -> tuple[frozenset[int], int]:
    """Return indices of lines with a soft break, and the number of lines that could have one."""
    soft, long = [], 0
    for place, (line, following) in enumerate(pairwise(lines)):
        if len(line) < NARROWEST or not (word := _WORD.match(following)):
            continue
        long += 1
        full = len(line) + 1 + len(word[0]) > width
        going = line[-1] not in _ENDS and not _BEGINS.match(following)
        tabled = "\t" in line or "\t" in following or are_rows(line, following)
        if full and going and not tabled:
            soft.append(place)
    return frozenset(soft), long


def _cut(sent: Sequence[str], soft: Collection[int]) -> bool:
    """Whether most lines have the full width as sent, because words were cut at one column."""
    width = max(map(len, sent))
    return sum(len(sent[place]) == width for place in soft) * 5 > len(soft) * 4


def _listed(lines: Sequence[str], soft: Collection[int]) -> bool:
    """Whether lines are items of a list: hardly any next line begins with a lower-case letter.

    For text in capitals the answer is no, because it cannot be decided.
    """
    small = sum(lines[place + 1][0].islower() for place in soft)
    letters = "".join(lines[place] for place in soft)
    capitals = sum(map(str.isupper, letters)) > sum(map(str.islower, letters))
    return small * 5 < len(soft) and not capitals
