"""Training of a model from its recipe: examples, chains, cross-validated thresholds."""

from __future__ import annotations

import json
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from multiprocessing import get_context
from sys import intern
from typing import TYPE_CHECKING, NamedTuple

from adapter.errors import RuleError
from adapter.evaluate.corpora.readers import read_corpus
from adapter.pipeline.language import find_in
from adapter.rules.models import shown
from adapter.taggers.crf.features import Featurizer
from adapter.taggers.crf.tagger import CrfModel, CrfTagger
from adapter.taggers.crf.weights import Weights
from adapter.taggers.crf.word_stats import WordStats
from adapter.taggers.trusted.index import NOBODY
from adapter.train.augment.carriers import carried, screened
from adapter.train.augment.casing import recased
from adapter.train.augment.notes import augmented
from adapter.train.augment.tables import Tables
from adapter.train.crossval import held_out, split
from adapter.train.examples import Example, Reader
from adapter.train.fitting import Trainer, adapted, model_bytes
from adapter.train.headings import unambiguous
from adapter.train.recipe import CorpusPlan
from adapter.train.word_stats import build_word_stats
from adapter.types import Label

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path

    from adapter.evaluate.corpora.readers import Annotated
    from adapter.pipeline.language import Language
    from adapter.taggers.neural.model import NeuralModel
    from adapter.taggers.wordlists import Lexicon
    from adapter.train.crossval import Held
    from adapter.train.fitting import Fitted
    from adapter.train.recipe import Learning, Recipe
    from adapter.types import Span

Rows = list[list[str]]
Labels = dict[str, list[str]]
Segment = tuple[Rows, Labels]
"""The features of a segment's tokens, and chain -> their labels."""

CARRIED = CorpusPlan("carriers", "project", headers=True)
"""The plan of texts made from templates and carriers."""


class Materials(NamedTuple):
    """A recipe and its inputs: a language without a learned tagger, lexicons, folders."""

    recipe: Recipe
    language: Language
    lexicons: Mapping[str, Lexicon]
    data: Path
    rules: Path

    @property
    def models(self) -> Path:
        """The folder of models beside that of rules."""
        return self.rules.parent / "models"

    def folder_of(self, plan: CorpusPlan) -> Path:
        """Return the folder that a corpus's path is relative to."""
        return self.models if plan.own else self.data


@dataclass(frozen=True, slots=True)
class TrainingRun:
    """The constant inputs of learning a model's chains."""

    recipe: Recipe
    language: Language = field(repr=False)
    featurizer: Featurizer = field(repr=False)
    examples: tuple[Example, ...] = field(repr=False)
    words: str = field(repr=False)
    _read: dict[int, tuple[Example, list[Segment]]] = field(
        default_factory=dict, init=False, repr=False
    )
    """id() of an example -> the example and its segments: folds share the segments."""

    @classmethod
    def of(cls, materials: Materials) -> TrainingRun:
        """Read and build everything a recipe needs.

        Raises:
            RuleError: a corpus, list or table is missing.
        """
        recipe = materials.recipe
        words = _word_stats(materials)
        lexicons = shown(recipe.language, materials.lexicons)
        featurizer = Featurizer(lexicons, WordStats.parse(words), recipe.groups)
        return cls(recipe, materials.language, featurizer, tuple(_examples(materials)), words)

    @property
    def labels(self) -> dict[str, Label | None]:
        """Label of the corpora -> our label of most of its mentions; None if that is not ours."""
        if self.recipe.labels == "type":
            return {}
        counts: dict[str, dict[str, int]] = {}
        for example in self.examples:
            for mention in (*example.text.mentions, *example.text.extra):
                of_label = counts.setdefault(mention.source_label, {})
                of_label[mention.type] = of_label.get(mention.type, 0) + 1
        known = {str(label) for label in Label}
        best = {name: max(of, key=lambda kind: (of[kind], kind)) for name, of in counts.items()}
        return {name: Label(kind) if kind in known else None for name, kind in best.items()}

    def headings(self, examples: Iterable[Example]) -> dict[str, str]:
        """Return the unambiguous headings -> label; none unless the recipe has two phases."""
        if self.recipe.phases == 1:
            return {}
        reader = Reader(self.recipe, self.language, self.featurizer)
        texts = {(one.plan.path, one.text.id): one for one in examples if "#" not in one.text.id}
        return unambiguous((reader.document(one), reader.extents(one)) for one in texts.values())

    def fitted(
        self,
        examples: Iterable[Example],
        headings: Mapping[str, str] | None = None,
        draws: int = 0,
    ) -> bytes:
        """Learn all chains in ``draws`` draws (0: the recipe's); return ``weights.bin``."""
        recipe = self.recipe
        learning = replace(recipe.learning, draws=draws or recipe.learning.draws)
        read = [
            (example.plan.domain, *segment)
            for example in examples
            for segment in self._segments(example, headings or {})
        ]
        return model_bytes(self._learned(chain.name, learning, read) for chain in recipe.chains)

    def _learned(
        self, name: str, learning: Learning, read: Iterable[tuple[str, Rows, Labels]]
    ) -> Fitted:
        """Learn one chain; CRFsuite's copy of the segments is freed before the next chain's."""
        trainer = Trainer(name, learning, self.recipe.seed)
        for domain, rows, labels in read:
            trainer.add(adapted(rows, domain) if self.recipe.adapt else rows, labels[name])
        return trainer.fitted(self.recipe.target)

    def _segments(self, example: Example, headings: Mapping[str, str]) -> list[Segment]:
        """Return the segments of an example, read only once unless there are ``headings``."""
        reader = Reader(self.recipe, self.language, self.featurizer, headings)
        if headings:
            return list(reader.sequences(example))
        if id(example) not in self._read:
            segments = [(_shared(rows), labels) for rows, labels in reader.sequences(example)]
            self._read[id(example)] = example, segments
        return self._read[id(example)][1]

    def tagger(
        self,
        weights: bytes,
        headings: Mapping[str, str] | None = None,
        *,
        whole: bool = True,
        neural: NeuralModel | None = None,
    ) -> CrfTagger:
        """Return the tagger with these weights; ``whole`` and ``neural`` as in `CrfTagger`."""
        chains = Weights.parse(weights)
        model = CrfModel(
            chains,
            dict.fromkeys((chain.name for chain in chains.chains), 0.5),
            self.labels,
            self.recipe.priority,
            headings or {},
            self.language.words.fields.joining,
            neural,
            self.recipe.doubted,
        )
        return CrfTagger(model, self.featurizer, whole=whole)

    def fold(self, number: int) -> list[Held]:
        """Learn from all folds but one, and tag the scored texts of that fold."""
        learn, score = split(self.examples, number, self.recipe.folds, self.recipe.by)
        headings = self.headings(learn)
        draws = self.recipe.learning.fold_draws
        tagger = self.tagger(self.fitted(learn, headings, draws), headings)
        reader = Reader(self.recipe, self.language, self.featurizer)
        sure = self.recipe.sure
        return [held_out(example, reader, tagger, self.language, sure) for example in score]


