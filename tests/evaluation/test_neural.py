"""The evaluation of networks beside the CRF: what may be learned, and the rows of the table."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from adapter.methods.bilstm_crf.shipping import CorpusPlan, Labels, NeuralRecipe
from adapter.train.crossval import Held
from adapter.train.examples import Example
from adapter.types import Label, Span
from tests.evaluation import neural
from tests.evaluation.neural import ORDINARY, THRESHOLDS, _counts, line, table, texts_beside
from tests.train.training_runs import PLAN, note

PLANNED = NeuralRecipe(
    "en",
    (CorpusPlan("a.jsonl", "made"), CorpusPlan("b.jsonl", "made", own=True)),
    7,
    Labels.TYPE,
    0.3,
    {},
)


def test_a_network_learns_no_file_that_is_held_out(tmp_path, monkeypatch):
    """Neither from the folder of corpora, nor from that of models."""
    for name in "ab":
        row = {"id": name, "text": "seen by Okafor", "lang": "en", "spans": []}
        (tmp_path / f"{name}.jsonl").write_text(json.dumps(row) + "\n")
    monkeypatch.setattr(neural, "data_folder", lambda: tmp_path)
    monkeypatch.setattr(neural, "shipped", lambda _: tmp_path)
    held = Example(note(0), replace(PLAN, path="b.jsonl"))
    assert ["a"] == [text.id for text in texts_beside(PLANNED, [held]).learned]
    assert ["a", "b"] == [text.id for text in texts_beside(PLANNED, []).learned]


@pytest.fixture
def held():
    """A held-out text of which one mention is found at low thresholds only."""
    example = Example(note(0), PLAN)
    mention = example.text.mentions[0]
    span = Span(mention.start, mention.end, Label(mention.type), "crf", 0.3, 75)
    return Held(example, {least: (span,) if least < 0.3 else () for least in THRESHOLDS})


def test_a_lower_threshold_counts_what_it_finds(held):
    """Counts are by threshold: found below it, missed above."""
    counts = _counts(held, {})
    assert 0 == counts["0.5"]["strict"][0]
    assert 1 == counts["0.1"]["strict"][0]
    assert sum(counts["0.5"]["strict"][::2]) == sum(counts["0.1"]["strict"][::2])


def test_a_corpus_with_labels_of_its_own_has_its_own_measures(held):
    """MEDDOCAN's scores are counted by its labels, and shown behind the others."""
    mention = held.example.text.mentions[0]
    counts = _counts(held, {mention.type: mention.source_label})
    assert [0, 0, 3] == counts["0.5"]["MEDDOCAN strict"]
    assert [1, 0, 2] == counts["0.1"]["MEDDOCAN ner"]
    assert line("d", "crf", 0.1, {"d:1": counts}).count("| 0.5000 | 0.5000 | 0.5000 |")
    assert line("d", "crf", 0.1, {"d:1": _counts(held, {})}).count("|  |  |  |")


def test_what_the_names_of_the_message_explain_is_left_aside(held):
    """A needless mention of a known name counts against precision only beside the others."""
    example = replace(held.example, text=replace(held.example.text, mentions=()))
    spans = [Span(0, 4, Label.PATIENT, source, 1.0, 80) for source in ("phrase", "crf")]
    some = [
        replace(held, example=example, found=dict.fromkeys(THRESHOLDS, row))
        for row in (spans[:1], spans, ())
    ]
    explained, mixed, none = (_counts(one, {})["0.25"] for one in some)
    assert (1, 0) == (explained["all"][1], explained["unexplained"][1])
    assert [[0, 1, 0], [1, 0, 0], [0, 0, 1]] == [of["empty"] for of in (explained, mixed, none)]
    documents = {str(n): {"0.25": of} for n, of in enumerate((explained, mixed, none))}
    assert line("n", "mean", 0.25, documents).endswith("| 1 of 3 |")


def test_the_table_has_each_threshold_and_each_file(held):
    """Files, and the ordinary ones together, have rows at the threshold of each way."""
    documents = {"c:1": _counts(held, {}), "d:1": _counts(held, {})}
    rows = table({"crf": documents, "mean": documents}, {"crf": 0.2, "mean": 0.32}).splitlines()
    assert 2 + 2 * len(THRESHOLDS) + 6 == len(rows)
    assert rows[-3] == line("d", "mean", 0.32, {"d:1": documents["d:1"]})
    assert "| d (1) | mean | 0.32 | 0.000" in rows[-3]
    assert "| d (1) | crf | 0.2 | 0.000" not in rows[-4]
    assert rows[-1] == line(ORDINARY, "mean", 0.32, documents)
