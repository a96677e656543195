"""CDA in MIME framing: the document is read, and what stands around it is text or closed."""

from __future__ import annotations

import base64
import quopri

import pytest

from adapter.codecs.documents.framing import FramedDocument, open_framed
from adapter.types import Edit

CDA = b"""<?xml version="1.0"?><ClinicalDocument xmlns="urn:hl7-org:v3"><component><section>
<title>Plan</title><text>Seen: Ann</text></section></component></ClinicalDocument>"""
CODED = base64.encodebytes(CDA)
HEAD = b'MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary="%s"; type="text/xml"\r\n'
IMAGE = b"--%s\r\nContent-Type: image/JPEG\r\nContent-Location: Ann.jpeg\r\n\r\n/9j/4AAQ\r\n"
NAME = "HL7-CDA-boundary"


def framed(body, encoding="base64", *, top="", own="", name=NAME, more=b"", around=(b"", b"")):
    """A CDA in the framing of the standard, with other headers, parts and texts around it."""
    mark = name.encode()
    part = f"Content-Type: text/xml\r\n{own}" + f"Content-Transfer-Encoding: {encoding}\r\n" * (
        encoding != ""
    )
    head = [HEAD % mark, top.encode(), b"\r\n", around[0], b"--%s\r\n" % mark, part.encode()]
    tail = [more % mark if more else b"", b"--%s--\r\n" % mark, around[1]]
    return b"".join([*head, b"\r\n", body, b"\r\n", *tail])


def edited(document):
    """The bytes after "Ann" in the document became "Eve", and every other segment was removed."""
    seen = next(s for s in document.segments if s.text == "Seen: Ann")
    others = [s for s in document.segments if s.path == "framing" or s.path.startswith("part[")]
    removed = [Edit(s.path, 0, len(s.text), None) for s in others]
    return document.rewrite([Edit(seen.path, 6, 9, "Eve"), *removed])


@pytest.mark.parametrize(
    ("data", "decode"),
    [
        (framed(CODED), base64.decodebytes),
        (framed(CODED, "Base64"), base64.decodebytes),
        (framed(CODED, "", top="Content-Transfer-Encoding: BASE64\r\n"), base64.decodebytes),
        (framed(CODED, ""), base64.decodebytes),
        (framed(CDA, ""), bytes),
        (framed(CDA, "8bit"), bytes),
        (framed(quopri.encodestring(CDA), "quoted-printable"), quopri.decodestring),
        (framed(CODED).replace(b"\r\n", b"\n"), base64.decodebytes),
        (b"Content-Type: text/xml\nContent-Transfer-Encoding: base64\n\n" + CODED, None),
    ],
)
@pytest.mark.parametrize("media_type", ["application/xml", "multipart/related", "", "x/y"])
def test_the_document_is_read_in_every_encoding(data, decode, media_type):
    """Its texts are segments; without edits the bytes are the same, with an edit the encoding."""
    document = open_framed(data, media_type)
    assert isinstance(document, FramedDocument)
    assert "Seen: Ann" in {s.text for s in document.segments}
    assert data == document.rewrite([])
    if decode:
        body = edited(document).split(b"--" + NAME.encode())[1].replace(b"\r\n", b"\n")
        assert CDA.replace(b"Ann", b"Eve") == decode(body.partition(b"\n\n")[2].rstrip(b"\n"))


def test_base64_keeps_its_line_lengths():
    """Only the changed text differs from what was sent."""
    new = edited(open_framed(framed(CODED), ""))
    assert framed(base64.encodebytes(CDA.replace(b"Ann", b"Eve"))[:-1]) == new


def test_other_parts_are_closed():
    """An image, with its headers, is content that is not read; removed, nothing of it stays."""
    document = open_framed(framed(CODED, more=IMAGE), "application/xml")
    closed = [(s.path, s.datatype) for s in document.segments if ":" in s.datatype]
    assert [("part[2]", "document.text:image/jpeg")] == closed
    assert framed(CODED) == document.rewrite([Edit("part[2]", 0, 9, None)])
    assert b"Ann" not in edited(document)


@pytest.mark.parametrize(
    "data",
    [
        framed(CODED, own="Content-Location: Ann.xml\r\n"),
        framed(CODED, own="Content-ID: <Ann>\r\n"),
        framed(CODED, top="Subject: Ann\r\n"),
        framed(CODED, top="X-Ann: 1\r\n"),
        framed(CODED, own="Content-ID: <Ann>\r\nContent-ID: <7>\r\n"),
        framed(CODED).replace(b'; type="text/xml"', b'; type="text/xml"; ann=1 (Ann)'),
        framed(CODED, name="Ann-42"),
        framed(CODED, around=(b"For Ann\r\n", b"")),
        framed(CODED, around=(b"", b"Bye Ann\r\n")),
    ],
)
def test_what_the_framing_says_is_text(data):
    """Free values are shown as one text; if it is edited, the framing has none of them."""
    document = open_framed(data, "application/xml")
    (framing,) = (s for s in document.segments if s.path == "framing")
    assert ("document.text", True) == (framing.datatype, "Ann" in framing.text)
    new = edited(document)
    assert b"Ann" not in new
    again = open_framed(new, "application/xml")
    assert "framing" not in {s.path for s in again.segments}
    assert "Seen: Eve" in {s.text for s in again.segments}


@pytest.mark.parametrize(
    "data",
    [
        framed(CODED).replace(b"--HL7-CDA-boundary--", b""),
        framed(CODED).replace(b'boundary="HL7-CDA-boundary"', b""),
        framed(base64.encodebytes(b"<a>Ann</a>")),
        framed(b"\xff\xd8\xff"),
        framed(CODED, more=b"--%s\r\nno headers\r\n"),
    ],
)
def test_irregular_framing_is_not_read(data):
    """Without a CDA between delimiters that end, nothing is opened under the label."""
    assert open_framed(data, "multipart/related") is None
