"""The search for trusted phrases in kept places, except in eponyms and measured values."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from adapter.pipeline import exemptions
from adapter.priorities import PHRASE
from adapter.resolve.unite import start_of
from adapter.taggers.trusted.known_days import known_days
from adapter.taggers.trusted.sweep import sweep
from adapter.types import PHRASE_SOURCE, Span, Veto

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Mapping, Sequence

    from adapter.normalize.numerals import Numerals
    from adapter.taggers.trusted.index import PhraseIndex
    from adapter.types import Message, TextSegment, TrustedPhrase
    from adapter.values.units import Units

    Spans = dict[str, tuple[Span, ...]]

SHORT = 4
"""Number of digits in a short number, which counts only as the whole value of a place."""


@dataclass(frozen=True, slots=True)
class Swept:
    """Uses of each veto rule; sure vetoes by text; vetoes of measured values by path."""

    vetoes: Counter[str] = field(default_factory=Counter)
    barred: dict[str, Sequence[Veto]] = field(default_factory=dict, repr=False)
    measured: dict[str, Veto] = field(default_factory=dict, repr=False)


def sweep_kept(
    message: Message,
    kept: Sequence[TextSegment],
    index: PhraseIndex,
    found: Spans,
    *,
    vetoes_of: Callable[[str], Sequence[Veto]],
    units: Units,
    numerals: Numerals,
) -> Swept:
    """Add the spans of trusted phrases in kept places to ``found``.

    ``vetoes_of`` gives the vetoes of a text to which trusted phrases yield.
    """
    swept = Swept()
    texts: dict[str, str] = {}
    for place, span in sweep([segment.text for segment in kept], index, numerals):
        segment = kept[place]
        texts = texts or {other.path: other.text for other in message.segments}
        value = exemptions.measurement(segment, texts, units)
        if value is not None and exemptions.unswept(span, (value,), swept.vetoes):
            swept.measured[segment.path] = value
            continue
        if segment.text not in swept.barred:
            swept.barred[segment.text] = vetoes_of(segment.text)
        if not exemptions.unswept(span, swept.barred[segment.text], swept.vetoes):
            found[segment.path] = (*found.get(segment.path, ()), span)
    return swept


def sweep_short(
    places: Iterable[TextSegment], phrases: Iterable[TrustedPhrase], found: Spans
) -> None:
    """Add to ``found`` the places whose whole value is a four-digit id of someone in the message.

    Such a short number is no evidence inside a longer text or as a measured value.
    """
    short = {
        phrase.text: Span(
            0, SHORT, phrase.label, PHRASE_SOURCE, 1.0, PHRASE, phrase.entity, phrase.form
        )
        for phrase in phrases
        if len(phrase.text) == SHORT and phrase.label.category == "ID" and phrase.text.isdigit()
    }
    for segment in places:
        if segment.text in short and segment.datatype not in exemptions.MEASURED:
            found[segment.path] = (short[segment.text],)


def sweep_days(
    places: Iterable[TextSegment],
    days: Container[str],
    found: Spans,
    barred: Mapping[str, Sequence[Veto]],
) -> None:
    """Add to ``found`` the days of the message's fields that no span covers in scanned places.

    A dose or score with the same numbers is no day: ``barred`` are the vetoes by text.
    """
    for segment in places if days else ():
        own = found.get(segment.path, ())
        missed = [
            day
            for day in known_days(segment.text, days)
            if not any(day.start < span.end and span.start < day.end for span in own)
            and not any(exemptions.covers(veto, day) for veto in barred.get(segment.text, ()))
        ]
        if missed:
            found[segment.path] = tuple(sorted((*own, *missed), key=start_of))
