"""Segments of a message, rows of one text joined."""

from __future__ import annotations

import pytest

from adapter.errors import DecodeError
from adapter.mart.landing.hl7v2.segments import read_segments

HEAD = b"MSH|^~\\&|A||||||ORU^R01|1|P|2.5\r"


def test_fields_have_their_numbers():
    """MSH-1 is the separator itself, so MSH-9 is the ninth."""
    found = read_segments(b"\x0b" + HEAD + b"PID|1||7\r\x1c\r")
    assert ["MSH", "PID"] == [row[0] for row in found.rows]
    assert ("|", "ORU^R01", "7") == (found.rows[0][1], found.rows[0][9], found.rows[1][3])


def test_rows_of_one_text_are_joined():
    """The same code and sub-id, or a row without code after it; another code begins anew."""
    rows = b"OBX|1|TX|a|1|x\rOBX|2|TX|a|1|y\rOBX|3|TX|||z\rOBX|4|TX|b|1|w\rOBX|5|NM|b|1|2\r"
    found = read_segments(HEAD + rows)
    assert ["x\ny\nz", "w", "2"] == [row[5] for row in found.rows[1:]]
    assert frozenset({1}) == found.several


@pytest.mark.parametrize("raw", [b"", b"PID|1", b"no message"])
def test_no_header_is_no_message(raw):
    """Bytes without MSH are an error of decoding."""
    with pytest.raises(DecodeError):
        read_segments(raw)
