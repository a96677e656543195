"""The words of the languages as they ship, in the order of the shipped settings."""

from __future__ import annotations

from pathlib import Path

from adapter.rules.folder import Folder
from adapter.surrogates.dates.written.text import Custom

WORDS = Folder(Path(__file__).resolve().parent.parent / "rules").wording(("en", "es", "de"))
TITLES = WORDS.titles


def custom(order: str = "mdy", language: str = "en", *, accents: bool = True) -> Custom:
    """How a text writes dates, in the shipped words."""
    return Custom(WORDS, order, language, accents)
