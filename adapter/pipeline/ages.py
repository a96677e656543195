"""Ages over 89 in scanned texts of places that hold an age (45 CFR 164.514(b)(2)(i)(C)).

Such a place needs no cue: "ninety-four" is an age there, which elsewhere is a number.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.priorities import PHRASE
from adapter.types import Handling, Label, Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from adapter.types import Action, Message
    from adapter.values import Values

SOURCE = "place"
"""Source of spans that are ages because of their place."""
PRIORITY = PHRASE


def with_ages(
    message: Message,
    actions: Sequence[Action],
    spans: Mapping[str, tuple[Span, ...]],
    values: Values,
) -> Mapping[str, tuple[Span, ...]]:
    """Return the spans by path, with those of ages over 89 in scanned places of ages."""
    if message.format not in values.places:
        return spans
    found: dict[str, tuple[Span, ...]] = {}
    texts: dict[str, str] = {}
    for segment, action in zip(message.segments, actions, strict=True):
        if action.handling is not Handling.SCAN:
            continue
        place = values.place(message.format, segment)
        if not (place.asked or place.aged):
            continue
        texts = texts or {other.path: other.text for other in message.segments}
        if not values.expects_age(place, segment.path, texts):
            continue
        joined = _joined(values.ages.found(segment.text), spans.get(segment.path, ()))
        measured = values.ages.is_number(segment.text) and any(place.units(segment.path, texts))
        if joined is not None and not measured:
            found[segment.path] = joined
    return {**spans, **found} if found else spans


def _joined(extents: Iterable[tuple[int, int]], own: Sequence[Span]) -> tuple[Span, ...] | None:
    """Return the spans with those of ages at the extents, in order; None if nothing is added.

    An age replaces spans inside it ("thirteen" of "one hundred and thirteen"); it gives way to a
    span that reaches beyond it.
    """
    found: list[Span] = []
    kept = list(own)
    for start, end in extents:
        beyond = (s for s in (*kept, *found) if s.start < end and start < s.end)
        if all(start <= s.start and s.end <= end and s.source != SOURCE for s in beyond):
            kept = [s for s in kept if s.end <= start or end <= s.start]
            found.append(Span(start, end, Label.AGE, SOURCE, 1.0, PRIORITY))
    return tuple(sorted((*kept, *found), key=lambda span: span.start)) if found else None
