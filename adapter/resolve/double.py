"""Double names: a name of which one half was found takes in the other ("ALFIERI-STRASSER")."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import regex

from adapter.normalize.folding import fold
from adapter.resolve.unite import NAMES

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

    from adapter.types import Span

_AFTER = regex.compile(r"[-\u2010\u2011](?P<half>\p{Lu}\p{L}{2,})(?![\p{L}\p{N}-])")
_BEFORE = regex.compile(r"(?r)(?<![\p{L}\p{N}-])(?P<half>\p{Lu}\p{L}{2,})[-\u2010\u2011]")


def with_halves(text: str, row: Sequence[Span], ordinary: Container[str]) -> list[Span]:
    """Return a text's disjoint, sorted spans; names take in the other half of a double name.

    The half must be a capitalised word, in capitals if the name is, and not ``ordinary``
    ("Meier-Patient").
    """
    ends = [0, *(span.end for span in row)]
    starts = [*(span.start for span in row), len(text)]
    return [
        _whole(text, span, ordinary, ends[place], starts[place + 1])
        if span.label in NAMES
        else span
        for place, span in enumerate(row)
    ]


def _whole(text: str, span: Span, ordinary: Container[str], low: int, high: int) -> Span:
    name = text[span.start : span.end]
    after = _AFTER.match(text, span.end, high) if name[-1:].isalpha() else None
    before = _BEFORE.match(text, low, span.start) if name[:1].isupper() else None
    if after and _fits(after["half"], name, ordinary):
        span = replace(span, end=after.end())
    if before and _fits(before["half"], name, ordinary):
        span = replace(span, start=before.start())
    return span


def _fits(half: str, name: str, ordinary: Container[str]) -> bool:
    return half.isupper() == name.isupper() and fold(half) not in ordinary
