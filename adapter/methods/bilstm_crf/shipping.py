"""Training of a neural model for the pipeline from ``models/<language>/neural/recipe.toml``.

::

    language = "es"
    method   = "bilstm-crf"
    seed     = 7
    labels   = "source"              # of the corpora; "type": ours. As in the recipe of the CRF
    share    = 0.4                   # of the network in the mean with the CRF

    [thresholds."0.95"]              # target recall: chain of the CRF -> probability of the mean
    all = 0.5                        # from which a token is protected

    [vectors]                        # pretrained ones of words; optional
    path    = "en/neural/vectors.bin"   # below the folder of models
    origin  = "GloVe"
    licence = "PDDL 1.0"

    [recased]                        # shares of texts learned also in small letters, in capitals
    lower = 0.15
    upper = 0.1

    [[corpus]]
    path    = "corpora/meddocan/train.jsonl"
    licence = "CC BY 4.0"

    [[corpus]]
    path    = "corpora/meddocan/dev.jsonl"
    licence = "CC BY 4.0"
    scored  = true                   # not used for learning; its scores are in the card

``own = true`` beside a path: it is relative to the folder of models, not to that of corpora.
"""

from __future__ import annotations

import hashlib
import tomllib
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from adapter.errors import RuleError
from adapter.evaluate.annotations import Mention
from adapter.evaluate.corpora.readers import read_corpus
from adapter.evaluate.meddocan import official, with_source_labels
from adapter.methods.bilstm_crf.method import BiLstmCrf
from adapter.methods.bilstm_crf.quantization import quantized
from adapter.methods.labelled_tokens import extents_of
from adapter.rules.models import CARD
from adapter.taggers.crf.tokens import sequence_tokens
from adapter.taggers.document.document import read
from adapter.taggers.neural.vectors import Vectors
from adapter.train.augment.casing import AS_WRITTEN, Recasing, recased

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from adapter.evaluate.annotations import Annotated, Pair
    from adapter.evaluate.scores import Score
    from adapter.methods.bilstm_crf.tagger import BiLstmCrfTagger
    from adapter.methods.protocol import Resources

METHOD = "bilstm-crf"
_HEADER = """\
# What this model is: made by `deid-adapter train`, not by hand. Digests are checked on opening.
"""


class Labels(StrEnum):
    """The labels that a model learns: ours, or the corpora's own, also those outside our scheme."""

    TYPE = "type"
    SOURCE = "source"


@dataclass(frozen=True, slots=True)
class CorpusPlan:
    """A corpus: path, licence, and whether it is ``scored``, not learned.

    The path is relative to the data folder, or to ``models/`` if the corpus is our ``own``.
    """

    path: str
    licence: str
    scored: bool = False
    own: bool = False


@dataclass(frozen=True, slots=True)
class VectorsPlan:
    """Pretrained vectors: path below the folder of models, origin and licence."""

    path: str
    origin: str
    licence: str


@dataclass(frozen=True, slots=True)
class NeuralRecipe:
    """The recipe of a neural model; the module's docstring explains each part."""

    language: str
    corpora: tuple[CorpusPlan, ...]
    seed: int
    labels: Labels
    share: float
    thresholds: Mapping[str, Mapping[str, float]]
    vectors: VectorsPlan | None = None
    recased: Recasing = AS_WRITTEN


@dataclass(frozen=True, slots=True)
class Learning:
    """A recipe with the texts of its corpora, by path, and its vectors."""

    recipe: NeuralRecipe
    texts: Mapping[str, Sequence[Annotated]] = field(repr=False)
    vectors: Vectors | None = field(default=None, repr=False)

    @classmethod
    def of(cls, recipe: NeuralRecipe, data: Path, models: Path) -> Learning:
        """Read the texts of corpora in the folders ``data`` and, if our own, ``models``.

        Raises:
            RuleError: a corpus or the file of vectors is missing.
        """
        texts = {}
        for corpus in recipe.corpora:
            path = (models if corpus.own else data) / corpus.path
            if not path.exists():
                raise RuleError(corpus.path, "does not exist")
            found = read_corpus(path, recipe.language)
            texts[corpus.path] = [_labelled(text, recipe) for text in found]
        if recipe.vectors is None:
            return cls(recipe, texts)
        path = models / recipe.vectors.path
        if not path.is_file():
            raise RuleError(recipe.vectors.path, "does not exist")
        return cls(recipe, texts, Vectors.read(path.read_bytes()))

    @property
    def learned(self) -> list[Annotated]:
        """The texts to learn from."""
        return [t for c in self.recipe.corpora if not c.scored for t in self.texts[c.path]]


