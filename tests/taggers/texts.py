"""Documents for tests of taggers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.taggers.document.document import read
from adapter.taggers.document.sections import SectionRules

if TYPE_CHECKING:
    from adapter.taggers.document.document import Document


def document(text: str) -> Document:
    """A text without sections or attributes."""
    return read(text, "en", SectionRules({}))
