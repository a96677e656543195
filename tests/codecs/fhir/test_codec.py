"""The FHIR codec: what it reads, that it changes nothing unasked, and what edits do."""

from __future__ import annotations

import base64
import json
import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adapter.errors import DecodeError, EncodeError
from adapter.types import Edit

DIV = '<div xmlns="http://www.w3.org/1999/xhtml">{}</div>'
BIRTH_TIME = "http://hl7.org/fhir/StructureDefinition/patient-birthTime"


def read(fhir, resource):
    """The message of a resource given as a tree or as bytes."""
    return fhir.decode(resource if isinstance(resource, bytes) else json.dumps(resource).encode())


def places(message):
    """(path, element, datatype, text) of every segment."""
    return [(s.path, s.element, s.datatype, s.text) for s in message.segments]


def rewrite(fhir, resource, path, text, *extent):
    """The bytes after one edit."""
    message = read(fhir, resource)
    segment = next(s for s in message.segments if s.path == path)
    return fhir.encode(message, [Edit(path, *(extent or (0, len(segment.text))), text)])


def samples(shared_data):
    """The shared FHIR sample files, sorted."""
    return sorted((shared_data / "messages" / "fhir").rglob("*.json"))


def test_paths_elements_and_datatypes(fhir):
    """A segment says where it stands, which element it is and of which type."""
    patient = {
        "resourceType": "Patient",
        "id": "p1",
        "name": [{"given": ["Ann", "Lee"], "family": "Wu"}],
        "birthDate": "1980-02-03",
        "active": True,
        "multipleBirthInteger": 2,
    }
    assert [
        ("/id", "Patient.id", "id", "p1"),
        ("/name/0/given/0", "Patient.name.given", "HumanName.given", "Ann"),
        ("/name/0/given/1", "Patient.name.given", "HumanName.given", "Lee"),
        ("/name/0/family", "Patient.name.family", "HumanName.family", "Wu"),
        ("/birthDate", "Patient.birthDate", "date", "1980-02-03"),
        ("/multipleBirthInteger", "Patient.multipleBirthInteger", "integer", "2"),
    ] == places(read(fhir, patient))


def test_extensions_carry_their_url_even_when_it_comes_last(fhir):
    """An extension's element names its URL, in siblings of primitives and nested too."""
    patient = {
        "resourceType": "Patient",
        "_birthDate": {"extension": [{"valueDateTime": "1980", "url": BIRTH_TIME}]},
        "extension": [{"extension": [{"valueString": "Hmong", "url": "text"}], "url": "u:race"}],
    }
    elements = [s.element for s in read(fhir, patient).segments]
    assert f"Patient._birthDate.extension{{{BIRTH_TIME}}}.valueDateTime" == elements[0]
    assert "Patient.extension{u:race}.extension{text}.valueString" == elements[2]


def test_elements_restart_at_inner_resources(fhir):
    """Entries and contained resources have elements of their own type, wherever the type stands."""
    bundle = {
        "resourceType": "Bundle",
        "type": "collection",
        "entry": [
            {
                "fullUrl": "urn:uuid:1",
                "resource": {
                    "subject": {"reference": "Patient/1"},
                    "contained": [{"resourceType": "Organization", "name": "Clinic"}],
                    "resourceType": "Encounter",
                },
            }
        ],
    }
    assert [
        ("Bundle.type", "code"),
        ("Bundle.entry.fullUrl", "uri"),
        ("Encounter.subject.reference", "Reference.reference"),
        ("Organization.name", "string"),
    ] == [(s.element, s.datatype) for s in read(fhir, bundle).segments]


def test_unknown_elements_are_leaves_without_type(fhir):
    """What no table knows is shown with the type "?", its key as its element, booleans too."""
    patient = {
        "resourceType": "Patient",
        "Ann Wu": True,
        "custom": {"a": [1, {}], "b/c": "x"},
        "name": "Ann",
        "birthDate": {"day": "3"},
    }
    assert [
        ("/Ann Wu", "Patient.Ann Wu", "?", "true"),
        ("/custom/a/0", "Patient.custom.a", "?", "1"),
        ("/custom/a/1", "Patient.custom.a", "?", "[]"),
        ("/custom/b~1c", "Patient.custom.b/c", "?", "x"),
        ("/name", "Patient.name", "?", "Ann"),
        ("/birthDate/day", "Patient.birthDate.day", "?", "3"),
    ] == places(read(fhir, patient))


