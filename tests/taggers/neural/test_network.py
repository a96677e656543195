"""A network in the core: the best allowed path, posteriors, and what its vocabulary's file says."""

from __future__ import annotations

import json
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapter.errors import RuleError, TagError
from adapter.taggers.neural.batches import segments_of
from adapter.taggers.neural.network import Network, read_vocabulary, written_vocabulary
from tests.taggers.neural.networks import LABELS, MOVES, SMALL, network, scored, tokens

WORDS = st.sampled_from(["Jarnol", "Queldrano", "mujer", "de", "otra", "\n", "\n\n", "."])
TEXTS = st.lists(WORDS, max_size=40).map(" ".join)


@given(TEXTS)
def test_labels_are_those_that_iob2_allows(text):
    """No label inside a mention follows one outside, at the begin of segments neither."""
    names = [LABELS[place] for place in network().labels(tokens(text))]
    for before, label in pairwise(["O", *names]):
        assert not label.startswith("I-") or before[2:] == label[2:]


def test_labels_are_the_best_path_of_the_scores():
    """The path of a short segment is the best of all that the transitions allow."""
    one, draw = tokens("Queldrano de mujer"), np.random.default_rng(5)
    moves = MOVES + draw.normal(size=MOVES.shape).astype(np.float32)
    made = network(moves)
    scores = made.scores(one, np.array([0]), np.array([3]))
    best = max(
        np.ndindex(*[len(LABELS)] * 3),
        key=lambda path: sum(
            scores[step, label] + moves[before, label]
            for step, (before, label) in enumerate(zip((0, *path), path, strict=False))
        ),
    )
    assert list(best) == made.labels(one)


def test_posteriors_are_those_of_all_paths():
    """What a token's labels have of all paths' weight, and certainty outside where none is read."""
    one = tokens("Jarnol Queldrano\n\n\n\n")
    _, posteriors = network().posteriors(one)
    weights = np.zeros((2, len(LABELS)))
    begun = scored({"words": np.array([[SMALL.words["jarnol"]], [SMALL.words["queldrano"]]])})
    for first, second in np.ndindex(len(LABELS), len(LABELS)):
        sums = begun[0, 0, first] + begun[1, 0, second] + MOVES[0, first] + MOVES[first, second]
        weights[0, first] += np.exp(sums)
        weights[1, second] += np.exp(sums)
    np.testing.assert_allclose(
        weights / weights.sum(axis=1, keepdims=True), posteriors[:2], rtol=1e-4
    )
    np.testing.assert_allclose(1, posteriors.sum(axis=1), atol=1e-5)


@given(TEXTS)
def test_line_breaks_that_are_no_segment_are_outside(text):
    """Every token has posteriors; those that the network does not read are outside for certain."""
    one = tokens(text)
    read, posteriors = network().posteriors(one)
    spoken = np.zeros(len(one), bool)
    for first, length in zip(*segments_of(one), strict=True):
        spoken[first : first + length] = True
    np.testing.assert_array_equal(spoken, read)
    assert np.isfinite(posteriors).all()
    assert (posteriors[~read, 0] == 1).all()


def test_memory_that_was_never_written_fails_no_text(monkeypatch):
    """Tokens that the network does not read have no numbers of their own to be checked."""

    def unwritten(shape, dtype=float):
        return np.full(shape, np.nan if np.issubdtype(dtype, np.floating) else 0, dtype)

    monkeypatch.setattr(np, "empty", unwritten)
    one = tokens("\n\n\n\nJarnol")
    assert np.isfinite(network().posteriors(one)[1]).all()


def test_what_is_written_is_read():
    """Words, characters, labels and transitions come back as they were."""
    vocabulary, moves = read_vocabulary(written_vocabulary(SMALL, MOVES))
    assert SMALL.words == vocabulary.words
    assert SMALL.characters == vocabulary.characters
    assert LABELS == vocabulary.labels
    np.testing.assert_array_equal(MOVES, moves)


@pytest.mark.parametrize(
    "change",
    [
        {"labels": ["O", "B-NOMBRE"]}, {"labels": ["B-X", "O", "I-X", "B-Y", "I-Y"]},
        {"labels": ["O", "NOMBRE", "B-X", "I-X", "B-Y"]}, {"words": None}, {"transitions": [["a"]]},
    ],
)  # fmt: skip
def test_a_file_that_is_no_vocabulary_is_refused(change):
    """Labels are IOB2, `O` first, with a transition between each two."""
    kept = json.loads(written_vocabulary(SMALL, MOVES)) | change
    with pytest.raises(RuleError, match=r"vocabulary|transitions"):
        read_vocabulary(json.dumps(kept).encode())


@pytest.mark.parametrize("raw", [b"", b"\xff", b"[]", b"{}"])
def test_a_broken_vocabulary_is_refused(raw):
    """So is anything else."""
    with pytest.raises(RuleError, match="is not a vocabulary"):
        read_vocabulary(raw)


def test_a_network_of_other_labels_does_not_fit():
    """It must score as many labels as the vocabulary has."""
    assert network().fits()
    assert not Network(lambda given: scored(given)[:, :, 1:], SMALL, MOVES).fits()


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_scores_that_are_no_numbers_find_nothing_and_let_nothing_pass(bad):
    """No threshold is exceeded by them, so the message is held; at the start it is no network."""

    def broken(given):
        scores = scored(given).copy()
        scores[-1, :, 1:] = bad
        return scores

    broken_network = Network(broken, SMALL, MOVES)
    one = tokens("mujer Jarnol Queldrano")
    with pytest.raises(TagError, match="tag/failed"):
        broken_network.posteriors(one)
    assert not broken_network.fits()
    assert not Network(lambda given: scored(given) * np.float32(np.nan), SMALL, MOVES).fits()


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_transitions_that_are_no_numbers_are_refused(bad):
    """JSON of Python may say them."""
    with pytest.raises(RuleError, match="not finite numbers"):
        read_vocabulary(written_vocabulary(SMALL, np.full_like(MOVES, bad)))


def test_reprs_show_no_words():
    """Neither the network nor its vocabulary shows a word."""
    assert "jarnol" not in repr(network())
