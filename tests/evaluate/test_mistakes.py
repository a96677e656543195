"""Errors by kind."""

from __future__ import annotations

from hypothesis import given

from adapter.evaluate.levels import Level, events
from adapter.evaluate.mistakes import mistakes
from adapter.evaluate.scores import Score, total
from tests.evaluate.cases import document, found, pairs

TEXT = "Ann Lee saw Dr. Bo Day in Rome on 3 May."


def kinds(gold, *spans):
    """(kind, gold's extent, the finding's)."""
    return [
        (m.kind, m.gold and (m.gold.start, m.gold.end), m.predicted and m.predicted.start)
        for m in mistakes([(gold, found(*spans))])
    ]


def test_each_kind():
    """In order of place: boundary, type, missing, spurious."""
    gold = document(TEXT, (0, 7, "PATIENT"), (16, 22, "DOCTOR"), (26, 30, "CITY"))
    result = kinds(gold, (0, 3, "PATIENT"), (16, 22, "PATIENT"), (34, 39, "DATE"))
    assert [
        ("boundary", (0, 7), 0),
        ("type", (16, 22), 16),
        ("missing", (26, 30), None),
        ("spurious", None, 34),
    ] == result


def test_the_largest_overlap_is_told():
    """The other part of a mention that came in two is told of the same gold."""
    gold = document(TEXT, (12, 22, "DOCTOR"))
    result = kinds(gold, (12, 14, "DOCTOR"), (16, 22, "PATIENT"))
    assert [("boundary", (12, 22), 12), ("type", (12, 22), 16)] == sorted(result)


def test_what_a_source_leaves_out_is_no_error():
    """Unless gold is touched."""
    gold = document(TEXT, (0, 7, "PATIENT"), unlabelled=["DATE"])
    assert [] == kinds(gold, (0, 7, "PATIENT"), (34, 39, "DATE"))


@given(pairs())
def test_there_are_errors_where_the_score_has_them(cases):
    """None if all is right; else every gold not found and every wrong finding is in one."""
    score = sum((total(events(case, Level.STRICT)) for case in cases), Score())
    result = list(mistakes(cases))
    assert (score.fp + score.fn == 0) == (result == [])
    missed = {(m.document, m.gold) for m in result if m.gold}
    wrong = {(m.document, m.predicted) for m in result if m.predicted}
    assert (score.fn, score.fp) == (len(missed), len(wrong))
