"""Linear-chain CRFs learned from annotated texts, the common part of several methods.

The features are those of Lee 2017, section 2.4, that need no parser: words and their n-grams,
shapes and their n-grams, classes, affixes, Brown clusters, lists, section, attribute, length and
shape of the line. Results of rules are not features.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from adapter.errors import RuleError
from adapter.methods.protocol import LABEL_OF
from adapter.rules.models import shown
from adapter.taggers.crf.features import Featurizer
from adapter.taggers.crf.tagger import CrfModel, CrfTagger
from adapter.taggers.crf.weights import OUTSIDE, Weights
from adapter.train.examples import Example
from adapter.train.model import TrainingRun
from adapter.train.recipe import ChainPlan, CorpusPlan, Learning, Recipe
from adapter.types import Label

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from adapter.evaluate.annotations import Annotated
    from adapter.methods.protocol import Resources
    from adapter.taggers.document.document import Document
    from adapter.types import Span

FILE = "weights.bin"
PRIORITY = 40
"""Priority of learned spans: below that of certain rules, which take precedence."""
GROUPS = (
    "word", "shape", "class", "affix", "ngram", "cluster", "lexicon", "section", "attribute",
    "line",
)  # fmt: skip
LEARNING = Learning(least=0.002, parameters={"max_iterations": 12, "c2": 1.0, "feature.minfreq": 2})
OF_WORDS = GROUPS[:-3]
"""Groups without layout, for texts laid out differently from the training texts."""
HERE, ELSEWHERE = "here", "elsewhere"
"""Domains of the texts to learn from, and of the texts in `Resources.elsewhere`."""
_ALIKE = 0.5


@dataclass(frozen=True, slots=True)
class Plan:
    """The chains to learn, and whether texts of other domains are used too (EasyAdapt).

    Types in ``without`` are not learned. Features are those of ``groups``.
    """

    chains: tuple[ChainPlan, ...] = (ChainPlan("all"),)
    adapt: bool = False
    without: tuple[str, ...] = ()
    groups: tuple[str, ...] = GROUPS


@dataclass(frozen=True, slots=True)
class Chains:
    """Trained chains."""

    weights: bytes = field(repr=False)
    tagger: CrfTagger = field(repr=False)

    def find(self, document: Document) -> list[Span]:
        """Return the mentions on the most probable paths."""
        return self.tagger.predict(document, ())

    def files(self) -> Mapping[str, bytes]:
        """Return the weights by file name."""
        return {FILE: self.weights}


def learn(plan: Plan, texts: Sequence[Annotated], resources: Resources) -> Chains:
    """Learn chains from texts.

    Raises:
        RuleError: the texts have no mentions, or mentions of unknown types.
    """
    others = resources.elsewhere if plan.adapt else ()
    if not any(text.mentions for text in (*texts, *others)):
        raise RuleError("learn", "the texts have no mentions to learn from")
    recipe = Recipe(
        resources.language.code,
        corpora=(),
        chains=plan.chains,
        learning=LEARNING,
        groups=plan.groups,
        adapt=plan.adapt,
        target=HERE,
        seed=resources.seed,
    )
    types = LABEL_OF | dict.fromkeys(plan.without, "")
    here, there = (CorpusPlan("", domain=domain, types=types) for domain in (HERE, ELSEWHERE))
    examples = [Example(text, here) for text in texts]
    examples += [Example(text, there) for text in others]
    run = TrainingRun(recipe, resources.language, _featurizer(plan, resources), (), "")
    return _chains(plan, run.fitted(examples), resources)


def read(plan: Plan, files: Mapping[str, bytes], resources: Resources) -> Chains:
    """Return the chains in the files of `Chains.files`.

    Raises:
        RuleError: the file is missing or malformed, or has unknown labels.
    """
    try:
        return _chains(plan, files[FILE], resources)
    except RuleError:
        raise
    except Exception:  # noqa: BLE001 - any error means that the file is not a model
        raise RuleError(FILE, "has no weights of chains") from None


def _chains(plan: Plan, weights: bytes, resources: Resources) -> Chains:
    chains = Weights.parse(weights)
    kinds = {label[2:] for chain in chains.chains for label in chain.labels if label != OUTSIDE}
    if unknown := kinds - set(Label):
        raise RuleError("learn", f"unknown label {min(unknown)}")
    alike = dict.fromkeys((chain.name for chain in chains.chains), _ALIKE)
    model = CrfModel(chains, alike, priority=PRIORITY)
    return Chains(weights, CrfTagger(model, _featurizer(plan, resources)))


def _featurizer(plan: Plan, resources: Resources) -> Featurizer:
    lexicons = shown(resources.language.code, resources.lexicons)
    return Featurizer(lexicons, resources.word_stats, plan.groups)
