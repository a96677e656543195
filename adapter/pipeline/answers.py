"""Mentions in short values that only the question beside them makes recognisable.

A value is often apart from its label: "Last name" in OBX-3 and the name in OBX-5, or in FHIR the
text of an item and its answer. Each such value is also read as the one text "Last name: ...", so
that everything the rules say of labels holds across fields.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from adapter.normalize.folding import squeeze
from adapter.pipeline import exemptions
from adapter.pipeline.language import CONTEXT
from adapter.pipeline.spreading import is_public
from adapter.taggers.document.tokens import tokenize
from adapter.types import Label

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from adapter.languages import Spoken
    from adapter.pipeline.language import Language
    from adapter.types import Action, Message, Span, TextSegment
    from adapter.values.proof import Values
    from adapter.values.units import Units

_JUDGED = frozenset({Label.AGE})
"""Labels of kept values about which `adapter.values` decides alone."""


@dataclass(frozen=True, slots=True)
class Answers:
    """The questions in words that short values answer, by the value's path."""

    questions: Mapping[str, tuple[str, ...]] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, message: Message, actions: Sequence[Action], values: Values) -> Answers:
        """Return the questions of a message, except those that public codes answer."""
        asked = values.asked(message, actions)
        if not asked:
            return cls()
        texts = {segment.path: segment.text for segment in message.segments}
        return cls({p: q for p, q in asked.items() if not is_public(p, texts, values.checks)})

    def mentions(self, segment: TextSegment, language: Language) -> tuple[Span, ...]:
        """Return the mentions that rules find in a free text where it follows a question of it.

        Raises:
            TagError: a tagger could not finish.
            ResolveError: the taggers' results cannot be reconciled.
        """
        return _answering(segment.text, self.questions.get(segment.path, ()), language)

    def coded(self, segment: TextSegment, language: Language) -> tuple[Span, ...]:
        """Return the mentions in a code, display or number whose question is a known attribute.

        Raises:
            TagError: a tagger could not finish.
            ResolveError: the taggers' results cannot be reconciled.
        """
        asked = self.questions.get(segment.path, ())
        known = [question for question in asked if language.memos.labels(question)]
        return _answering(segment.text, known, language) if known else ()

    def telling(
        self,
        message: Message,
        kept: Iterable[TextSegment],
        languages: Mapping[str, Language],
        spoken: Spoken,
        units: Units,
    ) -> frozenset[str]:
        """Return the paths of kept values that have mentions; measured values have none.

        Raises:
            TagError: a tagger could not finish.
            ResolveError: the taggers' results cannot be reconciled.
        """
        found = [
            segment
            for segment in kept
            if segment.path in self.questions
            for shown in (self.coded(segment, languages[spoken.at(segment.path)]),)
            if any(span.label not in _JUDGED for span in shown)
        ]
        if not found:
            return frozenset()
        texts = {segment.path: segment.text for segment in message.segments}
        measured = exemptions.measurement
        return frozenset(s.path for s in found if measured(s, texts, units) is None)


def _answering(text: str, asked: Iterable[str], language: Language) -> tuple[Span, ...]:
    return tuple(
        span
        for question in asked
        if squeeze(question) != squeeze(text)  # a title repeated
        for span in _after(question, text, language)
    )


def _after(question: str, text: str, language: Language) -> Iterable[Span]:
    """Yield the mentions in a text that follows a question, with offsets in the text."""
    lead = f"{question}: "
    whole = lead + text
    found = language.by_rules.memos.alone(whole)
    judged = bool(found) and language.learned is not None and len(tokenize(whole)) >= CONTEXT
    least = language.sure if judged else 0
    for span in found:
        start, end = max(span.start - len(lead), 0), span.end - len(lead)
        if end > start and (span.priority >= least or span.sure):
            yield replace(span, start=start, end=end)
