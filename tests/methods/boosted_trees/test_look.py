"""What tokens look like."""

from __future__ import annotations

from dataclasses import replace

import pytest

pytest.importorskip("sklearn")
pytest.importorskip("onnxruntime")

from adapter.methods.boosted_trees.attributes import ReadText
from adapter.methods.boosted_trees.look import LISTS, REACH, Look, around
from adapter.methods.resources import resources_of
from adapter.taggers.crf.word_stats import WordStats
from adapter.taggers.document.document import read
from adapter.taggers.wordlists import Lexicon


@pytest.fixture(scope="module")
def resources():
    """Spanish rules, with lists and statistics of a few words."""
    lexicons = {"es-city": Lexicon.parse("ciudad real\t4\nreal")}
    stats = WordStats(bands={"real": 9, "Real": 6})
    return replace(resources_of("es"), lexicons=lexicons, word_stats=stats)


def read_text(text, resources):
    """A text as trees see it."""
    return ReadText.of(read(text, "es", resources.language.sections))


def test_tokens_tell_of_themselves(resources):
    """Length, digits, commonness, lists and months are columns of a token's own."""
    text = read_text("Ciudad Real, enero 2007", resources)
    own = Look(resources).own(text.tokens)
    city, month = own[:, -len(LISTS) - 1 + LISTS.index("city")], own[:, -1]
    assert own[:, 1].tolist() == [6, 4, 1, 5, 4]
    assert own[:, 2].tolist() == [0, 0, 0, 0, 4]
    assert city.tolist() == [4, 1, 0, 0, 0]
    assert month.tolist() == [0, 0, 0, 1, 0]
    assert own[1, -len(LISTS) - 4 : -len(LISTS) - 1].tolist() == [6, 9, -3]


def test_neighbours_are_told_in_their_order(resources):
    """A token gets the kinds of the four before and the four behind; beyond the ends is an edge."""
    text = read_text("uno 2 tres", resources)
    own = Look(resources).own(text.tokens)
    near = around(own).reshape(3, 2 * REACH, 4)
    assert near[1, REACH - 1, 1] == len("uno")
    assert near[1, REACH, 1] == len("tres")
    assert near[0, REACH, 2] == 1
    assert (near[1, [0, 1, 2, 5, 6, 7]] == -2).all()
