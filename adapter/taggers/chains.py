"""Linear-chain CRFs as trained by CRFsuite, decoded by posterior with numpy.

Several chains (names; quantities) share one table of attributes, so that each feature is looked up
once; what a form contributes to its neighbours is summed once and kept. Scores equal CRFsuite's.
``models/<language>/weights.bin`` is zlib-compressed: a line of JSON (chains with their labels and
transitions, number of attributes and of weights), the attributes one a line, then three
little-endian arrays: weights of each attribute (uint8), their columns (uint16), values (float32).
"""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from adapter.taggers.features import Kind, Rows

    Floats = NDArray[np.float32]
    Places = NDArray[np.intp]

OUTSIDE = "O"


@dataclass(frozen=True, slots=True, eq=False)
class Chain:
    """One CRF: its labels, the first `OUTSIDE`, its transition weights, and its columns."""

    name: str
    labels: tuple[str, ...]
    transitions: Floats = field(repr=False)
    first: int
    """Column of its first label in the table of state weights."""

    @property
    def columns(self) -> slice:
        """Its columns in the table of state weights."""
        return slice(self.first, self.first + len(self.labels))


@dataclass(frozen=True, slots=True, eq=False)
class Chains:
    """All chains of one model. ``table`` has a row for each attribute, the last one all zero."""

    chains: tuple[Chain, ...]
    attributes: Mapping[str, int] = field(repr=False)
    table: Floats = field(repr=False)

    @classmethod
    def parse(cls, raw: bytes) -> Chains:
        """Read ``weights.bin``."""
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
    """Return ``weights.bin`` of chains: (name, labels, transition weights, state weights)."""
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


class Decoder:
    """Gives the posterior of every label of every unit; opened once for each process."""

    def __init__(self, model: Chains) -> None:
        """Take a model."""
        self.model = model
        self._given: dict[str, Floats] = {}

    def read(self, rows: Rows, firsts: Sequence[int]) -> list[Scored]:
        """Return for each chain what it says of the units.

        ``firsts`` are the first units of the stretches that are decoded by themselves.
        """
        scores = self._scores(rows)
        order = Order.of(np.append(firsts, len(rows.extras)))
        return [
            Scored(chain, part, posteriors(part, chain.transitions, order))
            for chain in self.model.chains
            for part in (scores[:, chain.columns],)
        ]

    def told(
        self, before: Sequence[Scored], atoms: Mapping[int, Sequence[str]], firsts: Sequence[int]
    ) -> list[Scored]:
        """Return what the chains say once some units have further features, ``atoms`` by unit."""
        table, known = self.model.table, self.model.attributes
        rows = {
            place: table[[known[name] for name in names if name in known]].sum(axis=0)
            for place, names in atoms.items()
        }
        order = Order.of(np.append(firsts, len(before[0].scores)))
        found = []
        for scored in before:
            scores = scored.scores.copy()
            for place, row in rows.items():
                scores[place] += row[scored.chain.columns]
            moves = scored.chain.transitions
            found.append(Scored(scored.chain, scores, posteriors(scores, moves, order)))
        return found

    def _scores(self, rows: Rows) -> Floats:
        """State scores of each unit: the sums of its features' weights."""
        table, attributes = self.model.table, self.model.attributes
        zero = len(attributes)
        flat: list[int] = []
        starts: list[int] = []
        for extra in rows.extras:
            starts.append(len(flat))
            flat.append(zero)
            flat += [attributes[name] for name in extra if name in attributes]
        scores = np.add.reduceat(table[flat], starts, axis=0)
        return self._add_kinds(scores, rows)

    def _add_kinds(self, scores: Floats, rows: Rows) -> Floats:
        """Add what forms give to the units around them."""
        forms = list(dict.fromkeys(rows.units.forms))
        places = {form: place for place, form in enumerate(forms)}
        kinds = dict(zip(rows.units.forms, rows.kinds, strict=True))
        given = np.stack([self._weights(form, kinds[form]) for form in forms])
        given = given[[places[form] for form in rows.units.forms]]
        reach, count = given.shape[1] // 2, len(given)
        for column in range(given.shape[1]):
            offset = column - reach
            low, high = max(0, -offset), min(count, count - offset)
            if low < high:
                scores[low:high] += given[low + offset : high + offset, column]
        return scores

    def _weights(self, form: str, kind: Kind) -> Floats:
        """What a form adds to the scores of the units around it, by offset."""
        weights = self._given.get(form)
        if weights is None:
            if len(self._given) > _MOST_FORMS:
                self._given.clear()
            table, attributes = self.model.table, self.model.attributes
            weights = self._given[form] = np.stack(
                [
                    table[[attributes[name] for name in column if name in attributes]].sum(axis=0)
                    for column in kind
                ]
            )
        return weights


