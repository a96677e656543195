"""Coarse tokens, split at blanks: a date, an e-mail address or a number is one token.

Separating marks, full stops after a word, and line breaks are separate tokens.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.taggers.crf.tokens import BREAK, GLUED, SequenceTokens

if TYPE_CHECKING:
    from collections.abc import Iterator

_PARTING = frozenset(",;:()[]{}<>\"'\u00ab\u00bb\u201c\u201d\u2018\u2019!?\u00bf\u00a1") | BREAK
_STOP = "."


def coarse(fine: SequenceTokens) -> SequenceTokens:
    """Join tokens without a gap between them, except at separating marks."""
    found = SequenceTokens([], [], [], [], [])
    for first, end in _runs(fine):
        found.starts.append(fine.starts[first])
        found.ends.append(fine.ends[end - 1])
        found.forms.append("".join(fine.forms[first:end]))
        found.words.append("".join(fine.words[first:end]))
        found.gaps.append(fine.gaps[first])
    return found


def _runs(fine: SequenceTokens) -> Iterator[tuple[int, int]]:
    """Yield (first token, end) of each run of tokens to join."""
    first = 0
    for place in range(1, len(fine) + 1):
        if place == len(fine) or _parts(fine, place):
            yield first, place
            first = place


def _parts(fine: SequenceTokens, place: int) -> bool:
    """Whether a token begins a run: after a blank, at a separating mark, at a final full stop."""
    forms, gaps = fine.forms, fine.gaps
    if gaps[place] != GLUED or forms[place] in _PARTING or forms[place - 1] in _PARTING:
        return True
    last = place + 1 == len(fine) or gaps[place + 1] != GLUED or forms[place + 1] in _PARTING
    return forms[place] == _STOP and (last or forms[place + 1] == _STOP)
