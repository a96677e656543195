"""Settings and results of induction: terms and contexts."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings: rounds, terms and contexts per class and round, and least scores.

    ``least_texts`` is the fewest texts in which a context must occur.
    """

    rounds: int = 40
    terms: int = 20
    contexts: int = 10
    least_term: float = 0.4
    least_context: float = 0.5
    least_texts: int = 2


@dataclass(frozen=True, slots=True)
class Term:
    """An accepted term; seeds are from round 0.

    ``score`` is the support by its contexts (0 to 1), ``support`` its number of occurrences,
    ``advised`` are its most selective contexts, ``long_form`` is the expansion of an acronym.
    """

    name: str
    item: str = field(repr=False)
    kind: str
    score: float
    support: int
    round: int
    advised: tuple[str, ...] = field(repr=False)
    long_form: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class Context:
    """An accepted context of a class: ``terms`` is the weight of the class's terms in it."""

    name: str
    pattern: str = field(repr=False)
    score: float
    terms: float
    texts: int
    round: int


@dataclass(frozen=True, slots=True)
class Induced:
    """Terms and contexts by class, seeds first, then by round and score."""

    terms: tuple[Term, ...] = field(repr=False)
    contexts: tuple[Context, ...] = field(repr=False)
