"""Levels at which a prediction counts as right: by extent or by token, with or without type.

A bare category (NAME, LOCATION) on either side agrees with every label of that category.
Predictions of kinds the source does not annotate are no errors (`adapter.evaluate.unlabelled`).
"""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from typing import TYPE_CHECKING

from adapter.evaluate.annotations import CATEGORY_OF, Mention, Pair
from adapter.evaluate.token_labels import TokenLabels, label_tokens
from adapter.evaluate.unlabelled import is_unlabelled
from adapter.types import CATEGORIES, HIPAA

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from adapter.evaluate.scores import Event

RELAXED = 2
"""Characters by which an end may differ at the relaxed level (i2b2 2014)."""

HIPAA_TYPES: frozenset[str] = frozenset(map(str, HIPAA)) | {
    category
    for category in CATEGORIES.values()
    if any(CATEGORIES[label] == category for label in HIPAA)
}
"""Labels of the HIPAA subset, and the categories that contain any of them."""


class Level(StrEnum):
    """The unit of comparison."""

    STRICT = "entity strict"
    RELAXED = "entity relaxed"
    TOKEN = "token"  # noqa: S105 - a level's name
    BLIND_STRICT = "type-blind strict"
    BLIND_TOKEN = "type-blind token"  # noqa: S105 - a level's name


def agree(gold: str, predicted: str) -> bool:
    """Whether two types agree: the same label, or one is the other's bare category."""
    if gold == predicted:
        return True
    return predicted == CATEGORY_OF.get(gold) or gold == CATEGORY_OF.get(predicted)


def events(
    pair: Pair,
    level: Level,
    counted: Collection[str] | None = None,
    labels: TokenLabels | None = None,
) -> Iterator[Event]:
    """Yield the right, spurious and missed items of one text.

    ``counted`` are the types to score (None: all): a gold mention of another type need not be
    found, and finding it is no error. ``labels`` are the text's token labels, if already known.
    """
    if level in (Level.TOKEN, Level.BLIND_TOKEN):
        labels = label_tokens(pair) if labels is None else labels
        yield from _token_events(labels, counted, blind=level is Level.BLIND_TOKEN)
        return
    document, predicted = pair
    blind, slack = level is Level.BLIND_STRICT, RELAXED if level is Level.RELAXED else 0
    matched = match(document.mentions, predicted, blind=blind, slack=slack)
    for number, mention in enumerate(document.mentions):
        if _matters(mention.type, counted):
            yield ("tp" if number in matched else "fn"), mention.type
    right = set(matched.values())
    for number, mention in enumerate(predicted):
        wrong = number not in right and _matters(mention.type, counted)
        if wrong and not forgiven(pair, mention):
            yield "fp", mention.type


def match(
    gold: Sequence[Mention], predicted: Sequence[Mention], *, blind: bool = False, slack: int = 0
) -> dict[int, int]:
    """Return gold index -> index of the prediction matched to it, the nearest ends first.

    A prediction matches one mention at most: starts are equal, ends differ by at most ``slack``
    characters, and types agree unless ``blind``.
    """
    starts: dict[int, list[int]] = {}
    for number, mention in enumerate(predicted):
        starts.setdefault(mention.start, []).append(number)
    candidates = sorted(
        (abs(g.end - predicted[there].end), g.type != predicted[there].type, here, there)
        for here, g in enumerate(gold)
        for there in starts.get(g.start, ())
        if abs(g.end - predicted[there].end) <= slack
        and (blind or agree(g.type, predicted[there].type))
    )
    matched: dict[int, int] = {}
    taken: set[int] = set()
    for _, _, here, there in candidates:
        if here not in matched and there not in taken:
            matched[here] = there
            taken.add(there)
    return matched


def forgiven(pair: Pair, mention: Mention) -> bool:
    """Whether the source leaves mentions of this kind unmarked and no gold mention overlaps."""
    document, _ = pair
    return is_unlabelled(document, mention) and not any(
        gold.start < mention.end and gold.end > mention.start for gold in document.mentions
    )


def _token_events(
    labels: TokenLabels, counted: Collection[str] | None, *, blind: bool
) -> Iterator[Event]:
    for gold, predicted in zip(labels.gold, labels.predicted, strict=True):
        right = bool(gold and predicted) and (blind or agree(gold, predicted))
        if gold and _matters(gold, counted):
            yield ("tp" if right else "fn"), gold
        if predicted and not right and _matters(predicted, counted):
            yield "fp", predicted


def _matters(label: str, counted: Collection[str] | None) -> bool:
    return counted is None or label in counted


def coarse(pair: Pair) -> Pair:
    """Return the pair with types replaced by their main categories."""
    document, predicted = pair
    return replace(document, mentions=_coarse(document.mentions)), _coarse(predicted)


def _coarse(mentions: Sequence[Mention]) -> tuple[Mention, ...]:
    return tuple(
        Mention(m.start, m.end, CATEGORY_OF.get(m.type, m.type), m.source_label, m.score)
        for m in mentions
    )
