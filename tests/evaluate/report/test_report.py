"""Reports, pictures and figures."""

from __future__ import annotations

import json
import sys

import pytest

from adapter.errors import RuleError
from adapter.evaluate.evaluation import compare, evaluate
from adapter.evaluate.meddocan import official
from adapter.evaluate.report import cells, sections
from adapter.evaluate.report.document import Grid, Picture, Report, Section, Tile
from adapter.evaluate.report.figures import error_lines, figures
from adapter.evaluate.report.html import html
from adapter.evaluate.report.markdown import markdown
from adapter.evaluate.report.pictures import confusion_picture, curve_picture
from adapter.evaluate.scores import Score
from tests.evaluate.cases import document, found

TEXT = "Ann Lee saw Dr. Bo\nDay in Rome on 3 May."
GOLD = document(TEXT, (0, 7, "PATIENT"), (16, 22, "DOCTOR"), (26, 30, "CITY"))
SPANS = found((0, 7, "PATIENT", "r", 0.5), (16, 22, "PATIENT", "r", 0.9), (34, 39, "DATE"))
TOLD = evaluate([(GOLD, SPANS), (document(TEXT, name="b"), ())])
REPORT = Report(
    "a <b> & c",
    "sub",
    (Tile("n", "0.5", "m"),),
    (
        Section(
            "Head",
            "text",
            (
                Grid("t", ("x|y", "P"), (("l", "0.250"), ("m", "–")), frozenset({1})),
                Picture("pic", "pic.png", b"\x89PNG"),
            ),
        ),
    ),
)


def test_markdown():
    """Tables with their numbers to the right, pictures as links, marks of tables escaped."""
    text = markdown(REPORT)
    assert text.startswith("# a <b> & c\n\nsub\n")
    assert "| x\\|y | P |\n| :--- | ---: |\n| l | 0.250 |\n| m | – |\n" in text
    assert "![pic](pic.png)" in text


def test_html_is_one_file():
    """Pictures are inside, names escaped, nothing is fetched and no script runs."""
    page = html(REPORT)
    assert "<h1>a &lt;b&gt; &amp; c</h1>" in page
    assert "src='data:image/png;base64,iVBORw=='" in page
    assert "<td class=share style='--part:25.0%'>0.250" in page
    assert "<td class=nil>–" in page
    assert not any(word in page for word in ("http", "<script", "@import", "url("))


def test_shares_never_round_up_to_all():
    """1.000 is said of all only."""
    assert ("1.000", "0.999", "0.500") == (cells.share(1.0), cells.share(0.9999), cells.share(0.5))
    assert ("< 0.0001", "0.0312") == (cells.chance(0.00001), cells.chance(0.03125))


def test_a_share_of_nothing_is_a_dash():
    """A label never predicted has no precision, one never asked for no recall."""
    assert ("–", "0.000") == (cells.precision(Score(0, 0, 3)), cells.recall(Score(0, 0, 3)))
    assert ("0.000", "–") == (cells.precision(Score(0, 3, 0)), cells.recall(Score(0, 3, 0)))
    assert ("–", "0.000") == (cells.f(Score()), cells.f(Score(0, 1, 0)))


def test_labels_come_in_the_scheme_s_order():
    """Categories before their labels, unknown ones after all, none at the end."""
    names = ["", "SEXO", "DATE", "HOSPITAL", "LOCATION", "NAME", "CITY", "PATIENT", "ID"]
    expected = ["NAME", "PATIENT", "LOCATION", "HOSPITAL", "CITY", "DATE", "ID", "SEXO", ""]
    assert expected == cells.in_order(names)


def test_errors_are_counted_by_kind():
    """A row for each label, one for all."""
    (grid,) = sections.mistakes_section(TOLD).blocks
    assert (
        ("DOCTOR", "0", "0", "1", "0"),
        ("CITY", "1", "0", "0", "0"),
        ("DATE", "0", "1", "0", "0"),
        ("all", "1", "1", "1", "0"),
    ) == grid.rows


def test_every_measure_is_in_a_table():
    """Each level over each set of labels, by category and by label."""
    grids = sections.every_measure(TOLD).blocks
    assert ("entity strict, all labels", "category") == (grids[0].title, grids[0].head[0])
    assert 5 + 5 + 5 == len(grids)
    assert all(len(row) == len(grid.head) == 9 for grid in grids for row in grid.rows)


def test_thresholds_that_are_not_reached():
    """Have a dash."""
    grid = sections.curve_section(TOLD, None).blocks[0]
    assert ("0.99", "–", "–", "–", "–") == grid.rows[-1]


def test_errors_are_listed_without_text():
    """Document, kind, places and labels; the text only where it is handed over."""
    lines = list(error_lines(TOLD))
    assert "a\ttype\t16\t22\tDOCTOR\t16\t22\tPATIENT\tr" == lines[1]
    assert "a\tmissing\t26\t30\tCITY\t\t\t\t" == lines[2]
    assert "a\tspurious\t\t\t\t34\t39\tDATE\t" == lines[3]
    assert not any("Day" in line for line in lines)
    assert list(error_lines(TOLD, {"a": TEXT}))[1].endswith("\tr\tBo Day\tBo Day")


def test_figures_are_plain_data():
    """They survive JSON, and hold no text."""
    pairs = [(GOLD, SPANS)]
    result = figures(TOLD, official(pairs), compare(pairs, pairs, rounds=9))
    again = json.loads(json.dumps(result))
    assert result["safety"]["touched_share"] == again["safety"]["touched_share"]
    strict = again["tables"][0]
    assert ("entity strict", "all", 1) == (strict["level"], strict["labels"], strict["micro"]["tp"])
    assert 1.0 == again["comparison"]["entity_f1"]["p"]
    assert "Day" not in json.dumps(result)


def test_pictures_are_png():
    """Of the matrix and of the curve, also where there is nothing to show."""
    empty = evaluate([(document(""), ())])
    for result in (TOLD, empty):
        for picture in (confusion_picture(result.confusion), curve_picture(result.curve)):
            assert picture.png.startswith(b"\x89PNG\r\n")


def test_pictures_want_matplotlib(monkeypatch):
    """Without it the error says what to install."""
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(RuleError, match=r"clinical-deid-adapter\[evaluate\]"):
        curve_picture(TOLD.curve)
