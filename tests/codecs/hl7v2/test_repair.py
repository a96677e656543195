"""A site's own segment separator is read as a line end where that is certain, and written again."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from functools import cache

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adapter.codecs.hl7v2.codec import Hl7v2Codec
from adapter.codecs.hl7v2.repair import Repair, is_separator
from adapter.config.settings import load_settings
from adapter.errors import DecodeError, EncodeError, RuleError
from adapter.pipeline.process import process
from adapter.rules.compile import load_ruleset
from adapter.rules.formats import codecs_of
from adapter.types import Edit, Hold, Position, Record
from tests.codecs.hl7v2.test_laws import indexed
from tests.corpus.runs import KEY

HEADER = "MSH|^~\\&|LAB|HOSP|||20240101||ORU^R01|7|P|2.5.1"
PATIENT = "PID|1||4711001^^^HOSP^MR||Quarrie^Thaddeus||19610503|M"
OWN = "ZPI|1|local"
SEPARATORS = [
    "\\r", "\\n", "\\r\\n", "<CR>", "<br/>", "&#xD;", "&#13;", "%0D", "_x000D_", "\\X0D\\",
    "\x0b", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029",
]  # fmt: skip
LONGEST = 6_000


def settings_of(separator: str | None):
    """The settings of a feed that ends segments so."""
    chosen = {"profile": "research", "formats": ("hl7v2",), "segment_end": separator}
    return load_settings(None, keys=KEY, rules=chosen, transport="files")


@cache
def shipped():
    """The shipped rules under a fixed key."""
    return load_ruleset(settings_of(None))


@cache
def rules(separator: str | None):
    """The shipped rules for a feed that ends segments so."""
    return replace(shipped(), codecs=codecs_of(settings_of(separator)))


@pytest.fixture(scope="module")
def codec(hl7v2_tables):
    """A codec for a feed with another separator."""
    return cache(lambda separator: Hl7v2Codec(hl7v2_tables, segment_end=separator))


@pytest.fixture(scope="module")
def pool(shared_data):
    """Sample messages that carriage returns alone part into segments of known names."""
    found = []
    for _, raw in indexed(shared_data / "messages" / "hl7v2"):
        lines = re.sub(rb"[\r\n]+", b"\r", raw.strip())
        if raw.startswith(b"MSH|") and len(raw) < LONGEST and lines.isascii():
            found.append(lines + b"\r")
    return found


@pytest.mark.parametrize("separator", SEPARATORS, ids=ascii)
def test_a_separator_throughout_is_read_and_written_again(codec, separator):
    """Segments are those of the message with carriage returns; the bytes are as they came."""
    right = f"{HEADER}\r{PATIENT}\r{OWN}\r"
    sent = right.replace("\r", separator).encode()
    message, meant = codec(separator).decode(sent), codec(None).decode(right.encode())
    assert message.segments == meant.segments
    assert codec(separator).encode(message, ()) == sent
    path = next(segment.path for segment in message.segments if segment.text == "Quarrie")
    edit = Edit(path, 0, 7, "Morrow")
    edited = codec(separator).encode(message, [edit])
    assert edited == codec(None).encode(meant, [edit]).decode().replace("\r", separator).encode()


@pytest.mark.parametrize("separator", ["\x85", "\u2028"], ids=ascii)
@pytest.mark.parametrize(("name", "charset"), [("UNICODE UTF-8", "utf-8"), ("8859/1", "latin-1")])
def test_the_charset_is_that_of_the_header(codec, separator, name, charset):
    """MSH-18 is read from the header alone, and signs beyond ASCII stay."""
    right = "\r".join([f"{HEADER}||||||{name}", PATIENT.replace("a", "\u00e4")]).encode(charset)
    try:
        mark = separator.encode(charset)
    except UnicodeError:
        mark = separator.encode()
    sent = right.replace(b"\r", mark)
    message = codec(separator).decode(sent)
    assert "Qu\u00e4rrie" in {segment.text for segment in message.segments}
    assert codec(separator).encode(message, ()) == sent


@pytest.mark.parametrize("separator", SEPARATORS, ids=ascii)
@pytest.mark.parametrize(
    "text",
    [
        f"{HEADER}<END>{PATIENT}<END>QQ1|1|Okonjo",
        f"{HEADER}<END>{PATIENT}<END>pid|1|Okonjo",
        f"{HEADER}<END>{PATIENT}<END>PID^1^Okonjo",
        f"{HEADER}<END>{PATIENT} <END>Okonjo",
        f"{HEADER}<END>{PATIENT}<END><END>{OWN}",
        f"{HEADER}<END>{PATIENT}<END>{OWN}\r{OWN}",
        f"{HEADER}<END>{PATIENT}<END>{OWN}\nNK1|1|Okonjo",
        f"{HEADER}<END>{PATIENT}PV1|1|I<END>{OWN}",
        f"{HEADER}|\u2190NOT A VERSION {PATIENT}<END>{OWN}",
        f"{HEADER}{PATIENT}<END>{OWN}",
    ],
)
def test_what_is_not_certain_is_refused(codec, separator, text):
    """Another name, a second kind of line end, a lost one, a header that is none: all is held."""
    with pytest.raises(DecodeError) as raised:
        codec(separator).decode(text.replace("<END>", separator).encode())
    assert raised.value.code in {"segments", "charset-unknown"}


@pytest.mark.parametrize("separator", SEPARATORS, ids=ascii)
def test_nothing_is_repaired_unasked(codec, separator):
    """Without the setting, or with another separator, the message is refused as ever."""
    sent = separator.join([HEADER, PATIENT, OWN]).encode()
    other = next(s for s in SEPARATORS[::-1] if s not in separator and separator not in s)
    for asked in (None, other):
        with pytest.raises(DecodeError):
            codec(asked).decode(sent)


def test_line_ends_are_read_as_ever(codec):
    """A message of the same feed with line ends is read by them; framing stays where it was."""
    right = f"\x0b{HEADER}\r{PATIENT}\r\x1c\r".encode()
    message = codec("<CR>").decode(right)
    assert codec("<CR>").encode(message, ()) == right
    sent = f"\x0b{HEADER}<CR>{PATIENT}<CR>\x1c\r".encode()
    read = codec("<CR>").decode(sent)
    assert [s.text for s in read.segments] == [s.text for s in message.segments]
    assert codec("<CR>").encode(read, ()) == sent


def test_a_replacement_that_would_end_a_segment_is_refused(codec):
    """What an edit writes is never a separator to the next reader."""
    sent = f"{HEADER}<CR>{PATIENT}<CR>".encode()
    message = codec("<CR>").decode(sent)
    path = next(segment.path for segment in message.segments if segment.text == "Quarrie")
    with pytest.raises(EncodeError, match="unencodable"):
        codec("<CR>").encode(message, [Edit(path, 0, 7, "<CR>ZPI")])
    assert Repair(b"<CR>", b"", b"").undone(b"MSH|\rPID|<CR>") is None


@pytest.mark.parametrize("text", ["", "\r", "\n", "\r\n", "|", "CR", " ", "~", "<" * 17, "|\\r"])
def test_what_ends_no_segment_stops_the_start(text):
    """Line ends need no repair; delimiters and words cannot be told from text."""
    assert not is_separator(text)
    with pytest.raises(RuleError, match=r"rules\.segment_end"):
        load_settings(None, rules={"segment_end": text})


def released(separator: str | None, raw: bytes) -> bytes | None:
    """What is released of a message; None where it is held."""
    outcome = process(Record(raw, Position("repair", 0, 0)), rules(separator))
    return None if isinstance(outcome, Hold) else outcome.value


def check_repair(pool, separator, indexes) -> Counter[bool]:
    """Assert that messages with a separator come out as with carriage returns; count them."""
    found: Counter[bool] = Counter()
    for index in indexes:
        right = pool[index % len(pool)]
        if separator.encode() in right:
            continue
        sent = released(separator, right.replace(b"\r", separator.encode()))
        found[sent is not None] += 1
        if sent is not None:
            assert sent.replace(separator.encode(), b"\r") == released(None, right)
    return found


@pytest.mark.corpus
@given(st.sampled_from(["\\r", "\u2028"]), st.integers(0, 9999))
@settings(max_examples=40, suppress_health_check=list(HealthCheck), deadline=None)
def test_a_repaired_message_comes_out_as_the_right_one_would(pool, separator, index):
    """The release with separators turned back is the release of the original, byte for byte."""
    check_repair(pool, separator, [index])


@pytest.mark.corpus
def test_most_messages_are_repaired(pool):
    """Real messages with another separator are released but for those with unknown lines."""
    found = check_repair(pool, "\\r", range(0, len(pool), 90))
    assert found[True] > 0.8 * found.total() > 20


@pytest.mark.slow
@pytest.mark.corpus
def test_every_message_comes_out_as_the_right_one_would(pool):
    """The same for every sample message and every separator in turn."""
    for number, separator in enumerate(SEPARATORS):
        check_repair(pool, separator, range(number, len(pool), len(SEPARATORS)))
