"""The code in a field of MSH that says what was done, where a site opens one."""

from __future__ import annotations

import pytest

from adapter.types import Edit, SecurityLabel

LABEL = SecurityLabel("PSEUDED", "MSH-8")


@pytest.mark.parametrize(
    ("place", "before", "after"),
    [
        ("MSH-8", b"MSH|^~\\&|A|B|C|D|2024||ADT|7\r", b"MSH|^~\\&|A|B|C|D|2024|PSEUDED|ADT|7\r"),
        ("MSH-8", b"MSH|^~\\&|A|B|C|D|2024|pass|ADT\r", b"MSH|^~\\&|A|B|C|D|2024|PSEUDED|ADT\r"),
        ("MSH-8", b"MSH|^~\\&|A\n", b"MSH|^~\\&|A|||||PSEUDED\n"),
        ("MSH-8", b"MSH|^~\\&|A|||||", b"MSH|^~\\&|A|||||PSEUDED"),
        ("MSH-8", b"MSH|^~\\&|A||||", b"MSH|^~\\&|A|||||PSEUDED"),
        ("MSH-8", b"\x0bMSH$^~\\&$A\r\nPID$1\x1c\r", b"\x0bMSH$^~\\&$A$$$$$PSEUDED\r\nPID$1\x1c\r"),
        ("MSH-27", b"MSH|^~\\&|A\r", b"MSH|^~\\&|A" + b"|" * 24 + b"PSEUDED\r"),
        ("MSH-8", b"BHS|^~\\&|A||||||x\r", b"BHS|^~\\&|A||||||x\r"),
    ],
)  # fmt: skip
def test_the_field_gets_the_code(hl7v2, place, before, after):
    """The code is the whole of the field; a shorter header is filled up; a batch's is left."""
    message = hl7v2.decode(before)
    assert after == hl7v2.encode(message, (), SecurityLabel("PSEUDED", place))


def test_edits_elsewhere_are_made_and_those_of_the_field_are_not(hl7v2):
    """What the field policy does with the field gives way to the label."""
    raw = b"MSH|^~\\&|APP|B|C|D|2024|pass|ADT^A01|77\rPID|1||9\r"
    message = hl7v2.decode(raw)
    edits = [
        Edit(segment.path, 0, len(segment.text), None if segment.path == "MSH-8" else "X")
        for segment in message.segments
        if segment.path in ("MSH-3", "MSH-3.1", "MSH-8", "MSH-10", "MSH-10.1")
    ]
    written = hl7v2.encode(message, edits, LABEL)
    assert written.startswith(b"MSH|^~\\&|X|B|C|D|2024|PSEUDED|ADT^A01|X\r")
