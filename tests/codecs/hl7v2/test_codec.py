"""Reading HL7 v2: paths, elements, datatypes, delimiters, line ends, versions."""

from __future__ import annotations

import pytest

from adapter.errors import DecodeError, EncodeError
from adapter.types import Edit

_DATED = ["NDL.2.1", "NDL.3.1", "NDL.4"]
"""Datatypes of the two dates and the place behind an interpreter's name."""
HEADER = "MSH|^~\\&|LAB|HOSP|||20240101||ORU^R01|7|P|2.5.1"


def message(*segments: str, header: str = HEADER, end: str = "\r") -> bytes:
    """A message of a header and segments."""
    return "".join(line + end for line in (header, *segments)).encode()


def leaves(decoded, *names: str) -> dict[str, tuple[str, str, str]]:
    """Path -> (element, datatype, text) of the segments with these names."""
    return {
        segment.path: (segment.element, segment.datatype, segment.text)
        for segment in decoded.segments
        if segment.path.startswith(names)
    }


def test_composite_fields_have_components_and_subcomponents(hl7v2):
    """A composite field's leaf is its component, or its subcomponent where that is composite."""
    decoded = hl7v2.decode(message("PID|1||12^^^HOSP^MR||Roe^Ann"))
    assert leaves(decoded, "PID") == {
        "PID-1": ("PID-1", "SI", "1"),
        "PID-3.1": ("PID-3.1", "CX.1", "12"),
        "PID-3.4.1": ("PID-3.4.1", "CX.4.1", "HOSP"),
        "PID-3.5": ("PID-3.5", "CX.5", "MR"),
        "PID-5.1.1": ("PID-5.1.1", "XPN.1.1", "Roe"),
        "PID-5.2": ("PID-5.2", "XPN.2", "Ann"),
    }


@pytest.mark.parametrize(
    ("value", "datatypes"),
    [
        ("77^ROE^ANN^B", ["XCN.1", "XCN.2.1", "XCN.3", "XCN.4"]),
        ("77^ROE, ANN", ["XCN.1", "XCN.2.1"]),
        ("ROE^ANN", ["XCN.1", "XCN.2.1"]),
        ("77&ROE&ANN^20240101^20240102^W4", ["NDL.1.1", "NDL.1.2", "NDL.1.3", *_DATED]),
        ("77&ROE&ANN^X", ["NDL.1.1", "NDL.1.2", "NDL.1.3", "NDL.2.1"]),
    ],
)
def test_a_name_in_place_of_the_dates_of_an_interpreter_is_a_person(hl7v2, value, datatypes):
    """OBR-32 with letters where NDL has dates is read as XCN, unless its name is in NDL.1."""
    decoded = hl7v2.decode(message("OBR|1" + "|" * 31 + value))
    found = [kind for path, (_, kind, _) in leaves(decoded, "OBR").items() if path != "OBR-1"]
    assert found == datatypes


def test_an_array_has_as_many_numbers_as_are_sent(hl7v2):
    """The standard's table lists four components of NA; all of a waveform are numbers."""
    decoded = hl7v2.decode(message("OBX|1|NA|X||1^-2^3^4^5.5^6"))
    found = leaves(decoded, "OBX-5")
    assert [datatype for _, datatype, _ in found.values()] == [
        "NA.1", "NA.2", "NA.3", "NA.4", "NA.4", "NA.4",
    ]  # fmt: skip
    assert found["OBX-5.6"] == ("OBX-5.6", "NA.4", "6")


def test_positions_number_segments_and_repetitions(hl7v2):
    """The n-th segment of a name and the r-th repetition are in the path, not in the element."""
    decoded = hl7v2.decode(message("NK1|1|A", "NK1|2|B^X~C"))
    assert [path for path in leaves(decoded, "NK1") if "-2" in path] == [
        "NK1-2.1.1",
        "NK1[2]-2.1.1",
        "NK1[2]-2.2",
        "NK1[2]-2[2].1.1",
    ]
    assert {"NK1-2.1.1", "NK1-2.2"} == {
        element for element, _, _ in leaves(decoded, "NK1").values() if "-2" in element
    }


