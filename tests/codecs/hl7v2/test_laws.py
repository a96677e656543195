"""Laws of the HL7 v2 codec, over thousands of real messages and over made-up edits."""

from __future__ import annotations

import json
import random
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adapter.codecs.splice import rewritten
from adapter.errors import DecodeError, EncodeError
from adapter.types import Edit

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from adapter.codecs.hl7v2.codec import Hl7v2Codec
    from adapter.types import Message, TextSegment

STEERING = ("MSH-9", "MSH-12", "MSH-18", "OBX-2", "OBX-3", "OBX-4", "OBX-14", "?")
"""Elements that say how others are read: an edit of one changes what is text elsewhere."""
ALPHABET = "aB9 |^~\\&#\n\r\x0b\x1c'\"é漢"
BROKEN = {"delimiters": 54, "charset-unknown": 5, "not-hl7v2": 2, "segments": 54}
"""Frames of all files that are refused.

Fuzzed delimiters, sets nobody knows, stray bytes, lost line ends, fields beside their places.
"""


@cache
def files(folder: Path) -> dict[str, bytes]:
    """Relative name -> bytes of every sample file."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.suffix != ".jsonl"
    }


def indexed(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Name and bytes of every message the index lists."""
    contents = files(folder)
    for line in (folder / "index.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        start = row["off"]
        yield f"{row['file']}@{start}", contents[row["file"]][start : start + row["len"]]


def outcome(codec: Hl7v2Codec, raw: bytes) -> str:
    """Decode and encode: "identical", "changed" or the code of a refusal."""
    try:
        message = codec.decode(raw)
    except DecodeError as error:
        return error.code
    return "identical" if codec.encode(message, ()) == raw else "changed"


@pytest.mark.corpus
def test_every_indexed_message_is_identical_or_refused(hl7v2, shared_data):
    """Decode and encode give the same bytes for every real message; few are refused."""
    found = Counter(outcome(hl7v2, raw) for _, raw in indexed(shared_data / "messages" / "hl7v2"))
    assert {"identical", "delimiters", "charset-unknown", "segments"} == set(found)
    assert found["segments"] / found.total() < 0.02
    assert found["identical"] / found.total() > 0.96


@pytest.mark.corpus
def test_every_file_is_identical_frame_by_frame(hl7v2, shared_data):
    """Frames of every file give the file back, and each is identical or refused."""
    found: Counter[str] = Counter()
    for name, raw in files(shared_data / "messages" / "hl7v2").items():
        frames = hl7v2.split(raw)
        assert raw == b"".join(f.prefix + f.value + f.suffix for f in frames), name
        found.update(outcome(hl7v2, frame.value) for frame in frames)
    assert {code: n for code, n in found.items() if code != "identical"} == BROKEN


@pytest.mark.corpus
def test_every_file_whole_is_identical_or_refused(hl7v2, shared_data):
    """Decoding a file without splitting it never changes it and never raises otherwise."""
    found = {outcome(hl7v2, raw) for raw in files(shared_data / "messages" / "hl7v2").values()}
    assert "changed" not in found


@pytest.mark.corpus
def test_paths_are_unique_and_every_text_is_its_place(hl7v2, shared_data):
    """In real messages no two segments share a path, and no text is empty."""
    for name, raw in indexed(shared_data / "messages" / "hl7v2"):
        try:
            message = hl7v2.decode(raw)
        except DecodeError:
            continue
        paths = {segment.path for segment in message.segments}
        assert len(message.segments) == len(paths) == len(message.body.places), name
        assert all(segment.text for segment in message.segments), name


def editable(message: Message) -> list[TextSegment]:
    """Segments whose edit leaves the reading of all others as it is."""
    return [
        segment
        for segment in message.segments
        if not segment.element.startswith(STEERING)
        and "!" not in segment.path
        and not segment.datatype.startswith("ED")
    ]


def drawn(segment: TextSegment, chance: random.Random) -> list[Edit]:
    """Up to three edits inside one segment."""
    cuts = sorted(chance.choices(range(len(segment.text) + 1), k=2 * chance.randint(1, 3)))
    new = ["".join(chance.choices(ALPHABET, k=chance.randint(0, 4))) for _ in cuts]
    return [
        Edit(segment.path, start, end, text)
        for start, end, text in zip(cuts[::2], cuts[1::2], new, strict=False)
    ]


def check_edits(codec: Hl7v2Codec, message: Message, edits: list[Edit]) -> bool:
    """Whether the message reads as edited after encoding; False where it cannot be.

    A set may lack a character, and a value may look like its neighbour's. In joined rows a covered
    line end stays: texts are compared without line ends there.
    """
    try:
        done = codec.decode(codec.encode(message, edits))
    except (EncodeError, DecodeError) as error:
        if error.code not in {"unencodable", "unreadable"}:
            raise
        return False
    by_path: dict[str, list[Edit]] = {}
    for edit in edits:
        by_path.setdefault(edit.path, []).append(edit)
    wanted = {s.path: rewritten(s.text, by_path.get(s.path, ())) for s in message.segments}
    after = {segment.path: segment.text for segment in done.segments}
    for path, text in wanted.items():
        if text.strip("\n") not in ("", '""'):
            rows = ".." in path or path.partition("-")[0].startswith(("OBX", "NTE", "DSP"))
            show = (lambda t: t.replace("\n", "")) if rows else str
            assert show(text) == show(after.pop(path, "")), "a text is not as edited"
    left = [text for path, text in after.items() if text.strip("\n") and path not in wanted]
    assert [None for _ in left] == []
    return True


@pytest.mark.corpus
def test_random_edits_of_real_messages_are_exact(hl7v2, shared_data):
    """After random edits a message has the edited texts, and all others as before."""
    chance = random.Random(7)
    made = 0
    for number, (name, raw) in enumerate(indexed(shared_data / "messages" / "hl7v2")):
        if number % 4:
            continue
        try:
            message = hl7v2.decode(raw)
        except DecodeError:
            continue
        places = editable(message)
        chosen = chance.sample(places, min(len(places), 8))
        edits = [edit for segment in chosen for edit in drawn(segment, chance)]
        try:
            made += check_edits(hl7v2, message, edits)
        except AssertionError as error:
            raise AssertionError(name) from error.with_traceback(None)
    assert made > 200


FIELD = st.lists(
    st.sampled_from([*"ab 1^~&\\#", "\\F\\", "\\T\\", "\\X4142\\", "\\.br\\", "\\H\\", '""', "é"]),
    max_size=6,
).map("".join)
NAMES = st.sampled_from(["PID", "NTE", "OBX|1|TX|A|", "OBX|2|ST|A|", "OBX|3|CWE|A|", "ZZ1", "PV1"])
SEGMENT = st.tuples(NAMES, st.lists(FIELD, max_size=6)).map(lambda t: "|".join([t[0], *t[1]]))
MESSAGES = st.tuples(
    st.sampled_from(["\r", "\n", "\r\n"]), st.lists(SEGMENT | st.just("stray"), max_size=6)
).map(lambda t: t[0].join(["MSH|^~\\&#|A|B", *t[1]]).encode())


@given(MESSAGES, st.randoms(use_true_random=False))
@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
def test_random_edits_of_made_up_messages_are_exact(hl7v2, raw, chance):
    """The same for messages made up of delimiters, escapes, rows and stray lines."""
    message = hl7v2.decode(raw)
    assert raw == hl7v2.encode(message, ())
    places = editable(message)
    chosen = chance.sample(places, min(len(places), 4))
    assert check_edits(hl7v2, message, [e for segment in chosen for e in drawn(segment, chance)])


@given(MESSAGES)
def test_dropping_everything_leaves_no_text(hl7v2, raw):
    """With every segment removed but those that type others, no segment is left of the rest."""
    message = hl7v2.decode(raw)
    dropped = [s for s in message.segments if not s.element.startswith(STEERING[:-1])]
    edits = [Edit(segment.path, 0, len(segment.text), None) for segment in dropped]
    done = hl7v2.decode(hl7v2.encode(message, edits))
    assert len(message.segments) - len(dropped) == len(done.segments)


@given(st.binary(max_size=80))
def test_any_bytes_behind_a_header_are_kept_or_refused(hl7v2, tail):
    """Whatever bytes follow a header, they come back or are refused with a code."""
    assert outcome(hl7v2, b"MSH|^~\\&|A\rOBX|1|ED|||^^^A^" + tail) != "changed"
