"""What every envelope must do, whatever its kind: the rules of ``codecs/envelopes/protocol.py``."""

from __future__ import annotations

import base64
import gzip
import io
import json
import struct
from contextlib import suppress

import fastavro
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapter.codecs.envelopes import ENVELOPES, Gzip, Spec
from adapter.codecs.envelopes.pointers import parsed
from adapter.errors import EnvelopeError
from adapter.schemas.avro import AvroBody

MESSAGE = "MSH|^~\\&|||||20240102||ADT^A01|1|P|2.5\rPID|1||4711\r"
CANARY = "Zaphod"
NEW = b"MSH|^~\\&|||||20240203||ADT^A01|1|P|2.5\rPID|1||9922\r"

ROW = {
    "type": "record",
    "name": "Row",
    "namespace": "db",
    "fields": [
        {"name": "id", "type": {"type": "long", "logicalType": "timestamp-millis"}},
        {"name": "message", "type": ["null", "string"]},
        {"name": "who", "type": "string"},
        {"name": "raw", "type": ["null", "bytes"], "default": None},
        {"name": "kind", "type": {"type": "enum", "name": "Kind", "symbols": ["A", "B"]}},
        {"name": "hash", "type": {"type": "fixed", "name": "Hash", "size": 4}},
        {"name": "tags", "type": {"type": "map", "values": "string"}},
        {"name": "notes", "type": {"type": "array", "items": "string"}},
    ],
}
SCHEMA = {
    "type": "record",
    "name": "Envelope",
    "namespace": "db",
    "fields": [
        {"name": "before", "type": ["null", ROW]},
        {"name": "after", "type": ["null", "db.Row"]},
        {"name": "op", "type": "string"},
    ],
}


class Registered:
    """A registry with one schema of number 7."""

    def body(self, number):
        """Its reader and writer."""
        if number != 7:
            raise EnvelopeError("unknown-schema")
        return AvroBody.of(SCHEMA)


def avro(tree, number=7):
    """A value in the wire format."""
    stream = io.BytesIO()
    fastavro.schemaless_writer(stream, fastavro.parse_schema(SCHEMA), tree)
    return struct.pack(">bI", 0, number) + stream.getvalue()


def row(message):
    """A row whose other columns are personal."""
    return {
        "id": 1704164645000, "message": message, "who": CANARY, "raw": CANARY.encode(),
        "kind": "B", "hash": b"Zaph", "tags": {CANARY: CANARY}, "notes": [CANARY],
    }  # fmt: skip


def places(*texts):
    """Pointers."""
    return tuple(parsed(text) for text in texts)


AFTER = Spec(places("/after/message"), places("/op"))
SAMPLES = {
    "none": (Spec(), MESSAGE.encode()),
    "json": (
        AFTER,
        json.dumps(
            {"who": CANARY, "after": {"message": MESSAGE, CANARY: 1}, "op": "c", "l": [CANARY]}
        ).encode(),
    ),
    "cloudevents": (
        Spec(keep=places("/subject")),
        json.dumps(
            {"specversion": "1.0", "id": "1", "source": CANARY, "type": "t", "time": CANARY}
            | {"data": MESSAGE, CANARY.lower(): CANARY, "subject": "s", "dataschema": CANARY}
        ).encode(),
    ),
    "confluent": (AFTER, avro({"before": row(MESSAGE), "after": row(MESSAGE), "op": "c"})),
}
"""Kind -> settings and a value; a kind is tested by being listed."""


@pytest.fixture(params=[*SAMPLES, *(f"gzip {name}" for name in SAMPLES)])
def case(request):
    """(envelope, value) of each kind, plain and compressed."""
    packed, _, name = request.param.rpartition(" ")
    spec, value = SAMPLES[name]
    envelope = ENVELOPES[name].make(spec, Registered())
    if packed:
        return Gzip(envelope, spec.max_bytes), gzip.compress(value)
    return envelope, value


def test_every_kind_has_a_sample():
    """No kind of the registry goes untested."""
    assert ENVELOPES.keys() == SAMPLES.keys()


def test_the_message_is_found(case):
    """Unwrapping gives the one message, byte for byte."""
    envelope, value = case
    assert (MESSAGE.encode(),) == envelope.unwrap(value).payloads


def test_what_is_wrapped_is_found_again(case):
    """A new message in the old envelope is what a reader of it finds; what stays, stays."""
    envelope, value = case
    unwrapped = envelope.unwrap(value)
    texts = [each.text for each in unwrapped.beside]
    again = envelope.unwrap(envelope.wrap(unwrapped, [NEW], texts))
    assert (NEW,) == again.payloads
    assert texts == [each.text for each in again.beside]


def test_nothing_else_of_an_envelope_is_copied(case):
    """Names, rows before a change, times, keys and values beside the message are gone."""
    envelope, value = case
    unwrapped = envelope.unwrap(value)
    out = envelope.wrap(unwrapped, [NEW], [None for _ in unwrapped.beside])
    out = gzip.decompress(out) if isinstance(envelope, Gzip) else out
    assert CANARY.encode() not in out
    assert CANARY.lower().encode() not in out
    assert b"4711" not in out
    assert struct.pack(">q", 1704164645000) not in out


def test_the_same_is_written_every_time(case):
    """Wrapping is a function of what is given."""
    envelope, value = case
    first, second = (
        envelope.wrap(unwrapped, [NEW], [None for _ in unwrapped.beside])
        for unwrapped in (envelope.unwrap(value), envelope.unwrap(value))
    )
    assert first == second


@given(raw=st.binary(max_size=60), cut=st.integers(0, 400), name=st.sampled_from([*SAMPLES]))
def test_what_is_broken_gives_no_other_error(raw, cut, name):
    """Bytes of any kind give a message, or an error of the envelope and nothing else."""
    spec, value = SAMPLES[name]
    envelope = ENVELOPES[name].make(spec, Registered())
    for broken in (raw, value[:cut] + raw + value[cut:], value[:cut]):
        for each in (envelope, Gzip(envelope, 1 << 16)):
            with suppress(EnvelopeError):
                assert all(isinstance(raw, bytes) for raw in each.unwrap(broken).payloads)


@given(text=st.text(st.characters(exclude_categories=["Cs"]), min_size=1))
def test_any_text_survives_json_and_base64(text):
    """Whatever a message says, a reader of the new envelope sees it, as text and as base64."""
    for spec, value in (
        (Spec(places("/m")), text),
        (Spec(places("/m"), base64=True), base64.b64encode(text.encode()).decode()),
    ):
        envelope = ENVELOPES["json"].make(spec, None)
        unwrapped = envelope.unwrap(json.dumps({"m": value, "x": [CANARY]}).encode())
        assert {"m": value} == json.loads(envelope.wrap(unwrapped, unwrapped.payloads, []))
