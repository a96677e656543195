"""Derives proposals for rules from decisions: terms, vetoes, patterns and corrections.

A proposal contains only what a rule needs: a phrase, its label, possibly a neighbouring word. It
refers to the messages that it came from by their items only. Other people decide on it.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from adapter.review.judging.actions import Status
from adapter.review.judging.editing import canonical, neighbours
from adapter.review.judging.reasons import Addition, Rejection
from adapter.types import FIELD_SOURCE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from adapter.review.judging.actions import Judged, State
    from adapter.review.judging.items import Content


class Effect(StrEnum):
    """The effect of a proposal on the rules."""

    TERM = "term"
    """A phrase that is a mention of the label wherever it occurs."""
    REMOVE = "remove"
    """A phrase to remove from the lexicons that contain it."""
    VETO = "veto"
    """A phrase that is not a mention next to its neighbour; without a neighbour, anywhere."""
    DISTRUST = "distrust"
    """A value that is not a mention merely because a structured field contains it."""
    PATTERN = "pattern"
    """A form: a sequence of letters and digits that is a mention of the label."""
    CORRECT = "correct"
    """A phrase whose label differs from the machine's."""
    FIELD = "field"
    """A field whose value need not be hidden: the officer decides on profile or site rules."""


_OF_REASON = {
    Rejection.INDUCTION: Effect.REMOVE,
    Rejection.AMBIGUOUS: Effect.VETO,
    Rejection.FIELD: Effect.DISTRUST,
    Rejection.LABEL: Effect.CORRECT,
    Addition.TERM: Effect.TERM,
    Addition.MISSPELLING: Effect.TERM,
    Addition.FORM: Effect.PATTERN,
    Addition.KIND: Effect.PATTERN,
}
FEWEST = 2
"""Minimum length in characters of a phrase that may become a rule."""
LONG, MIXED = 6, 5
"""Minimum number of digits, or of letters and digits, of a form that may become a rule."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """One change of a language's rules; ``phrase`` is as written, with single blanks.

    ``before`` and ``behind`` are the folded words before and after it; ``why`` is the reason given,
    or the source of the evidence; ``element`` is set for FIELD only.
    """

    effect: Effect
    language: str
    label: str
    phrase: str = field(repr=False)
    why: str = field(default="", repr=False)
    before: str = field(default="", repr=False)
    behind: str = field(default="", repr=False)
    element: str = field(default="", repr=False)
    advised: tuple[str, ...] = field(default=(), repr=False)
    """The contexts by which dictionary induction found the phrase."""

    def packed(self) -> bytes:
        """Return the proposal as bytes, to be sealed; equal proposals give equal bytes."""
        return json.dumps(asdict(self), sort_keys=True, separators=(",", ":")).encode()

    @classmethod
    def unpacked(cls, plain: bytes) -> Proposal:
        """Return the proposal from the bytes of `packed`."""
        fields = json.loads(plain)
        made = {"effect": Effect(fields["effect"]), "advised": tuple(fields["advised"])}
        return cls(**fields | made)

    @property
    def key(self) -> bytes:
        """Return a key that is equal for proposals of the same change."""
        phrase = canonical(self.phrase)
        parts = (self.effect, self.language, self.label, phrase, self.before, self.behind)
        return "\0".join((*parts, self.element)).encode()


def proposals(content: Content, state: State) -> Iterator[Proposal]:
    """Yield the proposals of an item's decisions; boundary changes only train models."""
    for span in state:
        if span.reason and (span.status is not Status.OPEN):
            made = _proposal(content, span)
            if made is not None:
                yield made


def _proposal(content: Content, span: Judged) -> Proposal | None:
    place = content.texts[span.text]
    phrase = " ".join(place.text[span.start : span.end].split())
    language = place.language or content.language
    label = span.before[2] if span.before and span.status is Status.REJECTED else span.label
    if span.reason == Rejection.ADVICE:
        made = _advised(span, place.element, language, label, phrase)
        return made if language or made.effect is Effect.FIELD else None
    effect = _OF_REASON.get(span.reason)  # type: ignore[call-overload]
    if effect is None or len(phrase) < FEWEST or _is_added_and_rejected(span) or not language:
        return None  # every rule belongs to a language
    if effect is Effect.PATTERN and not any(c.isdigit() for c in phrase):
        effect = Effect.TERM  # a form of letters alone matches every word
    if effect is Effect.PATTERN and not _is_specific(phrase):
        return None  # "54" would match every two-digit number: a training example only
    before, behind = _context(place.text, span) if effect is Effect.VETO else ("", "")
    return Proposal(effect, language, label, phrase, span.reason, before, behind)


def _is_specific(phrase: str) -> bool:
    """Return whether a form is specific enough: letters with digits, or many digits."""
    digits = sum(c.isdigit() for c in phrase)
    letters = sum(c.isalpha() for c in phrase)
    return digits >= LONG or (letters > 0 and digits + letters >= MIXED)


def _advised(span: Judged, element: str, language: str, label: str, phrase: str) -> Proposal:
    """Return a FIELD proposal for the value of a field, otherwise a veto of the phrase."""
    if span.source == FIELD_SOURCE:
        return Proposal(Effect.FIELD, language, label, "", span.reason, element=element)
    return Proposal(Effect.VETO, language, label, phrase, span.reason)


def _is_added_and_rejected(span: Judged) -> bool:
    return span.before is None and span.status is Status.REJECTED


def _context(text: str, span: Judged) -> tuple[str, str]:
    """Return the neighbouring word for a veto: the word after the phrase, else the one before."""
    before, behind = neighbours(text, span.start, span.end)
    return ("", behind) if behind else (before, "")
