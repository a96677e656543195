"""The security label of released resources: where it goes, and that nothing else changes."""

from __future__ import annotations

import importlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapter.codecs.fhir.security import SYSTEM
from adapter.types import Edit, SecurityLabel

LABEL = SecurityLabel("PSEUDED", "meta.security")
CODING = {"system": SYSTEM, "code": "PSEUDED"}
WRITTEN = json.dumps(CODING, separators=(",", ":"))
OTHER = {"system": "http://terminology.hl7.org/CodeSystem/v3-Confidentiality", "code": "R"}
PATIENT = {"resourceType": "Patient", "id": "p", "active": True}


def labelled(fhir, text, gone=()):
    """The text with the label, and without the leaves at the paths that are to go."""
    message = fhir.decode(text.encode())
    edits = [Edit(s.path, 0, len(s.text), None) for s in message.segments if s.path in gone]
    return fhir.encode(message, edits, LABEL).decode()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            '{"resourceType":"Patient","id":"p","active":true}',
            '{"resourceType":"Patient","id":"p","meta":{"security":[%s]},"active":true}',
        ),
        (
            '{"active":true,"resourceType":"Patient"}',
            '{"active":true,"resourceType":"Patient","meta":{"security":[%s]}}',
        ),
        (
            '{"resourceType":"Patient","meta":null}',
            '{"resourceType":"Patient","meta":{"security":[%s]}}',
        ),
        (
            '{"resourceType":"Patient","meta":{ }}',
            '{"resourceType":"Patient","meta":{"security":[%s]}}',
        ),
        (
            '{"resourceType":"Patient","meta":{"versionId":"1"}}',
            '{"resourceType":"Patient","meta":{"security":[%s],"versionId":"1"}}',
        ),
        (
            '{"resourceType":"Patient","meta":{"security":[]}}',
            '{"resourceType":"Patient","meta":{"security":[%s]}}',
        ),
        (
            '{"resourceType":"Patient","meta":{"security":[{"code":"R"}]}}',
            '{"resourceType":"Patient","meta":{"security":[%s,{"code":"R"}]}}',
        ),
    ],
)
def test_one_line(fhir, before, after):
    """On one line only the coding and what must be around it is written."""
    assert labelled(fhir, before) == after % WRITTEN


def test_blanks_behind_commas_and_colons_are_copied(fhir):
    """The spacing of the members around is that of the new ones."""
    before = '{"resourceType" : "Patient", "active" : true}'
    after = (
        '{"resourceType" : "Patient", "meta" : {"security" : [{"system" : "%s", '
        '"code" : "PSEUDED"}]}, "active" : true}'
    )
    assert labelled(fhir, before) == after % SYSTEM


@pytest.mark.parametrize("indent", [1, 2, 4, "\t"])
@pytest.mark.parametrize("meta", [None, {"versionId": "1"}, {"security": [OTHER]}])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_indentation_is_copied(fhir, indent, meta, end):
    """A pretty-printed Bundle comes out as if it had been printed with the labels."""
    patient = PATIENT | ({"meta": meta} if meta else {})
    bundle = {"resourceType": "Bundle", "type": "collection", "entry": [{"resource": patient}]}
    first = {"security": [CODING, *(meta or {}).get("security", [])]}
    patient_after = {"resourceType": "Patient", "id": "p"}
    patient_after |= {"meta": first | {k: v for k, v in (meta or {}).items() if k != "security"}}
    patient_after |= {"active": True}
    if meta:
        patient_after["active"] = patient_after.pop("active")
        patient_after["meta"] = patient_after.pop("meta")
    wanted = {
        "resourceType": "Bundle",
        "meta": {"security": [CODING]},
        "type": "collection",
        "entry": [{"resource": patient_after}],
    }
    before, after = (
        json.dumps(tree, indent=indent).replace("\n", end) for tree in (bundle, wanted)
    )
    assert after == labelled(fhir, before)


def test_a_label_that_stands_is_not_written_again(fhir):
    """Labelling twice is labelling once, and other labels stay."""
    text = json.dumps(PATIENT | {"meta": {"security": [OTHER, CODING | {"display": "x"}]}})
    assert text == labelled(fhir, text)
    once = labelled(fhir, json.dumps(PATIENT))
    assert once == labelled(fhir, once)


