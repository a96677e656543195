"""The page and its pictures show counts as they may be published, and escape what they quote."""

from __future__ import annotations

import xml.etree.ElementTree as ET

from adapter.mart.release.report import charts
from adapter.mart.release.report.pictures import cell_histogram


def test_charts_are_well_formed():
    """Names with markup in them are text in the picture, and suppressed counts are few."""
    rows = [("<b>&", 12), ("x", None), ("y", 0)]
    for draw in (charts.bars, charts.columns):
        drawn = ET.fromstring(draw(rows, "persons"))
        texts = "".join(drawn.itertext())
        assert "<b>&" in texts
        assert "few" in texts
        assert 3 == len(drawn.findall("rect"))


def test_a_chart_of_nothing():
    """No rows give an empty picture."""
    assert [] == ET.fromstring(charts.columns([], "persons")).findall("rect")


def test_cells_by_size():
    """Cells are counted by how many persons they have."""
    found = dict(cell_histogram((11, 20, 21, 1000, 1001)))
    assert {"to 20": 2, "21 to 50": 1, "51 to 100": 0, "101 to 1,000": 1, "more": 1} == found
