"""FHIR XML is read through its JSON, and written as XML again without any loss."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapter.codecs.fhir.codec import FhirCodec
from adapter.codecs.fhir.json import parse
from adapter.codecs.fhir.xml import _nodes, document, from_xml
from adapter.codecs.fhir.xml_tree import Node, read, written
from adapter.codecs.hl7v2.framing import detect
from adapter.errors import DecodeError, EncodeError
from adapter.rules.folder import Folder, shipped
from adapter.types import Edit, SecurityLabel

GOLDEN = Path(__file__).resolve().parents[2] / "golden" / "fhir"
PATIENT = """<?xml version="1.0" encoding="UTF-8"?>
<!-- Zaphod -->
<Patient xmlns="http://hl7.org/fhir" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
  xsi:schemaLocation="http://hl7.org/fhir Zaphod.xsd">
  <id value="p1"/>
  <meta><profile value="http://x"/><tag><code value="t"/></tag></meta>
  <text><status value="generated"/>
    <div xmlns="http://www.w3.org/1999/xhtml"><p>Mr Lindgren &amp; son<br/></p></div></text>
  <contained><Organization><id value="o"/></Organization></contained>
  <extension url="http://e"><valueDecimal value="1.50"/></extension>
  <active value="true"/>
  <name id="n1"><family value="Lindgren"><extension url="http://own">
    <valueString value="L"/></extension></family>
    <given value="J"/><given><extension url="u"><valueCode value="x"/></extension></given></name>
  <birthDate value="1970-01-01"/>
</Patient>
"""


@pytest.fixture(scope="module")
def codec():
    """The FHIR codec with the shipped tables."""
    return FhirCodec(Folder(shipped("rules")).schema["fhir"])


def test_places_are_those_of_json(codec):
    """Paths, types and texts are what the same resource has as JSON; extensions included."""
    found = {s.path: s.text for s in codec.decode(PATIENT.encode()).segments}
    assert {
        "/id": "p1", "/meta/profile/0": "http://x", "/meta/tag/0/code": "t",
        "/text/status": "generated", "/text/div": "Mr Lindgren & son",
        "/contained/0/id": "o", "/extension/0/url": "http://e",
        "/extension/0/valueDecimal": "1.50", "/name/0/id": "n1", "/name/0/family": "Lindgren",
        "/name/0/_family/extension/0/url": "http://own",
        "/name/0/_family/extension/0/valueString": "L", "/name/0/given/0": "J",
        "/name/0/_given/1/extension/0/url": "u",
        "/name/0/_given/1/extension/0/valueCode": "x", "/birthDate": "1970-01-01",
    } == found  # fmt: skip


def test_without_edits_it_is_the_same_resource_and_nothing_else(codec):
    """Comments and where a schema lies are nobody's to look at, so they are not written."""
    out = codec.encode(codec.decode(PATIENT.encode()), ()).decode()
    assert read(PATIENT) == read(out)
    assert "Zaphod" not in out
    assert out.encode() == codec.encode(codec.decode(out.encode()), ())


def test_an_edit_and_a_label_have_their_place(codec):
    """Values are escaped, the label stands before the tag, and comments are gone."""
    edit = Edit("/name/0/family", 0, 8, 'O"Kafor & <Co>')
    label = SecurityLabel("PSEUDED", "meta.security")
    out = codec.encode(codec.decode(PATIENT.encode()), [edit], label).decode()
    assert "Zaphod" not in out
    family = next(n for n in _walked(read(out)) if n.name == "family")
    assert 'O"Kafor & <Co>' == family.attributes["value"]
    meta = next(n for n in read(out).children if n.name == "meta")
    assert ["profile", "security", "tag"] == [child.name for child in meta.children]
    assert "/name/0/given/0" in {s.path for s in codec.decode(out.encode()).segments}


def test_a_resource_without_meta_gets_it_behind_its_id(codec):
    """The order of elements is that of the standard."""
    raw = b'<Patient xmlns="http://hl7.org/fhir"><id value="1"/><active value="true"/></Patient>'
    label = SecurityLabel("PSEUDED", "meta.security")
    out = read(codec.encode(codec.decode(raw), (), label).decode())
    assert ["id", "meta", "active"] == [child.name for child in out.children]


def _walked(node):
    yield node
    for child in node.children:
        yield from _walked(child)


