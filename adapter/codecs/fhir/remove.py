"""Removes elements so that the result is as valid as the original.

A removed element takes along every object and array that is empty without it, an extension without
value, and an element with nothing but an id (FHIR R4: ele-1, ext-1). Arrays of primitives are kept
aligned with their ``_`` sibling by nulls (FHIR R4, 2.6.2.3). A required element is replaced by a
neutral value.
"""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING, Any

from adapter.codecs.fhir.layout import Layout, token_of
from adapter.codecs.fhir.placeholders import neutral_member

if TYPE_CHECKING:
    from collections.abc import Iterable

    from adapter.codecs.fhir.doubts import Place
    from adapter.codecs.fhir.schema import Table
    from adapter.codecs.fhir.walk import Leaf
    from adapter.codecs.sourcemap import Change

Gone = dict[int, int]
"""Removed children of one object or array: index -> token."""


class Losses:
    """The consequences of removed leaves: surviving objects and arrays with their lost children."""

    __slots__ = ("surviving",)

    def __init__(self, doomed: Iterable[Leaf]) -> None:
        self.surviving = _cascade(doomed)

    def at(self, opener: int) -> Gone:
        """Return the removed children of the object or array that token ``opener`` opens."""
        found = self.surviving.get(opener)
        return found[1] if found else {}


def removals(losses: Losses, table: Table, layout: Layout) -> list[Change]:
    """Return the changes that remove the leaves and all that goes with them; they may nest."""
    changes: list[Change] = []
    for place, gone in losses.surviving.values():
        if place.shape is not None:
            changes += _members(place, gone, table, layout)
        else:
            changes += _items(place, gone, losses, layout)
    return changes


def _cascade(doomed: Iterable[Leaf]) -> dict[int, tuple[Place, Gone]]:
    """Return the surviving objects and arrays that lose children, by their opening token."""
    losing: dict[int, tuple[Place, Gone]] = {}
    waiting: list[int] = []

    def lose(place: Place, index: int, token: int) -> None:
        if place.opener not in losing:
            losing[place.opener] = (place, {})
            heapq.heappush(waiting, -place.opener)
        losing[place.opener][1][index] = token

    for place, index, token, _ in doomed:
        lose(place, index, token)
    while waiting:
        opener = -heapq.heappop(waiting)
        place, gone = losing[opener]
        if place.parent is not None and _vanishes(place, gone):
            del losing[opener]
            lose(place.parent, place.index, opener)
    return losing


def _vanishes(place: Place, gone: Gone) -> bool:
    if place.shape is None:
        return all(i in gone or item is None for i, item in enumerate(place.node))
    left = {key for i, (key, value) in enumerate(place.node) if i not in gone and value != ()}
    if place.shape.type == "Extension":
        return "url" not in left or left <= {"url", "id"}
    return left <= {"id"}


def _members(place: Place, gone: Gone, table: Table, layout: Layout) -> list[Change]:
    """Cut members out of an object, or replace required ones by a neutral value."""
    left = {key.lstrip("_") for i, (key, _) in enumerate(place.node) if i not in gone}
    cut: Gone = {}
    changes: list[Change] = []
    for index, token in sorted(gone.items()):
        key = place.node[index][0].lstrip("_")
        owner = place.shape.type if place.shape else None
        if owner is not None and _needed(table, owner, key, left):
            left.add(key)
            change = neutral_member(table, owner, key)
            changes.append((layout.start(token), layout.end(token), change))
        else:
            cut[index] = token
    return changes + layout.cuts(cut, len(place.node))


def _needed(table: Table, owner: str, key: str, left: set[str]) -> bool:
    kind = table.kind(owner, key)
    if kind is None or key in left:
        return False
    if kind.choice is None:
        return kind.required
    same = {k for k, other in table.kinds[owner].items() if other.choice == kind.choice}
    return not same & left


def _items(place: Place, gone: Gone, losses: Losses, layout: Layout) -> list[Change]:
    """Cut items out of an array, aligned with its sibling array if there is one."""
    beside = _beside(place, losses)
    if beside is None:
        return layout.cuts(gone, len(place.node))
    opener, items = beside
    gone_there = losses.at(opener)
    dead = {
        i
        for i in gone.keys() | gone_there.keys()
        if _empty(place.node, gone, i) and _empty(items, gone_there, i)
    }
    changes = _thinned(place.node, place.opener, gone, dead, layout)
    if opener not in losses.surviving:
        changes += _thinned(items, opener, {}, dead, layout)
    return changes


def _empty(items: list[Any], gone: Gone, index: int) -> bool:
    return index >= len(items) or items[index] is None or index in gone


def _thinned(
    items: list[Any], opener: int, gone: Gone, dead: set[int], layout: Layout
) -> list[Change]:
    """Return the changes that cut the ``dead`` items and make other removed items null."""
    cut = {i: token_of(items, opener, i) for i in dead if i < len(items)}
    nulls = (token for index, token in gone.items() if index not in dead)
    return layout.cuts(cut, len(items)) + [(*layout.value(token), "null") for token in nulls]


def _beside(place: Place, losses: Losses) -> tuple[int, list[Any]] | None:
    """Return the opening token and the items of the surviving sibling array, or None."""
    owner = place.parent
    if owner is None or owner.shape is None:
        return None
    key = owner.node[place.index][0]
    wanted = key[1:] if key.startswith("_") else f"_{key}"
    lost = losses.at(owner.opener)
    for index, (name, value) in enumerate(owner.node):
        if name == wanted and type(value) is list and index not in lost:
            values = [item for _, item in owner.node]
            return token_of(values, owner.opener, index), value
    return None
