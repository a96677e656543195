"""A linear support vector machine over the window of each token (Saluja 2019; Guo 2006).

One machine per type against all others uses hashed features (`window_features`) of coarse tokens
(`coarse_tokens`). Tokens are classified by type, not by IOB2 label: neighbours of one type are one
mention.

The paper classifies each token alone. Here a change of type costs half the margin, because one
misclassified token would break a street or a name into three mentions.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sklearn.svm import LinearSVC

from adapter.methods.coarse_tokens import coarse
from adapter.methods.labelled_tokens import classes_of, spans_of, types_of
from adapter.methods.linear.smoothing import smoothed
from adapter.methods.linear.weights import Linear, fitted
from adapter.methods.linear.window_features import Gazetteers, Hashed
from adapter.taggers.crf.tokens import sequence_tokens
from adapter.taggers.document.document import read
from adapter.train.labels import labelled

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from adapter.evaluate.annotations import Annotated
    from adapter.methods.linear.window_features import Key
    from adapter.methods.protocol import Resources
    from adapter.taggers.document.document import Document
    from adapter.taggers.trusted.index import PhraseIndex
    from adapter.types import Span

SOURCE = "linear-svc"
FILE = "weights.npz"
ROUNDS = 60
"""Most rounds of coordinate descent."""
TOLERANCE = 0.01
CHANGE = 0.5
"""Cost of a change of type, in units of the margin."""


class LinearMethod:
    """Learns one linear machine per type, without gazetteers."""

    gazetteers = False

    def learn(self, texts: Sequence[Annotated], resources: Resources) -> LinearTagger:
        """Fit the machines to all tokens of texts.

        Raises:
            RuleError: the texts have no mention, or nothing else.
        """
        lists = self._lists(resources)
        keys, types = training_tokens(texts, resources, lists)
        model = LinearSVC(max_iter=ROUNDS, tol=TOLERANCE, random_state=resources.seed)
        return LinearTagger(fitted(model, Hashed().matrix(keys), types), lists)

    def read(self, files: Mapping[str, bytes], resources: Resources) -> LinearTagger:
        """Return the tagger of a model's files."""
        return LinearTagger(Linear.read(files, FILE), self._lists(resources))

    def _lists(self, resources: Resources) -> Gazetteers:
        if not self.gazetteers:
            return Gazetteers({})
        return Gazetteers.of(resources.lexicons, resources.language.code)


class LinearGazetteerMethod(LinearMethod):
    """Learns one linear machine per type, with features of gazetteers."""

    gazetteers = True


def training_tokens(
    texts: Sequence[Annotated], resources: Resources, lists: Gazetteers
) -> tuple[list[list[Key]], list[str]]:
    """Return the keys of each text's tokens, and the types of all tokens in one list.

    Raises:
        RuleError: the texts have no mention, or nothing else.
    """
    keys: list[list[Key]] = []
    types: list[list[str]] = []
    for text in texts:
        document = read(text.text, resources.language.code, resources.language.sections)
        tokens = coarse(sequence_tokens(document))
        keys.append(lists.keys(tokens))
        types.append(types_of(labelled(tokens, text.mentions, lambda mention: mention.type)))
    classes_of(types)
    return keys, [kind for each in types for kind in each]


@dataclass(frozen=True, slots=True)
class LinearTagger:
    """The machines, and the gazetteers with which they were learned."""

    model: Linear
    lists: Gazetteers
    trusting: bool = False

    def tag(self, document: Document, phrases: PhraseIndex) -> Iterable[Span]:
        """Return runs of tokens of one type as mentions."""
        del phrases
        tokens = coarse(sequence_tokens(document))
        scores = self.model.scores(Hashed().matrix([self.lists.keys(tokens)]))
        types = [self.model.types[number] for number in smoothed(scores, CHANGE)]
        return spans_of(tokens, types, SOURCE)

    def files(self) -> Mapping[str, bytes]:
        """Return the weights by file name."""
        return {FILE: self.model.packed()}
