"""Numeric attributes of tokens."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("sklearn")
pytest.importorskip("onnxruntime")

from adapter.methods.boosted_trees.attributes import (
    behind_headings,
    context,
    near_triggers,
)
from adapter.methods.boosted_trees.headings import Headings
from adapter.methods.boosted_trees.look import Look, around
from adapter.methods.boosted_trees.triggers import SELECTIONS, Triggers


def test_places_are_in_line_and_text(read_text):
    """Places begin anew with a line, a clause after a stop; brackets close."""
    found = context(read_text('a (b) c. d\n"e f" g').tokens)
    assert found[:, 0].tolist() == [0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4]
    assert found[:, 1].tolist() == [0, 1, 2, 3, 4, 5, 0, 1, 0, 1, 2, 3, 4]
    assert found[:, 3].tolist() == [0] * 9 + [1, 1, 1, 0]
    assert found[:, 4].tolist() == [0, 0, 1, 1, *[0] * 9]
    assert found[0, 5] == 1
    assert found[-1, 5] == 0


def test_headings_tell_the_share_of_types(read_text):
    """Behind a heading stands its distance and what is mostly there; elsewhere nothing."""
    headings = Headings({"edad": {"AGE": 0.5}}, {})
    text = read_text("Edad: 53 años\nfin")
    found = behind_headings(text, headings, {"AGE": 0, "DATE": 1})
    assert found[:, 0].tolist() == [-1, -1, 0, 1, -1, -1]
    assert found[:, 1].tolist() == [0, 0, 0.5, 0.5, 0, 0]
    assert not found[:, 2].any()


def test_triggers_tell_their_type_by_side(read_text):
    """The nearest trigger of a type counts, before and behind."""
    triggers = Triggers(SELECTIONS[0], {"dra": ["DOCTOR"]}, {"anos": ["AGE"]})
    text = read_text("Dra x 5 años")
    found = near_triggers(text, triggers, {"AGE": 0, "DOCTOR": 1}).reshape(4, 2, 2)
    assert found[:, 0, 1].tolist() == [0, 3, 2, 1]
    assert found[:, 1, 0].tolist() == [1, 2, 3, 0]
    assert not found[:, 0, 0].any()


def test_an_empty_text_has_no_rows(few, read_text):
    """No tokens have as many columns as some."""
    empty, some = read_text(""), read_text("a b")
    look = Look(few)
    for of in (look.own, context, lambda tokens: around(look.own(tokens))):
        assert of(empty.tokens).shape == (0, of(some.tokens).shape[1])
        assert of(some.tokens).dtype == np.float32
