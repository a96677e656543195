"""Recipe of a model: ``models/<language>/recipe.toml``, read and checked.

::

    language = "en"
    seed     = 7
    target   = "notes"              # the domain the model is for
    labels   = "type"               # or "source": the corpora's own labels
    priority = 75                   # of the model's spans; phrases have 90 and more
    sure     = 60                   # rules of less priority are evidence for the model only
    doubted  = ["AGE"]              # labels that need more than the threshold: resolve.alone
    phases   = 1                    # 2: mentions under unambiguous headings are recalled elsewhere
    words    = "fr/words.txt"       # word statistics below models/; else of spacy-lookups-data
    folds    = 5                    # of cross-validation
    by       = "document"           # or "file": folds of whole files, as of sites it has not seen

    [features]
    off   = ["quotes"]              # groups of adapter.taggers.crf.features left out
    forms = 60000                   # of the word statistics
    adapt = false                   # EasyAdapt: a copy of each feature for its domain (Daume 2007)

    [recased]                       # shares of texts learned also in small letters, in capitals
    lower = 0.15
    upper = 0.1

    [learning]                      # parameters of CRFsuite's algorithm
    algorithm = "l2sgd"
    least = 0.01                    # weights nearer to zero are left out
    draws = 3                       # orders of texts to learn in; weights are their mean
    fold_draws = 1                  # draws in cross-validation, to save time
    slack = 0.002                   # recall by which a threshold may miss a target
    greatest = 0.2                  # of the thresholds to choose from
    parameters = { max_iterations = 10, c2 = 1.0 }

    [[chain]]
    name   = "names"
    labels = ["PATIENT", "DOCTOR"]  # left out: all labels of no other chain

    [[corpus]]
    path     = "corpora/notes_en/c.jsonl"
    licence  = "project"
    domain   = "notes"
    own      = true                 # its path is below models/, not below the data folder
    copies   = 2                    # copies with new names and numbers
    scored   = true                 # cross-validated, and counted in the card
    whole    = true                 # one fold: the same patients are in several of its texts
    headers  = true                 # its structured fields give trusted phrases
    types    = { NAME = "PATIENT" } # its types -> the model's; "" leaves a type out
    outside  = ["dr", "mr"]         # first words of its mentions that ours exclude
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from adapter.errors import RuleError
from adapter.taggers.crf.features import GROUPS
from adapter.train.augment.casing import AS_WRITTEN, Recasing
from adapter.types import Label

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from adapter.evaluate.corpora.readers import Mention


class By(StrEnum):
    """The unit held out in cross-validation: a document, or a whole file as a new site's texts."""

    DOCUMENT = "document"
    FILE = "file"


@dataclass(frozen=True, slots=True)
class ChainPlan:
    """A chain and the labels it learns; an empty set means all labels of no other chain."""

    name: str
    labels: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class CorpusPlan:
    """A corpus and its use in training.

    ``path`` is relative to the data folder, or to ``models/`` if the corpus is our ``own``.
    """

    path: str
    licence: str = ""
    domain: str = ""
    own: bool = False
    copies: int = 0
    limit: int = 0
    """Number of documents to take, from the first; 0 for all."""
    scored: bool = False
    whole: bool = False
    headers: bool = False
    types: Mapping[str, str] = field(default_factory=dict)
    outside: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Learning:
    """Parameters of training; the module's docstring explains each."""

    algorithm: str = "l2sgd"
    least: float = 0.01
    draws: int = 1
    fold_draws: int = 0
    """Draws in cross-validation; 0 for the value of ``draws``."""
    slack: float = 0.0
    """Recall by which a threshold may miss a target."""
    greatest: float = 1.0
    """Greatest threshold to choose, where more than a target's recall is worth its precision."""
    parameters: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Recipe:
    """The inputs and parameters of a model; the module's docstring explains each."""

    language: str
    corpora: tuple[CorpusPlan, ...]
    chains: tuple[ChainPlan, ...] = (ChainPlan("all"),)
    learning: Learning = Learning()
    recased: Recasing = AS_WRITTEN
    groups: tuple[str, ...] = GROUPS
    forms: int = 60_000
    adapt: bool = False
    target: str = ""
    labels: str = "type"
    seed: int = 7
    priority: int = 75
    sure: int = 60
    doubted: frozenset[Label] = frozenset()
    phases: int = 1
    words: str = ""
    """Word statistics, relative to ``models/``; "" to build them from spacy-lookups-data."""
    folds: int = 5
    by: By = By.DOCUMENT
    carried: int = 0
    """Number of texts to make from templates and un-annotated carriers."""

    def chain_of(self, label: str) -> str:
        """Return the name of the chain that learns a label."""
        named = next((chain for chain in self.chains if label in chain.labels), None)
        rest = next((chain for chain in self.chains if not chain.labels), None)
        found = named or rest
        if found is None:
            raise RuleError("recipe.chain", f"no chain learns '{label}'")
        return found.name

    def label_of(self, mention: Mention, plan: CorpusPlan) -> str:
        """Return the model's label of a mention, or "" if the mention is left out."""
        own = mention.source_label if self.labels == "source" else mention.type
        return plan.types.get(own, own)


def read_recipe(path: Path) -> Recipe:
    """Read a recipe.

    Raises:
        RuleError: the file is not TOML, or has a wrong key or value; the error names the place.
    """
    try:
        table = tomllib.loads(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise RuleError(str(path), f"is not a recipe: {error}") from None
    try:
        return _recipe(table)
    except KeyError as error:
        raise RuleError(str(path), f"is not a recipe: it has no {error.args[0]}") from None
    except (TypeError, ValueError) as error:
        raise RuleError(str(path), f"is not a recipe: {error}") from None


def _recipe(table: dict[str, Any]) -> Recipe:
    features = table.pop("features", {})
    off = features.pop("off", [])
    unknown = [group for group in off if group not in GROUPS]
    if unknown:
        raise RuleError("recipe.features.off", f"no such group: '{unknown[0]}'")
    if table.get("phases", 1) not in (1, 2):
        raise RuleError("recipe.phases", "must be 1 or 2")
    chains = tuple(
        ChainPlan(chain["name"], frozenset(chain.get("labels", ())))
        for chain in table.pop("chain", ({"name": "all"},))
    )
    return Recipe(
        language=table.pop("language"),
        corpora=tuple(
            CorpusPlan(**{**corpus, "outside": tuple(corpus.get("outside", ()))})
            for corpus in table.pop("corpus")
        ),
        chains=chains,
        learning=Learning(**table.pop("learning", {})),
        recased=Recasing(**table.pop("recased", {})),
        groups=tuple(group for group in GROUPS if group not in off),
        by=By(table.pop("by", By.DOCUMENT)),
        doubted=frozenset(map(Label, table.pop("doubted", ()))),
        **features,
        **table,
    )
