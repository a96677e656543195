"""What follows from decisions: terms, vetoes, patterns, corrections; each decided by somebody else.

A proposal is what a rule needs and no more: a phrase, its label, maybe a neighbour. The notes it
came from are named by their items only.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from adapter.review.judging.actions import Status
from adapter.review.judging.editing import canonical, neighbours
from adapter.review.judging.reasons import Addition, Rejection

if TYPE_CHECKING:
    from collections.abc import Iterator

    from adapter.review.judging.actions import Judged, State
    from adapter.review.judging.items import Content


class Effect(StrEnum):
    """What a proposal asks for."""

    TERM = "term"
    """A phrase that is a mention of the label wherever it stands."""
    REMOVE = "remove"
    """A phrase that leaves the lexicons that have it."""
    VETO = "veto"
    """A phrase that is no mention beside its neighbour, or nowhere where it has none."""
    DISTRUST = "distrust"
    """A value that no structured field may vouch for."""
    PATTERN = "pattern"
    """A form: letters and digits in this order are a mention of the label."""
    CORRECT = "correct"
    """A phrase that is a mention of another label than the machine's."""
    FIELD = "field"
    """A place whose value need not be hidden: the officer decides on profile or site rules."""


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
"""Characters of a phrase that may become a rule of its own."""
LONG, MIXED = 6, 5
"""Digits, or letters and digits, of a form that may become a rule."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """One change of the rules of a language; ``phrase`` as it was written, with single blanks.

    ``before`` and ``behind`` are neighbouring words, folded;
    ``why`` is the reason given, or what advised it; ``element`` the place of a FIELD.
    """

    effect: Effect
    language: str
    label: str
    phrase: str = field(repr=False)
    why: str = ""
    before: str = field(default="", repr=False)
    behind: str = field(default="", repr=False)
    element: str = field(default="", repr=False)
    advised: tuple[str, ...] = field(default=(), repr=False)
    """Contexts by which dictionary induction found it."""

    def packed(self) -> bytes:
        """As bytes, to be sealed; the same proposal gives the same bytes."""
        return json.dumps(asdict(self), sort_keys=True, separators=(",", ":")).encode()

    @classmethod
    def unpacked(cls, plain: bytes) -> Proposal:
        """The proposal of bytes that `packed` made."""
        fields = json.loads(plain)
        made = {"effect": Effect(fields["effect"]), "advised": tuple(fields["advised"])}
        return cls(**fields | made)

    @property
    def key(self) -> bytes:
        """The same for proposals that ask for the same."""
        phrase = canonical(self.phrase)
        parts = (self.effect, self.language, self.label, phrase, self.before, self.behind)
        return "\0".join((*parts, self.element)).encode()


def proposals(content: Content, state: State) -> Iterator[Proposal]:
    """Yield what the decisions about an item ask for; boundaries are left to training examples."""
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
        return None  # rules are of a language
    if effect is Effect.PATTERN and not any(c.isdigit() for c in phrase):
        effect = Effect.TERM  # a form of letters alone is every word
    if effect is Effect.PATTERN and not _is_telling(phrase):
        return None  # "54" would be every number of two digits: it is a training example only
    before, behind = _context(place.text, span) if effect is Effect.VETO else ("", "")
    return Proposal(effect, language, label, phrase, span.reason, before, behind)


def _is_telling(phrase: str) -> bool:
    """Whether a form is of a kind of number: letters beside digits, or many digits."""
    digits = sum(c.isdigit() for c in phrase)
    letters = sum(c.isalpha() for c in phrase)
    return digits >= LONG or (letters > 0 and digits + letters >= MIXED)


def _advised(span: Judged, element: str, language: str, label: str, phrase: str) -> Proposal:
    """A field's value is a matter of its field; what a tagger found, of the phrase."""
    if span.source == "field":
        return Proposal(Effect.FIELD, language, label, "", span.reason, element=element)
    return Proposal(Effect.VETO, language, label, phrase, span.reason)


def _is_added_and_rejected(span: Judged) -> bool:
    return span.before is None and span.status is Status.REJECTED


def _context(text: str, span: Judged) -> tuple[str, str]:
    """The neighbour by which a phrase is none: the word behind it, else the one before."""
    before, behind = neighbours(text, span.start, span.end)
    return ("", behind) if behind else (before, "")
