"""Training of a neural model for the pipeline from ``models/<language>/neural/recipe.toml``.

::

    language  = "es"
    method    = "bilstm-crf"
    seed      = 7
    priority  = 55                   # of its spans; below that of certain rules
    threshold = 0.5                  # tokens with a greater probability are protected

    [[corpus]]
    path    = "corpora/meddocan/train.jsonl"
    licence = "CC BY 4.0"

    [[corpus]]
    path    = "corpora/meddocan/dev.jsonl"
    licence = "CC BY 4.0"
    scored  = true                   # not used for learning; its scores are in the card

The model learns the corpora's own labels, including labels outside our scheme.
"""

from __future__ import annotations

import hashlib
import tomllib
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from adapter.errors import RuleError
from adapter.evaluate.annotations import Mention
from adapter.evaluate.corpora.readers import read_corpus
from adapter.evaluate.meddocan import official, with_source_labels
from adapter.methods.bilstm_crf.method import BiLstmCrf
from adapter.rules.models import CARD
from adapter.taggers.crf.mentions import Scheme
from adapter.taggers.crf.tokens import sequence_tokens
from adapter.taggers.document.document import read
from adapter.taggers.neural.network import CHAIN
from adapter.taggers.neural.tagger import SOURCE
from adapter.types import Label

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


@dataclass(frozen=True, slots=True)
class CorpusPlan:
    """A corpus: path below the data folder, licence, and whether it is scored, not learned."""

    path: str
    licence: str
    scored: bool = False


@dataclass(frozen=True, slots=True)
class NeuralRecipe:
    """The recipe of a neural model; the module's docstring explains each part."""

    language: str
    corpora: tuple[CorpusPlan, ...]
    seed: int
    priority: int
    threshold: float


@dataclass(frozen=True, slots=True)
class Learning:
    """A recipe with the texts of its corpora, by path."""

    recipe: NeuralRecipe
    texts: Mapping[str, Sequence[Annotated]] = field(repr=False)

    @classmethod
    def of(cls, recipe: NeuralRecipe, data: Path) -> Learning:
        """Read the texts of corpora in the folder ``data``.

        Raises:
            RuleError: a corpus is missing.
        """
        for corpus in recipe.corpora:
            if not (data / corpus.path).exists():
                raise RuleError(corpus.path, "does not exist")
        return cls(recipe, {c.path: list(read_corpus(data / c.path)) for c in recipe.corpora})

    @property
    def learned(self) -> list[Annotated]:
        """The texts to learn from."""
        return [t for c in self.recipe.corpora if not c.scored for t in self.texts[c.path]]

    @property
    def labels(self) -> dict[str, str]:
        """Corpus label -> its most frequent label in our scheme; "" if that is no label of ours."""
        counts: dict[str, Counter[str]] = {}
        for text in self.learned:
            for mention in (*text.mentions, *text.extra):
                counts.setdefault(mention.source_label, Counter())[mention.type] += 1
        best = {name: max(of, key=lambda kind: (of[kind], kind)) for name, of in counts.items()}
        known = {str(label) for label in Label}
        return {name: kind if kind in known else "" for name, kind in sorted(best.items())}


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
        language, seed = str(table["language"]), int(table["seed"])
        priority, threshold = int(table["priority"]), float(table["threshold"])
        return NeuralRecipe(language, corpora, seed, priority, threshold)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise RuleError(str(path), f"is not a recipe: {type(error).__name__} {error}") from None


def learn(learning: Learning, resources: Resources) -> BiLstmCrfTagger:
    """Learn from the texts with the corpora's own labels.

    Raises:
        RuleError: the texts have no words, or the extra is not installed.
    """
    return BiLstmCrf().learn([with_source_labels(text) for text in learning.learned], resources)


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
    return {
        "language": recipe.language,
        "method": METHOD,
        "made_by": f"deid-adapter train {place}/recipe.toml --data DATA -o {place}",
        "seed": recipe.seed,
        "use": {"priority": recipe.priority, "threshold": recipe.threshold},
        "labels": learning.labels,
        "data": [
            {
                "corpus": corpus.path,
                "licence": corpus.licence,
                "documents": len(learning.texts[corpus.path]),
                "mentions": sum(
                    len(t.mentions) + len(t.extra) for t in learning.texts[corpus.path]
                ),
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
    """Return texts with the mentions of the network alone, both in the corpus's labels."""
    labels = {name: Label(ours) if ours else None for name, ours in learning.labels.items()}
    scheme = Scheme(SOURCE, learning.recipe.priority, labels, whole=True)
    pairs: list[Pair] = []
    for text in texts:
        document = read(text.text, learning.recipe.language, resources.language.sections)
        seen = tagger.network.read(sequence_tokens(document))
        spans = scheme.spans(seen, {CHAIN: learning.recipe.threshold}) if seen else []
        found = (Mention(s.start, s.end, s.source.partition(":")[2]) for s in spans)
        pairs.append((with_source_labels(text), tuple(found)))
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