_MOST_FORMS = 20_000
"""Forms whose weights are kept."""


@dataclass(frozen=True, slots=True, eq=False)
class Scored:
    """State scores and posteriors of one chain: an array of units by labels each."""

    chain: Chain
    scores: Floats = field(repr=False)
    posteriors: Floats = field(repr=False)

    def labels(self, threshold: float, firsts: Sequence[int]) -> list[int]:
        """Return the column of each unit's label on the best path.

        No unit that is inside a mention with more than that probability is left outside.
        """
        inside = 1.0 - self.posteriors[:, 0]
        found = np.zeros(len(inside), dtype=np.intp)
        ends = np.append(firsts, len(inside))
        hit = np.maximum.reduceat(inside, ends[:-1]) > min(threshold, _LEAST)
        if not hit.any():
            return found.tolist()
        scores = self.scores.copy()
        scores[inside > threshold, 0] = _NEVER
        best_paths(scores, self.chain.transitions, Order.of(ends, hit), found)
        return found.tolist()


_NEVER = np.float32(-1e6)
_LEAST = 0.3
"""A stretch whose units are all less probably inside has no best path inside."""


@dataclass(frozen=True, slots=True, eq=False)
class Order:
    """Stretches by descending length, so that step t of all that are long enough is one operation.

    ``steps[t]`` are the units at place t of those stretches.
    """

    steps: list[Places] = field(repr=False)

    @classmethod
    def of(cls, borders: Places, chosen: NDArray[np.bool_] | None = None) -> Order:
        """Order the stretches between ``borders``, or those of them that are chosen."""
        begins, lengths = borders[:-1], np.diff(borders)
        if chosen is not None:
            begins, lengths = begins[chosen], lengths[chosen]
        descending = np.argsort(-lengths, kind="stable")
        begins, lengths = begins[descending], lengths[descending]
        longest = int(lengths[0]) if len(lengths) else 0
        alive = np.searchsorted(-lengths, -np.arange(longest), side="left")
        return cls([begins[:n] + t for t, n in enumerate(alive)])


def best_paths(scores: Floats, transitions: Floats, order: Order, found: Places) -> None:
    """Write the most probable path of each stretch to ``found`` (Viterbi)."""
    steps = order.steps
    reached = scores[steps[0]]
    sums, backs = [reached], []
    for step in steps[1:]:
        moves = reached[: len(step), :, None] + transitions
        backs.append(moves.argmax(axis=1))
        reached = moves.max(axis=1) + scores[step]
        sums.append(reached)
    labels = sums[-1].argmax(axis=1)
    found[steps[-1]] = labels
    for place in range(len(steps) - 2, -1, -1):
        ended = sums[place][len(labels) :].argmax(axis=1)
        before = backs[place][np.arange(len(labels)), labels]
        labels = np.append(before, ended)
        found[steps[place]] = labels


def posteriors(scores: Floats, transitions: Floats, order: Order) -> Floats:
    """Marginal probability of each label of each unit, by forward and backward sums."""
    factors = np.exp(scores - scores.max(axis=1, keepdims=True))
    moves = np.exp(transitions)
    forward, backward = factors.copy(), np.ones_like(factors)
    sums = _normal(factors[order.steps[0]])
    forward[order.steps[0]] = sums
    for step in order.steps[1:]:
        sums = _normal((sums[: len(step)] @ moves) * factors[step])
        forward[step] = sums
    for before, step in zip(reversed(order.steps[:-1]), reversed(order.steps[1:]), strict=True):
        backward[before[: len(step)]] = _normal((backward[step] * factors[step]) @ moves.T)
    return _normal(forward * backward)


def _normal(rows: Floats) -> Floats:
    normal: Floats = rows / rows.sum(axis=1, keepdims=True)
    return normal
