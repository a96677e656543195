"""Documents in ED fields: opened, edited inside, put back as they were sent."""

from __future__ import annotations

import base64

import pytest

from adapter.types import Edit

HEADER = "MSH|^~\\&|LAB|HOSP|||20240101||MDM^T02|7|P|2.5.1"
NOTE = b"Seen today: Ann Roe,\nwell & happy."
HTML = b"<html><body><p>Seen: Ann Roe</p></body></html>"


def message(value: str, datatype: str = "ED") -> bytes:
    """A message whose one observation has this value."""
    return f"{HEADER}\rOBX|1|{datatype}|A||{value}||||||F\r".encode()


def b64(data: bytes) -> str:
    """Base64 as text."""
    return base64.b64encode(data).decode()


def value_of(raw: bytes) -> str:
    """OBX-5 as sent."""
    return raw.decode().split("\r")[1].split("|")[5]


def inside(decoded) -> dict[str, tuple[str, str]]:
    """Path -> (datatype, text) of the document's segments."""
    return {s.path: (s.datatype, s.text) for s in decoded.segments if "!" in s.path}


@pytest.mark.parametrize(
    "value",
    [
        f"^TX^plain^Base64^{b64(NOTE)}",
        f"^TEXT^^Base64^{b64(NOTE)}",
        f"^^text/plain^Base64^{b64(NOTE)}",
        f"^TX^^Hex^{NOTE.hex()}",
        "^TX^^A^" + NOTE.decode().replace("\n", "\\.br\\").replace("&", "\\T\\"),
        f"^TX^plain^{b64(NOTE)}",
        f"^application^octet-stream^Base64^{b64(NOTE)}",
        f"^text^tab-separated-values^Base64^{b64(NOTE)}",
        f"^AP^csv^Base64^{b64(NOTE)}",
        f"^TX^plain^Base64^{b64(NOTE)[:20]}\\.br\\{b64(NOTE)[20:40]}\\.br\\{b64(NOTE)[40:]}\\.br\\",
        f"^TX^plain^base64^{b64(NOTE).rstrip('=')}",
    ],
)
def test_text_is_read_and_replaced_in_every_encoding(hl7v2, value):
    """Base64 (also in ED.4), hex and plain data are opened, and edited in the same encoding."""
    raw = message(value)
    decoded = hl7v2.decode(raw)
    assert [("document.text", NOTE.decode())] == list(inside(decoded).values())
    assert raw == hl7v2.encode(decoded, ())
    path = next(iter(inside(decoded)))
    done = hl7v2.decode(hl7v2.encode(decoded, [Edit(path, 12, 19, "Eve Poe")]))
    assert [NOTE.decode().replace("Ann Roe", "Eve Poe")] == [
        text for _, text in inside(done).values()
    ]


CDA = (
    b'<ClinicalDocument xmlns="urn:hl7-org:v3"><component><section>'
    b"<text>Seen: Ann Roe</text></section></component></ClinicalDocument>"
)
MIME = b'MIME-Version: 1.0\nContent-Type: multipart/related; boundary="HL7-CDA-boundary"\n\n'
MIME += b"--HL7-CDA-boundary\nContent-Type: text/xml\n\n%s\n--HL7-CDA-boundary--"


@pytest.mark.parametrize(
    "value",
    [
        f"^APPLICATION^HL7-V3-CDA^Base64^{b64(CDA)}",
        f"^multipart^x-hl7-cda-level-one^Base64^{b64(MIME % CDA)}",
        f"^multipart^related^Base64^{b64(MIME % b64(CDA).encode())}",
        "^multipart^x-hl7-cda-level-one^A^" + (MIME % CDA).decode().replace("\n", "\\X0A\\"),
        "^multipart^related^A^" + (MIME % b64(CDA).encode()).decode().replace("\n", "\\.br\\"),
    ],
)
def test_a_cda_is_read_whatever_is_declared(hl7v2, value):
    """Its type is told by content, and the MIME framing of the standard is around it or not."""
    raw = message(value)
    decoded = hl7v2.decode(raw)
    assert [("document.cda", "Seen: Ann Roe")] == list(inside(decoded).values())
    assert raw == hl7v2.encode(decoded, ())
    path = next(iter(inside(decoded)))
    done = hl7v2.decode(hl7v2.encode(decoded, [Edit(path, 6, 13, "Eve Poe")]))
    assert [("document.cda", "Seen: Eve Poe")] == list(inside(done).values())


