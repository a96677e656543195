"""Tables: the cells under heads that the rules know."""

from __future__ import annotations

import pytest

from adapter.taggers.document.columns import head_lines, tabled
from adapter.taggers.document.heads import HEAD, WORDS
from adapter.taggers.document.sections import SectionRules

RULES = SectionRules(
    {
        "columns": "time dose result",
        "shapes": {"word": r"(?P<phi>\p{L}+)"},
        "attribute": [
            {"names": ["drug name"], "vetoes": False},
            {"names": ["mrn"], "label": "MEDICALRECORD", "shape": "word"},
        ],
        "column": [
            {"names": ["name", "nurse"], "label": "PATIENT", "shape": "word", "unless": ["dose"]},
            {"names": ["day"], "label": "DATE", "shape": "word", "beside": ["mrn"]},
            {"names": ["problem"], "outside": ["eponym"]},
        ],
    }
)


def below(text):
    """The cells below known heads."""
    read = tabled(text, RULES.heads)
    return [text[cell.start : cell.end] for cell in read if cell.meaning not in (HEAD, WORDS)]


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
        ("x | nurse\nday | ysolde", ["ysolde"]),
        ("x | nurse\nname | ysolde", []),
    ],
)
def test_cells_under_known_heads(text, expected):
    """A first line of heads says what is in the rows below that have as many cells."""
    assert below(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("name,mrn,result\nysolde,77,104\nfenn,78,98", ["ysolde", "77", "104", "fenn", "78", "98"]),
        ('nurse;mrn\n"ysolde; fenn";"77"', ["ysolde; fenn", "77"]),
        ("an export, of today\nname,mrn\nysolde,77", ["ysolde", "77"]),
        ("name, mrn\nysolde, 77\n\nskin warm, dry", ["ysolde", "77"]),
        ("mrn,NightNurse,x\n77,ysolde,5", ["77", "ysolde", "5"]),
        ("name, problem\nskin warm, dry", []),
        ("seen by the name, mrn and the nurse of today.\nskin warm, dry", []),
        ("name,mrn,x,y,z,u\na,b,c,d,e,f", []),
        ("name,mrn\nysolde,77,5", []),
        ("name,mrn\n", []),
        ("name   mrn  x\nysolde graves  77   104", ["ysolde graves", "77", "104"]),
        ("skin warm  dry\nname, mrn", []),
        (
            "name   mrn  x  nurse\nok     77 121  fenn\nok     77   1  y",
            ["ok", "fenn", "ok", "77", "1", "y"],
        ),
        ("name,ysolde\nmrn,77\nnurse,fenn\nx,104", ["ysolde", "77", "fenn", "104"]),
        ("field\tresult\nname\tysolde\nmrn\t77\nnurse\tfenn", ["result", "ysolde", "77", "fenn"]),
        ("name,ysolde\nx,77\ny,fenn\nz,104", []),
        ("report|of today\nname|mrn\nysolde|77", ["ysolde", "77"]),
    ],
)
def test_marks_that_prose_has_too(text, expected):
    """Commas and semicolons separate cells below a line whose heads are known, most of them."""
    assert below(text) == expected


def test_lines_of_heads_and_the_ends_of_their_tables():
    """A piece of a long table is read below its heads, and text below the table is not."""
    text = "x\nname,mrn\nysolde,77\nfenn,78\nthe end of it"
    (found,) = head_lines(text, RULES.heads)
    assert "name,mrn" == text[found[0] : found[1]]
    assert text[found[2] :] == "\nthe end of it"
    assert not head_lines("skin warm, dry\nall well, calm", RULES.heads)
