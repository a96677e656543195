"""Mentions in short values that only the question beside them makes recognisable.

A value is often apart from its label: "Last name" in OBX-3 and the name in OBX-5, or in FHIR the
text of an item and its answer. Each such value is also read as the one text "Last name: ...", so
that everything the rules say of labels holds across fields.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from adapter.pipeline import exemptions
from adapter.pipeline.language import CONTEXT
from adapter.pipeline.spreading import is_public
from adapter.taggers.document.tokens import tokenize
from adapter.types import Label

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from adapter.pipeline.language import Language
    from adapter.types import Span, TextSegment
    from adapter.values.checks import Checks

_JUDGED = frozenset({Label.AGE})
"""Labels of kept values about which `adapter.values` decides alone."""


@dataclass(frozen=True, slots=True)
class Answers:
    """The questions in words that short values answer, by the value's path."""

    questions: Mapping[str, tuple[str, ...]] = field(default_factory=dict, repr=False)

    def mentions(self, segment: TextSegment, language: Language) -> tuple[Span, ...]:
        """Return the mentions that rules find in a value where it follows one of its questions.

        Raises:
            TagError: a tagger could not finish.
            ResolveError: the taggers' results cannot be reconciled.
        """
        asked = self.questions.get(segment.path, ())
        return tuple(
            span for question in asked for span in _after(question, segment.text, language)
        )

    def kept(
        self,
        segments: Iterable[TextSegment],
        texts: Callable[[], Mapping[str, str]],
        language: Callable[[str], Language],
        checks: Checks,
    ) -> dict[str, tuple[Span, ...]]:
        """Return the mentions in kept values whose questions ask for one, by path.

        Codes and displays of public code systems and measured values have none. ``texts`` gives
        the texts of the message by path, ``language`` the language of a path.
        """
        found: dict[str, tuple[Span, ...]] = {}
        for segment in segments:
            if segment.path not in self.questions:
                continue
            spoken = language(segment.path)
            if not any(spoken.memos.labels(question) for question in self.questions[segment.path]):
                continue
            if is_public(segment.path, texts(), checks) or exemptions.measurement(
                segment, texts(), checks.units
            ):
                continue
            spans = [s for s in self.mentions(segment, spoken) if s.label not in _JUDGED]
            if spans:
                found[segment.path] = _disjoint(spans)
        return found


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


def _disjoint(spans: Iterable[Span]) -> tuple[Span, ...]:
    """Return spans in order, without those that overlap one before them."""
    kept: list[Span] = []
    for span in sorted(spans, key=lambda span: (span.start, -span.end)):
        if not kept or kept[-1].end <= span.start:
            kept.append(span)
    return tuple(kept)
