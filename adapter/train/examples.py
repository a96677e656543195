"""Annotated texts as training sequences: read, tagged by rules, featurized, labelled, cut."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from adapter.evaluate.annotations import Mention
from adapter.evaluate.headers import from_header
from adapter.evaluate.unlabelled import is_unlabelled
from adapter.pipeline.language import tag
from adapter.taggers.crf.rule_features import recalled
from adapter.taggers.crf.tokens import segments
from adapter.taggers.document.document import read
from adapter.taggers.document.headings import confirmed
from adapter.taggers.trusted.index import PhraseIndex
from adapter.train.labels import labelled
from adapter.types import Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from adapter.evaluate.corpora.readers import Annotated
    from adapter.pipeline.language import Language
    from adapter.taggers.crf.features import Featurizer
    from adapter.taggers.document.document import Document
    from adapter.taggers.document.headings import Extent
    from adapter.train.recipe import CorpusPlan, Recipe
    from adapter.types import Veto

SURE = 60
"""Lowest priority of a rule's span that counts as a mention its corpus leaves unlabelled."""


@dataclass(frozen=True, slots=True)
class Example:
    """A training text, the plan of its corpus, and whether its header gives trusted phrases."""

    text: Annotated = field(repr=False)
    plan: CorpusPlan
    trusting: bool = False


class Reader:
    """Turns examples into rows of features, as the tagger computes them, and labels."""

    def __init__(
        self,
        recipe: Recipe,
        language: Language,
        featurizer: Featurizer,
        headings: Mapping[str, str] | None = None,
    ) -> None:
        """Take a language without a learned tagger, and the features to learn from.

        Mentions under ``headings`` (name -> label) are recalled where their words occur elsewhere.
        """
        self._headings = headings or {}
        self._recipe = recipe
        self._language = language
        self._featurizer = featurizer

    def found(self, example: Example) -> list[Span | Veto]:
        """Return the spans and vetoes of rules and trusted phrases for an example."""
        text = example.text.text
        header = example.text.meta if example.trusting else {}
        phrases = from_header(header, self._language.words).phrases
        return tag(
            text,
            PhraseIndex.build(phrases, self._language.words.cues).within([text]),
            self._language,
        )

    def document(self, example: Example) -> Document:
        """Return an example's text as a document for taggers."""
        return read(example.text.text, self._language.code, self._language.sections)

    def sequences(self, example: Example) -> Iterator[tuple[list[list[str]], dict[str, list[str]]]]:
        """Yield (rows of features, chain -> labels) for each segment to learn from.

        Segments with a certain rule span of a type the corpus leaves unlabelled are left out: the
        model would learn that the span is no mention.
        """
        found = self.found(example)
        document = self.document(example)
        rows = self._featurizer.rows(document, found)
        strings = rows.strings()
        trusted = confirmed(document, self.extents(example), self._headings)
        for place, features in recalled(rows.tokens, trusted).items():
            strings[place] += features
        if not strings:
            return
        labels = {
            chain.name: labelled(
                rows.tokens,
                example.text.mentions,
                self._named(example, chain.name),
                example.plan.outside,
            )
            for chain in self._recipe.chains
        }
        doubtful = self._doubtful(example.text, found)
        firsts = segments(rows.tokens)
        for first, last in zip(firsts, [*firsts[1:], len(strings)], strict=True):
            low, high = rows.tokens.starts[first], rows.tokens.ends[last - 1]
            if not any(start < high and end > low for start, end in doubtful):
                yield strings[first:last], {name: all_[first:last] for name, all_ in labels.items()}

    def extents(self, example: Example) -> list[Extent]:
        """Return an example's mentions as (start, end, label of the model)."""
        named = ((m, self._recipe.label_of(m, example.plan)) for m in example.text.mentions)
        return [(mention.start, mention.end, label) for mention, label in named if label]

    def _named(self, example: Example, chain: str) -> _Named:
        return _Named(self._recipe, example.plan, chain)

    def _doubtful(self, text: Annotated, found: Sequence[Span | Veto]) -> list[tuple[int, int]]:
        return [
            (span.start, span.end)
            for span in found
            if isinstance(span, Span)
            and span.priority >= SURE
            and is_unlabelled(text, Mention(span.start, span.end, str(span.label)))
            and not any(m.start < span.end and m.end > span.start for m in text.mentions)
        ]


@dataclass(frozen=True, slots=True)
class _Named:
    """Returns the label of a mention in one chain, or None if the chain does not learn it."""

    recipe: Recipe
    plan: CorpusPlan
    chain: str

    def __call__(self, mention: Mention) -> str | None:
        label = self.recipe.label_of(mention, self.plan)
        return label if label and self.recipe.chain_of(label) == self.chain else None