def test_the_version_that_knows_the_elements_is_taken(fhir):
    """R4 reads what it knows; else the version with the fewest unknown elements."""
    assert "R4" == read(fhir, {"resourceType": "Patient", "id": "1"}).body.version
    assert "STU3" == read(fhir, {"resourceType": "DeviceComponent", "id": "1"}).body.version
    encounter = {"resourceType": "Encounter", "actualPeriod": {"start": "2020"}, "status": "x"}
    assert "R5" == read(fhir, encounter).body.version


@pytest.mark.parametrize(
    "raw",
    [
        b'{"resourceType":"Patient","birthDate":"1980","birthDate":"1981"}',
        b'{"resourceType":"Patient","birthDate":"1980","birthDate":"1980"}',
        b'{"resourceType":"Patient","birthDate":"1980","\\u0062irthDate":"1981"}',
        b'{"resourceType":"Patient","active":true,"active":false}',
        b'{"resourceType":"Patient","text":{},"text":{}}',
        b'{"resourceType":"Patient","name":[{"family":"A","given":["B"],"family":null}]}',
        b'{"resourceType":"Patient","unheard":{"of":{"a":1,"a":2}}}',
        b'{"resourceType":"Patient","":1,"":2}',
        b'{"resourceType":"Patient","contained":[{"resourceType":"Basic","id":"1","id":"2"}]}',
        b'{"resourceType":"Patient","extension":[{"url":"a","url":"b","valueCode":"c"}]}',
    ],
)
def test_a_key_twice_in_one_object_is_refused(fhir, raw):
    """Readers take the first or the last value, so neither is believed."""
    with pytest.raises(DecodeError, match="decode/duplicate-key"):
        fhir.decode(raw)


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        (b" \n", "empty"),
        (b'{"resourceType":"Patient"', "not-json"),
        (b'{"resourceType":"Patient","x":NaN}', "not-json"),
        (b'{"id":"1"}', "not-fhir"),
        (b'{"resourceType":"Nonesuch"}', "not-fhir"),
        (b"[]", "not-fhir"),
        (b'{"resourceType":"Patient","id":"\xff"}', "charset-invalid"),
        (b'{"resourceType":"Patient","id":"\\ud800"}', "charset-invalid"),
        ('{"resourceType":"Patient"}'.encode("utf-16"), "charset-invalid"),
        (b'{"resourceType":"Patient"}\n{"resourceType":"Patient"}', "several-messages"),
        (b'{"resourceType":"Patient","resourceType":"Person"}', "duplicate-key"),
        (b'{"resourceType":"Patient","a":' + b"[" * 300 + b"1" + b"]" * 300 + b"}", "too-deep"),
        (b'{"resourceType":' * 50_000, "too-deep"),
    ],
)
def test_what_is_no_resource_is_refused(fhir, raw, code):
    """Bytes that are not exactly one FHIR resource raise DecodeError with a code."""
    with pytest.raises(DecodeError) as caught:
        fhir.decode(raw)
    assert code == caught.value.code


@pytest.mark.corpus
def test_every_sample_comes_back_byte_for_byte(fhir, shared_data):
    """All shared FHIR files decode, have unique paths, and encode to the same bytes."""
    changed = []
    for file in samples(shared_data):
        for frame in fhir.split(file.read_bytes()):
            try:
                message = fhir.decode(frame.value)
            except DecodeError:
                continue
            paths = [s.path for s in message.segments]
            if fhir.encode(message, ()) != frame.value or len(set(paths)) != len(paths):
                changed.append(file.name)
    assert [] == changed


def test_an_edit_changes_only_its_text(fhir):
    """White space, order, number literals, escapes and a byte order mark stay."""
    raw = (
        b'\xef\xbb\xbf{ "resourceType" : "Observation",\r\n\t"valueQuantity":{"value":1.50e+1},'
        b'"note":[{"text":"Seen by J\\u00f6rg\\/Ann"}] }\n'
    )
    expected = raw.replace(b"J\\u00f6rg", b'\xf0\x9f\x98\x80\\"\\n<')
    assert expected == rewrite(fhir, raw, "/note/0/text", '\U0001f600"\n<', 8, 12)


def test_numbers_stay_numbers(fhir):
    """A number is replaced by a number; text for a decimal cannot be written."""
    raw = b'{"resourceType":"Observation","valueQuantity":{"value":1.50},"id":7}'
    assert raw.replace(b"1.50", b"2") == rewrite(fhir, raw, "/valueQuantity/value", "2")
    assert raw.replace(b"7", b'"x7"') == rewrite(fhir, raw, "/id", "x7")
    with pytest.raises(EncodeError, match="unencodable"):
        rewrite(fhir, raw, "/valueQuantity/value", "90+")


