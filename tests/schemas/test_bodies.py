"""Values of a schema made anew: neutral where something must be, exact in what is kept."""

from __future__ import annotations

import io
import json

import fastavro
import pytest

from adapter.codecs.envelopes.json import JsonBody
from adapter.codecs.envelopes.pointers import parsed, wanting
from adapter.errors import EnvelopeError
from adapter.schemas.avro import AvroBody
from adapter.schemas.json import JsonSchemaBody

NESTED = {
    "type": "record",
    "name": "Outer",
    "fields": [
        {"name": "m", "type": ["null", "string"]},
        {"name": "inner", "type": {"type": "record", "name": "Inner", "fields": [
            {"name": "day", "type": {"type": "int", "logicalType": "date"}},
            {"name": "price", "type": {"type": "bytes", "logicalType": "decimal", "precision": 4}},
            {"name": "flag", "type": "boolean"},
            {"name": "rate", "type": "double"},
            {"name": "next", "type": ["null", {"type": "record", "name": "Deep", "fields": [
                {"name": "flag", "type": "boolean"},
                {"name": "last", "type": ["null", "string"]},
            ]}]},
        ]}},
        {"name": "either", "type": ["Inner", "string"]},
        {"name": "colour", "type": {"type": "enum", "name": "C", "symbols": ["RED", "BLUE"]}},
        {"name": "list", "type": {"type": "array", "items": ["null", "string"]}},
    ],
}  # fmt: skip
INNER = {"day": 19000, "price": b"\x01\x02", "flag": True, "rate": 1.5, "next": None}
VALUE = {
    "m": "old", "inner": INNER | {"next": {"flag": False, "last": "x"}}, "either": INNER,
    "colour": "BLUE", "list": ["a", "b", "c"],
}  # fmt: skip
NOTHING = {"day": 0, "price": b"", "flag": False, "rate": 0.0, "next": None}


def encoded(schema, tree):
    """A value's bytes."""
    stream = io.BytesIO()
    fastavro.schemaless_writer(stream, fastavro.parse_schema(schema), tree)
    return stream.getvalue()


def places(new):
    """New values by pointer."""
    return wanting({parsed(place): value for place, value in new.items()})


def test_everything_but_what_is_wanted_is_neutral():
    """Numbers are zero, texts empty, unions null, nested records neutral all through."""
    body = AvroBody.of(NESTED)
    tree = body.read(encoded(NESTED, VALUE))
    again = body.read(
        body.write(tree, places({"/m": "new", "/inner/next/flag": True, "/list/1": "B"}))
    )
    assert {
        "m": "new",
        "inner": NOTHING | {"next": {"flag": True, "last": None}},
        "either": NOTHING,
        "colour": "RED",
        "list": [None, "B"],
    } == again


def record(name, *types):
    """A record of fields without meaning."""
    fields = [{"name": f"f{n}", "type": each} for n, each in enumerate(types)]
    return {"type": "record", "name": name, "fields": fields}


@pytest.mark.parametrize(
    "schema",
    [
        record("A", ["null", "A"]),
        record("A", {"type": "array", "items": "A"}),
        record("A", {"type": "map", "values": record("B", "string", ["null", "A"])}),
        record("A", record("B", "string"), {"type": "array", "items": record("C", "null")}),
    ],
)
def test_a_type_in_itself_is_refused(schema):
    """Its values may be so deep that reading one ends the process; lists of nothing are endless."""
    with pytest.raises(EnvelopeError, match="unknown-schema"):
        AvroBody.of(schema)


@pytest.mark.parametrize("leaf", ["int", "null"])
def test_a_schema_that_doubles_at_every_step_is_refused_at_once(leaf):
    """A few lines, and values of more parts than there are bytes in the world."""
    schema = record("R60", leaf)
    for number in reversed(range(60)):
        schema = record(f"R{number}", schema, f"R{number + 1}")
    with pytest.raises(EnvelopeError, match="unknown-schema"):
        AvroBody.of(schema)


def test_a_type_that_many_fields_have_is_looked_at_once(monkeypatch):
    """Time grows with the schema, not with its values."""
    seen, real = [], AvroBody.whole
    monkeypatch.setattr(AvroBody, "whole", lambda *a: seen.append(1) or real(*a))
    schema = record("R10", "int")
    for number in reversed(range(10)):
        schema = record(f"R{number}", schema, f"R{number + 1}")
    AvroBody.of(schema)
    assert len(seen) < 100


def test_logical_types_are_what_they_are_written_as():
    """A date is a number of days, a decimal bytes: nothing is lost on the way."""
    assert 19000 == AvroBody.of(NESTED).read(encoded(NESTED, VALUE))["inner"]["day"]


@pytest.mark.parametrize(
    "change", [lambda raw: raw[:-1], lambda raw: raw + b"\0", lambda _: b"\x7f"]
)
def test_bytes_that_are_not_one_value_are_refused(change):
    """Cut, longer, or of something else."""
    with pytest.raises(EnvelopeError, match="not-of-schema"):
        AvroBody.of(NESTED).read(change(encoded(NESTED, VALUE)))


def test_a_value_that_the_schema_does_not_allow_is_not_written():
    """A text where only a symbol or a number can stand."""
    body = AvroBody.of(NESTED)
    tree = body.read(encoded(NESTED, VALUE))
    for place in ("/colour", "/inner/day"):
        with pytest.raises(EnvelopeError, match="unwritable"):
            body.write(tree, places({place: "GREEN"}))


JSON_SCHEMA = {
    "type": "object",
    "required": ["m", "who", "when", "size", "row", "code", "more", "ref", "any"],
    "properties": {
        "m": {"type": "string"},
        "who": {"type": "string"},
        "when": {"oneOf": [{"type": "string"}, {"type": "null"}]},
        "size": {"type": "integer"},
        "row": {"type": "object", "required": ["id"], "properties": {"id": {"const": "k"}}},
        "code": {"enum": ["a", "b"]},
        "more": {"type": "array"},
        "ref": {"$ref": "#/$defs/flag"},
        "part": {"anyOf": [{"type": "null"}, {"type": "object", "required": ["x"]}]},
    },
    "$defs": {"flag": {"type": ["boolean", "string"]}},
}


def test_required_members_are_neutral():
    """What must be there is there, by its type; what need not be is not."""
    body = JsonSchemaBody(JsonBody(), JSON_SCHEMA)
    tree = body.read(b'{"m": "old", "who": "Zaphod", "part": {"y": 1, "x": "Zaphod"}, "z": 1}')
    assert {
        "m": "new", "who": "", "when": None, "size": 0, "row": {"id": "k"}, "code": "a",
        "more": [], "ref": False, "any": None, "part": {"y": True, "x": None},
    } == json.loads(body.write(tree, places({"/m": "new", "/part/y": True})))  # fmt: skip


@pytest.mark.parametrize("reference", ["#/$defs/none", "https://example.org/x", "#"])
def test_a_reference_that_leads_nowhere_is_not_guessed_at(reference):
    """A schema that cannot be followed gives no document."""
    body = JsonSchemaBody(JsonBody(), {"required": ["a"], "properties": {"a": {"$ref": reference}}})
    with pytest.raises(EnvelopeError, match="unwritable"):
        body.write({"m": 1}, places({"/m": "x"}))
