"""The rows of the ablation: models trained differently, and systems that use one of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from adapter.taggers.crf.features import GROUPS
from adapter.train.recipe import CorpusPlan

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Plan:
    """How the training of a model differs from the recipe.

    ``off`` are groups of features left out beside the recipe's; ``elsewhere`` takes in corpora of
    other domains than the target's.
    """

    off: tuple[str, ...] = ()
    phases: int = 1
    elsewhere: bool = False
    adapt: bool = False

    @property
    def trusting(self) -> bool:
        """Whether structured fields are seen."""
        return "trusted" not in self.off


LEFT_OUT = tuple(group for group in GROUPS if group != "trusted")
"""Groups of features left out one at a time, except trusted, which earlier rows leave out."""

PLANS = {
    "words": Plan(("rules", "trusted", "memory")),
    "rules": Plan(("trusted", "memory")),
    "trusted": Plan(),
    "phases": Plan(phases=2),
    "pooled": Plan(phases=2, elsewhere=True),
    "adapted": Plan(phases=2, elsewhere=True, adapt=True),
    **{f"no-{group}": Plan((group,)) for group in LEFT_OUT},
}


@dataclass(frozen=True, slots=True)
class Row:
    """A system: its model, if any, and the steps that are enabled when it runs.

    ``against`` is the row it is compared with; "" for the one before.
    """

    title: str
    plan: str = ""
    header: bool = True
    variants: bool = True
    options: Mapping[str, bool] = field(default_factory=dict)
    against: str = ""


_PLAIN = {"correct": True, "reconcile": False, "standardise": False}
_FULL = _PLAIN | {"reconcile": True}
ROWS = {
    "rules": Row("rules only", header=False, variants=False, options=_PLAIN),
    "crf": Row(
        "+ CRF, which does not see the rules",
        "words",
        header=False,
        variants=False,
        options=_PLAIN,
    ),
    "evidence": Row(
        "+ rules as evidence for the CRF", "rules", header=False, variants=False, options=_PLAIN
    ),
    "trusted": Row("+ trusted phrases, one phase", "trusted", variants=False, options=_PLAIN),
    "phases": Row("+ second phase", "phases", variants=False, options=_PLAIN),
    "variants": Row("+ variants", "phases", options=_PLAIN),
    "reconciled": Row("+ reconciliation", "phases", options=_FULL),
    "one-phase": Row("the same in one phase", "trusted", options=_FULL),
    "standard": Row(
        "+ standardisation", "phases", options=_FULL | {"standardise": True}, against="reconciled"
    ),
    "uncorrected": Row(
        "without correction", "phases", options=_FULL | {"correct": False}, against="reconciled"
    ),
    "pooled": Row("+ texts of other domains", "pooled", options=_FULL, against="reconciled"),
    "adapted": Row("+ EasyAdapt", "adapted", options=_FULL),
    **{
        f"no-{group}": Row(
            f"without features: {group}", f"no-{group}", options=_FULL, against="one-phase"
        )
        for group in LEFT_OUT
    },
}
"""Rows of the table, in order."""

_GENERAL = {"NAME": "PATIENT", "LOCATION": "CITY"}
ELSEWHERE: dict[str, tuple[CorpusPlan, ...]] = {
    "en": (
        CorpusPlan("corpora/wikigold/all.jsonl", domain="encyclopedia", types=_GENERAL),
        CorpusPlan("corpora/uner_en_ewt/dev.jsonl", domain="web", types=_GENERAL),
        CorpusPlan("corpora/wnut17/train.jsonl", domain="tweets", limit=1000, types=_GENERAL),
    ),
    "es": (CorpusPlan("corpora/meddoprof/train.jsonl", domain="cases", limit=3000),),
}
"""Corpora of other domains, beside those of a language's recipe."""
