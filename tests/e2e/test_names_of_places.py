"""Names of keys, attributes and tags: one that no table knows never passes, whatever its value."""

from __future__ import annotations

import base64
import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapter.pipeline.process import process
from adapter.types import Position, Record, Release
from tests.corpus.runs import ruleset

NAME = "quillfeather"
"""No name that a rule or list knows, so that nothing but its place tells what it is."""
PATIENT = {"resourceType": "Patient", "id": "p1", "name": [{"family": "Lindgren"}]}
DIV = '<div xmlns="http://www.w3.org/1999/xhtml">{}</div>'
XML = (
    '<Patient xmlns="http://hl7.org/fhir"><id value="p1"/><text><status value="generated"/>{}'
    '</text>{}<name><family value="Lindgren"/></name></Patient>'
)
CDA = (
    '<ClinicalDocument xmlns="urn:hl7-org:v3"><recordTarget><patientRole>{}</patientRole>'
    "</recordTarget><component><structuredBody><component><section><text>{}</text></section>"
    "</component></structuredBody></component></ClinicalDocument>"
)
HL7 = (
    "MSH|^~\\&|LAB|N|E|N|20240311104500||ORU^R01^ORU_R01|7|P|2.5\rPID|1||4711^^^H^MR||Lindgren\r"
    "OBR|1|||88304^Pathology^C4\rOBX|1|ED|N^Note^L||^text^HTML^Base64^{}||||||F\r"
)

bare = st.sampled_from(["", None, 0, 1.5, True, {}, [], "x"])
keys = st.sampled_from(["a", NAME, "id", "value"])
values = st.recursive(
    bare, lambda inner: st.lists(inner, max_size=2) | st.dictionaries(keys, inner, max_size=2)
)
SPELT = ('{0}=""', "{0}=''", '{0} = ""', '{0}="1"', 'title="" {0}=""', 'data-{0}=""')
spelt = st.sampled_from(SPELT)


def released(value):
    """What leaves of a message, embedded documents opened; nothing where it is held."""
    raw = value.encode() if isinstance(value, str) else json.dumps(value).encode()
    found = process(Record(raw, Position("in", 0, 0)), ruleset())
    text = found.value.decode() if isinstance(found, Release) else ""
    inner = re.findall(r'Base64\^([^|^]*)|"data": ?"([^"]*)', text)
    opened = (base64.b64decode(one or other).decode() for one, other in inner)
    return "\n".join((text, *opened)).lower()


PLACES = [
    lambda key, value: PATIENT | {key: value},
    lambda key, value: PATIENT | {f"_{key}": value},
    lambda key, value: PATIENT | {"name": [{"family": "Lindgren", key: value}]},
    lambda key, value: PATIENT | {"birthDate": {key: value}},
    lambda key, value: PATIENT | {"contact": {key: value}},
    lambda key, value: PATIENT | {"contained": [{"resourceType": "Observation", key: value}]},
    lambda key, value: PATIENT | {"extension": [{"url": "http://x", key: value}]},
    lambda key, value: [PATIENT, PATIENT | {key: value}],
]


@pytest.mark.parametrize("place", range(len(PLACES)))
@settings(max_examples=15)
@given(value=values)
def test_no_unknown_key_of_json_passes(place, value):
    """Empty, null, a number, an object or list of any of them."""
    new = released(PLACES[place](NAME, value))
    assert NAME not in new
    assert "lindgren" not in new


@settings(max_examples=20)
@given(attribute=spelt, tag=st.sampled_from(["p", "b", "td", "br"]))
def test_no_unknown_attribute_of_markup_passes(attribute, tag):
    """In narratives of JSON and XML, and in attachments of FHIR and HL7 v2."""
    markup = f"<{tag} {attribute.format(NAME)}>ok</{tag}>"
    page = base64.b64encode(f"<html><body>{markup}</body></html>".encode()).decode()
    text = {"status": "generated", "div": DIV.format(markup)}
    found = [
        released(PATIENT | {"text": text}),
        released(XML.format(DIV.format(markup), "")),
        released({"resourceType": "Binary", "contentType": "text/html", "data": page}),
        released(HL7.format(page)),
    ]
    assert [] == [new for new in found if NAME in new]
    assert all(found)


@settings(max_examples=20)
@given(attribute=spelt)
def test_no_unknown_attribute_of_xml_passes(attribute):
    """In a CDA document, and in FHIR XML, where it is held."""
    mark = attribute.format(NAME)
    header, narrative = CDA.format(f"<id {mark}/>", "ok"), CDA.format("", f"<paragraph {mark}/>ok")
    assert [False, False] == [NAME in released(each) for each in (header, narrative)]
    assert "<clinicaldocument" in released(header)
    assert "<clinicaldocument" in released(narrative)
    assert "\n" not in released(XML.format("", f"<active value='true' {mark}/>"))
    assert NAME not in released(XML.format("", f"<active value='true' {mark}/>"))


@pytest.mark.parametrize("form", ["<{0}/>", "<{0}></{0}>", "<!-- {0} -->", "<?{0}?>"])
def test_no_unknown_tag_or_comment_of_a_narrative_passes(form):
    """Markup that no reader sees is no text of the author."""
    mark = form.format(NAME)
    text = {"status": "generated", "div": DIV.format(f"{mark}ok")}
    for new in (released(PATIENT | {"text": text}), released(CDA.format("", f"{mark}ok"))):
        assert NAME not in new
