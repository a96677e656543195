"""Names end with their sentence, but not behind titles, and not before what may be a name."""

from __future__ import annotations

from collections import Counter

import pytest

from adapter.priorities import PHRASE
from adapter.resolve.sentences import RULE, within_sentence
from adapter.types import Label, Span

NAMELESS = frozenset({"gout", "the", "wound", "fieber", "walking"})


def cut(text, *, known=(), **values):
    """A name over a whole text, after the cut, and the number of cuts."""
    span = Span(0, len(text), values.pop("label", Label.DOCTOR), "crf", **values)
    counts: Counter[str] = Counter()
    (found,) = within_sentence(
        text, [span], counts, nameless=NAMELESS, dotted={"prof", "schw"}, known=known
    )
    return text[found.start : found.end], counts[RULE]


@pytest.mark.parametrize("behind", ["Gout", "The Wound", "Fieber."])
def test_ordinary_words_of_the_next_sentence_are_no_part_of_a_name(behind):
    """A name ends at the full stop before words that are nobody's name."""
    assert cut(f"Anna Birkenshawe. {behind}") == ("Anna Birkenshawe", 1)


@pytest.mark.parametrize(
    "name", ["Prof. Walking", "J. Walking", "Wm. Walking", "Schw. Walking", "Birkenshawe. Holm"]
)
def test_a_name_behind_a_title_or_an_initial_stays_whole(name):
    """A point behind a title, an initial or an abbreviation ends no sentence, nor one in a name."""
    assert cut(name) == (name, 0)


def test_names_of_the_message_are_never_uncovered():
    """A known name, a trusted phrase and other labels stay as they are."""
    text = "Birkenshawe. Gout"
    assert cut(text, known={"gout"}) == (text, 0)
    assert cut(text, priority=PHRASE) == (text, 0)
    assert cut(text, entity="patient") == (text, 0)
    assert cut(text, label=Label.HOSPITAL) == (text, 0)
