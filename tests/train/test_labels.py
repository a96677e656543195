"""Labels of tokens: mentions in IOB, each token in one at most."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from adapter.evaluate.annotations import Mention
from adapter.taggers.crf.tokens import sequence_tokens
from adapter.train.labels import labelled
from tests.taggers.texts import document

TEXT = "Seen by Ana Okafor\non 3/14 in Rome"
UNITS = sequence_tokens(document(TEXT))


def labels_of(*mentions, name=lambda mention: mention.type):
    """The labels of the text's tokens."""
    return labelled(UNITS, mentions, name)


def mention(part, kind):
    """The mention of a part of the text."""
    start = TEXT.index(part)
    return Mention(start, start + len(part), kind)


def test_a_mention_begins_and_goes_on():
    """Its first token is B, the others I, all other tokens O."""
    assert ["O", "O", "B-PATIENT", "I-PATIENT"] + ["O"] * 7 == labels_of(
        mention("Ana Okafor", "PATIENT")
    )


def test_a_title_is_outside_where_the_recipe_says_so():
    """A mention begins behind such words and their full stops; one of nothing else stays."""
    text = sequence_tokens(document("Dr. Ana of Dr"))
    mentions = [Mention(0, 7, "DOCTOR"), Mention(11, 13, "DOCTOR")]
    labels = labelled(text, mentions, lambda mention: mention.type, ("dr",))
    assert ["O", "O", "B-DOCTOR", "O", "B-DOCTOR"] == labels


def test_a_mention_over_a_line_break_has_the_break():
    """A break is a token of its own, inside where the mention goes on."""
    assert ["B-X", "I-X", "I-X"] == labels_of(mention("Okafor\non", "X"))[3:6]


def test_a_unit_that_is_touched_is_inside():
    """A mention of a part of a token labels the whole token."""
    assert "B-PATIENT" == labels_of(mention("kafo", "PATIENT"))[3]


def test_a_mention_of_another_chain_is_outside():
    """What has no label in this chain is as if not annotated."""
    assert ["O"] * len(UNITS) == labels_of(mention("Ana", "PATIENT"), name=lambda _: None)


def test_of_two_mentions_of_a_unit_the_longer_first_one_holds():
    """Nested mentions give the outer one's label."""
    outer, inner = mention("Ana Okafor", "PATIENT"), mention("Ana", "DOCTOR")
    assert labels_of(outer) == labels_of(inner, outer)


@given(st.lists(st.tuples(st.integers(0, len(TEXT) - 1), st.integers(1, 12)), max_size=5))
def test_labels_are_a_path(extents):
    """There is a label for each token, and none goes on from another."""
    mentions = [Mention(a, min(len(TEXT), a + n), f"X{a % 2}") for a, n in extents]
    found = labels_of(*mentions)
    assert len(UNITS) == len(found)
    for before, label in zip(["O", *found], found, strict=False):
        assert not label.startswith("I-") or before[2:] == label[2:]