@pytest.mark.parametrize("file", sorted(GOLDEN.glob("*/in.json")), ids=lambda f: f.parent.name)
def test_json_is_the_same_after_a_way_through_xml(codec, file):
    """Every golden resource that XML can say comes back as the same tree."""
    try:
        tree = parse(file.read_text("utf-8"))
        xml = document(_nodes(tree), declared=False)
        back = from_xml(xml, codec._tables)
    except (DecodeError, ValueError, TypeError):
        pytest.skip("a resource with unknown elements, or none")
    assert _sorted(tree) == _sorted(parse(back.json))


def _sorted(node):
    if type(node) is tuple:
        return sorted((key, _sorted(value)) for key, value in node)
    return [_sorted(item) for item in node] if type(node) is list else node


def test_most_golden_resources_go_through_xml(codec):
    """The law above is about many resources."""
    ways = 0
    for file in GOLDEN.glob("*/in.json"):
        try:
            root = _nodes(parse(file.read_text("utf-8")))
            from_xml(document(root, declared=True), codec._tables)
            ways += 1
        except (DecodeError, ValueError, TypeError):
            continue
    assert ways >= 5


def patient(inner, attributes='xmlns="http://hl7.org/fhir"', before=""):
    """A patient."""
    return f"{before}<Patient {attributes}>{inner}</Patient>"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (patient("", before="<!DOCTYPE Patient [<!ENTITY x 'y'>]>"), "not-xml"),
        (patient("&x;"), "not-xml"),
        (patient("<id value='1'>"), "not-xml"),
        (patient("", before="<?xml-stylesheet href='x'?>"), "not-xml"),
        (patient("", before='<?xml version="1.0" encoding="latin-1"?>'), "xml-encoding"),
        (patient("", before='<?xml version="1.0" encoding="UTF-16"?>'), "xml-encoding"),
        (patient("Zaphod"), "not-convertible"),
        (patient("<zaphod value='x'/>"), "not-convertible"),
        (patient("", 'xmlns="http://hl7.org/fhir" id="x"'), "not-convertible"),
        (patient("<id value='1' zaphod='x'/>"), "not-convertible"),
        (patient("<id value='1'/><id value='2'/>"), "not-convertible"),
        (patient("<name/><active value='true'/><name/>"), "not-convertible"),
        (patient("<active value='yes'/>"), "not-convertible"),
        (patient("<multipleBirthInteger value='01'/>"), "not-convertible"),
        (patient("<contained/>"), "not-convertible"),
        (patient("<name url='x'/>"), "not-convertible"),
        (patient("<x:id xmlns:x='urn:x' value='1'/>"), "not-convertible"),
        (patient("<text><div>x</div></text>"), "not-convertible"),
        (
            patient("<text><h:div>x</h:div></text>", 'xmlns="http://hl7.org/fhir"'
                    ' xmlns:h="http://www.w3.org/1999/xhtml"'),
            "not-convertible",
        ),
        (patient("<extension url='x'>" * 250 + "</extension>" * 250), "too-deep"),
        ('<Zaphod xmlns="http://hl7.org/fhir"/>', "not-convertible"),
    ],
)  # fmt: skip
def test_what_json_cannot_say_is_refused(codec, text, code):
    """Each by its code; nothing is dropped silently but comments."""
    with pytest.raises(DecodeError, match=code):
        codec.decode(text.encode())


def test_json_that_xml_cannot_say_is_not_written(codec):
    """A control character has no place in XML 1.0."""
    message = codec.decode(PATIENT.encode())
    with pytest.raises(EncodeError, match="unreadable"):
        codec.encode(message, [Edit("/name/0/family", 0, 8, "a\x0bb")])


def test_xml_is_detected_by_its_namespace():
    """Other XML is nobody's."""
    assert "fhir" == detect(PATIENT.encode())
    assert None is detect(b"<ClinicalDocument xmlns='urn:zaphod'/>")


def test_a_file_of_xml_is_one_message(codec):
    """However its lines are broken."""
    assert [PATIENT.strip().encode()] == [frame.value for frame in codec.split(PATIENT.encode())]


_TEXT = st.text(st.characters(exclude_categories=["Cs", "Cc", "Cn"]) | st.sampled_from("\n\t\r"))


@given(value=_TEXT)
def test_any_value_survives(value):
    """What is written is what is read."""
    node = Node("id", {"value": value}, ())
    assert read(written(node, top=True)) == node
