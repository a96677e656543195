"""Joining of names split by a line break: "w/ J. Smi" on one line, "thers PT" on the next."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import regex

from adapter.normalize.folding import fold
from adapter.types import Label, Span

if TYPE_CHECKING:
    from adapter.taggers.english.vocabulary import Vocabulary
    from adapter.types import Veto

_NAMES = frozenset((Label.PATIENT, Label.DOCTOR))
_REST = regex.compile(r"-?[ ]?\r?\n(?P<rest>\p{Ll}{2,})(?![\w/'])")
_LAST = regex.compile(r"(?r)[\p{L}\p{M}]+")
WRAPPED = 40
"""Minimum number of characters in a line that may have been broken because of its length."""


def mended(item: Span | Veto, text: str, vocabulary: Vocabulary) -> Span | Veto:
    """Join a name split by a line break: the tail of its last word starts the next line.

    The tail must not be a word, and it must complete a known name or follow a line long enough to
    have been broken because of its length.
    """
    if not isinstance(item, Span) or item.label not in _NAMES:
        return item
    after = text[item.end : item.end + 1]
    if after != "\n" and after not in ("\r", "-"):
        return item
    rest = _REST.match(text, item.end)
    if rest is None or not _fragment(item, rest["rest"], text, vocabulary):
        return item
    return replace(item, end=rest.end("rest"))


def _fragment(item: Span, rest: str, text: str, vocabulary: Vocabulary) -> bool:
    """Whether ``rest`` is the tail of a split name."""
    word = fold(rest)
    if vocabulary.plain(word) or word in vocabulary.ordinary or word in vocabulary.cues:
        return False
    last = _LAST.search(text, item.start, item.end)
    whole = fold(last[0]) + word if last else word
    begin = text.rfind("\n", 0, item.end) + 1
    unknown = not vocabulary.named(word) and word not in vocabulary.medical
    return vocabulary.named(whole) or (unknown and item.end - begin >= WRAPPED)
