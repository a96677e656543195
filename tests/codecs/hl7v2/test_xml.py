"""HL7 v2 XML is read through its ER7, and written as XML again without any loss."""

from __future__ import annotations

import json
from itertools import takewhile
from pathlib import Path
from xml.sax.saxutils import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapter.codecs.hl7v2.codec import Hl7v2Codec
from adapter.codecs.hl7v2.framing import detect, split_hl7v2
from adapter.codecs.hl7v2.xml import Names, from_xml
from adapter.codecs.hl7v2.xml_tree import read
from adapter.errors import DecodeError, EncodeError
from adapter.pipeline.process import process
from adapter.types import Edit, Hold, Position, Record, Release, SecurityLabel
from tests.codecs.hl7v2.rendering import NotRegularError, rendered
from tests.corpus.runs import ruleset, sample_messages

GOLDEN = Path(__file__).resolve().parents[2] / "golden" / "hl7v2"
NAMES = Names(json.loads((GOLDEN.parents[2] / "rules/schema/hl7v2.json").read_bytes()))
NAME = "Quillfeather"
HEAD = "<MSH.1>|</MSH.1><MSH.2>^~\\&amp;</MSH.2><MSH.12>2.5</MSH.12>"
MESSAGE = f"""<?xml version="1.0" encoding="UTF-8"?>
<!-- {NAME} -->
<ORU_R01 xmlns="urn:hl7-org:v2xml" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
  xsi:schemaLocation="urn:hl7-org:v2xml {NAME}.xsd">
  <MSH><MSH.1>|</MSH.1><MSH.2>^~\\&amp;</MSH.2><MSH.3><HD.1>LAB</HD.1></MSH.3>
    <MSH.9><MSG.1>ORU</MSG.1><MSG.2>R01</MSG.2></MSH.9><MSH.10>7</MSH.10>
    <MSH.12><VID.1>2.5</VID.1></MSH.12></MSH>
  <ORU_R01.PATIENT_RESULT><!-- {NAME} -->
    <ORU_R01.PATIENT>
      <PID>
        <PID.3><CX.1>40018824</CX.1><CX.4><HD.1>H</HD.1><HD.2>1.2.3</HD.2></CX.4></PID.3>
        <PID.3><CX.1>7</CX.1></PID.3>
        <PID.5><XPN.1><FN.1>{NAME}</FN.1></XPN.1><XPN.2>Rose</XPN.2></PID.5>
        <PID.8/>
      </PID>
    </ORU_R01.PATIENT>
    <ORU_R01.ORDER_OBSERVATION>
      <OBR/>
      <ORU_R01.OBSERVATION>
        <OBX><OBX.2>FT</OBX.2>
          <OBX.5>Mrs {NAME} &amp; son | A~B^C\\D<escape V=".br"/>fine&lt;</OBX.5>
        </OBX>
      </ORU_R01.OBSERVATION>
    </ORU_R01.ORDER_OBSERVATION>
  </ORU_R01.PATIENT_RESULT>
</ORU_R01>
""".encode()


@pytest.fixture(scope="module")
def tables(repository):
    """The shipped tables."""
    return json.loads((repository / "rules/schema/hl7v2.json").read_bytes())


@pytest.fixture(scope="module")
def codec(tables):
    """The codec with the shipped tables."""
    return Hl7v2Codec(tables)


def texts(codec, raw):
    """Path -> text."""
    return {s.path: s.text for s in codec.decode(raw).segments}


def test_places_are_those_of_er7(codec):
    """Paths and texts are what the same message has as ER7; escapes are read as its text."""
    message = codec.decode(MESSAGE)
    assert ("hl7v2", "ORU^R01") == (message.format, message.kind)
    assert {
        "MSH-3.1": "LAB", "MSH-9.1": "ORU", "MSH-9.2": "R01", "MSH-10": "7", "MSH-12.1": "2.5",
        "PID-3.1": "40018824", "PID-3.4.1": "H", "PID-3.4.2": "1.2.3", "PID-3[2].1": "7",
        "PID-5.1.1": NAME, "PID-5.2": "Rose", "OBX-2": "FT",
        "OBX-5": f"Mrs {NAME} & son | A~B^C\\D\nfine<",
    } == {s.path: s.text for s in message.segments}  # fmt: skip


