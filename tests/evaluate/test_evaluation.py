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
    result = evaluate([(GOLD, SPANS)])
    expected = [(level, labels) for labels in ("all", "hipaa") for level in Level]
    assert expected == [(table.level, table.labels) for table in result.tables]
    assert Score(1, 2, 3) == result.score(Level.STRICT)
    assert Score(1, 1, 2) == result.score(Level.STRICT, "hipaa")
    assert Score(5, 0, 2) == result.score(Level.BLIND_TOKEN)
    by_category = result.tables[0].by_category
    assert {"DATE": (0, 0, 1), "LOCATION": (1, 0, 0), "NAME": (2, 0, 0)} == {
        name: (s.tp, s.fp, s.fn) for name, s in by_category.items()
    }
    assert (1, 4, 3) == (result.documents, result.gold, result.predicted)


def test_source_labels_have_no_categories():
    """Nor a HIPAA subset: their names are not ours."""
    result = evaluate([(GOLD, SPANS)], source_labels=True)
    assert [("all", {})] * len(Level) == [(t.labels, t.by_category) for t in result.tables]


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
    result = compare([(GOLD, SPANS)], [(GOLD, ())], rounds=50)
    entities = result.entity_f1
    assert (2 / 7, 0.0, 1.0) == (entities.first, entities.second, entities.p)
    assert (5 / 7, 0.0) == (result.token_recall.first, result.token_recall.second)
    assert (5, 0) == (result.protected.first_only, result.protected.second_only)
    assert (2, 0) == (result.labelled.first_only, result.labelled.second_only)


@pytest.mark.corpus
@pytest.mark.parametrize("corpus", ["notes_en/g", "asq_phi/dev", "grascco/train", "tab/test"])
def test_gold_is_all_right_on_real_texts(shared_data, corpus):
    """A corpus scored against itself has no error of any kind."""
    texts = list(read_corpus(shared_data / "corpora" / f"{corpus}.jsonl"))
    result = evaluate([(text, text.mentions) for text in texts])
    assert {(0, 0)} == {(table.micro.fp, table.micro.fn) for table in result.tables}
    assert (0, 1.0, 0) == (len(result.mistakes), result.kappa, result.safety.spurious)
    assert result.safety.leak_free == result.safety.with_phi
