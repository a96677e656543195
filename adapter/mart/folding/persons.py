"""Groups number keys into persons, by links between a patient's numbers and by merges."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.mart.versions import person_id

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from adapter.mart.versions import Merge


def persons_of(numbers: Iterable[Sequence[str]], merges: Iterable[Merge]) -> dict[str, str]:
    """Return the person id of every number key (union-find).

    Each item of ``numbers`` has keys of one person; order and repetition do not matter.
    """
    parents: dict[str, str] = {}
    for keys in numbers:
        _unite(parents, keys)
    for merge in merges:
        _unite(parents, (merge.prior, merge.number))
    members: dict[str, list[str]] = {}
    for key in parents:
        members.setdefault(_root(parents, key), []).append(key)
    return {
        key: person
        for keys in members.values()
        for person in [person_id(frozenset(keys))]
        for key in keys
    }


def _unite(parents: dict[str, str], keys: Sequence[str]) -> None:
    roots = {_root(parents, key) for key in keys}
    least = min(roots, default="")
    for root in roots:
        parents[root] = least


def _root(parents: dict[str, str], key: str) -> str:
    parents.setdefault(key, key)
    while parents[key] != key:
        parents[key] = parents[parents[key]]
        key = parents[key]
    return key