def _labelled(text: Annotated, recipe: NeuralRecipe) -> Annotated:
    """Return a text whose mentions have the types that are learned from it."""
    return with_source_labels(text) if recipe.labels is Labels.SOURCE else text


def read_neural_recipe(path: Path) -> NeuralRecipe | None:
    """Read the recipe of a neural model; return None for a recipe of another method.

    Raises:
        RuleError: the file cannot be read, or a part is missing or malformed.
    """
    try:
        table = tomllib.loads(path.read_text("utf-8"))
        if table.get("method") != METHOD:
            return None
        corpora = tuple(CorpusPlan(**corpus) for corpus in table["corpus"])
        language, seed, labels = str(table["language"]), int(table["seed"]), Labels(table["labels"])
        share, thresholds = float(table["share"]), table["thresholds"]
        vectors = VectorsPlan(**table["vectors"]) if "vectors" in table else None
        casing = Recasing(**table.get("recased", {}))
        return NeuralRecipe(language, corpora, seed, labels, share, thresholds, vectors, casing)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise RuleError(str(path), f"is not a recipe: {type(error).__name__} {error}") from None


def learn(learning: Learning, resources: Resources) -> BiLstmCrfTagger:
    """Learn from the texts; the LSTM of the result computes with integers.

    Raises:
        RuleError: the texts have no words, or the extra is not installed.
    """
    resources = replace(resources, vectors=learning.vectors)
    recipe = learning.recipe
    copies = recased(learning.learned, recipe.recased, recipe.seed)
    tagger = BiLstmCrf().learn(learning.learned, resources, tuple(copies))
    network = tagger.network
    content = quantized(tagger.content)
    return tagger.of(content, network.vocabulary, network.transitions, learning.vectors)


def write(folder: Path, learning: Learning, tagger: BiLstmCrfTagger, resources: Resources) -> None:
    """Write a model's files, and the card with its origin, scores and digests."""
    from tomli_w import dumps  # noqa: PLC0415 - only training needs it

    folder.mkdir(parents=True, exist_ok=True)
    files = tagger.files()
    for name, content in files.items():
        (folder / name).write_bytes(content)
    digests = {name: f"sha256:{hashlib.sha256(files[name]).hexdigest()}" for name in sorted(files)}
    table = {**card(learning, tagger, resources), "digest": digests}
    (folder / CARD).write_text(_HEADER + dumps(table), encoding="utf-8")


def card(learning: Learning, tagger: BiLstmCrfTagger, resources: Resources) -> dict[str, Any]:
    """Return the card without digests."""
    recipe = learning.recipe
    place = f"models/{recipe.language}/neural"
    scored = [corpus.path for corpus in recipe.corpora if corpus.scored]
    pairs = {path: _pairs(learning, learning.texts[path], tagger, resources) for path in scored}
    vectors = {"vectors": asdict(recipe.vectors)} if recipe.vectors else {}
    return {
        "language": recipe.language,
        "method": METHOD,
        "made_by": f"deid-adapter train {place}/recipe.toml --data DATA -o {place}",
        "seed": recipe.seed,
        "use": {"share": recipe.share},
        "thresholds": recipe.thresholds,
        **vectors,
        "data": [
            {
                "corpus": corpus.path,
                "licence": corpus.licence,
                "documents": len(learning.texts[corpus.path]),
                "mentions": sum(len(text.mentions) for text in learning.texts[corpus.path]),
            }
            for corpus in recipe.corpora
            if not corpus.scored
        ],
        "scores": {path: _scores(found) for path, found in pairs.items()},
    }


def _pairs(
    learning: Learning,
    texts: Iterable[Annotated],
    tagger: BiLstmCrfTagger,
    resources: Resources,
) -> list[Pair]:
    """Return texts with the mentions of the network alone."""
    names = tagger.network.vocabulary.labels
    pairs: list[Pair] = []
    for text in texts:
        document = read(text.text, learning.recipe.language, resources.language.sections)
        tokens = sequence_tokens(document)
        labels = [names[place] for place in tagger.network.labels(tokens)]
        pairs.append((text, tuple(Mention(*each) for each in extents_of(tokens, labels))))
    return pairs


def _scores(pairs: Sequence[Pair]) -> dict[str, Any]:
    found = official(pairs)
    rows: dict[str, Score] = {"ner": found.ner, "strict": found.strict, "merged": found.merged}
    shown = {
        name: {
            "precision": round(score.precision, 4),
            "recall": round(score.recall, 4),
            "f1": round(score.f(), 4),
        }
        for name, score in rows.items()
    }
    return {"documents": len(pairs), **shown}
