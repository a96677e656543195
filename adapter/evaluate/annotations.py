"""Annotated texts, and the mentions a system found in them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from adapter.errors import RuleError
from adapter.types import CATEGORIES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from adapter.types import Span

CATEGORY_OF: dict[str, str] = {str(label): category for label, category in CATEGORIES.items()} | {
    category: category for category in CATEGORIES.values()
}
"""Label -> its main category; a category maps to itself."""


@dataclass(frozen=True, slots=True)
class Mention:
    """An annotated extent, ``text[start:end]`` in characters.

    ``type`` is a label or, where the source annotates no role, a bare category (NAME, LOCATION);
    ``source_label`` is the corpus's own label; ``score`` is a system's confidence.
    """

    start: int
    end: int
    type: str
    source_label: str = ""
    score: float = 1.0


@dataclass(frozen=True, slots=True)
class Annotated:
    """A text with its mentions.

    ``extra`` are mentions of kinds outside the product's scheme, which only MEDDOCAN's official
    scoring counts; ``unlabelled`` names what the source does not annotate.
    """

    id: str
    text: str = field(repr=False)
    language: str
    mentions: tuple[Mention, ...]
    extra: tuple[Mention, ...] = ()
    meta: Mapping[str, Any] = field(default_factory=dict, repr=False)
    unlabelled: frozenset[str] = frozenset()


Pair = tuple[Annotated, tuple[Mention, ...]]
"""An annotated text and the mentions a system found in it: the input of every metric."""


def as_mentions(spans: Iterable[Span]) -> tuple[Mention, ...]:
    """Return the spans of the taggers as mentions; ``source_label`` is the span's source."""
    return tuple(Mention(s.start, s.end, str(s.label), s.source, s.score) for s in spans)


def checked(mention: Mention, length: int | None, place: str) -> Mention:
    """Return the mention, checked against the length of its text (None if not known).

    Raises:
        RuleError: the mention is empty or reaches beyond the text.
    """
    if 0 <= mention.start < mention.end and (length is None or mention.end <= length):
        return mention
    within = "" if length is None else f" in a text of {length} characters"
    raise RuleError(place, f"[{mention.start}, {mention.end}) is not an extent{within}")