def _word_stats(materials: Materials) -> str:
    """Return the word statistics that the recipe names, or those of spacy-lookups-data.

    Raises:
        RuleError: there are none.
    """
    recipe = materials.recipe
    if not recipe.words:
        return build_word_stats(recipe.language, recipe.forms)
    try:
        return (materials.models / recipe.words).read_text("utf-8")
    except OSError:
        raise RuleError("recipe.words", "is not a readable file") from None


def _examples(materials: Materials) -> Iterator[Example]:
    recipe = materials.recipe
    tables = Tables.load(materials.rules, recipe.language)
    for number, plan in enumerate(recipe.corpora):
        corpus = list(read_corpus(materials.folder_of(plan) / plan.path, recipe.language))
        texts = [_whole(text, recipe) for text in corpus[: plan.limit or None]]
        for text in texts:
            yield from (Example(text, plan, trusting) for trusting in {False, plan.headers})
        copies = augmented(texts, plan.copies, recipe.seed + number, tables)
        for place, text in enumerate(copies):
            yield Example(text, plan, trusting=plan.headers and place % 2 == 0)
        for place, text in enumerate(recased(texts, recipe.recased, recipe.seed)):
            yield Example(text, plan, trusting=plan.headers and place % 2 == 0)
    if recipe.carried:
        clean = screened(_carriers(materials.data), _finder(materials.language), tables)
        for place, text in enumerate(carried(recipe.carried, recipe.seed, tables, clean)):
            yield Example(text, replace(CARRIED, domain=recipe.target), trusting=place % 2 == 0)


def _shared(rows: list[list[str]]) -> list[list[str]]:
    """Return rows that share equal feature strings, to save memory."""
    return [list(map(intern, row)) for row in rows]


def _finder(language: Language) -> Callable[[str], Iterable[Span]]:
    """Return a function that finds mentions in a text by rules alone."""
    index = NOBODY
    return lambda text: find_in(text, index, language)


def _whole(text: Annotated, recipe: Recipe) -> Annotated:
    """Return the text, with extra mentions if the model learns the corpus's own labels."""
    if recipe.labels == "type" or not text.extra:
        return text
    both = sorted((*text.mentions, *text.extra), key=lambda mention: (mention.start, mention.end))
    return replace(text, mentions=tuple(both), extra=())


def _carriers(data: Path) -> Iterator[str]:
    for file in sorted((data / "carriers").glob("*.jsonl")):
        for line in file.read_text("utf-8").splitlines():
            yield json.loads(line)["text"]


_TRAINING_RUN: list[TrainingRun] = []
"""The training run of a worker process, inherited by fork: it is too large to pickle."""


def cross_validated(
    training_run: TrainingRun, jobs: int, done: Callable[[int], None] = lambda _: None
) -> list[Held]:
    """Return all scored texts, each tagged by a model not trained on it; ``jobs`` processes.

    ``done`` is called with the number of each fold, from 1, when it and all before it are done.
    """
    folds = range(training_run.recipe.folds)
    if jobs == 1:
        return _counted(map(training_run.fold, folds), done)
    _TRAINING_RUN[:] = [training_run]
    with ProcessPoolExecutor(jobs, mp_context=get_context("fork")) as pool:
        return _counted(pool.map(_fold, folds), done)


def _counted(folds: Iterable[list[Held]], done: Callable[[int], None]) -> list[Held]:
    found: list[Held] = []
    for number, held in enumerate(folds, 1):
        found += held
        done(number)
    return found


def _fold(number: int) -> list[Held]:
    return _TRAINING_RUN[0].fold(number)
