"""All measures of one system on annotated texts, and of two against each other."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from adapter.evaluate.agreement import Confusion, between, blind, confusion, kappa
from adapter.evaluate.curve import Point, curve
from adapter.evaluate.levels import HIPAA_TYPES, Level, coarse, events
from adapter.evaluate.mistakes import Mistake, mistakes
from adapter.evaluate.safety import Safety, safety
from adapter.evaluate.scores import Score, tabulate, total
from adapter.evaluate.significance import McNemar, Randomization, mcnemar, randomize
from adapter.evaluate.token_labels import label_tokens
from adapter.evaluate.unlabelled import not_understood

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from adapter.evaluate.annotations import Pair
    from adapter.evaluate.token_labels import TokenLabels


@dataclass(frozen=True, slots=True)
class Table:
    """Scores at one level over one set of labels ("all", "hipaa"): micro, by label, by category."""

    level: Level
    labels: str
    micro: Score
    by_label: dict[str, Score]
    by_category: dict[str, Score] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Evaluation:
    """All measures of one system; ``kappa`` is by token and label, ``kappa_blind`` by token."""

    documents: int
    gold: int
    predicted: int
    tables: tuple[Table, ...]
    safety: Safety
    confusion: Confusion = field(repr=False)
    kappa: float
    kappa_blind: float
    mistakes: tuple[Mistake, ...] = field(repr=False)
    curve: tuple[Point, ...] = field(repr=False)
    unknown: frozenset[str] = frozenset()
    """Entries of ``unlabelled`` that cannot be parsed: predictions of these kinds count."""

    def score(self, level: Level, labels: str = "all") -> Score:
        """Return the micro score at a level over a set of labels ("all", "hipaa")."""
        return next(t.micro for t in self.tables if (t.level, t.labels) == (level, labels))


@dataclass(frozen=True, slots=True)
class Comparison:
    """Comparison of two systems on the same texts."""

    protected: McNemar
    """Test of tokens whose protection is right in one system only."""
    labelled: McNemar
    """Test of tokens whose label is right in one system only."""
    entity_f1: Randomization
    token_recall: Randomization
    kappa: float
    """Agreement of the two systems, by token and label."""


def evaluate(pairs: Sequence[Pair], *, source_labels: bool = False) -> Evaluation:
    """Return all measures of a system's output over texts.

    With ``source_labels`` types are a corpus's own labels, without categories and subsets.
    """
    labels = [label_tokens(pair) for pair in pairs]
    counts = confusion(labels)
    return Evaluation(
        documents=len(pairs),
        gold=sum(len(document.mentions) for document, _ in pairs),
        predicted=sum(len(predicted) for _, predicted in pairs),
        tables=_tables(pairs, labels, source_labels=source_labels),
        safety=safety(labels),
        confusion=counts,
        kappa=kappa(counts),
        kappa_blind=kappa(blind(counts)),
        mistakes=tuple(mistakes(pairs)),
        curve=curve(pairs, labels),
        unknown=frozenset(not_understood(document for document, _ in pairs)),
    )


def _tables(
    pairs: Sequence[Pair], labels: Sequence[TokenLabels], *, source_labels: bool
) -> tuple[Table, ...]:
    if source_labels:
        return tuple(_table(pairs, labels, level) for level in Level)
    coarser = [coarse(pair) for pair in pairs]
    coarser_labels = [label_tokens(pair) for pair in coarser]
    every = (
        _table(pairs, labels, level, by_category=_by_label(coarser, coarser_labels, level))
        for level in Level
    )
    return (*every, *(_table(pairs, labels, level, HIPAA_TYPES) for level in Level))


def _table(
    pairs: Sequence[Pair],
    labels: Sequence[TokenLabels],
    level: Level,
    counted: Collection[str] | None = None,
    by_category: dict[str, Score] | None = None,
) -> Table:
    by_label = _by_label(pairs, labels, level, counted)
    micro = sum(by_label.values(), Score())
    return Table(level, "all" if counted is None else "hipaa", micro, by_label, by_category or {})


def _by_label(
    pairs: Sequence[Pair],
    labels: Sequence[TokenLabels],
    level: Level,
    counted: Collection[str] | None = None,
) -> dict[str, Score]:
    both = zip(pairs, labels, strict=True)
    return tabulate(event for pair, each in both for event in events(pair, level, counted, each))


def compare(
    first: Sequence[Pair], second: Sequence[Pair], *, rounds: int = 9999, seed: int = 0
) -> Comparison:
    """Test whether two systems differ on the same texts, given in the same order."""
    one, two = ([label_tokens(pair) for pair in pairs] for pairs in (first, second))
    return Comparison(
        protected=mcnemar(one, two, blind=True),
        labelled=mcnemar(one, two, blind=False),
        entity_f1=randomize(
            _by_document(first, Level.STRICT),
            _by_document(second, Level.STRICT),
            Score.f,
            rounds=rounds,
            seed=seed,
        ),
        token_recall=randomize(
            _by_document(first, Level.BLIND_TOKEN),
            _by_document(second, Level.BLIND_TOKEN),
            lambda score: score.recall,
            rounds=rounds,
            seed=seed,
        ),
        kappa=kappa(between(one, two)),
    )


def _by_document(pairs: Sequence[Pair], level: Level) -> list[Score]:
    return [total(events(pair, level)) for pair in pairs]
