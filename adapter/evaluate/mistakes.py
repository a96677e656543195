"""Errors by kind: missing, spurious, wrong type, wrong boundary."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from adapter.evaluate.levels import agree, match
from adapter.evaluate.unlabelled import is_unlabelled

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from adapter.evaluate.annotations import Mention, Pair

Kind = Literal["missing", "spurious", "type", "boundary"]


@dataclass(frozen=True, slots=True)
class Mistake:
    """A missed gold mention, a spurious prediction, or an overlapping pair that does not match."""

    document: str
    kind: Kind
    gold: Mention | None
    predicted: Mention | None


def mistakes(pairs: Sequence[Pair]) -> Iterator[Mistake]:
    """Yield the errors at the strict entity level, in order of offset.

    A gold mention is paired with the prediction that overlaps it most: the error is "type" if the
    labels differ, else "boundary", and "missing" if no prediction overlaps. A prediction that
    overlaps no gold mention is "spurious", unless the source does not annotate its kind.
    """
    for pair in pairs:
        found = sorted(_of(pair), key=lambda mistake: _place(mistake.gold or mistake.predicted))
        yield from found


def _place(mention: Mention | None) -> tuple[int, int]:
    return (mention.start, mention.end) if mention else (0, 0)


def _of(pair: Pair) -> Iterator[Mistake]:
    document, predicted = pair
    matched = match(document.mentions, predicted)
    seen = set(matched.values())
    for number, gold in enumerate(document.mentions):
        if number in matched:
            continue
        nearest = _nearest(gold, predicted)
        if nearest is None:
            yield Mistake(document.id, "missing", gold, None)
        else:
            seen.add(nearest)
            yield Mistake(document.id, _kind(gold, predicted[nearest]), gold, predicted[nearest])
    for number, mention in enumerate(predicted):
        if number not in seen:
            yield from _prediction(pair, mention)


def _prediction(pair: Pair, mention: Mention) -> Iterator[Mistake]:
    document, _ = pair
    nearest = _nearest(mention, document.mentions)
    if nearest is not None:
        gold = document.mentions[nearest]
        yield Mistake(document.id, _kind(gold, mention), gold, mention)
    elif not is_unlabelled(document, mention):
        yield Mistake(document.id, "spurious", None, mention)


def _kind(gold: Mention, predicted: Mention) -> Kind:
    return "boundary" if agree(gold.type, predicted.type) else "type"


def _nearest(mention: Mention, others: Sequence[Mention]) -> int | None:
    """Return the index of the mention that overlaps most, or None if no mention overlaps."""
    shared = [
        (min(mention.end, other.end) - max(mention.start, other.start), -number)
        for number, other in enumerate(others)
    ]
    most, number = max(shared, default=(0, 0))
    return -number if most > 0 else None
