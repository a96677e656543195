"""Given names that are also words, found beside a relation in one text, in all other texts.

After "daughter Saffron", the word "Saffron" is somebody's name wherever it has a capital and no
other name or word with a capital follows it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import regex

from adapter.normalize.folding import fold
from adapter.pipeline.spreading import DISCOVERED
from adapter.priorities import covers
from adapter.types import Label

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from adapter.taggers.trusted.full_names import Evidence
    from adapter.types import Span, TextSegment, Veto

    Spans = dict[str, tuple[Span, ...]]

_NAME = regex.compile(r"\p{Lu}\p{Ll}{3,}")


def spread_words(
    segments: Sequence[TextSegment],
    found: Spans,
    evidence: Evidence,
    barred: Mapping[str, Sequence[Veto]],
) -> None:
    """Add to ``found`` the mentions of names that are words, if a rule is sure of one of them.

    ``barred`` are the vetoes by text.
    """
    names: dict[str, Span] = {}
    for segment in segments:
        for span in found.get(segment.path, ()):
            word = segment.text[span.start : span.end]
            if _is_word(word, span, evidence):
                names.setdefault(word, span)
    if not names:
        return
    pattern = regex.compile(
        rf"(?<![\p{{L}}\p{{N}}-])(?:{'|'.join(map(regex.escape, names))})"
        r"(?![\p{L}\p{N}-]|[ ]\p{Lu}\p{Ll})"
    )
    for segment in segments:
        own = found.get(segment.path, ())
        vetoes = barred.get(segment.text, ())
        more = tuple(
            span
            for span in _mentions(pattern, segment.text, names)
            if not any(other.start < span.end and span.start < other.end for other in own)
            and not any(covers(veto, span) for veto in vetoes)
        )
        if more:
            found[segment.path] = tuple(sorted((*own, *more), key=lambda span: span.start))


def _is_word(word: str, span: Span, evidence: Evidence) -> bool:
    """Whether a mention that a rule is sure of is one given name that is also a word."""
    sure = span.label is Label.PATIENT and span.sure and not span.learned
    return (
        sure
        and _NAME.fullmatch(word) is not None
        and fold(word) in evidence.ordinary
        and evidence.is_given(word)
    )


def _mentions(pattern: regex.Pattern[str], text: str, names: Mapping[str, Span]) -> Iterator[Span]:
    for match in pattern.finditer(text):
        yield replace(names[match[0]], start=match.start(), end=match.end(), source=DISCOVERED)
