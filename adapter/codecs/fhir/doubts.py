"""Detects narratives that may repeat a value which no element table knows.

It is unknown whether such a value identifies somebody, so it is not searched for in other texts.
Instead, a narrative of the same resource that repeats one of its words gets the unknown type "?",
as does a narrative of another resource in the message that repeats a capitalised word or a number
of the value; any other narrative is unchanged.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import regex

from adapter.codecs.fhir.schema import Role
from adapter.normalize.folding import fold, squeeze

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from adapter.codecs.fhir.schema import Shape
    from adapter.types import TextSegment

LONG = 4
"""Length from which a word is also searched for inside others and in other resources."""

MANY = 500
"""Number of unknown words above which any narrative counts as repeating one, to save the search."""

_WORD = regex.compile(r"[\p{L}\p{M}\p{N}]+")


@dataclass(slots=True, eq=False)
class Place:
    """An object or array of the tree: its parent, and the token that opens it.

    ``index`` is its pair or item number in ``parent``; ``shape`` is None for an array.
    """

    parent: Place | None
    index: int
    node: Any = field(repr=False)
    shape: Shape | None
    opener: int
    depth: int


Lost = tuple[Place, tuple[str, ...]]
"""The place of a value that the table lacks, and its texts: the value, or its key."""


def doubted(
    segments: Sequence[TextSegment],
    places: Sequence[Place],
    lost: Iterable[Lost],
    resources: frozenset[str],
) -> Iterable[TextSegment]:
    """Yield the segments; narratives that repeat a value unknown to the table get the type "?".

    ``places`` are the places of the segments; ``resources`` are the names of resource types.
    """
    lost = list(lost)
    words = _words(lost)
    anywhere = _distinctive(lost)
    doubtful: dict[str, bool] = {}
    for segment, place in zip(segments, places, strict=True):
        if segment.datatype == "xhtml":
            own = _owner(place, resources)
            repeats = own in words and _repeats(segment.text, words[own])
            repeats = repeats or not anywhere.isdisjoint(_WORD.findall(fold(segment.text)))
            div = _div(segment.path)
            doubtful[div] = doubtful.get(div, False) or repeats
    for segment in segments:
        if segment.datatype == "xhtml" and doubtful[_div(segment.path)]:
            yield replace(segment, datatype="?")
        else:
            yield segment


def _words(lost: Iterable[Lost]) -> dict[int, set[str]]:
    """Return the words of unknown values and keys, by the id of each enclosing place."""
    found: dict[int, set[str]] = {}
    for start, texts in lost:
        places = list(_upwards(start))
        words = {word for text in (*texts, *_keys(places)) for word in _WORD.findall(fold(text))}
        for place in places:
            found.setdefault(id(place), set()).update(words)
    return found


def _distinctive(lost: Iterable[Lost]) -> set[str]:
    """Return the words of unknown values that look like names or numbers, folded."""
    words = (word for _, texts in lost for text in texts for word in _WORD.findall(text))
    return {
        fold(word)
        for word in words
        if len(word) >= LONG and (word[0].isupper() or word.isdigit() or not word.isascii())
    }


def _keys(places: Iterable[Place]) -> Iterable[str]:
    """Yield those keys on the path to a value that the table does not have."""
    for place in places:
        parent = place.parent
        if parent is not None and parent.shape is not None:
            key = parent.node[place.index][0]
            member = parent.shape.members.get(key)
            if member is None or member.role is Role.UNKNOWN:
                yield key


def _repeats(text: str, words: set[str]) -> bool:
    """Whether a text has one of the words; a long one also inside other words or spaced out."""
    if not words.isdisjoint(_WORD.findall(fold(text))):
        return True
    if len(words) > MANY:
        return True
    bare = squeeze(text)
    return any(squeeze(word) in bare for word in words if len(word) >= LONG or not word.isascii())


def _owner(place: Place, resources: frozenset[str]) -> int:
    """Return the id of the place of the resource that contains a value."""
    own = (p for p in _upwards(place) if p.shape and p.shape.type in resources)
    return id(next(own, None))


def _div(path: str) -> str:
    """Return the path of the narrative that contains a text, attribute or comment."""
    return path.partition("/div")[0]


def _upwards(place: Place | None) -> Iterable[Place]:
    """Yield a place and its ancestors, innermost first."""
    while place is not None:
        yield place
        place = place.parent