def test_what_is_written_is_read_as_the_same(codec):
    """Without an edit every value, element and escape is there; comments and hints are gone."""
    written = codec.encode(codec.decode(MESSAGE), ())
    assert texts(codec, MESSAGE) == texts(codec, written)
    assert written == codec.encode(codec.decode(written), ())
    assert b"<!--" not in written
    assert b"xsd" not in written
    assert b'<escape V=".br"/>' in written
    assert b"<PID.8/>" in written


def test_an_edit_changes_its_element_alone(codec):
    """Other elements stay to the letter; what is written is escaped as XML has it."""
    message = codec.decode(MESSAGE)
    whole = codec.encode(message, ()).decode()
    text = next(s.text for s in message.segments if s.path == "OBX-5")
    start = text.index(NAME)
    edits = (
        Edit("PID-5.1.1", 0, len(NAME), "O|Ka^<&>"),
        Edit("OBX-5", start, start + len(NAME), "Oka\\for"),
        Edit("PID-3[2].1", 0, 1, None),
    )
    written = codec.encode(message, edits).decode()
    expected = (
        whole.replace(f"<FN.1>{NAME}<", "<FN.1>O|Ka^&lt;&amp;&gt;<")
        .replace(f"Mrs {NAME}", "Mrs Oka\\for")
        .replace("<CX.1>7</CX.1>", "<CX.1/>")
    )
    assert expected == written


def test_a_label_is_written_into_the_header(codec):
    """Its field of MSH is made where there is none, in its order, and not twice."""
    label = SecurityLabel("PSEUDED", "MSH-8")
    message = codec.decode(MESSAGE)
    written = codec.encode(message, (), label)
    assert b"<MSH.8>PSEUDED</MSH.8><MSH.9>" in written
    assert written == codec.encode(codec.decode(written), (), label)


def inside(body):
    """A message with something in it."""
    return f'<ORU_R01 xmlns="urn:hl7-org:v2xml">{body}</ORU_R01>'.encode()