@pytest.mark.parametrize(
    ("meta", "gone"),
    [
        ({"source": "u:1"}, ["/meta/source"]),
        ({"security": [CODING]}, ["/meta/security/0/system", "/meta/security/0/code"]),
        ({"security": [CODING]}, ["/meta/security/0/system"]),
        (
            {"source": "u:1", "security": [OTHER]},
            ["/meta/source", "/meta/security/0/system", "/meta/security/0/code"],
        ),
        ({"source": "u:1", "versionId": "1"}, ["/meta/source", "/id", "/active"]),
        ({"versionId": "1", "source": "u:1"}, ["/meta/source", "/id"]),
        (
            {"security": [OTHER, {"code": "N"}]},
            ["/meta/security/0/system", "/meta/security/0/code"],
        ),
    ],
)
@pytest.mark.parametrize("indent", [None, 2])
def test_what_is_removed_does_not_take_the_label_along(fhir, meta, gone, indent):
    """Where a meta, its security or the label itself is removed, the label is written anew."""
    text = labelled(fhir, json.dumps(PATIENT | {"meta": meta}, indent=indent), gone)
    without = json.loads(labelled(fhir, json.dumps(PATIENT | {"meta": meta}), gone))
    assert without == json.loads(text)
    codings = without["meta"]["security"]
    assert codings.count(CODING) == 1
    assert all(path.rpartition("/")[2] not in without["meta"] for path in gone)


def test_entries_get_it_and_contained_resources_do_not(fhir):
    """Every resource of a Bundle says it, a Bundle inside a Bundle too; contained ones never."""
    inner = {"resourceType": "Bundle", "type": "collection", "entry": [{"resource": PATIENT}]}
    holder = PATIENT | {"contained": [PATIENT | {"id": "c"}]}
    entries = [{"resource": holder}, {"resource": inner}, {"fullUrl": "urn:x"}]
    text = json.dumps({"resourceType": "Bundle", "type": "collection", "entry": entries})
    tree = json.loads(labelled(fhir, text))
    outer = [entry.get("resource") for entry in tree["entry"]]
    expected = {"security": [CODING]}
    assert [expected] * 4 == [
        node["meta"] for node in (tree, *outer[:2], outer[1]["entry"][0]["resource"])
    ]
    assert "meta" not in outer[0]["contained"][0]


@pytest.mark.parametrize(
    "meta", ['"x"', "7", '["x"]', '{"security":"x"}', '{"security":{"code":"R"}}']
)
def test_what_is_no_meta_of_fhir_is_left_alone(fhir, meta):
    """Where meta or security is of another JSON type there is no place for a label."""
    text = f'{{"resourceType":"Patient","meta":{meta}}}'
    assert text == labelled(fhir, text)


WHITE = st.sampled_from(["", " ", "\n", "\n  ", "\r\n\t", "\n\n    "])
LEAVES = st.sampled_from(["/id", "/meta/source", "/meta/versionId", "/active", "/gender"])


@given(
    data=st.data(),
    order=st.permutations(["resourceType", "id", "meta", "active", "gender"]),
    gone=st.sets(LEAVES, max_size=4),
)
def test_any_layout_gives_one_label_and_the_rest_as_without(fhir, data, order, gone):
    """Over any order of keys, white space and removals: the label once, all else untouched."""
    inner = data.draw(
        st.permutations(['"source":"u:1"', '"versionId":"2"', '"security":[{"code":"R"}]'])
    )
    values = {
        "resourceType": '"Patient"',
        "id": '"p"',
        "meta": f"{{{f',{data.draw(WHITE)}'.join(inner)}}}",
        "active": "true",
        "gender": '"male"',
    }
    members = (f'{data.draw(WHITE)}"{key}"{data.draw(WHITE)}:{values[key]}' for key in order)
    text = f"{{{','.join(members)}{data.draw(WHITE)}}}"
    message = fhir.decode(text.encode())
    edits = [Edit(s.path, 0, len(s.text), None) for s in message.segments if s.path in gone]
    plain, marked = (fhir.encode(message, edits, label).decode() for label in (None, LABEL))
    expected = json.loads(plain)
    expected["meta"]["security"] = [CODING, *expected["meta"]["security"]]
    assert expected == json.loads(marked)
    rest = iter(marked)
    assert all(character in rest for character in plain)


@pytest.mark.parametrize("version", ["R4B.", "", "STU3."])
def test_valid_stays_valid(fhir, version):
    """A labelled Patient is one that fhir.resources accepts."""
    module = importlib.import_module(f"fhir.resources.{version}patient")
    for meta in ({}, {"meta": {"security": [OTHER]}}, {"meta": {"versionId": "1"}}):
        module.Patient.model_validate(json.loads(labelled(fhir, json.dumps(PATIENT | meta))))
