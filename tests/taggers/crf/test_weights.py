"""Chains: posteriors are CRFsuite's, whatever is packed, cut and shared."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pycrfsuite
import pytest

from adapter.taggers.crf import scoring as decoder_module
from adapter.taggers.crf.feature_layers import Layer
from adapter.taggers.crf.features import Featurizer
from adapter.taggers.crf.scoring import Scorer
from adapter.taggers.crf.tokens import segments
from adapter.taggers.crf.weights import Weights, packed
from adapter.taggers.crf.word_stats import WordStats
from tests.taggers.texts import document

WORDS = "Dr Okafor saw Ana on May 3 , 2021 at St Mary \n Phone : 555 0100 and then left .".split(
    " "
)


@pytest.fixture(scope="module")
def featurizer():
    """Features without lists."""
    return Featurizer({}, WordStats({"May": "0101", "Mary": "0100"}, {"May": 7}))


def texts(count: int, seed: int) -> list[str]:
    """Random texts of the same words."""
    rng = random.Random(seed)
    return [" ".join(rng.choices(WORDS, k=rng.randint(1, 40))) for _ in range(count)]


@pytest.fixture(scope="module")
def trained(featurizer, tmp_path_factory):
    """A chain learned by CRFsuite from random labels: its tagger, and the same packed."""
    rng = random.Random(5)
    trainer = pycrfsuite.Trainer(algorithm="l2sgd", verbose=False)
    trainer.set_params({"max_iterations": 5, "c2": 0.1})
    for text in texts(60, 1):
        rows = featurizer.rows(document(text)).strings()
        trainer.append(rows, [rng.choice(["O", "O", "B-X", "I-X", "B-Y"]) for _ in rows])
    path = str(tmp_path_factory.mktemp("crf") / "chain")
    trainer.train(path)
    tagger = pycrfsuite.Tagger()
    tagger.open(path)
    info = tagger.info()
    labels = ("O", *sorted(set(info.labels) - {"O"}))
    moves = [[info.transitions.get((a, b), 0.0) for b in labels] for a in labels]
    return tagger, labels, packed([("one", labels, moves, info.state_features)])


def posteriors_of(decoder, rows, firsts):
    """Tokens by labels of the only chain."""
    (scored,) = decoder.read(rows, firsts)
    return scored.posteriors


def test_paths_are_those_of_crfsuite(featurizer, trained):
    """With no token forced inside, each segment has CRFsuite's best path."""
    tagger, labels, raw = trained
    decoder = Scorer(Weights.parse(raw))
    for text in texts(25, 3):
        rows = featurizer.rows(document(text))
        firsts = segments(rows.tokens)
        (scored,) = decoder.read(rows, firsts)
        strings, expected = rows.strings(), []
        for first, last in zip(firsts, [*firsts[1:], len(strings)], strict=True):
            expected += tagger.tag(strings[first:last])
        assert expected == [labels[column] for column in scored.labels(1.0, firsts)]


def test_threshold_forces_units_inside(featurizer, trained):
    """Every token more probably inside than the threshold has a label of a mention."""
    decoder = Scorer(Weights.parse(trained[2]))
    for threshold in (0.05, 0.3, 0.6):
        for text in texts(10, 4):
            rows = featurizer.rows(document(text))
            (scored,) = decoder.read(rows, [0])
            inside = 1 - scored.posteriors[:, 0]
            for column, sure in zip(scored.labels(threshold, [0]), inside, strict=True):
                assert column or sure <= threshold


def test_posteriors_are_those_of_crfsuite(featurizer, trained):
    """Each label of each token has the marginal probability that CRFsuite gives it."""
    tagger, labels, raw = trained
    decoder = Scorer(Weights.parse(raw))
    for text in texts(25, 2):
        rows = featurizer.rows(document(text))
        table = posteriors_of(decoder, rows, [0])
        tagger.set(rows.strings())
        expected = [[tagger.marginal(label, i) for label in labels] for i in range(len(table))]
        assert np.allclose(expected, table, atol=1e-3)


def test_stretches_are_decoded_by_themselves(featurizer, trained):
    """A text cut at its lines gives what CRFsuite gives for each line's rows alone."""
    tagger, labels, raw = trained
    decoder = Scorer(Weights.parse(raw))
    rows = featurizer.rows(document("Dr Okafor saw Ana\non May 3\n\nat St Mary , 2021 .\nAna left"))
    firsts = segments(rows.tokens)
    assert [0, 5, 9, 16] == firsts
    table = posteriors_of(decoder, rows, firsts)
    strings = rows.strings()
    for first, last in zip(firsts, [*firsts[1:], len(strings)], strict=True):
        tagger.set(strings[first:last])
        expected = [[tagger.marginal(label, i) for label in labels] for i in range(last - first)]
        assert np.allclose(expected, table[first:last], atol=1e-3)


def test_chains_share_a_table_without_mixing(featurizer, trained):
    """Two chains in one model give what each gives alone."""
    tagger, labels, raw = trained
    info = tagger.info()
    moves = [[info.transitions.get((a, b), 0.0) for b in labels] for a in labels]
    flipped = {(name, label): -weight for (name, label), weight in info.state_features.items()}
    other = packed([("two", labels, moves, flipped)])
    both = packed([("one", labels, moves, info.state_features), ("two", labels, moves, flipped)])
    rows = featurizer.rows(document("Dr Okafor saw Ana on May 3"))
    together = Scorer(Weights.parse(both)).read(rows, [0])
    for raw_one, scored in zip((raw, other), together, strict=True):
        alone = posteriors_of(Scorer(Weights.parse(raw_one)), rows, [0])
        assert np.allclose(alone, scored.posteriors, atol=1e-5)


def test_same_text_twice_gives_the_same(featurizer, trained):
    """What is remembered of forms changes nothing."""
    decoder = Scorer(Weights.parse(trained[2]))
    rows = featurizer.rows(document("Ana saw Dr Okafor on May 3"))
    first, second = (posteriors_of(decoder, rows, [0]) for _ in range(2))
    assert (first == second).all()


def test_what_is_forgotten_is_worked_out_again(featurizer, trained, monkeypatch):
    """However few sums are kept, every text gives what it gives to a decoder that read no other."""
    monkeypatch.setattr(decoder_module, "MOST_KEYS", 5)
    decoder, seen = Scorer(Weights.parse(trained[2])), texts(6, 7)
    for text in (*seen, *seen):
        rows = featurizer.rows(document(text))
        fresh = posteriors_of(Scorer(Weights.parse(trained[2])), rows, [0])
        assert (posteriors_of(decoder, rows, [0]) == fresh).all()


def test_what_is_told_later_counts_as_if_told_at_once(featurizer, trained):
    """Further features of some tokens give what they would have given in their rows."""
    decoder = Scorer(Weights.parse(trained[2]))
    rows = featurizer.rows(document("Dr Okafor saw Ana\non May 3 and left"))
    firsts = segments(rows.tokens)
    features = {1: ["w0=ana", "unknown"], 6: ["w0=dr"]}
    rescored = decoder.rescored(decoder.read(rows, firsts), features, firsts)
    keys = [tuple(features.get(place, ())) for place in range(len(rows.tokens))]
    rows = replace(rows, layers=(*rows.layers, Layer("rescored", keys, lambda names: (names,))))
    for at_once, later in zip(decoder.read(rows, firsts), rescored, strict=True):
        assert np.allclose(at_once.posteriors, later.posteriors, atol=1e-6)
        assert np.allclose(at_once.scores, later.scores, atol=1e-5)
