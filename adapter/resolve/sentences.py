"""Names end with their sentence: "Patient: Smith. Gout settled." names Smith, not Smith Gout."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import regex

from adapter.normalize.folding import fold, squeeze
from adapter.priorities import PHRASE
from adapter.types import Label

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Container, Iterable

    from adapter.types import Span

_NAMES = frozenset({Label.PATIENT, Label.DOCTOR})
_STOP = regex.compile(r"(?<![\p{L}\p{M}.])(\p{L}[\p{L}\p{M}'’]{3,})\.\s+(?=\p{Lu})")
"""A word that is no initial, and its full stop before a capital."""
_WORD = regex.compile(r"\p{L}[\p{L}\p{M}'’-]*")
RULE = "names.sentence"
"""The rule that the spans cut here are counted under."""


def within_sentence(
    text: str,
    spans: Iterable[Span],
    counts: Counter[str],
    *,
    nameless: Container[str],
    dotted: Container[str],
    known: Container[str],
) -> list[Span]:
    """Return the spans, names without the beginning of the next sentence.

    A name is cut at a full stop if all words behind it are ``nameless``, and none of them is a
    ``known`` (squeezed) word of the message's own names. The word before the stop must not be an
    initial or one of the ``dotted`` words.
    """

    def is_next(word: str) -> bool:
        return fold(word) in nameless and squeeze(word) not in known

    found = []
    for span in spans:
        guessed = span.label in _NAMES and span.priority < PHRASE and span.entity is None
        for stop in _STOP.finditer(text, span.start, span.end) if guessed else ():
            behind = _WORD.findall(text, stop.end(), span.end)
            if behind and fold(stop[1]) not in dotted and all(map(is_next, behind)):
                counts[RULE] += 1
                found.append(replace(span, end=stop.end(1), form=None))
                break
        else:
            found.append(span)
    return found
