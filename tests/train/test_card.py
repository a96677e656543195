"""The card: what a model's folder says of it, as TOML that can be read again."""

from __future__ import annotations

import hashlib
import tomllib
from dataclasses import replace

import pytest

from adapter.evaluate.annotations import Mention
from adapter.evaluate.evaluation import evaluate
from adapter.train.card import card, write_model
from adapter.train.crossval import OperatingPoint
from adapter.types import RECALLS
from tests.train.training_runs import note, notes, training_run

POINTS = [OperatingPoint(target, 0.25, 0.991234, 0.95) for target in RECALLS]


def carded(made):
    """A training run's card with scores of what is annotated."""
    texts = notes(5)
    scores = {"notes.jsonl": evaluate([(text, text.mentions) for text in texts])}
    return card(made, POINTS, scores, "deid-adapter train recipe.toml")


def test_a_card_has_thresholds_for_each_target_and_chain():
    """Each target recall has a threshold by chain, and what it reached."""
    table = carded(training_run())
    assert {"0.95", "0.98", "0.99"} == set(table["thresholds"])
    assert {"all": 0.25} == table["thresholds"]["0.98"]
    assert {"token_recall": 0.9912, "token_precision": 0.95} == table["reached"]["0.98"]


def test_a_card_says_how_many_texts_were_learned_from():
    """Originals and made copies are counted apart, mentions of originals only."""
    copy = replace(note(1), id="1#0")
    table = carded(training_run([*notes(3), copy]))
    assert [{
        "corpus": "notes.jsonl", "licence": "own", "documents": 3, "made": 1, "mentions": 9,
    }] == table["data"]  # fmt: skip


def test_a_card_says_the_scores():
    """Scores are by corpus."""
    assert {
        "documents": 5, "strict_f1": 1.0, "token_recall": 1.0, "token_precision": 1.0,
    } == carded(training_run())["scores"]["notes.jsonl"]  # fmt: skip


def test_labels_of_the_corpus_are_mapped_both_ways():
    """A model of the corpus's labels says what each is for us, and what ours are there."""
    table = carded(training_run(labels="source"))
    assert "PATIENT" == table["labels"]["OWN_PATIENT"]
    assert "OWN_PATIENT" == table["source_labels"]["PATIENT"]


def test_our_own_labels_need_no_map():
    """A model of our labels has empty tables."""
    table = carded(training_run())
    assert ({}, {}) == (table["labels"], table["source_labels"])


def test_a_label_of_no_type_of_ours_is_none():
    """What the corpus marks besides our types has no label of ours."""
    text = replace(note(1), extra=(Mention(0, 7, "OTROS", "OTROS"),))
    assert training_run([text], labels="source").labels["OTROS"] is None


def test_a_folder_holds_what_its_card_names(tmp_path):
    """Weights and words are there with their digests; the card reads back as it was."""
    made = training_run()
    table = carded(made)
    write_model(tmp_path / "en", made, b"weights", table)
    read = tomllib.loads((tmp_path / "en/card.toml").read_text())
    seals = read.pop("digest")
    assert table == read
    for name in ("weights.bin", "words.txt"):
        content = (tmp_path / "en" / name).read_bytes()
        assert f"sha256:{hashlib.sha256(content).hexdigest()}" == seals[name]


@pytest.mark.parametrize("heading", ["Dr. X", "á", 'he said "no"', "a = 1", ""])
def test_headings_are_read_again_as_they_were(tmp_path, heading):
    """Whatever characters a heading of the texts has, the card has it and stays TOML."""
    made = training_run()
    table = {**carded(made), "headings": {heading: "PATIENT"}}
    write_model(tmp_path / "en", made, b"", table)
    read = tomllib.loads((tmp_path / "en/card.toml").read_text("utf-8"))
    assert {heading: "PATIENT"} == read["headings"]


def test_shipped_cards_are_as_they_would_be_written(repository, tmp_path):
    """Training that gives the same figures gives the same bytes: no card is edited by hand."""
    for shipped in (repository / "models").glob("*/card.toml"):
        model, out = shipped.parent, tmp_path / shipped.parent.name
        table = tomllib.loads(shipped.read_text("utf-8"))
        del table["digest"]
        made = replace(training_run(), words=(model / "words.txt").read_text("utf-8"))
        write_model(out, made, (model / "weights.bin").read_bytes(), table)
        assert shipped.read_bytes() == (out / "card.toml").read_bytes()
