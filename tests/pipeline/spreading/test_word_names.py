"""Given names that are words, in the texts beside the one that shows them to be names."""

from __future__ import annotations

import pytest

from adapter.pipeline.spreading.word_names import spread_words
from adapter.taggers.trusted.full_names import Evidence
from adapter.types import Label, Span, TextSegment
from tests.wording import CUES

EVIDENCE = Evidence(frozenset({"saffron", "season"}), CUES, lambda word: word != "Season")


def _found(first, other, *, sure=True, label=Label.PATIENT):
    """Return what is found in another text after a name at the end of the first one."""
    texts = [TextSegment("a", "a", "ST", first), TextSegment("b", "b", "ST", other)]
    start = first.rindex(" ") + 1
    found = {"a": (Span(start, len(first), label, "rule", sure=sure),)}
    spread_words(texts, found, EVIDENCE, {})
    return [other[span.start : span.end] for span in found.get("b", ())]


@pytest.mark.parametrize(
    ("other", "expected"),
    [
        ("Saffron will come", ["Saffron"]),
        ("told Saffron; Saffron agrees", ["Saffron", "Saffron"]),
        ("saffron rice", []),
        ("Saffron Rice", []),
        ("Saffrons", []),
    ],
)
def test_a_name_that_is_a_word_is_found_with_a_capital(other, expected):
    """A capital and no further capital behind it make the word a name."""
    assert _found("daughter Saffron", other) == expected


def test_only_sure_given_names_of_people_count():
    """A guess, a staff name and a word that is no given name say nothing of other texts."""
    assert not _found("daughter Saffron", "Saffron came", sure=False)
    assert not _found("by Saffron", "Saffron came", label=Label.DOCTOR)
    assert not _found("this Season", "Season began")
