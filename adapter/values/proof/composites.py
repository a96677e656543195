"""Known numbers in the components or repetitions of one HL7 field ("447820^-^913355")."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from adapter.types import Handling
from adapter.values.proof.proved import DROP

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from adapter.types import Action, Message, TrustedPhrase

_OTHER = re.compile(r"\D+")
SHORTEST_NUMBER = 6
"""Minimum number of digits in a number that is looked for."""
MOST_PARTS = 32
"""Maximum number of parts: the samples of a waveform have any number by chance."""


def without_split_numbers(
    message: Message, actions: Sequence[Action], phrases: Iterable[TrustedPhrase]
) -> tuple[Action, ...]:
    """Return the actions; kept components whose digits together have a known number are dropped."""
    if message.format != "hl7v2":
        return tuple(actions)
    judged = list(actions)
    fields: dict[str, list[int]] = {}
    keep = Handling.KEEP  # looked up once: reading a member of an enum is slow
    for place, (segment, action) in enumerate(zip(message.segments, actions, strict=True)):
        if action.handling is keep and _digits(segment.text):
            fields.setdefault(_field(segment.path), []).append(place)
    several = {field: places for field, places in fields.items() if 1 < len(places) <= MOST_PARTS}
    if several:
        numbers = {digits for p in phrases if len(digits := _digits(p.text)) >= SHORTEST_NUMBER}
        for places in several.values():
            if _are_split(numbers, [_digits(message.segments[place].text) for place in places]):
                for place in places:
                    judged[place] = DROP
    return tuple(judged)


def _are_split(numbers: Iterable[str], parts: Sequence[str]) -> bool:
    """Whether the parts together have a number that none of them has."""
    joined = "".join(parts)
    return any(number in joined and not any(number in part for part in parts) for number in numbers)


def _field(path: str) -> str:
    """Return the path of a field without its repetition and component: "OBX[2]-5"."""
    segment, _, rest = path.partition("-")
    return f"{segment}-{rest.partition('.')[0].partition('[')[0]}"


def _digits(text: str) -> str:
    return _OTHER.sub("", text)
