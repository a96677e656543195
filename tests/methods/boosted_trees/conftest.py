"""What tests of attributes of tokens share."""

from __future__ import annotations

from dataclasses import replace

import pytest

from adapter.taggers.crf.word_stats import WordStats
from adapter.taggers.document.document import read
from adapter.taggers.wordlists import Lexicon


@pytest.fixture(scope="session")
def few(spanish):
    """Spanish rules, with lists and statistics of a few words."""
    lexicons = {"es-city": Lexicon.parse("ciudad real\t4\nreal")}
    stats = WordStats(bands={"real": 9, "Real": 6})
    return replace(spanish, lexicons=lexicons, word_stats=stats)


@pytest.fixture
def read_text(few):
    """A text as trees see it."""
    from adapter.methods.boosted_trees.attributes import ReadText  # noqa: PLC0415 - an extra

    return lambda text: ReadText.of(read(text, "es", few.language.sections))
