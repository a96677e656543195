"""The reasons for rejecting or adding a mention.

The first three are those of ANONYMITEXT (Perez-Lainez and others, 2009).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Rejection(StrEnum):
    """The reason why a mention found by the machine is wrong; in the order of the keys 1 to 6."""

    INDUCTION = "induction"
    AMBIGUOUS = "ambiguous"
    ADVICE = "advice"
    BOUNDARY = "boundary"
    LABEL = "label"
    FIELD = "field"


class Addition(StrEnum):
    """The reason why the machine missed a mention; in the order of the keys 1 to 4."""

    TERM = "term"
    FORM = "form"
    MISSPELLING = "misspelling"
    KIND = "kind"


@dataclass(frozen=True, slots=True)
class Wording:
    """The wording of a reason in the pages."""

    name: str
    meaning: str


WORDINGS: dict[str, Wording] = {
    Rejection.INDUCTION: Wording("Induction mistake", "the term does not belong in the lexicon"),
    Rejection.AMBIGUOUS: Wording(
        "Morpho-semantic mistake", "the word means something else beside its neighbour"
    ),
    Rejection.ADVICE: Wording("Advice mistake", "rightly found, but need not be hidden here"),
    Rejection.BOUNDARY: Wording("Boundary wrong", "part of it is none, and I set no other"),
    Rejection.LABEL: Wording("Label wrong", "protected, but as something else"),
    Rejection.FIELD: Wording(
        "Field value wrong", "a structured field gave a value that is no name"
    ),
    Addition.TERM: Wording("Missing term", "a name that no list has"),
    Addition.FORM: Wording("New form", "a form of numbers or dates that no rule knows"),
    Addition.MISSPELLING: Wording("Misspelling", "a known name, written wrongly"),
    Addition.KIND: Wording("New kind", "something that has no rule at all"),
}


def preset(source: str) -> Rejection:
    """Return the most likely reason to reject a mention of this source.

    The source is a lexicon, a structured field, or a rule or model that misread a word.
    """
    if "lexicon" in source or source.startswith(("induced", "review")):
        return Rejection.INDUCTION
    if source in {"field", "phrase", "variant"} or source.startswith("known"):
        return Rejection.FIELD
    return Rejection.AMBIGUOUS
