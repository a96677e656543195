"""A CDA document as a record: opened as a document inside a message is, and written back."""

from __future__ import annotations

import pytest

from adapter.codecs.fhir.cda import document
from adapter.codecs.fhir.codec import FhirCodec
from adapter.codecs.hl7v2.framing import detect
from adapter.errors import DecodeError, EncodeError
from adapter.rules.folder import Folder, shipped
from adapter.types import Edit, SecurityLabel

CDA = """<?xml version="1.0" encoding="UTF-8"?>
<?xml-stylesheet type="text/xsl" href="CDA.xsl"?>
<!-- a comment -->
<ClinicalDocument xmlns="urn:hl7-org:v3">
  <recordTarget><patientRole><id extension="40088213" root="1.2.3"/>
    <patient><name><given>Zoë</given><family>Lindgren</family></name></patient>
  </patientRole></recordTarget>
</ClinicalDocument>"""


@pytest.fixture(scope="module")
def codec():
    """The FHIR codec with the shipped tables."""
    return FhirCodec(Folder(shipped("rules")).schema["fhir"])


def test_a_document_is_written_back_byte_for_byte(codec):
    """Without edits; a label has no place in it."""
    message = codec.decode(CDA.encode())
    assert CDA.encode() == codec.encode(message, ())
    label = SecurityLabel("PSEUDED", "meta.security")
    assert CDA.encode() == codec.encode(message, (), label)


def test_its_leaves_are_those_of_a_document_in_a_message(codec):
    """An element has its path in the document, and an edit changes it alone."""
    message = codec.decode(CDA.encode())
    family = next(s for s in message.segments if s.text == "Lindgren")
    assert family.element.startswith("cda:ClinicalDocument/recordTarget/patientRole/patient/name")
    new = codec.encode(message, [Edit(family.path, 0, 8, "O'Kafor & Co")]).decode()
    assert CDA.replace("Lindgren", "O'Kafor &amp; Co") == new.replace("&#x27;", "'")


def test_a_document_that_is_removed_is_not_released():
    """What cannot be opened is removed from a Binary, and then there is nothing to release."""
    with pytest.raises(EncodeError, match="unreadable"):
        document(CDA).restored('{"resourceType":"Binary","contentType":"application/xml"}')


def test_another_charset_is_refused(codec):
    """The bytes are read as UTF-8, so nothing else may be declared."""
    for other in ("ISO-8859-1", "UTF-16"):
        with pytest.raises(DecodeError, match="xml-encoding"):
            codec.decode(CDA.replace("UTF-8", other).encode())


def test_it_is_detected_by_its_namespace():
    """A record of it is one of FHIR's codec; other XML is nobody's."""
    assert "fhir" == detect(CDA.encode())
    assert None is document("<Zaphod xmlns='urn:hl7-org:v3'/>")


def test_attributes_of_no_value_have_a_place_each(codec):
    """A name may name somebody: two in one element are two edits, and a namespace is nobody's."""
    empty = '<id root="" extension="" xmlns=""/>'
    message = codec.decode(CDA.replace("<patient>", f"{empty}<patient>").encode())
    named = [s for s in message.segments if "/@?" in s.path]
    assert ["root", "extension"] == [s.text for s in named]
    gone = codec.encode(message, [Edit(s.path, 0, len(s.text), None) for s in named]).decode()
    assert '<id xmlns=""' in gone


def test_its_repr_shows_no_text():
    """Nor what the document is in a Binary."""
    shown = repr(document("<ClinicalDocument>Lindgren</ClinicalDocument>"))
    assert "PENsa" not in shown
    assert "Lindgren" not in shown
