"""Tables: the cells under heads that the rules know."""

from __future__ import annotations

import pytest

from adapter.taggers.document.columns import cells
from adapter.taggers.document.sections import SectionRules

RULES = SectionRules(
    {
        "columns": "time dose",
        "shapes": {"word": r"(?P<phi>\p{L}+)"},
        "attribute": [{"names": ["drug name"], "vetoes": False}],
        "column": [
            {"names": ["name", "nurse"], "label": "PATIENT", "shape": "word", "unless": ["dose"]},
            {"names": ["problem"], "outside": ["eponym"]},
        ],
    }
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("name\tproblem\nysolde\tgraves\n fenn \tgout", ["ysolde", "graves", "fenn", "gout"]),
        ("x\n\ntime\tnight nurse\n0700\tysolde\n\ny", ["ysolde"]),
        ("name\tysolde\nproblem\tgout", []),
        ("name\tdose\nysolde\t5 mg", []),
        ("drug name\ttime\nysolde\t0700", []),
        ("name\ttime\nysolde\t0700\tx", []),
        ("name\ttime", []),
        ("name\nysolde", []),
        ("time | night nurse\n0700 | ysolde", ["ysolde"]),
        ("problem - nurse\ngout - ysolde", ["gout", "ysolde"]),
        ("problem: nurse\ngout: ysolde", ["gout", "ysolde"]),
        ("time: nurse\n0700: ysolde", []),
        ("problem: nurse\nname: ysolde", []),
    ],
)
def test_cells_under_known_heads(text, expected):
    """A first line of heads says what is in the rows below that have as many cells."""
    assert [text[cell.start : cell.end] for cell in cells(text, RULES)] == expected
