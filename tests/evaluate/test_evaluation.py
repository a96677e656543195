"""All measures at once."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from adapter.evaluate.corpora.readers import read_corpus
from adapter.evaluate.evaluation import compare, evaluate
from adapter.evaluate.levels import Level
from adapter.evaluate.scores import Score
from tests.evaluate.cases import document, found, pairs

TEXT = "Ann Lee saw Dr. Bo Day in Rome on 3 May."
GOLD = document(TEXT, (0, 7, "PATIENT"), (16, 22, "DOCTOR"), (26, 30, "CITY"), (34, 39, "DATE"))
SPANS = found((0, 7, "PATIENT"), (16, 22, "PATIENT"), (26, 30, "STATE"))


def test_every_level_over_both_sets_of_labels():
    """Micro, by label and by main category."""
    told = evaluate([(GOLD, SPANS)])
    expected = [(level, labels) for labels in ("all", "hipaa") for level in Level]
    assert expected == [(table.level, table.labels) for table in told.tables]
    assert Score(1, 2, 3) == told.score(Level.STRICT)
    assert Score(1, 1, 2) == told.score(Level.STRICT, "hipaa")
    assert Score(5, 0, 2) == told.score(Level.BLIND_TOKEN)
    by_category = told.tables[0].by_category
    assert {"DATE": (0, 0, 1), "LOCATION": (1, 0, 0), "NAME": (2, 0, 0)} == {
        name: (s.tp, s.fp, s.fn) for name, s in by_category.items()
    }
    assert (1, 4, 3) == (told.documents, told.gold, told.predicted)


def test_source_labels_have_no_categories():
    """Nor a HIPAA subset: their names are not ours."""
    told = evaluate([(GOLD, SPANS)], source_labels=True)
    assert [("all", {})] * len(Level) == [(t.labels, t.by_category) for t in told.tables]


@settings(max_examples=30)
@given(pairs())
def test_labels_add_up(cases):
    """The micro score is the sum of the labels' at every level, and of the categories' at most."""
    for table in evaluate(cases).tables:
        assert table.micro == sum(table.by_label.values(), Score())
        coarse = sum(table.by_category.values(), Score())
        assert table.labels == "hipaa" or coarse.tp >= table.micro.tp


def test_two_systems():
    """The better one is told by its measures; with one text chance can explain all."""
    told = compare([(GOLD, SPANS)], [(GOLD, ())], rounds=50)
    assert (2 / 7, 0.0, 1.0) == (told.entity_f1.first, told.entity_f1.second, told.entity_f1.p)
    assert (5 / 7, 0.0) == (told.token_recall.first, told.token_recall.second)
    assert (5, 0) == (told.protected.first_only, told.protected.second_only)
    assert (2, 0) == (told.labelled.first_only, told.labelled.second_only)


@pytest.mark.corpus
@pytest.mark.parametrize("corpus", ["notes_en/g", "asq_phi/dev", "grascco/train", "tab/test"])
def test_gold_is_all_right_on_real_texts(shared_data, corpus):
    """A corpus scored against itself has no error of any kind."""
    texts = list(read_corpus(shared_data / "corpora" / f"{corpus}.jsonl"))
    told = evaluate([(text, text.mentions) for text in texts])
    assert {(0, 0)} == {(table.micro.fp, table.micro.fn) for table in told.tables}
    assert (0, 1.0, 0) == (len(told.mistakes), told.kappa, told.safety.spurious)
    assert told.safety.leak_free == told.safety.with_phi
