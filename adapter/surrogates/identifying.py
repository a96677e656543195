"""Values of a message that identify somebody wherever they stand, as in a publisher's address."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.checkdigits import digits_of
from adapter.normalize.folding import squeeze

if TYPE_CHECKING:
    from adapter.types import Extraction

_NAME, _NUMBER = 5, 4
"""Fewest letters of a name, and fewest digits of a number, that identify somebody."""
NAMES = frozenset({"family", "given", "middle", "full"})
"""Parts of an entity that are names."""


def identifying_values(extraction: Extraction, real: frozenset[str]) -> frozenset[str]:
    """Return real values that a publisher's address must not contain: numbers, people's names."""
    parts = (text for entity in extraction.entities for part, text in entity.parts if part in NAMES)
    names = {squeeze(word) for text in parts for word in text.split()}
    return frozenset(name for name in names if len(name) >= _NAME) | {
        value for value in real if len(digits_of(value)) >= _NUMBER
    }
