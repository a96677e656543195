"""Mentions in short values that only the question beside them makes recognisable.

A value is often apart from its label: "Last name" in OBX-3 and the name in OBX-5, or in FHIR the
text of an item and its answer. Each such value is also read as the one text "Last name: ...", so
that everything the rules say of labels holds across fields.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from adapter.normalize.folding import fold, squeeze
from adapter.pipeline.language import CONTEXT, read_text
from adapter.pipeline.spreading import is_public
from adapter.taggers.document.tokens import tokenize
from adapter.taggers.trusted.index import NOBODY
from adapter.types import Label, Veto

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from adapter.languages import Spoken
    from adapter.pipeline.language import Language
    from adapter.types import Span, TextSegment
    from adapter.values.checks import Checks

_JUDGED = frozenset({Label.AGE})
"""Labels of kept values about which `adapter.values` decides alone."""
_FRACTION = re.compile(r"\s*[0-9]{1,3}[+-]?/[0-9]{1,3}[+-]?\s*")
_ASKED = "fractions-asked."
"""Beginning of the names of vetoes that hold for a whole answer behind its question."""
_CODED = frozenset({Label.PROFESSION, Label.STATE, Label.COUNTRY, Label.AGE})
"""Labels of values that a public code system may have; none has anybody's name or number."""


@dataclass(frozen=True, slots=True)
class Answers:
    """A message's questions in words that short values answer, by the value's path.

    ``texts`` are the texts of all places of the message, by path.
    """

    texts: Mapping[str, str] = field(repr=False)
    questions: Mapping[str, tuple[str, ...]] = field(repr=False)
    checks: Checks = field(repr=False)

    def mentions(self, segment: TextSegment, language: Language) -> tuple[Span | Veto, ...]:
        """Return the mentions that rules find in a free text where it follows a question of it.

        A fraction that answers a question for a score or count ("Pain now": "7/10") has a veto.

        Raises:
            TagError: a tagger could not finish.
            ResolveError: the taggers' results cannot be reconciled.
        """
        text, asked = segment.text, self.questions.get(segment.path, ())
        return (*_answering(text, asked, language), *_graded(text, asked, language))

    def coded(self, segment: TextSegment, language: Language) -> tuple[Span, ...]:
        """Return the mentions in a code, display or number whose question is a known attribute.

        In a code or display of a public system, occupations, states and countries stay.

        Raises:
            TagError: a tagger could not finish.
            ResolveError: the taggers' results cannot be reconciled.
        """
        lone = len(segment.text) == 1 and segment.text.isalpha()  # such as the type of an address
        if lone or self.checks.is_public(segment.text):  # the name of the system
            return ()
        asked = self.questions.get(segment.path, ())
        known = [question for question in asked if language.memos.labels(question)]
        found = _answering(segment.text, known, language) if known else ()
        if found and is_public(segment.path, self.texts, self.checks):
            return tuple(span for span in found if span.label not in _CODED)
        return found

    def telling(
        self, kept: Iterable[TextSegment], languages: Mapping[str, Language], spoken: Spoken
    ) -> frozenset[str]:
        """Return the paths of kept values that have mentions, whatever unit is beside them.

        Raises:
            TagError: a tagger could not finish.
            ResolveError: the taggers' results cannot be reconciled.
        """
        if not self.questions:
            return frozenset()
        return frozenset(
            segment.path
            for segment in kept
            if segment.path in self.questions
            for found in (self.coded(segment, languages[spoken.at(segment.path)]),)
            if any(span.label not in _JUDGED for span in found)
        )


def _answering(text: str, asked: Iterable[str], language: Language) -> tuple[Span, ...]:
    if fold(text) in language.words.fields.placeholders:  # "unknown" answers any question
        return ()
    return tuple(
        span
        for question in asked
        if squeeze(question) != squeeze(text)  # a title repeated
        for span in _after(question, text, language)
    )


def _graded(text: str, asked: Sequence[str], language: Language) -> Iterable[Veto]:
    """Yield vetoes of a fraction that answers a question for a score or count.

    Each question is read behind the others: one that asks for a day makes the fraction a date.
    """
    if _FRACTION.fullmatch(text) is None:
        return
    for question in asked:
        lead = "; ".join((*(other for other in asked if other != question), question)) + ": "
        for item in read_text(lead + text, NOBODY, language.by_rules):
            if isinstance(item, Veto) and item.rule.startswith(_ASKED) and item.start == len(lead):
                yield replace(item, start=0, end=item.end - len(lead))


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
