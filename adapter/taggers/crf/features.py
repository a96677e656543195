"""Features of the CRF tagger: a row for each token and each line break.

The features of Lee 2017 (section 2.4) and Szarvas 2006 (section 3.1): the word and its neighbours,
shapes, affixes, classes, clusters, commonness, lists, section, attribute, position in line and
text, and spans of rules and trusted phrases, here and on the same word elsewhere in the text.
Each of `GROUPS` can be switched off. A line break is a token of its own, so that layout gives
context.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.taggers.crf.feature_layers import Layer, Rows
from adapter.taggers.crf.gazetteer import Gazetteer
from adapter.taggers.crf.layout import layout
from adapter.taggers.crf.rule_features import rule_features
from adapter.taggers.crf.tokens import sequence_tokens
from adapter.taggers.crf.word_features import REACH, WordFeatures

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from adapter.taggers.crf.tokens import Columns
    from adapter.taggers.crf.word_stats import WordStats
    from adapter.taggers.document.document import Document
    from adapter.taggers.wordlists import Lexicon
    from adapter.types import Span, Veto

GROUPS = (
    "word", "shape", "class", "affix", "ngram", "cluster", "frequency", "lexicon", "memory",
    "rules", "trusted", "section", "attribute", "line", "place", "quotes",
)  # fmt: skip
"""Groups of features; see `Featurizer`."""


class Featurizer:
    """Turns a document and the rules' results in it into rows of features; a pure function.

    ``lexicons`` are by the name that features contain ("given", "city"); ``groups`` are the groups
    of `GROUPS` that are on.
    """

    def __init__(
        self,
        lexicons: Mapping[str, Lexicon],
        word_stats: WordStats,
        groups: Collection[str] = GROUPS,
    ) -> None:
        """Take the lexicons and word statistics that forms are looked up in."""
        self.groups = frozenset(groups)
        self._word_features = WordFeatures(lexicons, word_stats, self.groups)
        self._gazetteer = Gazetteer(lexicons if "lexicon" in self.groups else {})

    def rows(self, document: Document, found: Iterable[Span | Veto] = ()) -> Rows:
        """Return the features of a document's tokens; ``found`` are the rules' results in it."""
        sequence = sequence_tokens(document)
        rows = rule_features(sequence, found, self.groups)
        self._gazetteer.tell(sequence.words, rows)
        layers = (
            Layer("form", sequence.forms, self._word_features.shown, REACH),
            Layer("said", [tuple(features) for features in rows], _with_neighbours, 1),
            *layout(document, sequence, self.groups),
        )
        return Rows(sequence, layers, "ngram" in self.groups)


def _with_neighbours(features: tuple[str, ...]) -> Columns:
    """Return a token's features for the token before, the token itself and the token after."""
    return (
        tuple(f"-1{feature}" for feature in features),
        features,
        tuple(f"+1{feature}" for feature in features),
    )
