"""Bodies opened inside decoded messages, edited, and put back in their own encoding."""

from __future__ import annotations

import base64
import json
import quopri
from urllib.parse import unquote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapter.codecs.nested import folded, unfolded
from adapter.codecs.nested.opening import DEEPEST, MOST, PLACEHOLDER, REMOVED, nest
from adapter.errors import DecodeError
from adapter.types import Edit
from tests.e2e.nesting import ENCODINGS, PLACES

NOTE = "Seen today: Ann Roe, well and happy; wants to go home soon."
B64 = base64.b64encode(NOTE.encode()).decode()
HEADER = "MSH|^~\\&|LAB|HOSP|||20240101||MDM^T02|7|P|2.5.1"
WAYS = {
    "base64": (B64, lambda t: base64.b64decode(t).decode()),
    "urlsafe": (B64.rstrip("=") + "", lambda t: base64.b64decode(t + "==").decode()),
    "hex": (NOTE.encode().hex(), lambda t: bytes.fromhex(t).decode()),
    "hex capitals": (NOTE.encode().hex().upper(), lambda t: bytes.fromhex(t).decode()),
    "percent": (NOTE.replace(" ", "%20"), unquote),
    "quoted": (NOTE.replace(" ", "=20"), lambda t: quopri.decodestring(t).decode()),
}


def message(text: str) -> bytes:
    """A message whose one observation is this text."""
    return f"{HEADER}\rOBX|1|TX|A||{text}||||||F\r".encode()


def opened(codec, raw: bytes):
    """A decoded message with all bodies of its texts opened."""
    decoded = codec.decode(raw)
    return unfolded(decoded, [True] * len(decoded.segments))


def written(codec, decoded, edits) -> bytes:
    """The bytes of an opened message with edits made."""
    return codec.encode(*folded(decoded, edits))


def replaced(codec, raw: bytes, old: str, new: str) -> bytes:
    """The message after the first place that has ``old`` says ``new``."""
    decoded = opened(codec, raw)
    segment = next(s for s in decoded.segments if old in s.text)
    start = segment.text.index(old)
    return written(codec, decoded, [Edit(segment.path, start, start + len(old), new)])


@pytest.mark.parametrize("way", WAYS)
def test_edits_are_written_in_the_encoding_they_were_read_from(hl7v2, way):
    """An edit changes its words in the decoded text and nothing else of it."""
    body, decode = WAYS[way]
    done = replaced(hl7v2, message(body), "Ann Roe", "Evelyn Poe")
    sent = done.decode().split("|")[16]
    assert decode(sent) == NOTE.replace("Ann Roe", "Evelyn Poe")
    assert sent.isupper() == body.isupper()


def test_text_around_a_body_is_read_with_a_mark_in_its_place(hl7v2):
    """The text around keeps its path and shows one character for the body."""
    decoded = opened(hl7v2, message(f"See {B64} end"))
    texts = {s.path: s.text for s in decoded.segments}
    assert texts["OBX-5"] == f"See {PLACEHOLDER} end"
    assert texts["OBX-5!base64[1]!text"] == NOTE


def test_lines_alphabet_and_padding_stay(hl7v2):
    """Wrapped, url-safe, unpadded base64 is written wrapped, url-safe and unpadded."""
    data = base64.urlsafe_b64encode("¿¿¿ Ann Roe saw ÿÿÿ in ward 7".encode()).decode().rstrip("=")
    raw = message(data[:20] + "\\.br\\" + data[20:40] + "\\.br\\" + data[40:])
    lines = replaced(hl7v2, raw, "Ann Roe", "Eve Poe").decode().split("|")[16].split("\\.br\\")
    assert [len(line) for line in lines] == [20, 20, len(data) - 40]
    assert "+" not in "".join(lines)
    assert "/" not in "".join(lines)
    assert "=" not in "".join(lines)


def test_a_body_over_rows_stays_in_its_rows(hl7v2):
    """Base64 over several OBX is edited as one text and written into the same rows."""
    rows = [B64[:40], B64[40:]]
    raw = "\r".join([HEADER, *(f"OBX|{i}|TX|A||{row}||||||F" for i, row in enumerate(rows, 1)), ""])
    done = replaced(hl7v2, raw.encode(), "Ann Roe", "Eve Poe").decode()
    sent = [line.split("|")[5] for line in done.split("\r") if line.startswith("OBX")]
    assert [len(row) for row in sent] == [len(row) for row in rows]
    assert base64.b64decode("".join(sent)).decode() == NOTE.replace("Ann Roe", "Eve Poe")


