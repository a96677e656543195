"""``deid-adapter train``: a recipe and texts in, a model that can be opened out."""

from __future__ import annotations

import json
import tomllib

import pytest

from adapter.errors import RuleError
from adapter.rules.models import load_model
from adapter.train import model
from tests.taggers.texts import document
from tests.train.training_runs import RECIPE, WORDS, note, notes, write


@pytest.fixture(scope="module")
def small_words():
    """Words of a language at large without the package they come from."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(model, "build_word_stats", lambda *_: WORDS)
        yield


@pytest.fixture(scope="module")
def train(invoke, tmp_path_factory, small_words):
    """Trains by a recipe over 24 notes; gives the folder of what came of it."""
    del small_words

    def run(recipe=RECIPE, *options):
        folder = tmp_path_factory.mktemp("train")
        write(folder / "notes.jsonl", notes(24))
        (folder / "recipe.toml").write_text(recipe)
        result = invoke(
            "train", folder / "recipe.toml", "--data", folder, "--jobs", 1,
            *(folder / part if part in ("out", "predictions") else part for part in options),
        )  # fmt: skip
        if result.exception is not None:
            raise result.exception
        return folder, result

    return run


@pytest.fixture(scope="module")
def trained(train):
    """One training: its folder and what it told."""
    return train(RECIPE, "-o", "out", "--predictions", "predictions")


def test_progress_is_told_by_fold(trained):
    """Each fold that is done is told on standard error."""
    _, result = trained
    folds = [line for line in result.stderr.splitlines() if line.startswith("fold ")]
    assert [f"fold {number} of 2 done" for number in (1, 2)] == folds


def test_a_model_comes_out_that_can_be_opened(trained):
    """It finds what it has learned in a note it has not seen."""
    folder, _ = trained
    tagger, _ = load_model(folder / "out", {}, 0.98)
    text = note(500)
    spans = tagger.predict(document(text.text), [])
    assert {(m.start, m.end, m.type) for m in text.mentions} == {
        (s.start, s.end, str(s.label)) for s in spans
    }


def test_the_card_says_how_it_does(trained):
    """Scores by corpus, thresholds for each target, and the command without local paths."""
    folder, result = trained
    table = tomllib.loads((folder / "out/card.toml").read_text())
    assert 24 == table["scores"]["notes.jsonl"]["documents"]
    assert table["scores"]["notes.jsonl"]["token_recall"] > 0.9
    assert {"0.95", "0.98", "0.99"} == set(table["thresholds"])
    assert {"names", "quantities"} == set(table["thresholds"]["0.98"])
    assert str(folder) not in table["made_by"]
    assert "recall 0.99: threshold" in result.output


def test_predictions_are_lines_as_tag_writes_them(trained):
    """One for each scored text, in order of ids."""
    folder, _ = trained
    lines = (folder / "predictions/notes.jsonl").read_text().splitlines()
    entries = [json.loads(line) for line in lines]
    assert sorted(str(number) for number in range(24)) == [entry["id"] for entry in entries]
    spans = [span for entry in entries for span in entry["spans"]]
    assert all({"start", "end", "type", "source", "score"} == set(span) for span in spans)


def test_training_again_gives_the_same_files(train, trained):
    """Weights, words and card are byte-identical."""
    folder, _ = train(RECIPE, "-o", "out")
    for name in ("weights.bin", "words.txt", "card.toml"):
        assert (trained[0] / "out" / name).read_bytes() == (folder / "out" / name).read_bytes()


def test_without_a_folder_only_scores_are_told(train):
    """Nothing is written."""
    folder, _ = train(RECIPE)
    assert {"notes.jsonl", "recipe.toml"} == {path.name for path in folder.iterdir()}


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('language = "en"', 'language = "qx"', "no rules for 'qx'"),
        ("[learning]", '[features]\noff = ["smell"]\n[learning]', "no such group: 'smell'"),
        ('labels = ["PATIENT", "DOCTOR"]\n[[chain]]\nname = "quantities"', 'labels = ["PATIENT"]',
         "no chain learns"),
    ],
)  # fmt: skip
def test_a_recipe_that_cannot_be_followed_is_refused(train, old, new, problem):
    """A RuleError says why."""
    with pytest.raises(RuleError, match=problem):
        train(RECIPE.replace(old, new))


def test_a_model_is_not_made_of_other_folds_than_its_recipe_says(train):
    """A card has the scores that its recipe gives; with other folds they are only printed."""
    with pytest.raises(RuleError, match="cannot differ from the recipe with --out"):
        train(RECIPE, "--by", "file", "-o", "out")


def test_files_take_turns_in_being_held_out(train):
    """By file there is a fold for each, unless another number is asked for."""
    corpus = RECIPE[RECIPE.index("[[corpus]]") :]
    second = corpus.replace("notes.jsonl", "./notes.jsonl")
    _, result = train(f"{RECIPE}\n{second}", "--by", "file")
    assert "2 folds" in result.stderr
    assert "recall 0.95" in result.stderr
