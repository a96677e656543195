"""All methods by name; to add a method, add its module and an entry here.

A method's module is imported on request, because some need libraries of an extra.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

from adapter.errors import RuleError

if TYPE_CHECKING:
    from adapter.methods.protocol import Method


@dataclass(frozen=True, slots=True)
class Entry:
    """Where a method is (module:class), the paper it rebuilds, and the extra that it needs.

    ``reported`` are the paper's figures and data.
    """

    place: str
    source: str
    reported: str
    extra: str = ""


METHODS: dict[str, Entry] = {
    "identifier-rules": Entry(
        "identifier_rules:IdentifierRules",
        "Saluja 2019, baseline",
        "MEDDOCAN, own split: P .628 R .424 F .506",
    ),
    "induce": Entry(
        "induction.method:Induce",
        "Perez-Lainez 2009, dictionary alone",
        "60 Spanish notes: P .672 R .536 F0.5 .640 (person .895 .679 .842)",
    ),
    "induce-agreeing": Entry(
        "induction.method:InduceAgreeing",
        "Perez-Lainez 2009, dictionary and tagger agree",
        "as induce",
    ),
    "crf": Entry(
        "crf.single:Crf",
        "Lee 2017, CRFs alone",
        "psychiatric notes, test: strict F .901 (two CRFs)",
        "train",
    ),
    "crf-hybrid": Entry(
        "crf.hybrid:CrfHybrid",
        "Lee 2017",
        "psychiatric notes, test: strict P .934 R .882 F .907, token F .926",
        "train",
    ),
    "variants-ood": Entry(
        "crf.variants_ood:VariantsOod",
        "Richter-Pechanski 2018",
        "16 German notes: binary token R .89 F2 .85 (rules .78, + variants .83)",
        "train",
    ),
    "linear-svc": Entry(
        "linear.svc:LinearMethod",
        "Saluja 2019; Guo 2006",
        "MEDDOCAN, own split: P .891 R .833 F .861",
        "train",
    ),
    "linear-svc-gazetteer": Entry(
        "linear.svc:LinearGazetteerMethod",
        "Saluja 2019, with gazetteers",
        "MEDDOCAN, own split: P .889 R .837 F .862",
        "train",
    ),
    "weighted-majority": Entry(
        "weighted_majority.training:WeightedMajority",
        "Saluja 2019, five members",
        "MEDDOCAN, own split: P .895 R .829 F .861",
        "train",
    ),
    "boosted-trees": Entry(
        "boosted_trees.training:BoostedTrees",
        "Szarvas 2006",
        "671 discharge records, 10 folds: phrases P .981 R .967 F .974, tokens F .993",
        "train",
    ),
    "bilstm-crf": Entry(
        "bilstm_crf.method:BiLstmCrf",
        "Saluja 2019; Ma & Hovy 2016",
        "MEDDOCAN, own split: P .957 R .913 F .935",
        "train-neural",
    ),
}
"""Name -> method."""


def method(name: str) -> Method:
    """Return the method of a name.

    Raises:
        RuleError: the name is unknown, or the method's extra is not installed.
    """
    entry = METHODS.get(name)
    if entry is None:
        raise RuleError("--method", f"no such method: '{name}'; choose one of {', '.join(METHODS)}")
    module, _, of = entry.place.partition(":")
    try:
        made: Method = getattr(import_module(f"adapter.methods.{module}"), of)()
    except ModuleNotFoundError as error:
        if not entry.extra or str(error.name).startswith("adapter"):
            raise
        raise RuleError("--method", f"{name} needs the extra '{entry.extra}'") from None
    return made
