"""The staff of a feed whom a message names in its texts alone, by their surname."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import regex

from adapter.phrases.groups import squeeze

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from adapter.phrases.groups import Group
    from adapter.phrases.memory.entries import Recollection

_NAMES = frozenset({"family", "given", "middle"})
_WORD = regex.compile(r"\p{L}[\p{L}\p{M}]*")


def with_surnames(
    recalled: Recollection, groups: Iterable[Group], coded: Iterable[str]
) -> Recollection:
    """Return what is recalled, with those surnames that mean nobody and nothing else in a message.

    ``groups`` are the people of the message's fields, whom these names mean then. ``coded`` are the
    texts of its places for coded values: a word of them is no name (a test kit of Abbott).
    """
    if not recalled.surnames:
        return recalled
    known = [group for entry in recalled.patients if entry for group in entry.people()]
    names = [
        text
        for group in (*groups, *known, *recalled.staff)
        for part, text, _ in group.values
        if part in _NAMES
    ]
    people = {squeeze(name) for name in names}.union(_words(names))
    things = set(_words(coded))
    meant = (
        group
        for group in recalled.surnames
        if squeeze(family := group.first("family")) not in people
        and things.isdisjoint(_words([family]))
    )
    return replace(recalled, staff=(*recalled.staff, *meant))


def _words(texts: Iterable[str]) -> Iterator[str]:
    return (squeeze(word) for text in texts for word in _WORD.findall(text))