def test_what_is_around_a_body_is_edited_alone(hl7v2):
    """An edit of the text around leaves the body as it was sent."""
    done = replaced(hl7v2, message(f"Ann Roe sent {B64}"), "Ann Roe", "Eve Poe")
    assert done == message(f"Eve Poe sent {B64}")


def test_an_edit_over_a_body_takes_it_away(hl7v2):
    """Where an edit of the text around covers a body, edits inside it are moot."""
    decoded = opened(hl7v2, message(f"by {B64}"))
    edits = [Edit("OBX-5", 0, 4, "gone"), Edit("OBX-5!base64[1]!text", 12, 15, "Eve")]
    assert written(hl7v2, decoded, edits) == message("gone")


def test_a_closed_body_is_one_segment_of_unreadable_data(hl7v2):
    """Removing it leaves a neutral word in its place, or empties the field it filled."""
    for text, left in (('See {"a": "b"} end', f"See {REMOVED} end"), ('{"a": "b"}', "")):
        decoded = opened(hl7v2, message(text))
        closed = next(s for s in decoded.segments if s.datatype == "document.text:json")
        done = written(hl7v2, decoded, [Edit(closed.path, 0, len(closed.text), None)])
        assert done == message(left)


def test_removing_the_text_removes_its_bodies(hl7v2):
    """Dropping the carrying place leaves nothing of it."""
    decoded = opened(hl7v2, message(f"See {B64} end"))
    length = len(next(s for s in decoded.segments if s.path == "OBX-5").text)
    assert written(hl7v2, decoded, [Edit("OBX-5", 0, length, None)]) == message("")


def test_bodies_too_deep_are_closed():
    """Behind the depth limit a body is not opened any more."""
    text = NOTE
    for _ in range(DEEPEST + 1):
        text = base64.b64encode(text.encode()).decode()
    found, depth = nest(text), 0
    while found is not None and found.inners[0].document is not None:
        found, depth = found.inners[0].nests.get("text"), depth + 1
    assert depth == DEEPEST
    assert found is not None
    assert found.inners[0].document is None


def test_a_text_of_very_many_bodies_is_closed_as_a_whole():
    """More bodies than anybody sends are one that is not opened."""
    found = nest(f"{B64}, " * (MOST + 1))
    assert found is not None
    assert [(i.body.kind, i.document) for i in found.inners] == [("bodies", None)]


def test_words_with_escapes_are_read_in_their_place(hl7v2):
    """Percent-encoded and numbered characters are read inside the sentence they stand in."""
    decoded = opened(hl7v2, message("Dr. O\\T\\#39;Brien saw %41nn%20Roe"))
    assert next(s.text for s in decoded.segments if s.path == "OBX-5") == (
        "Dr. O'Brien saw Ann Roe"
    )


CHAINS = st.lists(st.sampled_from(sorted(ENCODINGS)), min_size=1, max_size=3)


@settings(max_examples=80)
@given(st.sampled_from(sorted(PLACES)), CHAINS)
def test_unedited_messages_are_byte_for_byte_the_same(hl7v2, fhir, place, names):
    """Opening bodies and closing them again without an edit changes no byte."""
    text = NOTE
    for name in names:
        text = ENCODINGS[name](text)
    raw = PLACES[place](text)
    codec = fhir if raw.startswith(b"{") else hl7v2
    try:
        decoded = opened(codec, raw)
    except DecodeError:
        return  # what looks like segments inside a field is held
    assert written(codec, decoded, []) == raw
    assert len({s.path for s in decoded.segments}) == len(decoded.segments)


@settings(max_examples=60)
@given(CHAINS, st.integers(0, 50), st.integers(0, 8), st.text('abcXYZ <&%=\\"é', max_size=12))
def test_an_edit_is_read_again_as_it_was_written(fhir, names, start, length, new):
    """Decoding a released message shows the edited text where the original stood."""
    text = NOTE
    for name in names:
        text = ENCODINGS[name](text)
    raw = json.dumps({"resourceType": "Observation", "valueString": f"x {text}"}).encode()
    decoded = opened(fhir, raw)
    place = next((s for s in decoded.segments if s.text == NOTE), None)
    if place is None:
        return
    done = written(fhir, decoded, [Edit(place.path, start, min(start + length, len(NOTE)), new)])
    wanted = NOTE[:start] + new + NOTE[min(start + length, len(NOTE)) :]
    squeezed = "".join(wanted.split())
    assert any(squeezed in "".join(s.text.split()) for s in opened(fhir, done).segments)
