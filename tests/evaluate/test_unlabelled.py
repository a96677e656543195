"""What a source does not annotate is no error."""

from __future__ import annotations

import json

import pytest

from adapter.evaluate.annotations import Mention
from adapter.evaluate.levels import Level, events
from adapter.evaluate.scores import Score, total
from adapter.evaluate.unlabelled import is_unlabelled, not_understood
from tests.evaluate.cases import document, found

KINDS = {
    "AGE under 90": {
        "AGE": {"45": True, "45-year-old": True, "forty": True, "90": False, "103": False},
        "DATE": {"45": False},
    },
    "year-only DATE": {
        "DATE": {
            "2019": True,
            "1990s": True,
            "2019-2020": True,
            "May 2019": False,
            "3/2019": False,
            "20190304": False,
        },
        "IDNUM": {"2019": False},
    },
    "CONTACT": {"PHONE": {"1": True}, "CONTACT": {"1": True}, "DATE": {"1": False}},
    "DATE": {"DATE": {"1": True}, "AGE": {"1": False}},
    "everything but PROFESSION": {"DATE": {"1": True}, "PROFESSION": {"nurse": False}},
    "NO_MASK mentions (e.g. some places, courts)": {"CITY": {"x": True}, "DATE": {"x": True}},
}
CASES = [
    (kind, label, text, expected)
    for kind, labels in KINDS.items()
    for label, texts in labels.items()
    for text, expected in texts.items()
]


@pytest.mark.parametrize(("kind", "label", "text", "expected"), CASES)
def test_kinds_left_out(kind, label, text, expected):
    """Each wording in use means what it says."""
    source = document(text, unlabelled=[kind])
    assert expected is is_unlabelled(source, Mention(0, len(text), label))


def test_predictions_of_what_is_left_out_do_not_count():
    """At no level; elsewhere they do."""
    text = "He is 45 since 2019."
    spans = found((6, 8, "AGE"), (15, 19, "DATE"))
    kinds = ["AGE under 90", "year-only DATE"]
    assert all(
        Score() == total(events((document(text, unlabelled=kinds), spans), level))
        for level in Level
    )
    assert Score(0, 2, 0) == total(events((document(text), spans), Level.STRICT))


def test_a_wrong_extent_counts_where_gold_is_touched():
    """What overlaps gold is an error however it is labelled; the words beside it are not."""
    source = document("Ann Lee 45", (0, 7, "PATIENT"), unlabelled=["AGE under 90"])
    spans = found((4, 10, "AGE"))
    assert Score(0, 1, 1) == total(events((source, spans), Level.STRICT))
    assert Score(1, 0, 1) == total(events((source, spans), Level.BLIND_TOKEN))


def test_wordings_without_meaning_are_told():
    """They are named, and leave nothing out."""
    source = document("x", unlabelled=["seasons", "DATE"])
    assert {"seasons"} == not_understood([source])


@pytest.mark.corpus
def test_every_wording_in_the_corpora_is_understood(shared_data):
    """No corpus leaves out something that has no meaning here."""
    kinds = set()
    for file in sorted((shared_data / "corpora").glob("*/*.jsonl")):
        with file.open(encoding="utf-8") as stream:
            for line in stream:
                kinds |= set((json.loads(line).get("meta") or {}).get("unlabelled") or ())
    assert set() == not_understood([document("x", unlabelled=kinds)])
