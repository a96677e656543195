"""The words of the languages as they ship, in the order of the shipped settings."""

from __future__ import annotations

from pathlib import Path

from adapter.phrases.common_words import DateWords, WordList
from adapter.rules.folder import Folder
from adapter.surrogates.dates.written.text import Custom

WORDS = Folder(Path(__file__).resolve().parent.parent / "rules").wording(("en", "es", "de"))
TITLES = WORDS.titles
FIELDS, CUES = WORDS.fields, WORDS.cues
ENGLISH_DATES = DateWords(WORDS.calendars["en"].months, WORDS.numbers["en"])


def word_list(ordinary=(), medical=(), nicknames=None):
    """Common words and nicknames, with the shipped words of fields and English dates."""
    common = frozenset(ordinary), frozenset(medical)
    return WordList(FIELDS, (ENGLISH_DATES,), CUES, *common, nicknames or {})


def custom(order: str = "mdy", language: str = "en", *, accents: bool = True) -> Custom:
    """How a text writes dates, in the shipped words."""
    return Custom(WORDS, order, language, accents)
