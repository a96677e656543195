"""Scanning of free texts: taggers read each distinct text once, in its language."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from adapter.leakcheck import Known
from adapter.normalize.numerals import readings
from adapter.pipeline.language import resolved, tag_forms
from adapter.types import PHRASE_SOURCE, Veto

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from adapter.languages import Spoken
    from adapter.normalize.numerals import Numerals
    from adapter.pipeline.language import Language
    from adapter.pipeline.sweeping import Swept
    from adapter.taggers.trusted.index import PhraseIndex
    from adapter.types import Span, TextSegment
    from adapter.values.checks import Checks

    Found = dict[str, tuple[Span, ...]]
    Answering = Callable[[TextSegment, Language], tuple[Span | Veto, ...]]


@dataclass(frozen=True, slots=True)
class Scanner:
    """Reads texts in the languages of a message.

    ``index`` holds the message's trusted phrases, ``numerals`` the words of numbers.
    """

    index: PhraseIndex = field(repr=False)
    languages: Mapping[str, Language] = field(repr=False)
    language: Spoken
    numerals: Numerals = field(repr=False)

    def scan(
        self,
        segments: Iterable[TextSegment],
        found: Found,
        swept: Swept,
        answering: Answering,
    ) -> None:
        """Add the spans of texts to ``found``, and their vetoes to ``swept``.

        ``answering`` gives the mentions that a text's question shows in it.
        """
        for code, own in self._by_language(segments).items():
            counts, barred = self._read(own, self.languages[code], found, answering)
            swept.vetoes.update(counts)
            swept.barred.update(barred)

    def found(self, segments: Iterable[TextSegment], swept: Swept, answering: Answering) -> Found:
        """Return the spans of texts by path, and add their vetoes to ``swept``."""
        spans: Found = {}
        self.scan(segments, spans, swept, answering)
        return spans

    def scan_alone(
        self,
        segments: Iterable[TextSegment],
        found: Found,
        swept: Swept,
        answering: Answering,
        checks: Checks,
    ) -> None:
        """The same for doubtful values, which give no context: learned taggers are not used.

        Only mentions that ``checks`` accept count, or all if one of them is surely somebody's name;
        vetoes are not counted.
        """
        known = Known(self.index.phrases)
        for code, own in self._by_language(segments).items():
            looked: Found = {}
            _, barred = self._read(own, self.languages[code].by_rules, looked, answering)
            for segment in own:
                spans = looked.get(segment.path, ())
                kept = tuple(s for s in spans if _accepted(checks, known, segment.text, s))
                if any(span.sure and span.label.category == "NAME" for span in kept):
                    kept = spans  # it tells of somebody: "Mrs Aper of Quince Hollow"
                if kept:
                    found[segment.path] = kept
            swept.barred.update(barred)

    def _by_language(self, segments: Iterable[TextSegment]) -> Mapping[str, Sequence[TextSegment]]:
        parted: dict[str, list[TextSegment]] = {}
        for segment in segments:
            parted.setdefault(self.language.at(segment.path), []).append(segment)
        return parted

    def _read(
        self,
        segments: Sequence[TextSegment],
        language: Language,
        found: Found,
        answering: Answering,
    ) -> tuple[Mapping[str, int], Mapping[str, Sequence[Veto]]]:
        """Tag and resolve texts, add their spans to ``found`` by path.

        Texts with different answers are distinct. Return the number of uses of each veto rule, and
        the vetoes of each text.
        """
        asked = [(segment.text, answering(segment, language)) for segment in segments]
        distinct = list(dict.fromkeys(asked))
        if not distinct:
            return {}, {}
        texts = [text for text, _ in distinct]
        tagged = self._tagged(distinct, language)
        if not any(tagged):
            return {}, {}
        words = self.index.words
        spans, vetoes = resolved(texts, tagged, language.options, words)
        by_text = dict(zip(distinct, spans, strict=True))
        for segment, key in zip(segments, asked, strict=True):
            if by_text[key]:
                found[segment.path] = by_text[key]
        barred = {
            text: [item for item in items if isinstance(item, Veto)]
            for text, items in zip(texts, tagged, strict=True)
        }
        return vetoes, barred

    def _tagged(
        self, asked: Sequence[tuple[str, tuple[Span | Veto, ...]]], language: Language
    ) -> list[list[Span | Veto]]:
        """Return what the taggers find in each text, and what its question shows."""
        forms = {text: readings(text, self.numerals) for text, _ in asked}
        others = (form.text for some in forms.values() for form in some)
        index = self.index.within([*forms, *others])
        return [[*tag_forms(text, forms[text], index, language), *shown] for text, shown in asked]


def _accepted(checks: Checks, known: Known, text: str, span: Span) -> bool:
    """Whether a mention in a doubtful value counts; always if the leak check would search for it.

    A word may be known as an organisation and as a name, but only one of them labels the span.
    """
    if checks.personal.accepts(text, span):
        return True
    return span.source == PHRASE_SOURCE and text[span.start : span.end] in known
