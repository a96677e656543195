"""Removal: what goes along, what takes its place, and that valid resources stay valid."""

from __future__ import annotations

import importlib
import json
import random

import pytest

from adapter.codecs.fhir.placeholders import LITERALS, MASKED
from adapter.types import Edit

PACKAGES = {
    "R4": "fhir.resources.R4B",
    "R4B": "fhir.resources.R4B",
    "R5": "fhir.resources",
    "STU3": "fhir.resources.STU3",
}


def without(fhir, resource, *paths):
    """The tree left after removing the named leaves; with no path, after removing all."""
    message = fhir.decode(json.dumps(resource).encode())
    gone = [s for s in message.segments if not paths or s.path in paths]
    return json.loads(fhir.encode(message, [Edit(s.path, 0, len(s.text), None) for s in gone]))


def patient(**members):
    """A patient with an identity of its own, so that something always stays."""
    return {"resourceType": "Patient", "active": True, **members}


NAME = {"family": "Wu", "given": ["Ann", "Lee"]}
BIRTH = {"extension": [{"url": "u:t", "valueDateTime": "1980"}]}


@pytest.mark.parametrize(
    ("before", "paths", "after"),
    [
        ({"id": "1", "gender": "x"}, ["/id"], {"gender": "x"}),
        ({"id": "1", "gender": "x"}, ["/gender"], {"id": "1"}),
        ({"name": [NAME]}, ["/name/0/family"], {"name": [{"given": ["Ann", "Lee"]}]}),
        (
            {"name": [NAME]},
            ["/name/0/given/0"],
            {"name": [{"family": "Wu", "given": ["Lee"]}]},
        ),
        (
            {"name": [NAME]},
            ["/name/0/given/0", "/name/0/given/1", "/name/0/family"],
            {},
        ),
        ({"name": [{"id": "n", "text": "A"}]}, ["/name/0/text"], {}),
        ({"_birthDate": BIRTH}, ["/_birthDate/extension/0/valueDateTime"], {}),
        ({"_birthDate": BIRTH}, ["/_birthDate/extension/0/url"], {}),
        (
            {"birthDate": "1980", "_birthDate": BIRTH},
            ["/birthDate"],
            {"_birthDate": BIRTH},
        ),
        ({"other": {"x": True}, "id": "1"}, ["/other/x"], {"id": "1"}),
    ],
)
def test_what_is_left_is_not_empty(fhir, before, paths, after):
    """No empty object, array or extension is left behind, nor an element with only an id."""
    assert patient(**after) == without(fhir, patient(**before), *paths)


@pytest.mark.parametrize(
    ("paths", "given", "siblings"),
    [
        (["given/0"], ["B", "C"], [BIRTH]),
        (["given/1"], ["A", None, "C"], [None, BIRTH]),
        (["_given/1/extension/0/valueDateTime"], ["A", "B", "C"], None),
        (["given/2"], ["A", "B"], [None, BIRTH]),
        (["given/0", "given/1"], [None, "C"], [BIRTH]),
        (["given/0", "given/1", "given/2"], None, [None, BIRTH]),
    ],
)
def test_arrays_keep_step_with_their_siblings(fhir, paths, given, siblings):
    """A primitive's extension stays beside its own primitive."""
    before = patient(name=[{"given": ["A", "B", "C"], "_given": [None, BIRTH], "use": "x"}])
    expected = {"use": "x"}
    expected |= {"given": given} if given else {}
    expected |= {"_given": siblings} if siblings else {}
    assert patient(name=[expected]) == without(fhir, before, *(f"/name/0/{p}" for p in paths))


def test_required_elements_are_masked(fhir):
    """A required primitive gives way to its masked sibling, a complex one to a masked object."""
    masked = json.loads(MASKED)
    request = {
        "resourceType": "MedicationRequest",
        "status": "active",
        "intent": "order",
        "medicationCodeableConcept": {"text": "x"},
        "subject": {"display": "Ann"},
        "note": [{"text": "a", "authorString": "b"}],
    }
    left = without(fhir, request)
    assert {
        "resourceType": "MedicationRequest",
        "_status": masked,
        "_intent": masked,
        "medicationCodeableConcept": masked,
        "subject": masked,
    } == left
    note = without(fhir, request, "/note/0/text")["note"]
    assert [{"_text": masked, "authorString": "b"}] == note


