"""Plain text: one segment, written back with its edits."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapter.codecs.text import TextCodec
from adapter.errors import DecodeError, EncodeError
from adapter.types import Edit

CODEC = TextCodec()


@given(st.text(min_size=1))
def test_text_is_itself(text):
    """Any text decodes to itself, with its line ends, and encodes to the same bytes."""
    raw = text.encode("utf-8", "surrogatepass")
    try:
        message = CODEC.decode(raw)
    except DecodeError:
        assert any("\ud800" <= character <= "\udfff" for character in text)
        return
    assert text.removeprefix("\ufeff") == "".join(segment.text for segment in message.segments)
    assert raw == CODEC.encode(message, ())


def test_a_byte_order_mark_is_kept_and_not_text():
    """A byte order mark is no part of the segment and is written back."""
    message = CODEC.decode(b"\xef\xbb\xbfAnn")
    assert message.segments[0].text == "Ann"
    assert CODEC.encode(message, [Edit("text", 0, 3, "Eve")]) == b"\xef\xbb\xbfEve"


@pytest.mark.parametrize(("raw", "code"), [(b"", "empty"), (b"\xff\xfeA\x00", "charset-invalid")])
def test_refusals(raw, code):
    """Nothing, and what is not UTF-8, is refused."""
    with pytest.raises(DecodeError) as caught:
        CODEC.decode(raw)
    assert code == caught.value.code


@pytest.mark.parametrize(
    ("edits", "code"),
    [
        ([Edit("other", 0, 1, "x")], "unknown-path"),
        ([Edit("text", 0, 9, "x")], "unknown-path"),
        ([Edit("text", 0, 2, "x"), Edit("text", 1, 3, "x")], "overlapping-edits"),
        ([Edit("text", 0, 2, "\ud800")], "unencodable"),
    ],
)
def test_impossible_edits_are_refused(edits, code):
    """An edit that cannot be made raises with its code."""
    with pytest.raises(EncodeError) as caught:
        CODEC.encode(CODEC.decode(b"Ann"), edits)
    assert code == caught.value.code


def test_a_text_is_one_frame():
    """Plain text is never cut."""
    assert [frame.value for frame in CODEC.split(b"a\nb")] == [b"a\nb"]
    assert CODEC.split(b"") == ()
