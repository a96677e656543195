"""Opening a model: sealed files, known thresholds, and only what its card says."""

from __future__ import annotations

import pytest

from adapter.errors import RuleError
from adapter.rules.models import CARD, WEIGHTS, WORDS, load_model, read_card, shown
from adapter.taggers.wordlists import Lexicon
from adapter.train.card import card, write_model
from adapter.train.crossval import OperatingPoint
from adapter.types import Label
from tests.taggers.texts import document
from tests.train.training_runs import note, training_run

POINTS = [OperatingPoint(0.98, 0.3, 0.98, 0.9), OperatingPoint(0.99, 0.1, 0.99, 0.9)]


@pytest.fixture(scope="module")
def made():
    """A training run and what it has learned."""
    one = training_run()
    return one, one.fitted(one.examples)


@pytest.fixture
def folder(made, tmp_path):
    """A model's folder."""
    one, weights = made
    write_model(tmp_path / "en", one, weights, card(one, POINTS, {}, "train"))
    return tmp_path / "en"


def test_a_model_is_what_was_written(folder):
    """Opened, it finds what it has learned, at its card's priority; the rules it needs be sure."""
    tagger, sure = load_model(folder, {}, 0.98)
    text = note(300)
    spans = tagger.predict(document(text.text), [])
    assert [(m.start, m.end, m.type) for m in text.mentions] == [
        (s.start, s.end, s.label) for s in spans
    ]
    assert ({75}, 60) == ({span.priority for span in spans}, sure)


def test_no_card_is_no_model(tmp_path):
    """A language may go without."""
    assert load_model(tmp_path, {}, 0.98) is None


@pytest.mark.parametrize("name", [WEIGHTS, WORDS])
def test_a_file_that_is_not_what_the_card_names_is_refused(folder, name):
    """One byte more, and the model is not opened."""
    with (folder / name).open("ab") as file:
        file.write(b" ")
    with pytest.raises(RuleError, match=r"does not match the digest") as refused:
        load_model(folder, {}, 0.98)
    assert f"models/en/{name}" == refused.value.place


@pytest.mark.parametrize("name", [WEIGHTS, WORDS])
def test_a_missing_file_is_named(folder, name):
    """A card alone is no model."""
    (folder / name).unlink()
    with pytest.raises(RuleError, match=r"cannot be read \(FileNotFoundError\)"):
        load_model(folder, {}, 0.98)


def test_missing_thresholds_are_refused(folder):
    """A recall that the card has no thresholds for is never guessed."""
    with pytest.raises(RuleError, match=r"has no thresholds for recall 0\.95"):
        load_model(folder, {}, 0.95)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("[thresholds", "[thresholdz"), ("priority = 75", ""), ("sure = 60", ""),
        ("groups = ", "groupz = "), ("[digest]", "[digests]"), ("language = ", "language "),
        ("[labels]", '[labels]\nX = "NONE"'),
    ],
)  # fmt: skip
def test_a_card_that_lacks_something_is_refused(folder, old, new):
    """The card's place is named, and nothing of the model used."""
    text = (folder / CARD).read_text()
    assert old in text
    (folder / CARD).write_text(text.replace(old, new))
    with pytest.raises(RuleError, match="is not a model card") as refused:
        read_card(folder)
    assert "models/en/card.toml" == refused.value.place


def test_labels_of_the_card_are_ours(made, tmp_path):
    """A card's labels name what each label of the model is for us."""
    one = training_run(labels="source")
    write_model(tmp_path / "es", one, made[1], card(one, POINTS, {}, "train"))
    assert Label.DOCTOR is read_card(tmp_path / "es").labels["OWN_DOCTOR"]


def test_headings_of_the_card_vouch(made, tmp_path):
    """A model of two phases has them in its card, one of one phase has none."""
    one = training_run(phases=2)
    for kitchen_, expected in ((one, {"patient": "PATIENT"}), (made[0], {})):
        write_model(tmp_path / "en", kitchen_, made[1], card(kitchen_, POINTS, {}, "train"))
        assert expected == read_card(tmp_path / "en").headings


def test_models_see_the_lists_of_their_language():
    """By the name without the language's code; nicknames are not shown."""
    empty = Lexicon.parse("")
    names = ("en-city", "en-nicknames", "es-city", "en-city-old")
    assert {"city", "city-old"} == set(shown("en", dict.fromkeys(names, empty)))
