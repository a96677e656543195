"""Guesses end before, or begin behind, words that vetoes cut; known names stay whole."""

from __future__ import annotations

from collections import Counter

import pytest

from adapter.priorities import PHRASE
from adapter.resolve.edges import cut
from adapter.types import Label, Span, Veto

TEXT = "Frau Birkenshawe ambulated x2"


def edges(part, veto, **values):
    """The text of a guess over ``part`` after the cut by a veto, and the number of cuts."""
    start, at = TEXT.index(part), TEXT.index(veto)
    values = {"label": Label.PATIENT, "source": "crf", "priority": 75} | values
    span = Span(start, start + len(part), **values)
    labels = frozenset({Label.PATIENT})
    item = Veto(at, at + len(veto), "test", labels, 80, cuts=True)
    counts: Counter[str] = Counter()
    (found,) = cut(TEXT, [span], [item], counts)
    return TEXT[found.start : found.end], counts["test"]


@pytest.mark.parametrize(
    ("part", "veto"), [("Birkenshawe ambulated", "ambulated"), ("Frau Birkenshawe", "Frau ")]
)
def test_a_guess_loses_its_edge_in_a_veto_that_cuts(part, veto):
    """What is left of a guessed mention stays covered, without the words of the veto."""
    assert edges(part, veto) == ("Birkenshawe", 1)


@pytest.mark.parametrize(
    "values",
    [{"entity": "patient"}, {"priority": PHRASE}, {"label": Label.CITY}],
    ids=["known", "stronger", "other label"],
)
def test_known_and_stronger_mentions_stay_whole(values):
    """A mention of a known person, a stronger one and one with another label are not cut."""
    part = "Birkenshawe ambulated"
    assert edges(part, "ambulated", **values) == (part, 0)


def test_no_word_is_parted_and_no_mention_lost():
    """A veto inside a word, one over the whole mention and one in its middle cut nothing."""
    assert edges("Birkenshawe", "shawe") == ("Birkenshawe", 0)
    assert edges("Birkenshawe", "Birkenshawe ambulated") == ("Birkenshawe", 0)
    assert edges(TEXT, "Birkenshawe") == (TEXT, 0)


def test_vetoes_that_do_not_cut_leave_edges_alone():
    """A veto without the mark removes only what is inside it."""
    span = Span(0, len(TEXT), Label.PATIENT, "crf", 1.0, 75)
    assert cut(TEXT, [span], [Veto(17, 26, "test", priority=80)], Counter()) == [span]
