"""Linear-chain CRFs as trained by CRFsuite: several chains (names; quantities) as one model.

``models/<language>/weights.bin`` is zlib-compressed: a line of JSON (chains with their labels and
transitions, number of attributes and of weights), the attributes one a line, then three
little-endian arrays: number of weights of each attribute (uint8), their columns (uint16), their
values (float32).
"""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from adapter.taggers.crf.ngrams import NgramTable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

OUTSIDE = "O"
_NEVER = -1e4
"""Score of transitions that IOB2 forbids: an inside label after a label of another type."""


@dataclass(frozen=True, slots=True, eq=False)
class Chain:
    """One CRF: labels (`OUTSIDE` first), transition weights and columns of state weights.

    ``transitions`` is float32 (labels, labels), from row to column.
    """

    name: str
    labels: tuple[str, ...]
    transitions: Floats = field(repr=False)
    first: int
    """Column of the first label in the table of state weights."""

    @property
    def columns(self) -> slice:
        """The chain's columns in the table of state weights."""
        return slice(self.first, self.first + len(self.labels))


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Weights:
    """All chains of one model.

    ``table`` is float32 (attributes + 1, columns): the state weights of each attribute for the
    labels of all chains side by side. The last row, for unknown attributes, is zero. ``attributes``
    maps names to rows.
    """

    chains: tuple[Chain, ...]
    attributes: Mapping[str, int] = field(repr=False)
    table: Floats = field(repr=False)
    ngrams: NgramTable = field(init=False, repr=False)
    """The n-grams among the attributes."""

    def __post_init__(self) -> None:
        """Index the n-grams, which takes most of the time to open a model."""
        object.__setattr__(self, "ngrams", NgramTable(self.attributes))

    @classmethod
    def parse(cls, raw: bytes) -> Weights:
        """Parse the bytes of ``weights.bin``."""
        header, _, rest = zlib.decompress(raw).partition(b"\n")
        about = json.loads(header)
        names, _, arrays = rest.partition(b"\0")
        chains = tuple(_chains(about["chains"]))
        attributes = {name: row for row, name in enumerate(names.decode("utf-8").split("\n"))}
        width = sum(len(chain.labels) for chain in chains)
        table = _table(arrays, len(attributes), about["weights"], width)
        return cls(chains, attributes, table)


def _chains(about: Sequence[Mapping[str, Any]]) -> list[Chain]:
    chains: list[Chain] = []
    first = 0
    for one in about:
        labels = tuple(one["labels"])
        transitions = np.array(one["transitions"], dtype=np.float32)
        chains.append(Chain(one["name"], labels, transitions, first))
        first += len(labels)
    return chains


def _table(arrays: bytes, attributes: int, weights: int, width: int) -> Floats:
    counts = np.frombuffer(arrays, np.uint8, attributes)
    columns = np.frombuffer(arrays, "<u2", weights, attributes)
    values = np.frombuffer(arrays, "<f4", weights, attributes + 2 * weights)
    table = np.zeros((attributes + 1, width), np.float32)
    table[np.repeat(np.arange(attributes), counts), columns] = values
    return table


def packed(
    chains: Sequence[tuple[str, Sequence[str], Any, Mapping[tuple[str, str], float]]],
) -> bytes:
    """Return ``weights.bin`` of chains: (name, labels, transition weights, state weights).

    Transition weights are floats (labels, labels); state weights are by (attribute, label).
    """
    about = []
    rows: dict[str, dict[int, float]] = {}
    first = 0
    for name, labels, transitions, states in chains:
        places = {label: first + place for place, label in enumerate(labels)}
        for (attribute, label), weight in states.items():
            rows.setdefault(attribute, {})[places[label]] = weight
        rounded = [[round(float(weight), 4) for weight in row] for row in transitions]
        about.append({"name": name, "labels": list(labels), "transitions": rounded})
        first += len(labels)
    ordered = sorted(rows)
    cells = [cell for attribute in ordered for cell in sorted(rows[attribute].items())]
    header = json.dumps({"chains": about, "weights": len(cells)}, sort_keys=True)
    body = (
        np.array([len(rows[attribute]) for attribute in ordered], np.uint8).tobytes()
        + np.array([column for column, _ in cells], "<u2").tobytes()
        + np.array([weight for _, weight in cells], "<f4").tobytes()
    )
    text = header + "\n" + "\n".join(ordered) + "\0"
    return zlib.compress(text.encode("utf-8") + body, 9)


def allowed(labels: Sequence[str], transitions: Floats) -> Floats:
    """Return transitions with a prohibitive score where IOB2 forbids them."""
    found = transitions.copy()
    for column, label in enumerate(labels):
        if label.startswith("I-"):
            before = [other[2:] == label[2:] for other in labels]
            found[~np.array(before), column] = _NEVER
    return found
