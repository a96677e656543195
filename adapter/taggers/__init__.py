"""Taggers: a document and the message's trusted phrases in, spans and vetoes out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.taggers.patterns import PatternTagger
from adapter.taggers.sections import AttributeTagger

if TYPE_CHECKING:
    from collections.abc import Callable

    from adapter.taggers.protocol import Tagger
    from adapter.taggers.resources import Resources

TAGGERS: dict[str, Callable[[Resources], Tagger]] = {
    "patterns": PatternTagger,
    "attributes": AttributeTagger,
}
"""Every tagger by the name configuration uses; adding one is adding a line."""
