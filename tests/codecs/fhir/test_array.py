"""An array of resources is one message, and an array again."""

from __future__ import annotations

import json

import pytest

from adapter.codecs.fhir.array import bundled, unbundled
from adapter.codecs.fhir.codec import FhirCodec
from adapter.errors import DecodeError, EncodeError
from adapter.rules.folder import Folder, shipped
from adapter.types import Edit, SecurityLabel

ARRAY = b"""[ {"resourceType": "Patient", "id": "1", "name": [{"family": "Lindgren"}]},
  {"resourceType":"Observation","status":"final","code":{"text":"x"},"valueQuantity":{"value":1.50}}
 ] """


@pytest.fixture(scope="module")
def codec():
    """The FHIR codec with the shipped tables."""
    return FhirCodec(Folder(shipped("rules")).schema["fhir"])


def test_an_array_is_written_back_byte_for_byte(codec):
    """White space, number literals and order stay."""
    message = codec.decode(ARRAY)
    assert "Bundle" == message.kind
    assert ARRAY == codec.encode(message, ())


def test_an_edit_changes_its_value_alone(codec):
    """What is replaced is replaced in its resource; what is removed leaves an array."""
    message = codec.decode(ARRAY)
    family = next(segment for segment in message.segments if segment.text == "Lindgren")
    assert "/entry/0/resource/name/0/family" == family.path
    new = codec.encode(message, [Edit(family.path, 0, 8, "Okafor")])
    assert ARRAY.replace(b"Lindgren", b"Okafor") == new
    gone = json.loads(codec.encode(message, [Edit(family.path, 0, 8, None)]))
    assert "name" not in gone[0]


def test_each_resource_is_labelled(codec):
    """The label is of the resources; the Bundle that carries it too is no part of the release."""
    label = SecurityLabel("PSEUDED", "meta.security")
    found = json.loads(codec.encode(codec.decode(ARRAY), (), label))
    codes = [resource["meta"]["security"][0]["code"] for resource in found]
    assert ["PSEUDED", "PSEUDED"] == codes


@pytest.mark.parametrize(
    "raw",
    [
        b"[]",
        b"[1]",
        b'["x"]',
        b"[[]]",
        b"[{}",
        b'[{"resourceType":"Patient"},]',
        b'[{"resourceType":"Patient"} {"resourceType":"Patient"}]',
        b'[{"resourceType":"Patient"}]]',
        b'[{"resourceType":"Patient"},{"resourceType":"Patient"}',
        b'[{"resourceType":"Patient"}] x',
    ],
)
def test_what_is_no_array_of_resources_is_refused(codec, raw):
    """Empty, of other things, broken or followed by anything."""
    with pytest.raises(DecodeError):
        codec.decode(raw)


def test_a_resource_with_a_key_twice_is_refused(codec):
    """As it is by itself."""
    with pytest.raises(DecodeError, match="duplicate-key"):
        codec.decode(b'[{"resourceType":"Patient","id":"1","id":"2"}]')


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"entry":1}',
        '{"resourceType":"Bundle","entry":[{"resource":{}},{"resource":{}}]}',
        '{"resourceType":"Bundle","entry":[{"fullUrl":"x"}]}',
    ],
)
def test_another_number_of_resources_is_not_written(text):
    """A Bundle that lost an entry stands for no array."""
    array = bundled('[{"resourceType":"Patient"}]')
    with pytest.raises(EncodeError, match="unreadable"):
        unbundled(array, text)
