"""The mean of two models: what each of them says counts by its share."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapter.taggers.crf.inference import Scored
from adapter.taggers.crf.mentions import Scheme, Seen
from adapter.taggers.crf.tokens import segments, sequence_tokens
from adapter.taggers.crf.weights import Chain
from adapter.taggers.neural.averaging import Averaging
from adapter.taggers.neural.model import NeuralModel
from adapter.taggers.neural.vocabulary import Vocabulary
from tests.taggers.texts import document

TEXT = "seen by Okafor today\nin Boston on Monday\nand well\n"
TOKENS = sequence_tokens(document(TEXT))
COUNT = len(TOKENS)
NAMES, PLACES = ("O", "B-DOCTOR", "I-DOCTOR"), ("O", "B-CITY", "I-CITY")
BOTH = ("O", "B-CITY", "I-CITY", "B-DOCTOR", "I-DOCTOR", "B-STAR", "I-STAR")
CHAINS = (
    Chain("names", NAMES, np.zeros((3, 3), np.float32), 0),
    Chain("places", PLACES, np.zeros((3, 3), np.float32), 3),
)


@dataclass
class Fixed:
    """A network with given posteriors, which reads all or nothing."""

    given: np.ndarray
    reading: bool = True
    vocabulary: Vocabulary = Vocabulary.of([], "", BOTH)  # noqa: RUF009 - it is frozen

    def posteriors(self, tokens):
        """The same for every text."""
        return np.full(len(tokens), self.reading), self.given


def averaging(given, share, *, reading=True):
    """The mean of the chains and a network with these posteriors."""
    return Averaging(NeuralModel(Fixed(given, reading), share, {}), CHAINS)


def rows(width):
    """Posteriors of all tokens."""
    weights = st.lists(st.floats(0.001, 1), min_size=COUNT * width, max_size=COUNT * width)
    return weights.map(lambda all_: _normal(np.reshape(all_, (COUNT, width))))


def _normal(weights):
    # The powers give many certain and many doubtful tokens.
    weights = weights**4
    return (weights / weights.sum(axis=1, keepdims=True)).astype(np.float32)


def seen(*posteriors):
    """What the chains say."""
    scored = [
        Scored(chain, np.log(each + np.float32(1e-9)), each)
        for chain, each in zip(CHAINS, posteriors, strict=True)
    ]
    return Seen(TOKENS, segments(TOKENS), scored)


def inside(averaged):
    """The probability of each token of being inside, by chain."""
    return [1 - scored.posteriors[:, 0] for scored in averaged.chains]


SHARES = st.sampled_from([0.1, 0.3, 0.5, 0.8])


@given(rows(3), rows(3), rows(7))
def test_a_share_of_nothing_changes_no_posterior(first, second, other):
    """The chains stand alone."""
    made = averaging(other, 0)
    for scored, before in zip(
        made.averaged(seen(first, second)).chains, (first, second), strict=True
    ):
        np.testing.assert_allclose(before, scored.posteriors, atol=1e-6)


@given(rows(3), rows(3), rows(7), SHARES)
def test_posteriors_stay_probabilities(first, second, other, share):
    """Those of a token sum up to 1 in every chain."""
    made = averaging(other, share)
    for scored in made.averaged(seen(first, second)).chains:
        np.testing.assert_allclose(1, scored.posteriors.sum(axis=1), atol=1e-5)


@given(rows(3), rows(3), rows(7), SHARES)
def test_what_the_second_model_does_not_read_the_chains_decide(first, second, other, share):
    """A line break between two paragraphs is no token of the network's."""
    made = averaging(other, share, reading=False)
    after = made.averaged(seen(first, second)).chains
    for scored, before in zip(after, (first, second), strict=True):
        np.testing.assert_allclose(before, scored.posteriors, atol=1e-6)


def certain(label, labels, place):
    """Posteriors of which one token has a label for certain; all others are outside."""
    found = np.zeros((COUNT, len(labels)), np.float32)
    found[:, 0] = 1
    found[place, 0], found[place, labels.index(label)] = 0, 1
    return found


OKAFOR, BOSTON = TOKENS.forms.index("Okafor"), TOKENS.forms.index("Boston")


def test_where_the_chains_doubt_the_second_model_decides():
    """A name of which the chain is in doubt is found with a network that sees it, only then."""
    doubt = certain("B-DOCTOR", NAMES, OKAFOR)
    doubt[OKAFOR] = [0.75, 0.25, 0]
    nothing = certain("B-CITY", PLACES, BOSTON) * 0 + np.eye(1, 3, dtype=np.float32)
    scheme = Scheme("crf", 75)
    thresholds = {"names": 0.3, "places": 0.3}
    found = []
    for other in (certain("B-DOCTOR", BOTH, OKAFOR), certain("B-DOCTOR", BOTH, BOSTON)):
        made = averaging(other, 0.3)
        found.append(scheme.spans(made.averaged(seen(doubt, nothing)), thresholds))
    (name,), none = found
    assert "Okafor" == TEXT[name.start : name.end]
    assert [] == none


@pytest.mark.parametrize("label", ["B-STAR", "B-CITY"])
def test_labels_that_a_chain_does_not_have_count_as_outside(label):
    """A network that has learned more labels than a chain does not move what the chain knows."""
    other = certain(label, BOTH, OKAFOR)
    made = averaging(other, 0.4)
    sure, outside = certain("B-DOCTOR", NAMES, OKAFOR), np.eye(1, 3, dtype=np.float32)
    names, _ = inside(made.averaged(seen(sure, outside.repeat(COUNT, axis=0))))
    assert pytest.approx(0.6) == names[OKAFOR]
