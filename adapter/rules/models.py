"""Opens a language's learned model once; the core never reads a file.

``models/<language>/`` has ``weights.bin`` (adapter.taggers.crf.weights), ``words.txt``
(adapter.taggers.crf.word_stats) and ``card.toml``, which records the training data, the scores, the
digests of the other two files, and how the model is used.
"""

from __future__ import annotations

import hashlib
import tomllib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

from adapter.errors import RuleError
from adapter.taggers.crf.features import GROUPS, Featurizer
from adapter.taggers.crf.tagger import CrfModel, CrfTagger
from adapter.taggers.crf.weights import Weights
from adapter.taggers.crf.word_stats import WordStats
from adapter.types import Label

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from adapter.taggers.neural.model import NeuralModel
    from adapter.taggers.wordlists import Lexicon

NEURAL = "neural"
"""Name of the network in the settings, and of its folder."""
WEIGHTS, WORDS, CARD = "weights.bin", "words.txt", "card.toml"
UNSEEN = frozenset(("namesake", "nicknames", "term"))
"""Lexicons that models do not use."""


@dataclass(frozen=True, slots=True)
class Card:
    """The part of a ``card.toml`` that is needed to use its model."""

    thresholds: Mapping[str, Mapping[str, float]]
    """Target recall ("0.98") -> chain -> probability from which a unit is protected."""
    priority: int
    sure: int
    """Least priority of sure rules; rules below it are only evidence for the model."""
    groups: tuple[str, ...] = GROUPS
    labels: Mapping[str, Label | None] = field(default_factory=dict)
    """The model's labels -> ours, or None if our scheme has no such label."""
    digests: Mapping[str, str] = field(default_factory=dict)
    headings: Mapping[str, str] = field(default_factory=dict)
    """Headings that confirm the mentions under them -> the model's label."""
    doubted: frozenset[Label] = frozenset()
    """Labels that the model is often wrong about: see `adapter.resolve.alone`."""


def shown(language: str, lexicons: Mapping[str, Lexicon]) -> dict[str, Lexicon]:
    """Return the lexicons of a language that models use, by their name in features."""
    parted = ((name.partition("-"), lexicon) for name, lexicon in lexicons.items())
    return {
        name: lexicon
        for (code, _, name), lexicon in parted
        if code == language and name not in UNSEEN
    }


def load_model(
    folder: Path,
    lexicons: Mapping[str, Lexicon],
    recall: float,
    joining: frozenset[str] = frozenset(),
    neural: NeuralModel | None = None,
) -> tuple[CrfTagger, int] | None:
    """Return a language's learned tagger and its ``sure`` priority, or None without a model.

    ``joining`` are words that join two mentions. ``neural`` is a network to average with.

    Raises:
        RuleError: a file is missing, or does not match the card.
    """
    if not (folder / CARD).is_file():
        return None
    card = read_card(folder)
    place = f"models/{folder.name}"
    weights, words = (sealed(folder, name, card.digests, place) for name in (WEIGHTS, WORDS))
    chains = _weights(card.digests[WEIGHTS], weights)
    thresholds = (neural or card).thresholds.get(f"{recall:.2f}", {})
    if thresholds.keys() != {chain.name for chain in chains.chains}:
        where = f"{place}/{NEURAL}" if neural else place
        raise RuleError(f"{where}/{CARD}", f"has no thresholds for recall {recall} of each chain")
    model = CrfModel(
        chains,
        thresholds,
        dict(card.labels),
        card.priority,
        dict(card.headings),
        joining,
        neural,
        card.doubted,
    )
    book = WordStats.parse(words.decode("utf-8"))
    featurizer = Featurizer(shown(folder.name, lexicons), book, card.groups)
    return CrfTagger(model, featurizer), card.sure


_WEIGHTS: WeakValueDictionary[str, Weights] = WeakValueDictionary()
"""Weights in use, by digest: rulesets of several profiles, or before and after a reload, share
them."""


def _weights(digest: str, content: bytes) -> Weights:
    found = _WEIGHTS.get(digest)
    if found is None:
        found = _WEIGHTS[digest] = Weights.parse(content)
    return found


def read_card(folder: Path) -> Card:
    """Read the card of a model.

    Raises:
        RuleError: the card is not TOML, or a key is missing.
    """
    place = f"models/{folder.name}/{CARD}"
    try:
        table: dict[str, Any] = tomllib.loads((folder / CARD).read_text("utf-8"))
        return Card(
            thresholds=table["thresholds"],
            priority=table["use"]["priority"],
            sure=table["use"]["sure"],
            groups=tuple(table["features"]["groups"]),
            labels={
                name: Label(ours) if ours else None
                for name, ours in table.get("labels", {}).items()
            },
            digests=table["digest"],
            headings=table.get("headings", {}),
            doubted=frozenset(map(Label, table["use"].get("doubted", ()))),
        )
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, ValueError, KeyError, TypeError) as error:
        raise RuleError(place, f"is not a model card: {type(error).__name__} {error}") from None


def sealed(folder: Path, name: str, digests: Mapping[str, str], above: str) -> bytes:
    """Return the content of a model's file; errors name the file below the place ``above``.

    Raises:
        RuleError: the file is missing, or its digest is not the one in the model's card.
    """
    place = f"{above}/{name}"
    try:
        content = (folder / name).read_bytes()
    except OSError as error:
        raise RuleError(place, f"cannot be read ({type(error).__name__})") from None
    if digests.get(name) != f"sha256:{hashlib.sha256(content).hexdigest()}":
        raise RuleError(place, "does not match the digest in its card")
    return content
