"""Tagging: the best allowed path, what is kept, and no library of learning."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from adapter.errors import RuleError
from adapter.methods.bilstm_crf.graph import exported
from adapter.methods.bilstm_crf.tagger import BiLstmCrfTagger
from adapter.taggers.crf.weights import allowed
from adapter.taggers.neural.network import NETWORK, VOCABULARY
from adapter.taggers.neural.vectors import Vectors
from adapter.taggers.neural.vocabulary import LONGEST
from tests.methods.bilstm_crf.networks import VOCABULARY as SMALL
from tests.methods.bilstm_crf.networks import parameters, tokens

VECTORS = Vectors.of(["abc", "name"], np.random.default_rng(1).normal(size=(2, 6)))


@pytest.fixture(scope="module", params=[None, VECTORS], ids=["alone", "vectors"])
def tagger(request):
    """A tagger that has learned nothing and so finds much, without vectors and with them."""
    found = parameters(request.param.width if request.param else 0)
    moves = allowed(SMALL.labels, found["transitions"])
    return BiLstmCrfTagger.of(exported(found), SMALL, moves, request.param)


TEXT = "seen by abc\n\nname def " * 30


def test_a_segment_is_scored_alike_wherever_it_stands(tagger):
    """What stands in other lines changes no score of a line."""
    one, many = (tokens(text) for text in ("name def", f"name def\n{TEXT}"))
    alone = tagger.network.scores(one, np.array([0]), np.array([2]))
    begins, lengths = np.array([0, 3]), np.array([2, 40])
    np.testing.assert_allclose(alone, tagger.network.scores(many, begins, lengths)[:2], atol=1e-5)


def test_padding_of_spellings_changes_no_score(tagger):
    """The network is given no more columns of characters than can change a score."""
    sequence, seen = tokens("a seen by abc"), []

    def run(given):
        seen.append(given["spellings"])
        padded = np.pad(given["spellings"], ((0, 0), (0, LONGEST - given["spellings"].shape[1])))
        return tagger.network.run(given | {"spellings": padded})

    begins, lengths = np.array([0]), np.array([4])
    trimmed = tagger.network.scores(sequence, begins, lengths)
    whole = replace(tagger.network, run=run).scores(sequence, begins, lengths)
    np.testing.assert_allclose(whole, trimmed, atol=1e-6)
    assert seen[0].shape[1] == len("seen") + 3


def test_what_is_kept_scores_alike(tagger):
    """A tagger read from its files gives the same labels, and the same files."""
    again = BiLstmCrfTagger.read(tagger.files())
    assert tagger.network.labels(tokens(TEXT)) == again.network.labels(tokens(TEXT))
    assert tagger.files() == again.files()


def test_a_vector_changes_the_scores_of_its_word():
    """Words without a vector, and words of one without vectors, are scored by what is learned."""
    moves = allowed(SMALL.labels, parameters(6)["transitions"])
    blank = replace(VECTORS, levels=np.zeros_like(VECTORS.levels))
    one, other = (
        BiLstmCrfTagger.of(exported(parameters(6)), SMALL, moves, vectors).network
        for vectors in (VECTORS, blank)
    )
    begins, lengths = np.array([0, 3]), np.array([2, 1])
    read = tokens("seen abc\nseen")
    differ = one.scores(read, begins, lengths) != other.scores(read, begins, lengths)
    assert [True, True, False, False] == differ.any(axis=1).tolist()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"words": ["seen"] * 9}, "does not fit"),
        ({"characters": list("abcdefg")}, "does not fit"),
        ({"labels": ["O", "B-DATE"]}, "transitions"),
        ({"labels": ["B-DATE", "O", "I-DATE"]}, "transitions"),
        ({"labels": ["O", "B-HOROSCOPE", "I-DATE"]}, "vocabulary"),
        ({"words": None}, "vocabulary"),
    ],
)
def test_a_vocabulary_of_another_network_is_refused(tagger, change, message):
    """Words, characters and labels must be those that the network was learned with."""
    files = dict(tagger.files())
    files[VOCABULARY] = json.dumps(json.loads(files[VOCABULARY]) | change).encode()
    with pytest.raises(RuleError, match=message):
        BiLstmCrfTagger.read(files)


def test_a_broken_network_is_named(tagger):
    """A network that does not load is a clear error."""
    with pytest.raises(RuleError, match="not a network"):
        BiLstmCrfTagger.read({**tagger.files(), NETWORK: tagger.files()[NETWORK][:-9]})


def test_tagging_imports_no_library_of_learning():
    """The method's module and its tagger come without; only opening a network needs the extra."""
    code = (
        "import sys, adapter.methods.bilstm_crf.method\n"
        "print(*{'jax', 'optax', 'onnx', 'onnxruntime'} & set(sys.modules))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "\n" == ran.stdout


def test_reprs_show_no_words(tagger):
    """Neither the tagger nor its vocabulary shows a word."""
    assert "seen" not in repr(tagger)
