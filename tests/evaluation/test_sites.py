"""The evaluation of new sites: held-out texts, rows of the table, the picture."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise
from xml.etree import ElementTree as ET

import pytest

from adapter.train.examples import Example
from tests.evaluation.learning_curve import SHARES, drawn
from tests.evaluation.sites import NEW, _aside, _taken, by_file, interval, lighter, line
from tests.train.training_runs import PLAN, note, recipe


def example(file, number=0):
    """A text of a file of the English notes."""
    return Example(note(number), replace(PLAN, path=f"corpora/notes_en/{file}.jsonl"))


def test_no_text_is_learned_that_the_curve_holds_out():
    """Held-out files and the held-out fold are never part of a training share."""
    texts = [example(file, number) for file in f"{NEW}ck" for number in range(30)]
    for share in SHARES:
        assert not any(_aside(one) and _taken(one, share) for one in texts)
    assert all(_aside(one) or _taken(one, 1.0) for one in texts)


def test_a_greater_share_has_all_of_a_smaller_one():
    """A greater share contains all texts of a smaller one."""
    texts = [example("c", number) for number in range(200)]
    sizes = []
    for less, more in pairwise(SHARES):
        taken = [one for one in texts if _taken(one, less)]
        assert all(_taken(one, more) for one in taken)
        sizes.append(len(taken))
    assert sorted(set(sizes)) == sizes


def test_the_recipe_is_followed_at_a_lower_price():
    """One draw, at most one copy of a text, and fewer texts made of carriers."""
    light = lighter(recipe(corpora=(replace(PLAN, copies=3), PLAN), carried=5000))
    assert [1, 0] == [plan.copies for plan in light.corpora]
    assert (1, 1000) == (light.learning.draws, light.carried)


def test_an_interval_has_its_measure_inside():
    """The measure is that of all documents, its bounds those of drawn ones."""
    value, low, high = interval([[9, 1, 1]] * 5 + [[1, 1, 9]] * 5, lambda score: score.recall)
    assert value == pytest.approx(0.5)
    assert low < value < high


def counts(tp, fp, fn):
    """Counts of one document."""
    return {column: [tp, fp, fn] for column in ("all", "hipaa", "names", "strict")}


def test_a_row_says_how_many_texts_and_all_measures():
    """Five measures with their intervals follow the name and the number of texts."""
    row = line("k", {"k:1": counts(9, 1, 1), "k:2": counts(9, 1, 1)})
    assert row.startswith("| k | 2 | 0.900 (0.900-0.900) |")
    assert 7 == row.count(" | ") + 1


def test_files_are_scored_by_their_predictions(tmp_path, monkeypatch):
    """A file's counts come from the spans that were predicted for its texts."""
    notes = tmp_path / "corpora/notes_en"
    notes.mkdir(parents=True)
    span = {"start": 0, "end": 6, "type": "PATIENT"}
    text = {"id": "k-1", "text": "Okafor saw Marchetti.", "spans": [span]}
    (notes / "k.jsonl").write_text(json.dumps(text))
    wrong = {"start": 11, "end": 20, "type": "DOCTOR"}
    said = json.dumps({"id": "k-1", "spans": [span, wrong]})
    (tmp_path / "corpora-notes_en-k.jsonl").write_text(said)
    monkeypatch.setattr("tests.evaluation.sites.data_folder", lambda: tmp_path)
    assert {"k": {"k:k-1": [1, 1, 0]}} == {
        file: {name: row["strict"] for name, row in counts.items()}
        for file, counts in by_file(tmp_path).items()
    }


def test_the_picture_is_one_and_says_what_came_of_all_notes():
    """The picture is well-formed, and shows the first and last value beside each line."""
    rows = {"c:1": counts(9, 1, 1), f"{NEW[0]}:1": counts(8, 2, 2)}
    picture = drawn({str(share): rows for share in SHARES}, NEW)
    assert ET.fromstring(picture).tag.endswith("svg")
    assert 2 == picture.count("0.900 to 0.900")
    assert 2 == picture.count("0.800 to 0.800")
