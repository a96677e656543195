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
