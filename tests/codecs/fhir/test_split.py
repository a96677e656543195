"""Streams of FHIR resources parted into single ones."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapter.codecs.fhir.split import split


@pytest.mark.parametrize(
    ("raw", "values"),
    [
        (b"", []),
        (b" \n", [b""]),
        (b'{"a":1}', [b'{"a":1}']),
        (b'\xef\xbb\xbf{"a":1}\r\n\r\n{"b":2}\r\n', [b'{"a":1}', b'{"b":2}']),
        (b'{\n "a": {\n "b": 1 }\n}\n', [b'{\n "a": {\n "b": 1 }\n}']),
        (b'{"a":"x}\\n{"}', [b'{"a":"x}\\n{"}']),
        (b'{"a":1}{"b":2}', [b'{"a":1}{"b":2}'[:7], b'{"b":2}']),
        (b'{"a":1} junk\n{"b":2}', [b'{"a":1} junk', b'{"b":2}']),
        (b'{"a":1}\n{"b":\n{"c":3}\n', [b'{"a":1}', b'{"b":', b'{"c":3}']),
        (b'{"a":\n  "b"', [b'{"a":\n  "b"']),
        (b'{"a":1}\n\xff\n', [b'{"a":1}\n\xff']),
    ],
)
def test_values(raw, values):
    """NDJSON lines and JSON texts are single messages; broken ones stay whole."""
    assert values == [frame.value for frame in split(raw)]


@given(
    st.lists(
        st.sampled_from([b'{"a":1}', b'{"b":[{}]}', b"\n", b" ", b"\xef\xbb\xbf", b"x", b"{", b"}"])
    )
)
@settings(max_examples=300)
def test_frames_are_the_input(parts):
    """Prefixes, values and suffixes in order are the input; only white space is framing."""
    raw = b"".join(parts)
    frames = split(raw)
    assert raw == b"".join(f.prefix + f.value + f.suffix for f in frames)
    framing = b"".join(f.prefix + f.suffix for f in frames)
    assert not framing.replace(b"\xef\xbb\xbf", b"").strip()
