"""Archives of messages without columns: how messages are split, and where coordinates come from."""

from __future__ import annotations

import base64
import json

import pytest

from adapter.config.replay import ReplaySource
from adapter.replay.archive.formats import Number
from adapter.replay.archive.layouts import Reader
from adapter.replay.archive.names import NAMES, Named, Part
from adapter.replay.archive.values import decoded, dumped
from adapter.replay.passes import Watch
from tests.replay import worlds
from tests.replay.worlds import manifest, message, records, released, run, settings, value_of, write

BATCH = b"FHS|^~\\&|A\rBHS|^~\\&|A\r" + message(1) + message(2) + b"BTS|2\rFTS|1\r"


def values(tmp_path, raw, name="a.hl7", **source):
    """Return what a replay of one object of messages releases, in the source's order."""
    write(tmp_path / "archive", name, raw)
    source = {"layout": "plain", **source}
    run(settings(tmp_path, source, {"order": "source"}))
    return [value_of(line) for line in released(tmp_path)]


def outcome(*numbers):
    """Return the released messages with these numbers."""
    return [worlds.renamed(message(number)) for number in numbers]


def test_a_batch_file_gives_its_messages(tmp_path):
    """Segments around a batch are framing, and line feeds within a message do not end it."""
    assert outcome(1, 2) == values(tmp_path, BATCH, format="hl7-batch")


def test_mllp_blocks_are_framing(tmp_path):
    """A file of MLLP blocks is read as its messages."""
    raw = b"".join(b"\x0b" + message(number) + b"\x1c\r" for number in (3, 4))
    assert outcome(3, 4) == values(tmp_path, raw, format="hl7-batch")


def test_bytes_are_split_where_the_next_header_begins(tmp_path):
    """Split hl7v2 needs no separator that a message might contain."""
    raw = message(1) + b"\n" + message(2) + b"\n"
    shown = values(tmp_path, raw, format="bytes", split="hl7v2")
    assert [b"|1|P", b"|2|P"] == [value[value.index(b"|P") - 2 :][:4] for value in shown]


def test_bytes_are_split_by_their_lengths(tmp_path):
    """Split length4 reads each message unchanged."""
    raw = b"".join(len(m).to_bytes(4, "big") + m for m in (message(1), message(2)))
    assert outcome(1, 2) == values(tmp_path, raw, format="bytes", split="length4")


def test_bytes_are_split_by_lines_if_told(tmp_path):
    """Split lines reads messages without line feeds."""
    raw = b"MSH|^~\\&|A\rPID|1\nMSH|^~\\&|B\rPID|2\n"
    shown = values(tmp_path, raw, format="bytes", split="lines")
    assert [b"MSH|^~\\&|A\rPID|1", b"MSH|^~\\&|B\rPID|2"] == shown


def test_an_object_may_be_a_message(tmp_path):
    """Each object of Lenses' bytes is one message, with its coordinates in the name."""
    for number in (7, 8):
        write(tmp_path / "archive", f"hl7.in/0/{number:012d}_1_1.bytes", message(number))
    source = {"layout": "lenses", "format": "bytes", "split": "whole"}
    run(settings(tmp_path, source))
    (lane,) = manifest(tmp_path)["lanes"]
    assert ("hl7.in", 0, 7, 9) == tuple(lane[n] for n in ("topic", "partition", "first", "end"))


def test_values_alone_have_the_coordinates_of_their_names(tmp_path):
    """Offsets of Confluent's JSON values are counted from the offset in the object's name."""
    given = records(40, tombstones=False)
    source = worlds.confluent_json(tmp_path / "archive", given)
    run(settings(tmp_path, source))
    whole = manifest(tmp_path)
    assert [(0, 20), (0, 20)] == [(lane["first"], lane["end"]) for lane in whole["lanes"]]
    assert 36 == whole["totals"]["released"]
    lacks = " ".join(whole["source"]["lacks"])
    assert all(word in lacks for word in ("keys:", "headers:", "tombstones:", "timestamps:"))
    assert "offsets: object names give the first" in lacks