PLANTED = {
    "a comment": (f"<MSH>{HEAD}<!-- {NAME} --></MSH><!-- {NAME} -->", "released"),
    "a processing instruction": (f"<MSH>{HEAD}</MSH><?{NAME} {NAME}?>", "not-xml"),
    "an attribute": (f'<MSH Name="{NAME}">{HEAD}</MSH>', "not-convertible"),
    "an attribute of a value": (f'<MSH>{HEAD}<MSH.20 n="{NAME}"/></MSH>', "not-convertible"),
    "a foreign element": (f'<MSH>{HEAD}</MSH><x xmlns="u">{NAME}</x>', "not-convertible"),
    "a foreign attribute": (
        f'<MSH xmlns:x="u" x:n="{NAME}">{HEAD}</MSH>', "not-convertible",
    ),
    "an element without namespace": (f'<MSH xmlns="">{NAME}</MSH>', "not-convertible"),
    "an unknown element": (f"<MSH>{HEAD}<{NAME}/></MSH>", "not-convertible"),
    "an unknown group": (f"<MSH>{HEAD}</MSH><ORU_R01.{NAME.upper()}/>", "not-convertible"),
    "another message's group": (f"<MSH>{HEAD}</MSH><ADT_A01.PATIENT/>", "not-convertible"),
    "an unknown segment": (f"<MSH>{HEAD}</MSH><QUI/>", "not-convertible"),
    "an unknown datatype": (
        f"<MSH>{HEAD}</MSH><PID><PID.5><{NAME.upper()}.1>x</{NAME.upper()}.1></PID.5></PID>",
        "not-convertible",
    ),
    "another segment's field": (f"<MSH>{HEAD}</MSH><PID><PV1.3>x</PV1.3></PID>", "not-convertible"),
    "text between segments": (f"<MSH>{HEAD}</MSH>{NAME}", "not-convertible"),
    "text in a segment": (f"<MSH>{HEAD}</MSH><PID>{NAME}</PID>", "not-convertible"),
    "text between fields": (f"<MSH>{HEAD}</MSH><PID><PID.1/>{NAME}</PID>", "not-convertible"),
    "text between components": (
        f"<MSH>{HEAD}</MSH><PID><PID.5><XPN.1/>{NAME}</PID.5></PID>", "not-convertible",
    ),
    "text in a group": (
        f"<MSH>{HEAD}</MSH><ORU_R01.PATIENT>{NAME}</ORU_R01.PATIENT>", "not-convertible",
    ),
    "an escape that is none": (
        f'<MSH>{HEAD}</MSH><NTE><NTE.3><escape V="{NAME}"/></NTE.3></NTE>', "not-convertible",
    ),
    "an escape with a text": (
        f'<MSH>{HEAD}</MSH><NTE><NTE.3><escape V="H">{NAME}</escape></NTE.3></NTE>',
        "not-convertible",
    ),
    "an escape with two attributes": (
        f'<MSH>{HEAD}</MSH><NTE><NTE.3><escape V="H" W="{NAME}"/></NTE.3></NTE>',
        "not-convertible",
    ),
    "fields out of order": (
        f"<MSH>{HEAD}</MSH><PID><PID.5/><PID.3/></PID>", "not-convertible",
    ),
    "components out of order": (
        f"<MSH>{HEAD}</MSH><PID><PID.3><CX.4/><CX.1/></PID.3></PID>", "not-convertible",
    ),
    "components of two types": (
        f"<MSH>{HEAD}</MSH><PID><PID.3><CX.1/><XPN.2/></PID.3></PID>", "not-convertible",
    ),
    "a level too many": (
        f"<MSH>{HEAD}</MSH><PID><PID.3><CX.4><HD.1><HD.1>x</HD.1></HD.1></CX.4></PID.3></PID>",
        "not-convertible",
    ),
    "a number too large": (
        f"<MSH>{HEAD}</MSH><PID><PID.1000>x</PID.1000></PID>", "not-convertible",
    ),
    "the delimiters twice": (
        f"<MSH><MSH.1>|</MSH.1><MSH.2>^~\\&amp;</MSH.2><MSH.2>{NAME}</MSH.2></MSH>",
        "not-convertible",
    ),
    "no header": ("<PID/>", "not-convertible"),
    "no delimiters": ("<MSH><MSH.3>x</MSH.3></MSH>", "not-convertible"),
    "a second header": (f"<MSH>{HEAD}</MSH><MSH>{HEAD}</MSH>", "several-messages"),
    "delimiters that are letters": (
        "<MSH><MSH.1>|</MSH.1><MSH.2>^~\\a</MSH.2></MSH>", "delimiters",
    ),
    "an entity that nobody declares": (f"<MSH>{HEAD}<MSH.20>&q;</MSH.20></MSH>", "not-xml"),
}  # fmt: skip


@pytest.mark.parametrize("body", PLANTED.values(), ids=PLANTED.keys())
def test_nothing_planted_beside_the_values_survives(codec, body):
    """What ER7 could not say is refused, or not written again."""
    raw, code = inside(body[0]), body[1]
    if code == "released":
        assert NAME.encode() not in codec.encode(codec.decode(raw), ())
    else:
        with pytest.raises(DecodeError, match=f"decode/{code}$"):
            codec.decode(raw)


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        (b'<!DOCTYPE ORU_R01 [<!ENTITY q "Quillfeather">]>' + inside("&q;"), "not-xml"),
        (b'<?xml version="1.0" encoding="iso-8859-1"?>' + inside(""), "xml-encoding"),
        (MESSAGE.replace(b"UTF-8", b"UTF-16"), "xml-encoding"),
        (MESSAGE.replace(b"Rose", b"Ros\xe9"), "not-xml"),
        (MESSAGE[:-20], "not-xml"),
        (MESSAGE + b"x", "not-xml"),
        (MESSAGE.replace(b"ORU_R01", b"QUI_R01"), "not-convertible"),
        (b"<x/>", "not-convertible"),
        (inside("<ORU_R01.PATIENT>" * 300), "too-deep"),
    ],
)
def test_what_is_no_message_is_refused(codec, raw, code):
    """By its code; a document type, with all it can declare, is none."""
    with pytest.raises(DecodeError, match=f"decode/{code}$"):
        codec.decode(raw)


