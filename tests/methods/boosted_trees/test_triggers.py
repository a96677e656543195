"""Trigger words beside mentions."""

from __future__ import annotations

import pytest

from adapter.methods.boosted_trees.triggers import SELECTIONS, following, preceding, selected

TOKEN, PHRASE, TRIGRAM = SELECTIONS
WORDS = "vista por la dra eva gil ayer en casa".split()
TYPES = ["O", "O", "O", "O", "DOCTOR", "DOCTOR", "O", "O", "O"]
PLAIN = "sin tos ni fiebre ayer en casa de la madre con dolor leve".split()


def texts():
    """Notes that name a doctor, and notes that name nobody."""
    return [(WORDS, TYPES)] * 6 + [(PLAIN, ["O"] * len(PLAIN))] * 6


@pytest.mark.parametrize("plan", SELECTIONS, ids=lambda plan: plan.name)
def test_words_that_stand_by_a_type_are_chosen(plan):
    """A title before names is a trigger of each selection; a word of all notes is none."""
    found = selected(texts(), plan)
    assert found.before["dra"] == ["DOCTOR"]
    assert "leve" not in found.before
    assert "sin" not in found.before


def test_rare_words_are_no_triggers():
    """Words that stand by a type in few places are not chosen."""
    assert not selected(texts()[:4] + texts()[6:], TRIGRAM).before


def test_words_in_a_row_are_triggers_of_one_selection():
    """Only the selection by trigrams has triggers of several words."""
    rows = {plan.name: selected(texts(), plan).before for plan in SELECTIONS}
    assert "por la dra" in rows["trigram"]
    assert not any(" " in trigger for trigger in (*rows["token"], *rows["phrase"]))


def test_nearness_falls_with_distance():
    """A neighbour is nearest; beyond the selection's reach there is nothing."""
    found = selected(texts(), PHRASE)
    before = {
        place: near for place, side, kind, near in found.nearness(["dra", *"abcdef"]) if side == 0
    }
    assert before == {1: 5, 2: 4, 3: 3, 4: 2, 5: 1}


def test_words_before_and_behind():
    """Words in a row stay within reach, and tell how many tokens are between."""
    assert set(preceding(WORDS, 2, TRIGRAM)) == {("por", 0), ("vista", 1), ("vista por", 0)}
    assert list(following(WORDS, 7, TOKEN)) == [("en", 0), ("casa", 1)]
    assert not list(preceding(WORDS, 0, TRIGRAM))
    assert not list(following(WORDS, len(WORDS), TRIGRAM))