def test_a_line_of_json_is_the_message(tmp_path):
    """A message that a connector wrote as JSON is the unchanged line."""
    line = b'{ "resourceType": "Patient", "x": 1.10 }'
    write(tmp_path / "archive", "t+0+0000000000.json", line + b"\n")
    seen = []

    def settled(record, _):
        seen.append(record.value)

    run(settings(tmp_path, {"layout": "confluent"}), watch=Watch(settled=settled))
    assert [line] == seen


def test_parsed_json_keeps_numbers_and_order():
    """A value that an envelope holds as JSON is written with its own digits and member order."""
    raw = '{"b":[1.10,1e5,true,null,"é"],"a":{"x":-0}}'
    assert raw == dumped(json.loads(raw, parse_float=Number, parse_int=Number))


@pytest.mark.parametrize("raw", [b"MSH|^~\\&|A", b'{"resourceType":"Patient"}', b"\x0bMSH|^~\\&|"])
def test_base64_of_a_message_is_told_from_its_text(raw):
    """Encoding "auto" reads a message both as text and as base64."""
    assert raw == decoded(base64.b64encode(raw).decode(), "auto")
    assert raw == decoded(raw.decode(), "auto")


def test_what_is_no_message_stays_as_it_is():
    """Text that happens to be base64 of something else stays text, unless "base64" is set."""
    assert b"abcd" == decoded("abcd", "auto")
    assert b"i\xb7\x1d" == decoded("abcd", "base64")


def test_header_forms():
    """Headers are read from maps, key-value structs and pairs; bytes are unchanged."""
    reader = Reader(ReplaySource())
    expected = (("a", b"1"), ("b", b"x"))
    forms = ({"a": 1, "b": "x"}, [{"key": "a", "value": b"1"}, {"key": "b", "value": "x"}])
    for form in (*forms, [("a", b"1"), ("b", "x")]):
        assert expected == reader.headers(form, "p")


@pytest.mark.parametrize(
    ("layout", "path", "told"),
    [
        ("confluent", "topics/a.b/partition=2/a.b+2+0000000123.avro", ("a.b", 2, 123)),
        ("aiven", "pre/2024/a-b-2-123.gz", ("a-b", 2, 123)),
        ("aiven", "a-b-2-00000000000000000123", ("a-b", 2, 123)),
        ("lenses", "pre/a.b/2/000000000123_17_18.json", ("a.b", 2, 123)),
        ("lenses", "pre/a.b/2/123.parquet", ("a.b", 2, 123)),
        ("lenses", "pre/a.b(2_123).avro", ("a.b", 2, 123)),
        ("lenses", "pre/x.json", (None, None, None)),
        ("columns", "x/topic=a.b/partition=2/part-0.parquet", ("a.b", 2, None)),
        ("plain", "a.hl7", (None, None, None)),
    ],
)
def test_names(layout, path, told):
    """Each layout parses the names of its connector."""
    named = NAMES[layout](path)
    assert told == (named.topic, named.partition, named.offset)


def test_parts_of_confluent_objects():
    """Keys and headers share the stem of their object; objects of tombstones are separate."""
    named = [
        NAMES["confluent"](f"topics/t/{name}")
        for name in ("p/t+0+0.keys.avro", "p/t+0+0.headers.avro", "p/t+0+0.avro")
    ]
    assert [Part.KEYS, Part.HEADERS, Part.RECORDS] == [each.part for each in named]
    assert 1 == len({each.stem for each in named})
    assert Part.TOMBSTONES is NAMES["confluent"]("topics/t/tombstone/t+0+0.keys.avro").part


def test_a_name_of_no_layout():
    """A name that the connector would not have written gives no coordinates."""
    assert [None, None, Named()] == [
        NAMES[name]("readme") for name in ("confluent", "aiven", "lenses")
    ]