@pytest.mark.parametrize("delimiters", [("#", "*~\\&amp;"), ("|", "^~"), ("|", "^~\\&amp;#")])
def test_declared_delimiters_hold(codec, delimiters):
    """Values with characters that are delimiters in ER7 are what they are in XML."""
    field, others = delimiters
    said = "a|b~c" if len(others) == 2 else "a|b^c~d\\e&amp;f#g*h"
    raw = inside(
        f"<MSH><MSH.1>{field}</MSH.1><MSH.2>{others}</MSH.2></MSH><NTE><NTE.3>{said}</NTE.3></NTE>"
    )
    if len(others) == 2:
        with pytest.raises(DecodeError, match="not-convertible"):
            codec.decode(raw)
        return
    assert said.replace("&amp;", "&") == texts(codec, raw)["NTE-3"]


def test_what_cannot_be_written_is_held(codec):
    """Characters that XML has not, and half a surrogate pair, are errors of encoding."""
    message = codec.decode(MESSAGE)
    for text in ("a\x01", "a\ufffe\x00", "a\ud800"):
        with pytest.raises(EncodeError):
            codec.encode(message, (Edit("PID-5.2", 0, 4, text),))


def test_it_is_detected_and_is_one_message(codec):
    """By its namespace; a text that looks like a header begins no other message."""
    assert "hl7v2" == detect(MESSAGE) == detect(b"\xef\xbb\xbf\n" + MESSAGE)
    raw = b"\n" + MESSAGE.replace(b"Rose", b"\nMSH|^~\\&amp;|\n")
    (frame,) = split_hl7v2(raw)
    assert raw == frame.prefix + frame.value + frame.suffix
    assert frame.value.endswith(b"</ORU_R01>")
    assert (frame,) == codec.split(raw)


FIELD = st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "S", "Zs")))


@given(values=st.lists(FIELD, max_size=6))
def test_any_text_is_read_and_written(values):
    """Whatever stands in fields is read as it is, and written as the same."""
    body = "".join(f"<NTE><NTE.3>{escape(value)}</NTE.3></NTE>" for value in values)
    xml = from_xml(inside(f"<MSH>{HEAD}</MSH>{body}"), NAMES)
    again = read(xml.restored(xml.er7).encode())
    said = ["".join(map(str, nte.children[0].parts)) for nte in again.children[1:]]
    assert values == said


def outcomes(raw, xml):
    """What becomes of a message in both encodings."""
    at = Position("x", 0, 0)
    return process(Record(raw, at), ruleset()), process(Record(xml, at), ruleset())


def same(er7, xml, codec):
    """Whether two outcomes say the same: the same values released, or the same hold."""
    if isinstance(er7, Hold) or isinstance(xml, Hold):
        return er7 == xml
    return texts(codec, er7.value) == texts(codec, xml.value)


CASES = sorted(path for path in GOLDEN.glob("*/in.hl7") if not (path.parent / "hold.json").exists())


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.parent.name)
def test_golden_messages_come_out_alike(path, tables, codec):
    """Every value released of the XML is that of the ER7, under one key."""
    raw = path.read_bytes()
    try:
        xml = rendered(raw, tables)
    except NotRegularError:
        pytest.skip("only ER7 can say it")
    first, second = outcomes(raw, xml)
    assert isinstance(second, Release)
    assert same(first, second, codec)


def test_sample_messages_come_out_alike(shared_data, tables, codec):
    """So it is with messages of other people: every fortieth sample that XML can say."""
    tried, different = 0, []
    samples = takewhile(lambda each: each[0].startswith("hl7v2"), sample_messages(shared_data))
    for number, (file, place, raw) in enumerate(samples):
        if number % 40:
            continue
        try:
            xml = rendered(raw, tables)
        except (NotRegularError, UnicodeDecodeError):
            continue
        tried += 1
        if not same(*outcomes(raw, xml), codec):
            different.append((file, place))
    assert tried > 24
    assert [] == different
