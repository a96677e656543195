"""FHIR resources bent out of shape, and what of their people must not leak."""

from __future__ import annotations

import copy
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from adapter.errors import AdapterError
from adapter.pipeline.examining import examine, written
from adapter.pipeline.process import process
from adapter.types import Position, Record, Release
from tests.corpus.oracle import fhir_values
from tests.e2e.broken_shapes import stands_in

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from adapter.pipeline.ruleset import Ruleset

LONGEST = 12_000
OTHER_KEYS = (
    "id", "status", "code", "display", "text", "value", "reference", "system", "unit", "version",
    "language", "nickname", "fhir_comments", "_name", "resourceType", "contained", "extension",
)  # fmt: skip
OTHER_TYPES = ("Basic", "Observation", "Patient", "patient", "Nonesuch", "Bundle", "CodeSystem", 3)

Way = tuple[Any, Any]
"""An object or array of a tree, and a key or index of it."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A real resource and the identifiers of its people that its release replaces."""

    name: str
    tree: dict[str, Any] = field(repr=False)
    identifiers: tuple[str, ...] = field(repr=False)


def samples(folder: Path, rules: Ruleset, every: int = 1) -> list[Sample]:
    """Every small sample resource that names somebody and is released, of one in so many."""
    found = []
    for path in sorted(folder.rglob("*.json"))[::every]:
        raw = path.read_bytes()
        if len(raw) > LONGEST:
            continue
        try:
            tree = json.loads(raw)
            identifiers = _identifiers(raw, tree, rules)
        except (ValueError, AdapterError):
            continue
        if identifiers:
            found.append(Sample(path.name, tree, identifiers))
    return found


def _identifiers(raw: bytes, tree: Any, rules: Ruleset) -> tuple[str, ...]:
    codec = rules.codecs["fhir"]
    released = written(codec, examine(codec, raw, rules)).decode("utf-8")
    return tuple(sorted(value for value in fhir_values(tree) if value not in released))


def ways(node: Any) -> Iterator[Way]:
    """Every member and item of a tree."""
    if isinstance(node, dict | list):
        for key in list(node) if isinstance(node, dict) else range(len(node)):
            yield node, key
            yield from ways(node[key])


def bent(sample: Sample, chance: random.Random) -> str:
    """A resource with one member or item changed in shape."""
    tree = copy.deepcopy(sample.tree)
    holder, key = chance.choice(list(ways(tree)))
    chance.choice(_CHANGES)(tree, holder, key, sample, chance)
    return json.dumps(tree, ensure_ascii=chance.random() < 0.5)


def _delete(_tree: Any, holder: Any, key: Any, _sample: Sample, _chance: random.Random) -> None:
    del holder[key]


def _wrap(_tree: Any, holder: Any, key: Any, _sample: Sample, chance: random.Random) -> None:
    holder[key] = chance.choice(
        [[holder[key]], {"value": holder[key]}, {str(key): holder[key]}, [[holder[key]]]]
    )


def _rename(_tree: Any, holder: Any, key: Any, _sample: Sample, chance: random.Random) -> None:
    if isinstance(holder, dict):
        holder.setdefault(chance.choice((*OTHER_KEYS, f"_{key}", str(key).upper())), holder[key])
        del holder[key]


def _retype(tree: Any, _holder: Any, _key: Any, _sample: Sample, chance: random.Random) -> None:
    nodes = [node for node, key in ways(tree) if key == "resourceType"]
    chance.choice(nodes)["resourceType"] = chance.choice(OTHER_TYPES)


def _plant(_tree: Any, holder: Any, key: Any, sample: Sample, chance: random.Random) -> None:
    """Put somebody's value where another stands, also as a key."""
    value: Any = chance.choice(sample.identifiers)
    if value.isdigit() and chance.random() < 0.5:
        value = int(value)
    if isinstance(holder, dict) and chance.random() < 0.1:
        holder[str(value)] = holder[key]
    else:
        holder[key] = value


def _copy(tree: Any, holder: Any, key: Any, _sample: Sample, chance: random.Random) -> None:
    """Put a part of the resource at another place of it, too."""
    other, there = chance.choice(list(ways(tree)))
    other[there] = copy.deepcopy(holder[key])


def _scalar(_tree: Any, holder: Any, key: Any, _sample: Sample, chance: random.Random) -> None:
    value = holder[key]
    if isinstance(value, str) and value.isdigit():
        holder[key] = int(value)
    elif not isinstance(value, dict | list):
        holder[key] = chance.choice([str(value), True, None, f" {value} ", 1e300, -(10**30)])


_CHANGES: tuple[Callable[[Any, Any, Any, Sample, random.Random], None], ...] = (
    _delete, _wrap, _rename, _retype, _plant, _plant, _copy, _scalar,
)  # fmt: skip


def survivors(sample: Sample, broken: bytes, rules: Ruleset) -> list[str]:
    """Where a release of the broken resource shows an identifier: paths, without what is there.

    A narrative counts where the identifier stands beside it, too: where the change has removed its
    field, only words can find it, and what taggers find is measured on free text.
    """
    outcome = process(Record(broken, Position("broken", 0, 0)), rules)
    if not isinstance(outcome, Release) or outcome.value is None:
        return []
    tree = json.loads(outcome.value.decode("utf-8-sig"))
    shown = json.dumps(tree, ensure_ascii=False)
    left = [value for value in sample.identifiers if stands_in(value, shown)]
    sent = [text for place, text in _texts(json.loads(broken), "") if not _narrative(place)]
    told = [value for value in left if any(stands_in(value, text) for text in sent)]
    return [
        place
        for place, text in _texts(tree, "")
        if any(stands_in(value, text) for value in (told if _narrative(place) else left))
    ]


def _narrative(place: str) -> bool:
    return place.endswith("/text/div")


def _texts(node: Any, place: str) -> Iterator[tuple[str, str]]:
    if isinstance(node, dict):
        for key, value in node.items():
            yield f"{place} (key)", key
            yield from _texts(value, f"{place}/{key}")
    elif isinstance(node, list):
        for value in node:
            yield from _texts(value, f"{place}/*")
    else:
        yield place, str(node)
