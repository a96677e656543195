"""Numbers of things: orders, specimens, documents, appointments, encounters, claims.

They belong to no person's group, but a text that keeps one leads back to the source record. They
are looked for in all texts and not remembered with a patient.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import regex

from adapter.normalize.folding import squeeze
from adapter.normalize.notation import COMPACT_DAY
from adapter.phrases.common_words import SHORTEST_NUMBER
from adapter.phrases.numbers import number, telling
from adapter.types import Entity, Handling, Label, TrustedPhrase

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from adapter.phrases.common_words import WordList
    from adapter.types import Action, TextSegment

THING = "thing"
"""Role and id of the entity that has the numbers of all things of a message."""
RESOURCE_IDS = frozenset({"id", "uuid"})
"""Datatypes of logical ids in FHIR, which may be words ("vitamin-b12") and are no identifiers."""
_CODES = frozenset(
    f"{kind}.{place}" for kind in ("CE", "CF", "CWE", "CNE") for place in (1, 4, 10)
) | {"ID", "IS", "code", "Coding.code"}
"""Datatypes of codes."""
_QUERIED = regex.compile(r"(?:^|[?&])identifier=(?:[^&|,]*(?:\||%7[Cc]))?([^&|,]+)")
"""A search by identifier, with or without the identifier's system (`Bundle.entry.request`)."""
_OTHERWISE = regex.compile(
    rf"{COMPACT_DAY}(?:(?:[01]\d|2[0-3])[0-5]\d(?:[0-5]\d\d{{0,6}})?)?|\d{{3}}0{{2,3}}|12345"
)
"""A number that texts have as a day or time (YYYYMMDD, YYYYMMDDHHMMSSfff), count or example."""
_LETTERS = regex.compile(r"\p{L}{3,}")
_FEWEST_DIGITS, _MANY_DIGITS = 3, 5
"""Fewest digits of a number that is looked for, and of one that may contain a word."""


class Things(NamedTuple):
    """The entity of a message's things, and its phrases."""

    entity: Entity
    phrases: Sequence[TrustedPhrase]


def thing(
    segments: Sequence[TextSegment], actions: Sequence[Action], words: WordList
) -> Things | None:
    """Return the numbers that have no owner; None if a message has none.

    A form that is also a code of the message is not looked for, nor is a day, time or round count.
    """
    values = dict(_numbers(segments, actions))
    if not values:
        return None
    codes = {
        squeeze(segment.text)
        for segment, action in zip(segments, actions, strict=True)
        if segment.datatype in _CODES and action.handling is Handling.KEEP
    }
    found: dict[str, TrustedPhrase] = {}
    for nth, (text, label) in enumerate(values.items()):
        if specific(text, words):
            slot = f"id#{nth}" if nth else "id"
            for written, form, own, weak in number(text, slot, label, words):
                if written not in codes and not _OTHERWISE.fullmatch(written):
                    phrase = TrustedPhrase(written, own or label, THING, form, weak)
                    found.setdefault(written, phrase)
    parts = tuple(("id", text) for text in values)
    entity = Entity(THING, THING, next(iter(values.values())), f"/{THING}", parts)
    return Things(entity, list(found.values()))


def _numbers(
    segments: Sequence[TextSegment], actions: Sequence[Action]
) -> Iterator[tuple[str, Label]]:
    """Yield (text, label) of each number that has no owner."""
    for segment, action in zip(segments, actions, strict=True):
        if action.role is not None or action.handling is not Handling.SURROGATE:
            continue
        if action.part == "id" and segment.datatype not in RESOURCE_IDS:
            yield segment.text, action.label or Label.IDNUM
        elif action.part == "reference" and (found := _QUERIED.search(segment.text)):
            yield found[1], Label.IDNUM


def specific(text: str, words: WordList) -> bool:
    """Whether a thing's number is found in texts only where it is meant.

    Not "COVID19", "Metformin 500" or "LAB123", which may be words of the text.
    """
    key = squeeze(text)
    digits = sum(map(str.isdigit, key))
    if digits == len(key) == SHORTEST_NUMBER:
        return True
    if not telling(text) or digits < _FEWEST_DIGITS:
        return False
    return digits >= _MANY_DIGITS or not any(map(words.weak, _LETTERS.findall(key)))