def test_header_fields_count_the_separator(hl7v2):
    """MSH-1 is the field separator, so MSH-3 is the first text and MSH-12 the version."""
    decoded = hl7v2.decode(message())
    assert leaves(decoded, "MSH-3")["MSH-3.1"][2] == "LAB"
    assert leaves(decoded, "MSH-12")["MSH-12.1"][2] == "2.5.1"
    assert leaves(decoded, "MSH-2") == {}


def test_kind_is_type_and_event(hl7v2):
    """The kind is MSH-9's type and event in capitals, "?" where there are none."""
    kinds = [
        hl7v2.decode(message(header=HEADER.replace("ORU^R01", sent))).kind
        for sent in ("ADT^A01^ADT_A01", "ACK", "oru^r01", "")
    ]
    assert kinds == ["ADT^A01", "ACK", "?", "?"]


@pytest.mark.parametrize("header", ["FHS", "BHS"])
def test_batch_headers_are_messages_of_their_own_kind(hl7v2, header):
    """A batch line decodes alone; its fields count like MSH's."""
    decoded = hl7v2.decode(f"{header}|^~\\&|ME|HERE\r".encode())
    assert header == decoded.kind
    assert leaves(decoded, f"{header}-3")[f"{header}-3.1"][2] == "ME"


def test_batch_trailers_need_no_delimiters(hl7v2):
    """A batch trailer declares none and has the usual ones."""
    assert (
        (decoded := hl7v2.decode(b"BTS|9|all\r")).kind,
        leaves(decoded, "BTS-1")["BTS-1"][2],
    ) == ("BTS", "9")


@pytest.mark.parametrize(
    ("version", "expected"),
    [
        ("2.2", ("PID-7.1", "TS.1")),
        ("2.5", ("PID-7.1", "TS.1")),
        ("2.5^DEU", ("PID-7.1", "TS.1")),
        ("2.7", ("PID-7", "DTM")),
        ("2.7.1", ("PID-7", "DTM")),
        ("2.9", ("PID-7", "DTM")),
        ("", ("PID-7.1", "TS.1")),
        ("?", ("PID-7.1", "TS.1")),
    ],
)
def test_types_are_those_of_the_version(hl7v2, version, expected):
    """Each version has its own types; an unknown version is read as the nearest before it."""
    header = HEADER.rpartition("|")[0] + "|" + version
    found = leaves(hl7v2.decode(message("PID|||||||19800101", header=header)), "PID")
    assert [expected] == [(element, datatype) for element, datatype, _ in found.values()]


def test_withdrawn_fields_keep_their_type(hl7v2):
    """PID-19, withdrawn in 2.7 and still sent, is the ST it was."""
    header = HEADER.replace("2.5.1", "2.7")
    decoded = hl7v2.decode(message("PID" + "|" * 19 + "123", header=header))
    assert leaves(decoded, "PID") == {"PID-19": ("PID-19", "ST", "123")}


def test_components_of_another_version_are_read_by_it(hl7v2):
    """A field that is primitive in its version but sent with components has the later type's."""
    header = HEADER.replace("2.5.1", "2.3")
    decoded = hl7v2.decode(message("PID||||||||||W^White^HL70005", header=header))
    assert leaves(decoded, "PID-10.2")["PID-10.2"] == ("PID-10.2", "CE.2", "White")


def test_unknown_places_have_no_type(hl7v2):
    """Z segments, fields and components behind the last known one are typed "?" or by position."""
    decoded = hl7v2.decode(message("ZPI|1|a^b&c", "PID" + "|" * 60 + "x", "EVN|A01|||||^^^^^^^q"))
    assert leaves(decoded, "ZPI", "PID") == {
        "ZPI-1": ("ZPI-1", "?", "1"),
        "ZPI-2.1": ("ZPI-2.1", "?", "a"),
        "ZPI-2.2.1": ("ZPI-2.2.1", "?", "b"),
        "ZPI-2.2.2": ("ZPI-2.2.2", "?", "c"),
        "PID-60": ("PID-60", "?", "x"),
    }