def test_paths_go_on_behind_the_leaf(hl7v2):
    """Inner segments lie behind the data component's path and a "!"."""
    decoded = hl7v2.decode(message(f"^TX^HTML^Base64^{b64(HTML)}"))
    path, (datatype, text) = next(iter(inside(decoded).items()))
    assert (path, datatype) == ("OBX-5.5!html", "document.html")
    assert "Ann Roe" in text


def test_line_lengths_of_base64_are_kept(hl7v2):
    """Re-encoded data breaks its lines where the sender broke them."""
    data = b64(NOTE)
    decoded = hl7v2.decode(message(f"^TX^^Base64^{data[:20]}\\X0D0A\\{data[20:]}"))
    done = hl7v2.encode(decoded, [Edit("OBX-5.5!text", 0, 4, "Glad")])
    lines = value_of(done).split("^")[4].split("\\X0D0A\\")
    assert [len(line) for line in lines] == [20, 20, 8]


def test_plain_data_keeps_its_other_escapes(hl7v2):
    """An edit inside plain data leaves the escapes around it as they were sent."""
    decoded = hl7v2.decode(message("^TX^^A^one\\X0A\\Ann Roe\\X0A\\\\T\\ two"))
    done = hl7v2.encode(decoded, [Edit("OBX-5.5!text", 4, 7, "Eve")])
    assert value_of(done) == "^TX^^A^one\\X0A\\Eve Roe\\X0A\\\\T\\ two"


@pytest.mark.parametrize(
    ("value", "datatype"),
    [
        (f"^TX^PDF^Base64^{b64(b'%PDF-1.4 x')}", "ED.5:application/pdf"),
        (f"^IM^JPEG^Base64^{b64(bytes([255, 216, 255, 0]))}", "ED.5:image/jpeg"),
        (f"^TX^plain^Base64^{b64(NOTE)}!", "ED.5:text/plain"),
        (f"^^^Base64^{b64(bytes(range(20)))}", "ED.5:?"),
    ],
)
def test_unreadable_data_is_one_leaf_with_its_media_type(hl7v2, value, datatype):
    """What is not read, or is broken, is one leaf that a policy can drop by its media type."""
    decoded = hl7v2.decode(message(value))
    assert [("OBX-5.5", datatype)] == [
        (s.path, s.datatype) for s in decoded.segments if s.datatype.startswith("ED.5")
    ]
    done = hl7v2.encode(decoded, [Edit("OBX-5.5", 0, len(value.split("^")[4]), None)])
    assert value.rpartition("^")[0] + "^" == value_of(done)


def test_a_pointer_is_no_document(hl7v2):
    """A reference pointer's components are plain leaves."""
    decoded = hl7v2.decode(message("http://x/y^HOSP^TEXT", "RP"))
    assert inside(decoded) == {}


def test_two_edits_in_one_document(hl7v2):
    """All edits of one document are made together."""
    decoded = hl7v2.decode(message(f"^TX^^Base64^{b64(NOTE)}"))
    edits = [Edit("OBX-5.5!text", 16, 19, "Poe"), Edit("OBX-5.5!text", 12, 15, "Eve")]
    data = value_of(hl7v2.encode(decoded, edits)).split("^")[4]
    assert NOTE.replace(b"Ann Roe", b"Eve Poe") == base64.b64decode(data)


@pytest.mark.parametrize("value", ["^TX^{}", "^TX^PDF^{}", "^{}"])
def test_data_before_its_place_is_still_data(hl7v2, value):
    """Base64 put in ED-2, ED-3 or ED-4 by mistake is opened or named as data, never a code."""
    for data in (NOTE, b"%PDF-1.4 " + bytes(60)):
        decoded = hl7v2.decode(message(value.format(b64(data))))
        whole = [s.datatype for s in decoded.segments if s.text == b64(data)]
        assert all(datatype.startswith("ED.5:") for datatype in whole)
        assert whole or [NOTE.decode()] == [text for _, text in inside(decoded).values()]
