"""Splits annotated texts into folds that are held out in turn, by document or by files."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from adapter.evaluate.annotations import as_mentions
from adapter.methods.prediction import spans_in
from adapter.train.crossval import fold_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from adapter.evaluate.annotations import Annotated, Pair
    from adapter.methods.protocol import Learned, Resources


@dataclass(frozen=True, slots=True)
class Part:
    """Texts to learn from, and texts to be tagged by what was learned."""

    name: str
    learn: tuple[Annotated, ...] = field(repr=False)
    held: tuple[Annotated, ...] = field(repr=False)


def by_document(texts: Sequence[Annotated], folds: int) -> Iterator[Part]:
    """Yield folds by document; those of one group (`adapter.train.crossval`) stay together."""
    places = [fold_of(str(text.meta.get("group") or text.id), folds) for text in texts]
    for fold in range(folds):
        rows = list(zip(texts, places, strict=True))
        learn = tuple(text for text, place in rows if place != fold)
        held = tuple(text for text, place in rows if place == fold)
        if learn and held:
            yield Part(f"fold {fold}", learn, held)


def by_group(groups: Sequence[tuple[str, Sequence[Annotated]]]) -> Iterator[Part]:
    """Yield each group of files held out in turn: what a new site would see."""
    for name, held in groups:
        others = tuple(text for other, texts in groups if other != name for text in texts)
        yield Part(name, others, tuple(held))


def tagged(texts: Sequence[Annotated], learned: Learned, resources: Resources) -> list[Pair]:
    """Return what a trained method finds in texts, overlaps resolved."""
    return [
        (text, as_mentions(spans_in(text.text, text.meta, learned, resources))) for text in texts
    ]
