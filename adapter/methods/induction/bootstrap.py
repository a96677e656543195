"""The rounds of induction: each accepts a few of the best contexts, then of the best terms."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from adapter.methods.induction.acronyms import acronyms, tied_terms
from adapter.methods.induction.candidates import Grammar, first_words
from adapter.methods.induction.contexts import occurrences
from adapter.methods.induction.results import Context, Induced, Settings, Term
from adapter.methods.induction.scoring import Graph, Membership
from adapter.methods.induction.seeds import STOP, items_of
from adapter.methods.induction.words import WordCounts, read_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from collections.abc import Set as AbstractSet

    from numpy.typing import NDArray

    from adapter.methods.induction.seeds import Seeds

ADVICE = 3
"""Most contexts reported for a term."""


def induce(
    texts: Iterable[str],
    seeds: Seeds,
    settings: Settings | None = None,
    known: AbstractSet[str] = frozenset(),
) -> Induced:
    """Return the terms and contexts induced from seeds; ``known`` are ordinary words."""
    read = [read_words(text) for text in texts]
    grammar = Grammar.of(read, seeds, WordCounts.of(read, known))
    kinds = {item: kind for name in seeds.terms for item, kind in items_of(seeds, name).items()}
    settings = settings or Settings()
    graph = Graph.of(occurrences(read, grammar, kinds), settings.least_texts)
    rounds = _Rounds(graph, seeds, grammar, settings)
    rounds.run()
    terms = list(rounds.terms())
    terms += tied_terms(terms, acronyms(read, grammar))
    return Induced(
        tuple(sorted(terms, key=lambda term: (term.name, term.round, -term.score, term.item))),
        tuple(sorted(rounds.contexts(), key=lambda c: (c.name, c.round, -c.score, c.pattern))),
    )


class _Rounds:
    """The terms and contexts accepted so far; the last class is `STOP`."""

    def __init__(self, graph: Graph, seeds: Seeds, grammar: Grammar, settings: Settings) -> None:
        found = graph.found
        self._graph, self._found, self._settings = graph, found, settings
        self._names = seeds.classes
        self._members = Membership(graph, len(self._names) + 1)
        self._term_rounds: dict[int, tuple[int, int]] = {}
        self._context_rounds: list[dict[int, int]] = [{} for _ in self._names]
        plain = np.array([grammar.is_plain(*p) for p in found.terms_with_kinds()], bool)
        kinds = np.array(found.kinds, str)
        self._able = [(kinds == seeds.kind(name)) & ~plain for name in self._names]
        self._begin(seeds, grammar, plain)

    def _begin(self, seeds: Seeds, grammar: Grammar, plain: NDArray[np.bool_]) -> None:
        """Accept seeds; put ordinary words and rejected terms into the class `STOP`.

        Names of ordinary words that begin like seeds ("Hospital General") get no class.
        """
        number = {item: place for place, item in enumerate(self._found.names)}
        for row, name in enumerate(self._names):
            for item in sorted(items_of(seeds, name).keys() & number.keys()):
                self._accept(row, number[item], 1.0, 0)
        heads = first_words(seeds) & grammar.heads
        rejected = items_of(seeds, STOP)
        for item, term in number.items():
            stops = item in rejected or (plain[term] and item.partition(" ")[0] not in heads)
            if stops and term not in self._term_rounds:
                self._members.add(-1, term, 1.0)

    def _accept(self, row: int, term: int, score: float, number: int) -> None:
        self._members.add(row, term, score)
        self._term_rounds[term] = (row, number)

    def run(self) -> None:
        """Run the rounds, until a round accepts no term."""
        for number in range(1, self._settings.rounds + 1):
            for row in range(len(self._names)):
                self._best_contexts(row, number)
            scores = np.array([self._graph.supported(one) for one in self._scores()])
            if not self._best_terms(scores, number):
                break

    def _best_contexts(self, row: int, number: int) -> None:
        """Accept a few contexts of a class: selective ones with many of its terms."""
        share, inside = self._members.selectivity(row), self._members.inside[row]
        accepted = self._context_rounds[row]
        ranked = sorted(
            (-share[at] * np.log2(1 + inside[at]), self._found.patterns[at], int(at))
            for at in np.flatnonzero(share >= self._settings.least_context)
            if int(at) not in accepted
        )
        for _, _, at in ranked[: self._settings.contexts]:
            accepted[at] = number

    def _scores(self) -> list[NDArray[np.float64]]:
        """Return per class the selectivity of accepted contexts, 0 for others: (contexts,)."""
        found = []
        for row, accepted in enumerate(self._context_rounds):
            held = np.fromiter(accepted, np.int64, len(accepted))
            scores = np.zeros(len(self._found.patterns))
            scores[held] = self._members.selectivity(row)[held]
            found.append(scores)
        return found

    def _best_terms(self, scores: NDArray[np.float64], number: int) -> bool:
        """Accept, for each class, a few terms that score higher in it than in any other."""
        free = self._members.free()
        best = scores.argmax(axis=0)
        before = len(self._term_rounds)
        for row, able in enumerate(self._able):
            wanted = able & free & (best == row) & (scores[row] >= self._settings.least_term)
            ranked = sorted(
                (-scores[row, at], self._found.names[at], int(at)) for at in np.flatnonzero(wanted)
            )
            for score, _, at in ranked[: self._settings.terms]:
                self._accept(row, at, -float(score), number)
        return len(self._term_rounds) > before

    def terms(self) -> Iterator[Term]:
        """Yield the accepted terms, scored by all contexts accepted in the end."""
        scores = self._scores()
        support = [self._graph.supported(one) for one in scores]
        for term, (row, number) in self._term_rounds.items():
            yield Term(
                self._names[row],
                self._found.names[term],
                self._found.kinds[term],
                round(float(support[row][term]), 3),
                int(self._graph.support[term]),
                number,
                self._advice(term, scores[row]),
            )

    def _advice(self, term: int, scores: NDArray[np.float64]) -> tuple[str, ...]:
        """Return accepted contexts of a term, the most selective first."""
        ranked = sorted(
            (-scores[at], self._found.patterns[at])
            for at in self._graph.contexts_of(term)
            if scores[at] > 0
        )
        return tuple(pattern for _, pattern in ranked[:ADVICE])

    def contexts(self) -> Iterator[Context]:
        """Yield the accepted contexts."""
        for row, (name, scores) in enumerate(zip(self._names, self._scores(), strict=True)):
            for at, number in self._context_rounds[row].items():
                yield Context(
                    name,
                    self._found.patterns[at],
                    round(float(scores[at]), 3),
                    round(float(self._members.inside[row, at]), 1),
                    int(self._graph.spread[at]),
                    number,
                )
