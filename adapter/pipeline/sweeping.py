"""The search for trusted phrases in kept places, except in eponyms, terms and measured values."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from adapter.normalize.folding import fold
from adapter.pipeline import exemptions
from adapter.pipeline.spreading import is_public
from adapter.priorities import PHRASE, covers
from adapter.resolve.unite import start_of
from adapter.taggers.english.eponyms import SURE
from adapter.taggers.trusted.known_days import known_days
from adapter.taggers.trusted.sweep import sweep
from adapter.types import PHRASE_SOURCE, Span, Veto

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Mapping, Sequence

    from adapter.normalize.numerals import Numerals
    from adapter.phrases.common_words import WordList
    from adapter.taggers.trusted.index import PhraseIndex
    from adapter.types import Message, TextSegment, TrustedPhrase
    from adapter.values.checks import Checks

    Spans = dict[str, tuple[Span, ...]]

SHORT = 4
"""Number of digits in a short number, which counts only as the whole value of a place."""


@dataclass(frozen=True, slots=True)
class Swept:
    """Uses of each veto rule; sure vetoes by text; vetoes of values and of terms by path."""

    vetoes: Counter[str] = field(default_factory=Counter)
    barred: dict[str, Sequence[Veto]] = field(default_factory=dict, repr=False)
    measured: dict[str, Veto] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True)
class Terms:
    """The recognition of somebody's name as a word of a published term: "Rose pollen".

    ``words`` are the common words and eponyms of the message's language.
    """

    checks: Checks = field(repr=False)
    words: WordList = field(repr=False)

    def veto(self, segment: TextSegment, span: Span, texts: Mapping[str, str]) -> Veto | None:
        """Return the veto of a word in the display of a published code; None if it may be a name.

        ``texts`` are the texts of all places of the message, by path. The word must be common or an
        eponym; with a capital, it must not stand where a name is written: behind a mark or a word
        like "by", before a mark, at the end, or beside a word that is only a name.
        """
        text = segment.text
        word = text[span.start : span.end]
        if span.label.category != "NAME" or not word.isalpha() or " " not in text.strip():
            return None
        if not self._common(word) or not is_public(segment.path, texts, self.checks):
            return None
        if not word.islower() and self._as_name(text[: span.start], text[span.end :]):
            return None
        return Veto(span.start, span.end, "term", frozenset({span.label}), SURE)

    def _common(self, word: str) -> bool:
        folded = fold(word)
        return any(folded in own for own in (self.words.ordinary, self.words.medical)) or (
            folded in self.words.eponyms
        )

    def _as_name(self, before: str, after: str) -> bool:
        """Whether a capitalised word between these texts stands where a name is written."""
        return self.checks.placed_as_name(before, after) or any(
            word[:1].isupper() and fold(word) in self.words.names and not self._common(word)
            for word in (*before.split()[-1:], *after.split()[:1])
        )


def sweep_kept(
    message: Message,
    kept: Sequence[TextSegment],
    index: PhraseIndex,
    found: Spans,
    *,
    vetoes_of: Callable[[str], Sequence[Veto]],
    terms: Terms,
    numerals: Numerals,
) -> Swept:
    """Add the spans of trusted phrases in kept places to ``found``.

    ``vetoes_of`` gives the vetoes of a text to which trusted phrases yield.
    """
    swept = Swept()
    texts: dict[str, str] = {}
    mentions = sweep([segment.text for segment in kept], index, numerals)
    several = Counter(place for place, span in mentions if span.label.category == "NAME")
    for place, span in mentions:
        segment = kept[place]
        texts = texts or {other.path: other.text for other in message.segments}
        value = exemptions.measurement(segment, texts, terms.checks.units)
        if value is None and several[place] == 1:
            value = terms.veto(segment, span, texts)
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
            and not any(covers(veto, day) for veto in barred.get(segment.text, ()))
        ]
        if missed:
            found[segment.path] = tuple(sorted((*own, *missed), key=start_of))
