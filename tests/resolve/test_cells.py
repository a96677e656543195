"""Cells of a table are values of their own."""

from __future__ import annotations

import pytest

from adapter.resolve.cells import within_cells
from adapter.types import Label, Span


def parts(text, label=Label.PATIENT):
    """What remains of one span over a whole text."""
    found = within_cells(text, [Span(0, len(text), label, "crf", 1.0, 75, form="{family}")])
    return [(text[span.start : span.end], span.form) for span in found]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ysolde\tOkolita", ["Ysolde", "Okolita"]),
        ("Ysolde \t\t Okolita\tFenn", ["Ysolde", "Okolita", "Fenn"]),
        ("Ysolde Okolita   LANG", ["Ysolde Okolita", "LANG"]),
        ("Ysolde\u00a0\u00a0\u00a0 Okolita", ["Ysolde", "Okolita"]),
    ],
)
def test_a_name_over_cells_is_one_name_for_each(text, expected):
    """Each cell keeps its own mention, whose form is no longer that of the whole."""
    assert parts(text) == [(part, None) for part in expected]


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Okolita", Label.PATIENT),
        ("Ysolde\n\tOkolita", Label.PATIENT),
        ("2\t3", Label.DATE),
        ("Ysolde  Okolita", Label.PATIENT),
        ("Ysolde\n     Okolita", Label.PATIENT),
    ],
)
def test_other_mentions_stay_whole(text, label):
    """A name in one cell, one behind an indent, and a number over several cells are not parted."""
    assert parts(text, label) == [(text, "{family}")]


@pytest.mark.parametrize(
    ("text", "label", "expected"),
    [
        ("212\t198\t176", Label.PHONE, ["212", "198", "176"]),
        ("LDH   312  298", Label.IDNUM, ["LDH", "312", "298"]),
        ("22.05.     23.05.", Label.DATE, ["22.05.", "23.05."]),
        ("62   Okolita", Label.AGE, ["62"]),
        ("sixty   two", Label.AGE, ["sixty", "two"]),
        ("0341  445566", Label.PHONE, ["0341  445566"]),
        ("12\t3\t1990", Label.DATE, ["12\t3\t1990"]),
    ],
)
def test_a_number_or_day_over_cells_is_one_for_each(text, label, expected):
    """Numbers and whole days of a row are parted; a day in parts and an area's code are not."""
    assert [part for part, _ in parts(text, label)] == expected


def test_a_known_number_over_cells_stays_whole():
    """What a field of the message says is found however it is written."""
    spans = [Span(0, 7, Label.PHONE, "phrase", 1.0, 100)]
    assert list(within_cells("212\t198", spans)) == spans
