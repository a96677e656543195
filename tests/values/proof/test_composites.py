"""A known number in the components of one field: none of them has it, together they do."""

from __future__ import annotations

import pytest

from adapter.pipeline.process import process
from adapter.types import Position, Record, Release
from tests.corpus.runs import ruleset


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        (">^447820^-^913355", False),
        ("4~4~7~8~2~0~9~1~3~3~5~5", False),
        (">^447820^-^913356", True),
        ("^1.5^:^2.5", True),
        ("^120^/^80", True),
    ],
)
def test_a_number_is_not_found_in_parts(value, kept):
    """A structured number or an array whose numbers are the patient's is removed; others stay."""
    raw = (
        "MSH|^~\\&|A|B|C|D|20240611||ORU^R01|7|P|2.5.1\r"
        "PID|1||447820913355^^^CO^MR||QUILLFEATHER^JOHN||19710923|M\r"
        f"OBX|1|{'NA' if '~' in value else 'SN'}|2857-1^PSA^LN||{value}|ng/mL|||||F\r"
    ).encode()
    released = process(Record(raw, Position("t", 0, 0)), ruleset())
    assert isinstance(released, Release)
    result = released.value.decode().split("\rOBX|")[1].split("|")[4]
    assert (result == value) is kept
    assert kept or not any(map(str.isdigit, result))
