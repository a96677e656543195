"""The grammar of MSH: kept fields hold what they are for, or the message is refused."""

from __future__ import annotations

import pytest

from adapter.codecs.hl7v2.delimiters import Delimiters
from adapter.codecs.hl7v2.structure.header import check_header
from adapter.errors import DecodeError

FIELDS = "MSH|^~\\&|A|B|C|D|20240101||ADT^A01|7|P|2.5.1|1|p|AL|NE|USA|ASCII|ENG|X|prof".split("|")


def header(number: int, value: str) -> str:
    """A header with one field of its own."""
    return "|".join([*FIELDS[: number - 1], value, *FIELDS[number:]])


@pytest.mark.parametrize(
    ("number", "values"),
    [
        (
            7,
            ["", "20240101", "202401011200.5-0500", "2026-01-15T14:30:00", "01/15/2025 14:30", "0"],
        ),
        (9, ["", "ADT", "ADT^A01", "ADT^A01^ADT_A01", "ACK^^ACK", "adt^a01", "QBP^ZZ1^QBP_Q21"]),
        (11, ["", "P", "T^T", "D", "M1", "1", "P^"]),
        (12, ["", "2.5.1", "2.5^DEU", "2.5^USA&US^2.5&x", "2.999", "v2.4", "2.x", "2.3.z", "?"]),
        (13, ["", "123", "LAB"]),
        (15, ["", "AL", "ACCEPT"]),
        (17, ["", "USA", "44", "D"]),
        (19, ["", "ENG^English^ISO", "en-US", "de", "ENGLISH"]),
        (20, ["", "2.6", "UNICODE UTF-16"]),
        (21, ["", "PHLabReport-NoAck^ELR^2.16.840.1^ISO~a^b"]),
    ],
)
def test_what_senders_write_is_a_header(number, values):
    """Codes, versions, times and empty fields, as found in real messages."""
    for value in values:
        check_header(header(number, value), Delimiters())


@pytest.mark.parametrize(
    ("number", "values"),
    [
        (7, ["Quarrie", "19610503^Thaddeus", "$stamp"]),
        (9, ["4711001", "Quarrie^Thaddeus", "JOHN SMITH", "ADT^A01^12 Elm St"]),
        (11, ["PID", "Quarrie", "19610503", "P PID", "P^Thaddeus"]),
        (12, ["2.5PID", "2.5 PID", "19610503", "Quarrie", "2.5\\rPID", "2.5^12 Elm, St"]),
        (13, ["12 Elm St", "4711001^^^HOSP"]),
        (15, ["ALPID1", "19610503", "12 Elm St"]),
        (16, ["AL NE", "5035550148"]),
        (17, ["USAPID", "Quarrie", "US PID"]),
        (19, ["Quarrie^Thaddeus~Roe", "19610503", "12 Elm St"]),
        (20, ["Quarrie^Thaddeus", "12 Elm St, Salem, Oregon, USA"]),
    ],
)
def test_what_belongs_elsewhere_is_no_header(number, values):
    """Numbers, names, addresses and names of segments in a kept field of MSH."""
    for value in values:
        with pytest.raises(DecodeError, match="decode/segments"):
            check_header(header(number, value), Delimiters())


@pytest.mark.parametrize(
    "sign", ["\x00", "\x0b", "\x0c", "\x1c", "\x1e", "\x85", "\u2028"], ids=ascii
)
@pytest.mark.parametrize("name", ["MSH", "FHS", "BHS"])
def test_control_characters_and_other_line_ends_are_refused(name, sign):
    """None of them stands in a header's fields; behind its last they are framing."""
    with pytest.raises(DecodeError, match="decode/segments"):
        check_header(f"{name}|^~\\&|A{sign}B|C", Delimiters())
    check_header(f"{name}|^~\\&|A|C\x1c", Delimiters())


def test_a_short_header_is_one():
    """A header may end anywhere."""
    for count in range(2, len(FIELDS)):
        check_header("|".join(FIELDS[:count]), Delimiters())
