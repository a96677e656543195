"""The acknowledgements of a message, by the mode and conditions that its sender asks for."""

from __future__ import annotations

import hl7
import pytest

from adapter.transports.mllp.answers import Letter, Receiver, Verdict, answers
from adapter.transports.mllp.header import Header, read_header

ACCEPT, ERROR, REJECT = (Verdict(letter) for letter in Letter)
SECRET = b"Quillfeather"


def message(accept="", application="", charset="", kind="ADT^A01", control_id="C17") -> bytes:
    """Return a message whose other fields must not be sent back."""
    return (
        f"MSH|^~\\&|Quillfeather|Quillfeather|Q|Q|20240102||{kind}|{control_id}|T|2.4"
        f"|||{accept}|{application}||{charset}\rPID|1||77^^^Quillfeather\r"
    ).encode()


def told(raw: bytes, verdict: Verdict) -> list[str]:
    """Return MSA-1 of each acknowledgement."""
    return [str(hl7.parse(each.decode())["MSA.1"]) for each in answered(raw, verdict)]


def answered(raw: bytes, verdict: Verdict) -> list[bytes]:
    """Return the acknowledgements of a message."""
    return answers(read_header(raw), verdict, Receiver("DEID", "LAB"))


@pytest.mark.parametrize(
    ("accept", "application", "good", "bad"),
    [
        ("", "", ["AA"], ["AE"]),
        ('""', '""', ["AA"], ["AE"]),
        ("AL", "NE", ["CA"], ["CE"]),
        ("AL", "AL", ["CA", "AA"], ["CE", "AE"]),
        ("NE", "AL", ["AA"], ["AE"]),
        ("NE", "NE", [], []),
        ("ER", "", [], ["CE"]),
        ("SU", "ER", ["CA"], ["AE"]),
        ("", "SU", ["AA"], []),
        ("al", "never", ["CA", "AA"], ["CE", "AE"]),
    ],
)
def test_conditions_say_which_answers_are_made(accept, application, good, bad):
    """MSH-15 and MSH-16 choose mode and answers; an unknown condition asks for every answer."""
    raw = message(accept, application)
    assert (good, bad) == (told(raw, ACCEPT), told(raw, ERROR))


def test_an_answer_bears_the_control_id_and_nothing_else_of_the_message():
    """MSA-2 is MSH-10, and no name from the message is in the acknowledgement."""
    (raw,) = answered(message(charset="UNICODE UTF-8"), Verdict(Letter.REJECT, "decode/segments"))
    answer = hl7.parse(raw.decode())
    assert ("AR", "C17") == (str(answer["MSA.1"]), str(answer["MSA.2"]))
    assert "decode/segments" == str(answer["MSA.3"])
    assert ["DEID", "LAB", "", ""] == [str(answer["MSH"][0][n]) for n in (3, 4, 5, 6)]
    assert ("T", "2.4") == (str(answer["MSH.11"]), str(answer["MSH.12"]))
    assert ("UNICODE UTF-8", "ACK^A01^ACK") == tuple(str(answer["MSH"][0][n]) for n in (18, 9))
    assert SECRET not in raw


def test_two_answers_have_two_control_ids():
    """Each acknowledgement has its own control id, and asks for no acknowledgement."""
    first, second = (hl7.parse(raw.decode()) for raw in answered(message("AL", "AL"), ACCEPT))
    assert str(first["MSH.10"]) != str(second["MSH.10"])
    assert {"NE"} == {str(each[f"MSH.{n}"]) for each in (first, second) for n in (15, 16)}


def test_an_acknowledgement_is_not_acknowledged():
    """An acknowledgement gets none, because two such systems would never stop."""
    assert [] == answered(message(kind="ACK"), ACCEPT)


@pytest.mark.parametrize(
    ("charset", "codec"),
    [("8859/1", "latin-1"), ("", "latin-1"), ("UNICODE UTF-8", "utf-8"), ("GBK", "gbk")],
)
def test_the_control_id_comes_back_byte_for_byte(charset, codec):
    """The control id is returned in the message's charset, even if its bytes contain delimiters."""
    name, control_id = ("乗", "丂1") if codec == "gbk" else ("Ä", "Ü-1")
    raw = f"MSH|^~\\&|{name}||||20240102||ADT^A01|{control_id}|P|2.5||||||{charset}\r".encode(codec)
    (answer,) = answered(raw, ACCEPT)
    assert b"MSA|AA|" + control_id.encode(codec) + b"\r" in answer


def test_other_delimiters_are_used_as_declared():
    """The acknowledgement uses the delimiters that the message declares."""
    (raw,) = answered(b"MSH#:~\\&#a#b#c#d#20240102##ADT:A01#9#P#2.3\r", ACCEPT)
    assert raw.startswith(b"MSH#:~\\&#DEID#LAB#")
    assert (b"#ACK:A01:ACK#" in raw, b"MSA#AA#9\r" in raw) == (True, True)


@pytest.mark.parametrize(
    "raw", [b"", b"no message", b"MSH", b"{}", b"\xff\xfeM\x00S\x00H\x00|\x00"]
)
def test_what_has_no_header_is_answered_without_an_id(raw):
    """A block without a header is answered without a control id."""
    assert Header() == read_header(raw)
    (answer,) = answers(read_header(raw), REJECT, Receiver())
    assert ("AR", 2) == (str(hl7.parse(answer.decode())["MSA.1"]), answer.count(b"\r"))


@pytest.mark.parametrize("raw", [b"MSH|", b"MSH|^", b"MSH|^~\\&|||||||||||||||||||||||||"])
def test_a_short_header_is_answered(raw):
    """A header with missing fields is answered as if they were empty."""
    assert ["AA"] == told(raw, ACCEPT)


@pytest.mark.parametrize("name", ["BHS", "FHS"])
def test_a_batch_is_answered_by_its_own_id(name):
    """A batch or file is acknowledged with its own id, BHS-11 or FHS-11."""
    raw = f"{name}|^~\\&|a|b|c|d|20240102||x|y|B7|z\r".encode() + message()
    assert b"MSA|AA|B7\r" in answered(raw, ACCEPT)[0]


def test_a_header_without_end_is_read_as_far_as_needed():
    """A header followed by megabytes of delimiters is read only as far as needed."""
    raw = b"MSH|^~\\&|a|b|c|d|1||ADT^A01|C5|P|2.5" + b"|" * 4_000_000
    assert b"MSA|AA|C5\r" in answered(raw, ACCEPT)[0]


def test_codes_of_another_form_do_not_come_back():
    """Fields for codes are not sent back if they do not have the form of a code."""
    raw = b"MSH|^~\\&|a|b|c|d|1||ADT^Quillfeather|7|Quillfeather|Quillfeather||||||Quill;feather\r"
    (answer,) = answered(raw, ACCEPT)
    assert SECRET not in answer
    assert (b"|ACK|" in answer, b"|P|2.5\r" in answer) == (True, True)


def test_a_charset_that_nobody_knows_is_no_obstacle():
    """A message in an unknown charset is read as Latin-1, and answered."""
    raw = message(charset="CP1259")
    assert "latin-1" == read_header(raw).codec
    assert ["AR"] == told(raw, REJECT)