def test_edits_that_name_nothing_are_refused(fhir):
    """An unknown path, offsets outside the text and overlaps raise EncodeError."""
    message = read(fhir, {"resourceType": "Patient", "id": "abc"})
    for edits, code in (
        ([Edit("/nothing", 0, 1, "x")], "unknown-path"),
        ([Edit("/id", 0, 4, "x")], "unknown-path"),
        ([Edit("/id", 0, 2, "x"), Edit("/id", 1, 3, "y")], "overlapping-edits"),
        ([Edit("/id", 0, 2, "\ud800")], "unencodable"),
    ):
        with pytest.raises(EncodeError) as caught:
            fhir.encode(message, edits)
        assert code == caught.value.code


def test_narrative_is_read_as_a_reader_sees_it(fhir):
    """Blocks are lines, cells are tabbed, entities decoded; attributes are leaves."""
    html = "<p>J&#246;rg &amp; <b>Ann</b></p><table><tr><td>DOB</td><td>1980</td></tr></table>"
    patient = {
        "resourceType": "Patient",
        "text": {"div": DIV.format(html + '<img alt="Ann &lt;3"/><!--by Bo-->')},
    }
    assert [
        ("/text/div", "Patient.text.div", "xhtml", "Jörg & Ann\nDOB\t1980"),
        ("/text/div!@alt[0]", "Patient.text.div@alt", "xhtml", "Ann <3"),
        ("/text/div!#comment[0]", "Patient.text.div#comment", "xhtml", "by Bo"),
    ] == places(read(fhir, patient))


def test_narrative_edits_keep_the_mark_up(fhir):
    """New text is escaped for XML and JSON; what an edit covers goes, tags between stay."""
    div = DIV.format('<p title="Ann">J&#246;rg <b>Wu</b> seen</p>')
    raw = json.dumps({"resourceType": "Patient", "text": {"div": div}}).encode()
    message = fhir.decode(raw)
    edits = [Edit("/text/div", 1, 7, '<"&'), Edit("/text/div!@title[0]", 0, 3, 'a"<')]
    shown = json.loads(fhir.encode(message, edits))["text"]["div"]
    assert DIV.format('<p title="a&quot;&lt;">J&lt;"&amp;<b></b> seen</p>') == shown


def test_documents_are_opened_wherever_their_type_stands(fhir):
    """Base64 text is shown decoded under its own path, written back encoded."""
    note = base64.b64encode(b"Seen: Ann Wu\r\n").decode()
    reference = {
        "resourceType": "DocumentReference",
        "content": [{"attachment": {"data": note, "contentType": "text/plain; charset=utf-8"}}],
    }
    path = "/content/0/attachment/data!text"
    assert (path, "text", "document.text", "Seen: Ann Wu\n") == places(read(fhir, reference))[0]
    out = json.loads(rewrite(fhir, reference, path, "Bo", 6, 12))
    assert b"Seen: Bo\r\n" == base64.b64decode(out["content"][0]["attachment"]["data"])


@pytest.mark.parametrize(
    ("data", "declared", "datatype"),
    [
        (b"%PDF-1.4 x", "application/pdf", "Attachment.data:application/pdf"),
        (b"%PDF-1.4 x", "text/plain", "Attachment.data:application/pdf"),
        (b"%PDF-1.4 x", None, "Attachment.data:application/pdf"),
        (b"<a>&no;</a>", "text/xml", "Attachment.data:text/plain"),
        (b"\x00\x01\x02", None, "Attachment.data:?"),
    ],
)
def test_documents_that_cannot_be_read_say_their_type(fhir, data, declared, datatype):
    """What is no text, or is malformed, is one leaf with the media type in its datatype."""
    attachment = {"data": base64.b64encode(data).decode(), "contentType": declared or ""}
    resource = {"resourceType": "Media", "content": attachment}
    assert datatype == places(read(fhir, resource))[-1 if declared is None else 0][2]


def test_a_binary_of_text_is_opened(fhir):
    """Binary.data follows its contentType like an attachment."""
    resource = {"resourceType": "Binary", "contentType": "text/plain", "data": "QW5u"}
    assert ("/data!text", "text", "document.text", "Ann") == places(read(fhir, resource))[1]


text_without_nul = st.text(
    st.characters(exclude_categories=("Cs", "Cc"), include_characters='\n\t"\\'), min_size=1
)


@given(old=text_without_nul, new=text_without_nul, ascii_only=st.booleans(), data=st.data())
@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_splice_law(fhir, old, new, ascii_only, data):
    """Replacing any stretch of a string shows exactly that, and nothing else changes."""
    start = data.draw(st.integers(0, len(old)))
    end = data.draw(st.integers(start, len(old)))
    resource = {"resourceType": "Basic", "id": "a\\b", "language": old, "implicitRules": "z"}
    raw = json.dumps(resource, ensure_ascii=ascii_only).encode()
    out = rewrite(fhir, raw, "/language", new, start, end)
    assert {**resource, "language": old[:start] + new + old[end:]} == json.loads(out)


