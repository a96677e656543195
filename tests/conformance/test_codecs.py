"""What every codec must do, whatever its format: the rules of ``codecs/protocol.py``."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapter.codecs import CODECS
from adapter.errors import CODES, DecodeError, EncodeError
from adapter.rules.folder import Folder, shipped
from adapter.types import Edit

GOLDEN = Path(__file__).resolve().parents[1] / "golden"
TEXTS = (
    b"Seen by Dr. Okafor in the clinic on Monday.\r\nMRN 40088213\n",
    b"\xef\xbb\xbfJos\xc3\xa9\n",
    b"\xef\xbb\xbf",
    b" ",
)
SAMPLES = {
    **{
        name: tuple(
            file.read_bytes()
            for file in sorted((GOLDEN / name).glob("*/in.*"))
            if not (file.parent / "hold.json").exists()
        )
        for name in ("hl7v2", "fhir")
    },
    "text": TEXTS,
}
"""Format -> inputs that its codec reads; a format is tested by being listed."""


@pytest.fixture(scope="module")
def codecs():
    """Every codec of the registry, with the shipped tables."""
    schema = Folder(shipped("rules")).schema
    return {name: make(schema[name]) for name, make in CODECS.items()}


@pytest.fixture(params=CODECS)
def name(request):
    """Each format in turn."""
    return request.param


@pytest.fixture
def codec(codecs, name):
    """Its codec."""
    return codecs[name]


def messages(codec, name):
    """The messages of a format's samples."""
    return [frame.value for raw in SAMPLES[name] for frame in codec.split(raw)]


def decoded(codec, raw):
    """The message, or None where the codec refuses it with one of its stage's codes."""
    try:
        return codec.decode(raw)
    except DecodeError as error:
        assert error.code in CODES["decode"]  # noqa: PT017 - either may come
        return None


def test_a_codec_has_samples_and_the_name_it_is_listed_by(codec, name):
    """Configuration, rules and audit call a format by one name."""
    assert name == codec.name
    assert len(messages(codec, name)) > 2


def test_nothing_is_changed_without_an_edit(codec, name):
    """Decoding and encoding gives the very bytes."""
    for raw in messages(codec, name):
        assert raw == codec.encode(codec.decode(raw), ())


def test_reading_is_deterministic(codec, name):
    """The same bytes give the same message, and no message bears traces of another."""
    first = [codec.decode(raw) for raw in messages(codec, name)]
    again = [codec.decode(raw) for raw in reversed(messages(codec, name))]
    assert [(m.format, m.kind, m.segments) for m in first] == [
        (m.format, m.kind, m.segments) for m in reversed(again)
    ]


def test_a_place_has_one_path(codec, name):
    """No two segments of a message have one path, and each has its element and datatype."""
    for raw in messages(codec, name):
        segments = codec.decode(raw).segments
        assert len(segments) == len({segment.path for segment in segments})
        assert all(segment.element and segment.datatype for segment in segments)


def test_a_repr_shows_no_text(codec, name):
    """Neither a message nor its segments show what they say."""
    for raw in messages(codec, name):
        message = codec.decode(raw)
        shown = repr(message) + "".join({repr(segment) for segment in message.segments})
        texts = {s.text for s in message.segments if len(s.text) > 12 and " " in s.text}
        assert [] == [text for text in texts if text in shown]


PROSE = 40
"""Characters from which a text is no name of a code: one may decide how other places are read."""
WORD = re.compile(r"(?<=\w )\w+(?= )")


def prose(message):
    """Segments of free text, each with one of its words."""
    long = (segment for segment in message.segments if len(segment.text) > PROSE)
    found = ((segment, WORD.search(segment.text)) for segment in long)
    return [(segment, *word.span()) for segment, word in found if word is not None]


def test_an_edit_changes_its_place_alone(codec, name):
    """What is written at a place is read there; every other text is as it was."""
    edited = 0
    for raw in messages(codec, name):
        message = codec.decode(raw)
        before = {s.path: s.text for s in message.segments}
        edited += len(prose(message))
        for segment, start, end in prose(message)[:8]:
            edit = Edit(segment.path, start, end, "Okafor")
            after = {s.path: s.text for s in codec.decode(codec.encode(message, (edit,))).segments}
            changed = segment.text[:start] + "Okafor" + segment.text[end:]
            assert before | {segment.path: changed} == after
    assert edited


@pytest.mark.parametrize("code", ["unknown-path", "overlapping-edits"])
def test_an_edit_that_cannot_be_made_is_refused(codec, name, code):
    """A place that is none, and characters that two edits claim, are errors of encoding."""
    for raw in messages(codec, name):
        message = codec.decode(raw)
        long = next((s for s in message.segments if len(s.text) > 3), None)
        if long is None:
            continue
        twice = (Edit(long.path, 0, 2, "a"), Edit(long.path, 1, 3, "b"))
        edits = twice if code == "overlapping-edits" else (Edit("no such place", 0, 1, "a"),)
        with pytest.raises(EncodeError):
            codec.encode(message, edits)


@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_whatever_comes_is_split_without_loss_and_decoded_or_refused(codecs, data):
    """Split never fails and loses no byte; decode gives what it can write, or an error."""
    name = data.draw(st.sampled_from(sorted(CODECS)))
    codec = codecs[name]
    sample = data.draw(st.sampled_from(SAMPLES[name]))
    start, end = sorted(data.draw(st.tuples(*[st.integers(0, len(sample))] * 2)))
    raw = sample[:start] + data.draw(st.binary(max_size=12)) + sample[end:]
    frames = codec.split(raw)
    assert raw == b"".join(frame.prefix + frame.value + frame.suffix for frame in frames)
    for frame in frames:
        message = decoded(codec, frame.value)
        if message is not None:
            assert frame.value == codec.encode(message, ())
