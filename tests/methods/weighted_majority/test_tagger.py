"""The vote of the members."""

from __future__ import annotations

import json

import numpy as np
import pytest

pytest.importorskip("sklearn")
pytest.importorskip("onnxruntime")

from adapter.errors import RuleError
from adapter.evaluate.annotations import Annotated
from adapter.methods.linear.window_features import Gazetteers
from adapter.methods.weighted_majority.tagger import (
    CARD,
    FORESTS,
    LINEAR,
    RULES,
    Majority,
    weight,
)
from adapter.methods.weighted_majority.training import WeightedMajority, read_text, weigh
from tests.methods.notes import notes

MEMBERS = (*LINEAR, *FORESTS, RULES)


@pytest.fixture(scope="module")
def learned(spanish):
    """A majority learned from the notes."""
    return WeightedMajority().learn(tuple(notes("NAME")), spanish)


def of_weights(*weights):
    """A majority of members with such weights, in the order of their names."""
    named = dict(zip(MEMBERS, weights, strict=True))
    return Majority(("AGE", "DATE", "O"), {}, named, np.zeros(0, int), Gazetteers({}))


def test_weight_decides():
    """Two members of more weight win over three; of equal weights the most win."""
    said = dict(zip(MEMBERS, (["DATE"], ["DATE"], ["AGE"], ["AGE"], ["AGE"]), strict=True))
    assert of_weights(3, 3, 1, 1, 1).elected(said) == ["DATE"]
    assert of_weights(1, 1, 1, 1, 1).elected(said) == ["AGE"]


def test_a_narrow_vote_does_not_break_a_mention():
    """A token in which fewer see another type stays with its neighbours."""
    row = ["AGE", "DATE", "AGE"]
    said = dict(zip(MEMBERS, (row, row, row, ["AGE"] * 3, ["AGE"] * 3), strict=True))
    assert of_weights(1, 1, 1, 1, 1).elected(said) == ["AGE"] * 3
    assert of_weights(3, 3, 3, 1, 1).elected(said) == row


@pytest.mark.parametrize(("right", "asked"), [(0, 0), (0, 9), (5, 9), (9, 9), (900, 1000)])
def test_weights_grow_with_accuracy(right, asked):
    """A weight is positive and finite, and one more right answer is worth no less."""
    assert 0 < weight(right, asked) < 10
    assert weight(right, asked + 1) <= weight(right + 1, asked + 1)


def test_members_are_weighed_where_something_is_said(learned, spanish):
    """Tokens that are outside by all accounts do not count for a member."""
    held = [read_text(text, spanish) for text in notes("NAME")]

    class Silent:
        """A member that finds nothing."""

        def said(self, text):
            """Each token is outside."""
            return ["O"] * len(text.tokens)

    weights = weigh({**learned.members, "silent": Silent()}, held)
    assert weights["silent"] == 0.01
    assert weights[RULES] > 1


def test_types_without_a_label_come_back(learned, spanish):
    """The rules' spans count for the type that was annotated, even a bare category."""
    (read, types), *_ = (read_text(text, spanish) for text in notes("NAME"))
    assert learned.members[RULES].said(read) == types
    assert {"NAME", "AGE"} < set(types)


@pytest.mark.parametrize(
    "change",
    [
        {"types": ["O", "none such", "AGE"]},
        {"types": ["O"]},
        {"weights": {"linear-svc": 1}},
        {"weights": dict.fromkeys(MEMBERS, "much")},
        {"columns": [1 << 40]},
        {"columns": [0]},
    ],
)
def test_a_broken_card_is_named(learned, spanish, change):
    """A card that does not fit the members is a clear error."""
    files = dict(learned.files())
    files[CARD] = json.dumps(json.loads(files[CARD]) | change).encode()
    with pytest.raises(RuleError):
        WeightedMajority().read(files, spanish)


def test_texts_without_mentions_teach_nothing(spanish):
    """Texts without a mention are a clear error."""
    with pytest.raises(RuleError):
        WeightedMajority().learn([Annotated("t", "Sin fiebre.", "es", ())] * 3, spanish)
