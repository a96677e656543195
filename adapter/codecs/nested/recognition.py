"""Finds the bodies of a text, in time linear in its length."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from adapter.codecs.nested.base85 import runs85
from adapter.codecs.nested.encoded import runs
from adapter.codecs.nested.escaped import words
from adapter.codecs.nested.invisible import UNSEEN, runs_unseen
from adapter.codecs.nested.structured import structures

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from adapter.codecs.nested.body import Body

_SIGN = re.compile(rf"[<>%=\\&{{\[|]|{UNSEEN}")
"""A short text without one of these signs contains no body."""
_MAYBE = re.compile(
    r"[<%=\\&{\[|]|[A-Za-z0-9+/_-]{12}|[0-9A-Fa-f]{2}[ :,;-]{1,2}[0-9A-Fa-f]{2}[ :,;-]"
    r"|[A-Z]{3}[^\w\s]|\n[A-Za-z0-9+/_-]{2,72}[ \t]*[\r\n]|(?i:mime-version|content-t)|begin"
    rf"|{UNSEEN}"
)
_SHORT = 12
_SHORTEST = 6
_USUAL = 120
"""Longest text whose result is cached: short texts, such as a code's display, recur."""


def bodies(text: str) -> tuple[Body, ...]:
    """Return the encoded and structured bodies of a text, in order and without overlap.

    Overlapping bodies become one; it is closed if a later one extends past the first.
    """
    return _remembered(text) if len(text) <= _USUAL else _found(text)


def _found(text: str) -> tuple[Body, ...]:
    if len(text) < _SHORTEST or not (_SIGN if len(text) < _SHORT else _MAYBE).search(text):
        return ()
    outer = structures(text)
    return tuple(_apart([*outer, *_between(text, outer)]))


_remembered = lru_cache(maxsize=16384)(_found)


def _between(text: str, outer: Iterable[Body]) -> Iterator[Body]:
    """Yield the encoded bodies in the text that no structured body covers."""
    low = 0
    for body in outer:
        yield from _plain(text, low, body.start)
        low = body.end
    yield from _plain(text, low, len(text))


def _plain(text: str, low: int, high: int) -> Iterator[Body]:
    if high - low >= _SHORTEST:
        yield from runs(text, low, high)
        yield from words(text, low, high)
        yield from runs85(text, low, high)
        yield from runs_unseen(text, low, high)


def _apart(found: Iterable[Body]) -> Iterator[Body]:
    """Merge overlapping bodies: one that extends past the one before extends it and closes it."""
    last: Body | None = None
    for body in sorted(found, key=lambda b: (b.start, -b.end)):
        if last is None or body.start >= last.end:
            if last is not None:
                yield last
            last = body
        elif body.end > last.end:
            last = type(body)(last.start, body.end, last.kind, closed=True)
    if last is not None:
        yield last
