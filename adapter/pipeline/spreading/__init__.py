"""The search for phrases discovered in one text in all other places of a message."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import replace
from typing import TYPE_CHECKING

import regex

from adapter.normalize.canonical import displayed
from adapter.normalize.folding import squeeze
from adapter.pipeline import exemptions
from adapter.priorities import covers
from adapter.resolve.unite import end_of, start_of
from adapter.taggers.trusted.index import PhraseIndex
from adapter.taggers.trusted.sweep import sweep

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from adapter.languages.cues import Cues
    from adapter.normalize.numerals import Numerals
    from adapter.types import Message, Span, TextSegment, TrustedPhrase, Veto
    from adapter.values.checks import Checks

    Spans = dict[str, tuple[Span, ...]]

DISCOVERED = "discovered"
"""Source of spans found because another text of the message has the same words."""

_CODED = regex.compile(r"(?P<holder>.*?)(?:(?P<hl7>\.[1-9])(?:\.1)?|/(?:code|display))")
_SYSTEM_BESIDE = {".1": ".3", ".2": ".3", ".4": ".6", ".5": ".6"}


def spread(
    message: Message,
    segments: Sequence[TextSegment],
    discovered: Sequence[TrustedPhrase],
    found: Spans,
    *,
    cues: Cues,
    barred: Mapping[str, Sequence[Veto]],
    checks: Checks,
    numerals: Numerals,
) -> tuple[TrustedPhrase, ...]:
    """Add the spans of discovered phrases to ``found``; return the phrases that may remain nowhere.

    Codes of public code systems and their displays stay unless no vocabulary has the word, because
    sharing a word with a text is no evidence; nor are the words of a name that stays ("Scotia" of
    the display "Nova Scotia, CA"). Measured values and the extents of vetoes
    (``barred``: vetoes by text) stay too.
    """
    index = PhraseIndex.build(discovered, cues)
    texts: dict[str, str] = {}
    public: set[str] = set()
    for place, span in sweep([segment.text for segment in segments], index, numerals):
        segment = segments[place]
        own = found.get(segment.path, ())
        first = bisect_right(own, span.start, key=end_of)
        last = bisect_left(own, span.end, key=start_of)
        beside = own[first:last]
        if beside and not _is_left(segment.text, span, beside):
            continue
        texts = texts or {other.path: other.text for other in message.segments}
        measured = exemptions.measurement(segment, texts, checks.units)
        vetoes = (*barred.get(segment.text, ()), *((measured,) if measured else ()))
        barring = any(covers(veto, span) for veto in vetoes)
        written = segment.text[span.start : span.end]
        if barring or (is_public(segment.path, texts, checks) and not checks.stray(written)):
            shown = displayed(written)
            public.update(map(squeeze, (shown, *shown.split())))
        else:
            united = _united(_discovered(span), beside)
            found[segment.path] = (*own[:first], united, *own[last:])
    return tuple(phrase for phrase in discovered if squeeze(phrase.text) not in public)


def _is_left(text: str, span: Span, beside: Sequence[Span]) -> bool:
    """Whether other spans leave a letter or digit of this one uncovered ("Anna" of "Anna Lee")."""
    covered = {at for other in beside for at in range(other.start, other.end)}
    return any(text[at].isalnum() for at in range(span.start, span.end) if at not in covered)


def _united(span: Span, beside: Sequence[Span]) -> Span:
    """Return the span, extended over the spans that it overlaps."""
    ends = [(other.start, other.end) for other in (span, *beside)]
    return replace(span, start=min(ends)[0], end=max(end for _, end in ends))


def _discovered(span: Span) -> Span:
    if span.entity:
        return replace(span, source=DISCOVERED)
    return replace(span, source=DISCOVERED, entity=None, form=None)


def is_public(path: str, texts: Mapping[str, str], checks: Checks) -> bool:
    """Whether a place names a public code system, or holds a code or display of one."""
    if checks.is_public(texts.get(path, "")):
        return True
    match = _CODED.fullmatch(path)
    if match is None:
        return False
    if match["hl7"] is None:
        return checks.is_public(texts.get(f"{match['holder']}/system", ""))
    beside = _SYSTEM_BESIDE.get(match["hl7"])
    return beside is not None and checks.is_public(texts.get(match["holder"] + beside, ""))
