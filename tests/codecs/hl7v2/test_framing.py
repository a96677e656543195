"""Framing: frames give the input back, each value is one message, formats are told apart."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapter.codecs import CODECS, detect
from adapter.codecs.hl7v2.framing import split_hl7v2
from adapter.errors import DecodeError

ONE = b"MSH|^~\\&|A|B\rPID|||7\r"
TWO = ONE.replace(b"7", b"8")
PARTS = [
    b"\r",
    b"\n",
    b"\x0b",
    b"\x1c\r",
    b"\xef\xbb\xbf",
    b" ",
    b"x",
    b"BTS|1\r",
    b"FTS",
    ONE,
    TWO,
]


def values(raw: bytes) -> list[bytes]:
    """The values of the frames."""
    return [frame.value for frame in split_hl7v2(raw)]


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (b"", []),
        (b"\r\n \n", [b""]),
        (ONE, [ONE]),
        (ONE + TWO, [ONE, TWO]),
        (ONE + b"\r\n\r\n" + TWO + b"\r\n", [ONE, TWO]),
        (b"\xef\xbb\xbf" + ONE, [ONE]),
        (b"\x0b" + ONE + b"\x1c\r\x0b" + TWO + b"\x1c\r", [ONE, TWO]),
        (b"\x0b" + ONE[:-1] + b"\x1c\x0d", [ONE[:-1]]),
        (ONE + b"\xef\xbb\xbf" + TWO, [ONE, TWO]),
        (ONE.replace(b"\r", b"\r\n") * 2, [ONE.replace(b"\r", b"\r\n")] * 2),
        (ONE.replace(b"\r", b"\n") + TWO, [ONE.replace(b"\r", b"\n"), TWO]),
        (b"FHS|^~\\&|A\rBHS|^~\\&|A\r" + ONE + TWO + b"BTS|2\rFTS|1\r",
         [b"FHS|^~\\&|A\r", b"BHS|^~\\&|A\r", ONE, TWO, b"BTS|2\r", b"FTS|1\r"]),
        (ONE + b"FTS", [ONE, b"FTS"]),
        (b"# two\r" + ONE, [b"# two\r", ONE]),
        (ONE + b"\x1c\rtrailing garbage\r\x0b" + TWO, [ONE + b"\x1c\rtrailing garbage\r", TWO]),
        (b"MSH|^~\\&|A\nNTE|||see\nMSH: mild\n", [b"MSH|^~\\&|A\nNTE|||see\nMSH: mild\n"]),
        (b"junk", [b"junk"]),
        ("MSH|^~\\&|A".encode("utf-16"), ["MSH|^~\\&|A".encode("utf-16")]),
    ],
)  # fmt: skip
def test_values_are_single_messages(raw, expected):
    """Messages, batch lines and stray bytes each have their frame; framing is in none of them."""
    assert expected == values(raw)


@given(st.lists(st.sampled_from(PARTS), max_size=12).map(b"".join) | st.binary(max_size=60))
def test_frames_give_the_input_back(raw):
    """Prefixes, values and suffixes together are the input, whatever it is."""
    frames = split_hl7v2(raw)
    assert raw == b"".join(frame.prefix + frame.value + frame.suffix for frame in frames)


@given(st.lists(st.sampled_from(PARTS), max_size=12).map(b"".join))
def test_values_hold_one_message(raw):
    """No value has two headers, and framing has no byte that could be text."""
    for frame in split_hl7v2(raw):
        assert len(re.findall(rb"(?:\A|[\r\n\x0b\x1c])MSH\|", frame.value)) <= 1
        assert not (frame.prefix + frame.suffix).strip(b"\x0b\x1c\r\n \xef\xbb\xbf")


@pytest.mark.parametrize("lead", [b"", b"\xef\xbb\xbf", b"\x0b", b"\r\n ", b"\xef\xbb\xbf\x0b\n"])
@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (ONE, "hl7v2"),
        (b"FHS|^~\\&\r", "hl7v2"),
        (b"BTS|1\r", "hl7v2"),
        (b'{"resourceType": "Patient"}', "fhir"),
        (b"[1]", "fhir"),
        (b"MSH is mesh", None),
        (b"<xml/>", None),
        (b"Dear Dr. Roe", None),
        (b"", None),
    ],
)
def test_detection_looks_behind_framing(lead, raw, expected):
    """A byte order mark, MLLP or blank lines before a message do not hide its format."""
    assert expected == detect(lead + raw)


@pytest.mark.parametrize("text", [ONE.decode(), '{"resourceType": "Patient"}'])
@pytest.mark.parametrize("charset", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_sixteen_bit_text_is_not_detected(text, charset):
    """UTF-16 and UTF-32 are no known format, with or without a mark."""
    known = detect(text.encode(charset))
    assert known is None or charset == "utf-16-le"


WHOLE = ONE[:-1] + b"\rOBX|1|ED|A||^TX^^Base64^SGVsbG8gQW5u\rNTE|1||a\\T\\b~c\r"


@pytest.mark.parametrize("end", range(len(WHOLE) + 1))
def test_a_message_cut_anywhere(hl7v2, end):
    """Every beginning of a message decodes to what encodes to it, or is refused with a code."""
    part = WHOLE[:end]
    try:
        message = hl7v2.decode(part)
    except DecodeError:
        assert end < len(b"MSH|^~")
        return
    assert part == hl7v2.encode(message, ())


@pytest.mark.parametrize("tail", [b"x", b"\x1c\r", b"\x00", b"\xff", b"MS", b"\r\n\r\n", b"|||"])
def test_a_message_with_trailing_data(hl7v2, tail):
    """Whatever follows a message is kept and does not change what is read of the rest."""
    message = hl7v2.decode(WHOLE + tail)
    assert WHOLE + tail == hl7v2.encode(message, ())
    alone = hl7v2.decode(WHOLE)
    assert alone.segments[:-1] == message.segments[: len(alone.segments) - 1]


def test_every_codec_says_its_name(hl7v2_tables):
    """The registry's key is the codec's own name."""
    tables = {"hl7v2": hl7v2_tables, "fhir": {"R4": {}}, "text": {}}
    assert list(CODECS) == [make(tables[name]).name for name, make in CODECS.items()]