def test_a_narrative_without_text_stays_a_narrative(fhir):
    """A removed div is replaced while its status stays; both gone, the narrative goes."""
    div = '<div xmlns="http://www.w3.org/1999/xhtml">Ann</div>'
    before = patient(text={"status": "generated", "div": div})
    left = without(fhir, before, "/text/div")
    assert {"status": "generated", "div": json.loads(LITERALS["xhtml"])} == left["text"]
    assert patient() == without(fhir, before, "/text/div", "/text/status")


def test_an_emptied_document_leaves_its_attachment(fhir):
    """Removing a document's text removes the data; a required attachment says it is masked."""
    attachment = {"contentType": "text/plain", "data": "QW5u"}
    media = {"resourceType": "Media", "status": "completed", "content": attachment}
    left = without(fhir, media, "/content/data!text")
    assert {"contentType": "text/plain"} == left["content"]
    left = without(fhir, media, "/content/data!text", "/content/contentType")
    assert {"_data": json.loads(MASKED)} == left["content"]


def test_edits_inside_what_is_removed_are_void(fhir):
    """A surrogate inside an extension whose URL is removed vanishes with it."""
    resource = patient(extension=[{"url": "u:x", "valueString": "Ann"}])
    message = fhir.decode(json.dumps(resource).encode())
    edits = [
        Edit("/extension/0/url", 0, 3, None),
        Edit("/extension/0/valueString", 0, 3, "Bea"),
    ]
    assert patient() == json.loads(fhir.encode(message, edits))


def test_an_edit_to_nothing_is_a_removal(fhir):
    """FHIR has no empty strings: a text edited away is removed."""
    message = fhir.decode(json.dumps(patient(gender="x")).encode())
    assert patient() == json.loads(fhir.encode(message, [Edit("/gender", 0, 1, "")]))


def flaws(node, key=""):
    """How many places of a tree are empty, or arrays out of step."""
    if isinstance(node, dict):
        bare = key in {"extension", "modifierExtension"} and node.keys() <= {"url", "id"}
        return (not node or bare) + sum(flaws(v, k) for k, v in node.items())
    if isinstance(node, list):
        return (not any(i is not None for i in node)) + sum(flaws(i, key) for i in node)
    return node == ""


def valid(version, kind, tree):
    """Whether fhir.resources accepts a resource."""
    package = importlib.import_module(PACKAGES[version])
    try:
        package.get_fhir_model_class(kind).model_validate(tree)
    except Exception:  # noqa: BLE001 - any refusal counts
        return False
    return True


def _violations(fhir, files, shares, limit):
    """Files that were valid and are not after removing random leaves."""
    chance = random.Random(7)
    broken, tried = [], 0
    for file in files:
        raw = file.read_bytes()
        if len(raw) > limit:
            continue
        message = fhir.decode(raw)
        tree = json.loads(raw.decode("utf-8-sig"))
        if flaws(tree) or not valid(message.body.version, message.kind, tree):
            continue
        for share in shares:
            tried += 1
            edits = [
                Edit(s.path, 0, len(s.text), None)
                for s in message.segments
                if chance.random() < share
            ]
            left = json.loads(fhir.encode(message, edits).decode("utf-8-sig"))
            if flaws(left) or not valid(message.body.version, message.kind, left):
                broken.append((file.name, share))
    return broken, tried


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("every", "shares"),
    [(9, (0.4, 1.0)), pytest.param(1, (0.05, 0.3, 0.7, 0.95, 1.0), marks=pytest.mark.slow)],
)
def test_valid_samples_stay_valid(fhir, shared_data, every, shares):
    """Files that fhir.resources accepts are accepted after removing any random leaves."""
    pytest.importorskip("fhir.resources")
    files = sorted((shared_data / "messages" / "fhir").rglob("*.json"))[::every]
    broken, tried = _violations(fhir, files, shares, 60_000)
    assert [] == broken
    assert tried > 50
