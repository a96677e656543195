"""Learning of boosted trees, and their iterations."""

from __future__ import annotations

import json

import numpy as np
import pytest

pytest.importorskip("sklearn")
pytest.importorskip("onnxruntime")

from adapter.errors import RuleError
from adapter.evaluate.annotations import Annotated
from adapter.methods.boosted_trees.attributes import ReadText
from adapter.methods.boosted_trees.ensemble import boosted, classified, with_types_before
from adapter.methods.boosted_trees.tagger import TABLES
from adapter.methods.boosted_trees.training import BoostedTrees
from adapter.methods.prediction import spans_in
from adapter.methods.trees import Trees
from adapter.taggers.document.document import read
from tests.methods.notes import notes


@pytest.fixture(scope="module")
def steps(spanish):
    """The taggers after each iteration."""
    return dict(BoostedTrees().steps(tuple(notes("PATIENT", again=True)), spanish))


def found_in(text, tagger, spanish):
    """What a tagger finds in a text."""
    return {(text[s.start : s.end], str(s.label)) for s in spans_in(text, {}, tagger, spanish)}


def test_steps_are_the_iterations(steps, spanish):
    """There are three, and the last is what is learned in the end."""
    assert list(steps) == ["first training", "+ trusted phrases", "+ standardisation"]
    last = BoostedTrees().learn(tuple(notes("PATIENT", again=True)), spanish)
    assert last.files() == steps["+ standardisation"].files()


def test_a_trusted_phrase_is_found_where_nothing_else_tells_it(steps, spanish):
    """A name behind its heading is found elsewhere in the text, once it is trusted."""
    text = "Nombre: Zenobio.\nEdad: 33.\nSin fiebre ni tos, Zenobio come bien."
    last = steps["+ standardisation"]
    spans = spans_in(text, {}, last, spanish)
    assert [span.start for span in spans if str(span.label) == "PATIENT"] == [8, text.rindex("Z")]
    assert last.tables.headings.trusted == {"nombre": "PATIENT", "edad": "AGE"}


def test_two_of_three_must_agree(steps, spanish):
    """A type that one ensemble alone says is none."""
    tagger = steps["first training"]
    text = ReadText.of(read("Nombre: Ana.", "es", spanish.language.sections))
    types = tagger.types(text)
    assert types[2] == "PATIENT"
    votes = [_Always(kind, 3) for kind in (0, 1, 2)]
    rows = tagger.attributes.rows(text)
    assert set(tagger._voted(votes, rows)) == {"O"}
    assert set(tagger._voted([*votes[:2], votes[1]], rows)) == {"PATIENT"}


class _Always:
    """Says the same class of each row."""

    def __init__(self, kind, classes):
        self.row = np.eye(classes)[kind]

    def scores(self, rows):
        """One row of scores for each row."""
        return np.tile(self.row, (len(rows), 1))


def test_the_type_before_is_what_was_said():
    """A class that only its predecessor tells runs on from where it began."""
    types = np.array([0, 0, 1, 1, 1, 0] * 60)
    rows = np.zeros((len(types), 1), np.float32)
    rows[np.flatnonzero(np.diff(types, prepend=0) == 1)] = 1
    rows[np.flatnonzero(np.diff(types, prepend=0) == -1)] = -1
    wide = with_types_before(rows, types, 2)
    content = boosted(wide, types, np.ones(len(types)), 2, 7)
    trees = Trees({"t": content}, "t", 3, 2)
    assert classified(rows[:12], trees, 2) == types[:12].tolist()
    assert classified(rows[:0], trees, 2) == []


@pytest.mark.parametrize(
    "change",
    [
        {"kinds": ["AGE", "none such"]},
        {"kinds": ["AGE"]},
        {"trusted": {"nombre": "DOCTOR"}},
        {"triggers": []},
        {"shares": 3},
    ],
)
def test_broken_tables_are_named(steps, spanish, change):
    """Tables that do not fit the ensembles are a clear error."""
    files = dict(steps["+ standardisation"].files())
    files[TABLES] = json.dumps(json.loads(files[TABLES]) | change).encode()
    with pytest.raises(RuleError):
        BoostedTrees().read(files, spanish)


def test_texts_without_mentions_teach_nothing(spanish):
    """Texts without a mention are a clear error."""
    with pytest.raises(RuleError):
        BoostedTrees().learn([Annotated("t", "Sin fiebre.", "es", ())] * 3, spanish)


def test_a_text_without_tokens_has_no_rows():
    """A blank text among others teaches nothing, and fails nothing."""
    rows = with_types_before(np.zeros((0, 3), np.float32), np.array([]), 2)
    assert (0, 5) == rows.shape