def _edits(message, step):
    """One edit of a word in every ``step``-th text, with characters every notation escapes."""
    edits, expected = [], {s.path: s.text for s in message.segments}
    for segment in message.segments[::step]:
        numeric = re.fullmatch(r"-?[\d.eE+-]+", segment.text)
        word = re.search(r"[^\W\d_]{3,}", segment.text)
        nameless = "!@?" in segment.path or ":" in segment.datatype
        if word and not numeric and not nameless:
            new = 'Ö<&"\U0001f600\\'
            edits.append(Edit(segment.path, word.start(), word.end(), new))
            expected[segment.path] = segment.text[: word.start()] + new + segment.text[word.end() :]
    return edits, expected


@pytest.mark.corpus
@pytest.mark.parametrize("step", [1, pytest.param(3, marks=pytest.mark.slow)])
def test_splice_law_on_samples(fhir, shared_data, step):
    """On real files, edited texts read as edited and all others as before."""
    different = []
    for file in samples(shared_data)[step::4]:
        message = fhir.decode(file.read_bytes())
        edits, expected = _edits(message, step)
        steered = ("contentType", "url", "resourceType")  # these say how others are read
        edits = [e for e in edits if not e.path.endswith(steered)]
        expected |= {s.path: s.text for s in message.segments if s.path.endswith(steered)}
        again = fhir.decode(fhir.encode(message, edits))
        if expected != {s.path: s.text for s in again.segments}:
            different.append(file.name)
    assert [] == different


@pytest.mark.parametrize(
    ("other", "doubted", "spread"),
    [
        (
            {"contained": [{"resourceType": "Nonesuch", "identifier": [{"value": "12345"}]}]},
            True,
            True,
        ),
        ({"contained": [{"identifier": [{"value": "12345"}]}]}, True, True),
        ({"identifiers": [{"value": "12345"}]}, True, True),
        ({"active": "12345"}, True, True),
        ({"name": "12345"}, True, True),
        ({"identifiers": [{"value": "1-2345"}]}, True, False),
        ({"MR": True}, True, False),
        ({"mark": {"12345": None}}, True, True),
        ({"identifiers": [{"value": "67890"}]}, False, False),
        ({"active": "yes"}, False, False),
        (
            {"contained": [{"resourceType": "Patient", "identifier": [{"value": "12345"}]}]},
            False,
            False,
        ),
        ({"identifier": [{"value": "12345"}]}, False, False),
    ],
)
def test_a_narrative_is_no_better_known_than_its_resource(fhir, other, doubted, spread):
    """A narrative that repeats a value which no table knows is of unknown type; others stay.

    A number of the value counts in narratives of other resources too.
    """
    text = {"status": "generated", "div": "<div><p>MR 12345</p><!-- 12345 --></div>"}
    broken = {"resourceType": "Patient", "text": text, **other}
    sound = {"resourceType": "Patient", "text": text}
    entries = [{"resource": broken}, {"resource": sound}]
    bundle = {"resourceType": "Bundle", "type": "collection", "entry": entries}
    types = {
        segment.path: segment.datatype
        for segment in fhir.decode(json.dumps(bundle).encode()).segments
        if "/text/div" in segment.path
    }
    found = {path.partition("/text")[0]: set() for path in types}
    for path, datatype in types.items():
        found[path.partition("/text")[0]].add(datatype)
    first = {"?"} if doubted else {"xhtml"}
    second = {"?"} if spread else {"xhtml"}
    assert found == {"/entry/0/resource": first, "/entry/1/resource": second}
    assert len(types) == 4


@pytest.mark.parametrize("value", ["", {"a": ""}, [""], {}, [], None, 0, [{"a": [[]]}]])
def test_an_unknown_key_has_a_place_whatever_its_value(fhir, value):
    """So that policy can drop it: a key may name somebody."""
    resource = {"resourceType": "Patient", "JohnSmith": value}
    assert ["?"] == [segment.datatype for segment in read(fhir, resource).segments]


def test_a_narrative_is_not_believed_beside_very_many_unknown_words(fhir):
    """Looking for each in every text would take time without end."""
    text = {"status": "generated", "div": "<div>calm</div>"}
    words = " ".join(f"qwz{number}x" for number in range(1_000))
    for unknown, datatype in ((words, "?"), ("qwz", "xhtml")):
        message = read(fhir, {"resourceType": "Patient", "zz": unknown, "text": text})
        assert datatype == next(s.datatype for s in message.segments if s.text == "calm")
