"""The method: a network learned with JAX, stored as ONNX beside its vocabulary.

Deviations from Saluja 2019: word vectors are pretrained only if a recipe names some, characters go
through a convolution (as in Ma & Hovy 2016) instead of a BiLSTM, and AdamW with a decaying rate
needs fewer epochs than gradient descent. Digits of words are read as 0; characters keep their
digits.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from adapter.errors import RuleError
from adapter.methods.bilstm_crf.tagger import BiLstmCrfTagger
from adapter.methods.labelled_tokens import LabelledText, labelled_text
from adapter.taggers.crf.weights import allowed
from adapter.taggers.neural.vocabulary import vocabulary_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from types import ModuleType

    from adapter.evaluate.annotations import Annotated
    from adapter.methods.protocol import Resources

EXTRA = "train-neural"


class BiLstmCrf:
    """Learns the network."""

    def learn(
        self, texts: Sequence[Annotated], resources: Resources, copies: Sequence[Annotated] = ()
    ) -> BiLstmCrfTagger:
        """Learn from texts, and from altered ``copies`` of them that add no word.

        Raises:
            RuleError: the texts have no words, or the extra is not installed.
        """
        training, graph = _library("training"), _library("graph")
        labelled = _labelled(texts, resources)
        if not labelled:
            raise RuleError("train", "no text has words to learn from")
        vocabulary = vocabulary_of([(text.tokens, text.labels) for text in labelled])
        learned = [*labelled, *_labelled(copies, resources)]
        corpus = training.corpus_of(learned, vocabulary, resources.vectors)
        parameters = training.learned(corpus, vocabulary, resources.seed)
        transitions = allowed(vocabulary.labels, parameters["transitions"])
        content = graph.exported(parameters)
        return BiLstmCrfTagger.of(content, vocabulary, transitions, resources.vectors)

    def read(self, files: Mapping[str, bytes], resources: Resources) -> BiLstmCrfTagger:
        """Return the tagger of a model's files."""
        del resources
        return BiLstmCrfTagger.read(files)


def _labelled(texts: Sequence[Annotated], resources: Resources) -> list[LabelledText]:
    """Return the texts that have words, with their labels."""
    labelled = (labelled_text(text, resources) for text in texts)
    return [text for text in labelled if len(text.tokens)]


def _library(module: str) -> ModuleType:
    """Import a module that only learning needs.

    Raises:
        RuleError: the extra is not installed.
    """
    try:
        return import_module(f"adapter.methods.bilstm_crf.{module}")
    except ModuleNotFoundError as error:
        if str(error.name).startswith("adapter"):
            raise
        raise RuleError("train", f"needs {error.name}; install the extra '{EXTRA}'") from None