def test_nulls_and_empty_places_are_no_text(hl7v2):
    """Neither an empty place nor the explicit null is a segment."""
    decoded = hl7v2.decode(message('PID|""||""^^^|~""~||', "PV1", "NTE|||"))
    assert leaves(decoded, "PID", "PV1", "NTE") == {}


def test_lone_ampersand_in_plain_text_is_text(hl7v2):
    """In an ST field without components "&" is no separator; elsewhere it is."""
    decoded = hl7v2.decode(message("NK1||||||||||Baker & Sons", "PID|||1^^^A&B"))
    assert leaves(decoded, "NK1")["NK1-10"][2] == "Baker & Sons"
    assert leaves(decoded, "PID")["PID-3.4.2"][2] == "B"


@pytest.mark.parametrize("sent", ["^~\\&", "^~\\&#", "^~\\", "^~", "@*!%", "^~\\\\&"])
def test_delimiters_are_the_messages_own(hl7v2, sent):
    """Two to five delimiters are read from MSH-2, a doubled escape character as one."""
    raw = message(f"PID|||1{sent[0]}2", header=f"MSH|{sent}|A")
    decoded = hl7v2.decode(raw)
    assert leaves(decoded, "PID")["PID-3.2"][2] == "2"
    assert raw == hl7v2.encode(decoded, ())


def test_delimiters_not_declared_are_text(hl7v2):
    """A message that declares fewer delimiters has no others."""
    decoded = hl7v2.decode(message("PID|||1&2^3\\T\\", header="MSH|^~|A"))
    assert [text for _, _, text in leaves(decoded, "PID").values()] == ["1&2", "3\\T\\"]


def test_any_field_separator(hl7v2):
    """The field separator is whatever follows "MSH"."""
    assert leaves(hl7v2.decode(b"MSH#^~\\&#A\rPID###7\r"), "PID")["PID-3.1"][2] == "7"


@pytest.mark.parametrize("sent", ["", "^", "0000", "^^~&", "^~\\&#!", "^~ &", "^~\\A", "^~\u00e9"])
def test_unusable_delimiters_are_refused(hl7v2, sent):
    """Fewer than two, more than five, repeated, alphanumeric or blank ones hold the message."""
    with pytest.raises(DecodeError) as caught:
        hl7v2.decode(message("PID|||1", header=f"MSH|{sent}|A"))
    assert caught.value.code == "delimiters"


@pytest.mark.parametrize("end", ["\r", "\n", "\r\n", "\n\r", "\r\r\n"])
def test_any_line_end(hl7v2, end):
    """CR, LF and CRLF end segments, and stay what they are."""
    raw = message("PID|||7", "PV1||O", end=end)
    decoded = hl7v2.decode(raw)
    assert [text for _, _, text in leaves(decoded, "PID", "PV1").values()] == ["7", "O"]
    assert raw == hl7v2.encode(decoded, ())


def test_line_feed_inside_a_field_is_text(hl7v2):
    """Where CR ends segments a LF is text, unless a segment begins behind it."""
    decoded = hl7v2.decode(b"MSH|^~\\&|A\rNTE|1||one\ntwo\nPID|||7\r")
    assert leaves(decoded, "NTE-3")["NTE-3"][2] == "one\ntwo"
    assert leaves(decoded, "PID")["PID-3.1"][2] == "7"


def test_stray_lines_are_leaves_of_unknown_type(hl7v2):
    """A line that is no segment is one leaf that only a policy for the unknown lets through."""
    decoded = hl7v2.decode(message("PID|||7", "smith john", "pid|||8", "JOE"))
    assert leaves(decoded, "?") == {
        "?-1": ("?-1", "?", "smith john"),
        "?[2]-1": ("?-1", "?", "pid|||8"),
        "?[3]-1": ("?-1", "?", "JOE"),
    }


def test_indented_segments_are_segments(hl7v2):
    """White space before a segment's name is kept and does not hide it."""
    raw = message("  PID|||7")
    assert leaves(hl7v2.decode(raw), "PID")["PID-3.1"][2] == "7"
    assert raw == hl7v2.encode(hl7v2.decode(raw), ())


