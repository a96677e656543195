"""Learning of boosted trees: triggers and headings, then two trainings.

The second training adds trusted phrases. Of tokens that are neither near mentions nor after a
heading, every fourth is used, with four times the weight, so that training takes minutes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from adapter.methods.boosted_trees.attributes import ReadText
from adapter.methods.boosted_trees.ensemble import boosted, with_types_before
from adapter.methods.boosted_trees.headings import learned as learned_headings
from adapter.methods.boosted_trees.headings import places
from adapter.methods.boosted_trees.look import Look
from adapter.methods.boosted_trees.tagger import (
    FIRST,
    STANDARDISED,
    TRUSTED,
    Attributes,
    BoostedTagger,
    Tables,
    file_of,
)
from adapter.methods.boosted_trees.triggers import SELECTIONS, selected
from adapter.methods.labelled_tokens import OUTSIDE, classes_of, types_of
from adapter.methods.thinning import NEAR, weights_of
from adapter.methods.trees import Trees
from adapter.taggers.document.document import read as read_document
from adapter.train.labels import labelled

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from adapter.evaluate.annotations import Annotated
    from adapter.methods.arrays import Array
    from adapter.methods.protocol import Resources


class BoostedTrees:
    """Learns three ensembles in each of two trainings."""

    def learn(self, texts: Sequence[Annotated], resources: Resources) -> BoostedTagger:
        """Learn all iterations.

        Raises:
            RuleError: the texts have no mention.
        """
        *_, (_, last) = self.steps(texts, resources)
        return last

    def steps(
        self, texts: Sequence[Annotated], resources: Resources
    ) -> Iterator[tuple[str, BoostedTagger]]:
        """Learn; yield the name and tagger of each iteration."""
        training = Training(texts, resources)
        first = training.ensembles(FIRST, [])
        found = training.tagger(first, (), FIRST)
        yield "first training", found
        known = [training.attributes.trusted(text, found.types(text)) for text in training.texts]
        second = training.ensembles(TRUSTED, known)
        yield "+ trusted phrases", training.tagger(first, second, TRUSTED)
        yield "+ standardisation", training.tagger(first, second, STANDARDISED)

    def read(self, files: Mapping[str, bytes], resources: Resources) -> BoostedTagger:
        """Return the tagger of a model's files."""
        tables = Tables.read(files)
        made = Attributes(tables, Look(resources))
        first, second = (_read(files, made, tables, step) for step in (FIRST, TRUSTED))
        return BoostedTagger(tables, made, first, second)


def _read(
    files: Mapping[str, bytes], made: Attributes, tables: Tables, iteration: int
) -> list[Trees]:
    return [
        Trees(
            files,
            file_of(plan.name, iteration),
            made.width(number, iteration),
            len(tables.kinds) + 1,
        )
        for number, plan in enumerate(SELECTIONS)
    ]


class Training:
    """Texts to learn from, with the tables and rows that both trainings share."""

    def __init__(self, texts: Sequence[Annotated], resources: Resources) -> None:
        """Read texts; learn headings and triggers.

        Raises:
            RuleError: the texts have no mention, or nothing else.
        """
        self._seed = resources.seed
        language = resources.language
        self.texts = [
            ReadText.of(read_document(text.text, language.code, language.sections))
            for text in texts
        ]
        labels = [
            labelled(text.tokens, annotated.mentions, lambda mention: mention.type)
            for text, annotated in zip(self.texts, texts, strict=True)
        ]
        self._types = [types_of(each) for each in labels]
        kinds = classes_of(self._types)
        words = [text.words for text in self.texts]
        of_words = list(zip(words, self._types, strict=True))
        self._tables = Tables(
            tuple(kind for kind in kinds if kind != OUTSIDE),
            learned_headings(list(zip(words, labels, strict=True))),
            tuple(selected(of_words, plan) for plan in SELECTIONS),
        )
        self.attributes = Attributes(self._tables, Look(resources))
        self._rows = [self.attributes.rows(text) for text in self.texts]

    def tagger(
        self, first: Sequence[Trees], second: Sequence[Trees], iterations: int
    ) -> BoostedTagger:
        """Return a tagger with the given ensembles."""
        return BoostedTagger(self._tables, self.attributes, first, second, iterations)

    def ensembles(self, iteration: int, known: Sequence[Array]) -> list[Trees]:
        """Learn one ensemble for each selection; ``known`` are further columns of each text."""
        numbers = self._tables.numbers
        types = [np.array([numbers[kind] for kind in each]) for each in self._types]
        weights = [self._weights(place) for place in range(len(self.texts))]
        found = []
        for selection, plan in enumerate(SELECTIONS):
            parts = []
            for place, rows in enumerate(self._rows):
                wide = np.hstack([rows[selection], *known[place : place + 1]])
                wide = with_types_before(wide, types[place], len(numbers))
                parts.append(wide[weights[place] > 0])
            chosen = np.concatenate(weights)
            content = boosted(
                np.vstack(parts),
                np.concatenate(types)[chosen > 0],
                chosen[chosen > 0],
                len(numbers),
                self._seed,
            )
            name = file_of(plan.name, iteration)
            width = self.attributes.width(selection, iteration)
            found.append(Trees({name: content}, name, width, len(numbers)))
        return found

    def _weights(self, place: int) -> Array:
        """Return the weight of each token of a text; 0 for tokens not learned from."""
        text, types = self.texts[place], self._types[place]
        parts = places(self._tables.headings.parts(text.words), len(types))
        close = (at for at, part in enumerate(parts) if part and at - part.first <= NEAR)
        return weights_of(types, tuple(close))