def test_framing_around_a_message_is_kept(hl7v2):
    """A byte order mark, MLLP characters and blank lines around one message do no harm."""
    raw = b"\xef\xbb\xbf\x0b\r\n" + message("PID|||7") + b"\x1c\r"
    decoded = hl7v2.decode(raw)
    assert [text for _, _, text in leaves(decoded, "PID", "?").values()] == ["7"]
    assert raw == hl7v2.encode(decoded, ())


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        (b"", "empty"),
        (b"\x0b\r\n\x1c", "empty"),
        (b"PID|||7\r", "not-hl7v2"),
        (b"{}", "not-hl7v2"),
        ("MSH|^~\\&|A".encode("utf-16"), "not-hl7v2"),
        (message() + message(), "several-messages"),
        (b"BHS|^~\\&\r" + message(), "several-messages"),
    ],
)
def test_refusals(hl7v2, raw, code):
    """What is not exactly one message is refused with a code."""
    with pytest.raises(DecodeError) as caught:
        hl7v2.decode(raw)
    assert code == caught.value.code


def test_edits_change_only_what_they_name(hl7v2):
    """A replacement is escaped; all other bytes, malformed ones too, stay."""
    raw = message("PID|||7^^^||Roe^Ann~~||", "NTE|1||see C:\\temp \\T\\ A|", end="\r\n")
    edits = [
        Edit("PID-5.1.1", 0, 3, "O|K^L"),
        Edit("PID-3.1", 0, 1, None),
        Edit("NTE-3", 14, 15, "B"),
    ]
    expected = raw.replace(b"Roe", b"O\\F\\K\\S\\L").replace(b"7^", b"^").replace(b" A|", b" B|")
    assert expected == hl7v2.encode(hl7v2.decode(raw), edits)


@pytest.mark.parametrize(
    ("edits", "code"),
    [
        ([Edit("PID-9", 0, 1, "x")], "unknown-path"),
        ([Edit("PID-3.1", 0, 9, "x")], "unknown-path"),
        ([Edit("PID-3.1", 0, 2, "x"), Edit("PID-3.1", 1, 3, "y")], "overlapping-edits"),
        ([Edit("PID-3.1", 0, 2, "\ud800")], "unencodable"),
    ],
)
def test_impossible_edits_are_refused(hl7v2, edits, code):
    """Edits of no place, outside a text, over one another or not Unicode raise with a code."""
    decoded = hl7v2.decode(message("PID|||777"))
    with pytest.raises(EncodeError) as caught:
        hl7v2.encode(decoded, edits)
    assert code == caught.value.code


def test_nothing_shows_text(hl7v2):
    """No repr of a decoded message, its places or its body shows a patient's text."""
    decoded = hl7v2.decode(message("PID|||7||Secret^A\\T\\B", "NTE|||Secret", "NTE|||Secret"))
    assert "Secret" not in repr(decoded) + repr(decoded.body) + repr(decoded.body.places)


@pytest.mark.parametrize("sent", ["~\\&", "\\&", "#~\\&"])
def test_components_that_were_not_declared_are_refused(hl7v2, sent):
    """A message that separates components by a sign lost from MSH-2 would show whole fields."""
    raw = f"MSH|{sent}|LAB|||||\rPID|1||4711^^^HOSP^MR||Quarrie^Thaddeus\r"
    with pytest.raises(DecodeError, match="decode/delimiters"):
        hl7v2.decode(raw.encode())


@pytest.mark.parametrize("text", ["PID", "x\\rPV1", "a ORC"])
def test_a_replacement_that_looks_like_a_segment_is_refused(hl7v2, text):
    """What the codec could not read again is not written."""
    raw = b"MSH|^~\\&|A|B|C|D|20240314||ORU^R01|1|P|2.5\rOBR|x|1|2\rZZZ|1|a|1||4711\r"
    message = hl7v2.decode(raw)
    place = next(s for s in message.segments if s.text == "x")
    with pytest.raises(EncodeError, match="unreadable"):
        hl7v2.encode(message, [Edit(place.path, 0, 1, text.replace("\\r", " "))])
