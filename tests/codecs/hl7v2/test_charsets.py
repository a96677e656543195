"""Character sets: MSH-18 at its word unless the bytes are UTF-8, a default where it is silent."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapter.codecs.hl7v2.codec import Hl7v2Codec
from adapter.errors import DecodeError, EncodeError
from adapter.types import Edit

WRITTEN = "abcdefghijklmnopqrstuvwxyzäöüßáéíóúñçàèêëâôîïåøæÄÖÜÁÉÍÓÚÑÇÅØ"


def header(charset: str) -> str:
    """A header that declares a character set."""
    return f"MSH|^~\\&|A||||||ADT^A01|1|P|2.5||||||{charset}\r"


def family(message) -> str:
    """The text of PID-5.1.1."""
    return next(segment.text for segment in message.segments if segment.path == "PID-5.1.1")


@pytest.mark.parametrize(
    ("declared", "codec", "name"),
    [
        ("UNICODE UTF-8", "utf-8", "Müller"),
        ("UTF-8", "utf-8", "Ødegård"),
        ("UNICODE", "utf-8", "Müller"),
        ("8859/1", "iso-8859-1", "Müller"),
        ("8859/2", "iso-8859-2", "Łuć"),
        ("8859/15", "iso-8859-15", "Œuvre"),
        ("WINDOWS-1252", "cp1252", "D’Arcy"),
        ("8859/1", "utf-8", "Müller"),
        ("8859/15", "utf-8", "Ødegård"),
        ("WINDOWS-1252", "utf-8", "Łuć"),
        ("8859/5", "iso-8859-5", "Ковальчук"),
        ("8859/7", "iso-8859-7", "Παπαδόπουλος"),
        ("8859/11", "iso-8859-11", "เก"),
        ("WINDOWS-1251", "cp1251", "Ковальчук"),
        ("GB 18030-2000", "gb18030", "張偉誠"),
        ("BIG-5", "big5", "許功蓋"),
        ("KS X 1001", "euc_kr", "김철수"),
        ("SHIFT_JIS", "shift_jis", "表示ソ"),
        ("~ISO IR87", "iso2022_jp_ext", "山田"),
        ("ASCII~ISO IR87", "iso2022_jp_ext", "山田"),
        ("UTF-8~UNICODE", "utf-8", "Müller"),
        ("", "utf-8", "Müller"),
        ("", "iso-8859-1", "Müller"),
    ],
)
def test_names_are_read_and_written_in_the_declared_charset(hl7v2, declared, codec, name):
    """Characters whose bytes collide with delimiters too are read, kept and replaced."""
    raw = (header(declared) + f"PID|||1^^^X||{name}^A|x\r").encode(codec)
    message = hl7v2.decode(raw)
    assert name == family(message)
    assert raw == hl7v2.encode(message, ())
    edited = hl7v2.encode(message, [Edit("PID-5.1.1", 0, 1, name[-1])])
    assert name[-1] + name[1:] == family(hl7v2.decode(edited))


@given(st.text(WRITTEN, min_size=1, max_size=30).filter(lambda text: not text.isascii()))
def test_ordinary_words_are_read_as_declared(hl7v2, name):
    """Where a letter with an accent has no other behind it, its byte begins no UTF-8."""
    raw = (header("8859/1") + f"PID|||1^^^X||x{name} x\r").encode("iso-8859-1")
    assert f"x{name} x" == family(hl7v2.decode(raw))


@pytest.mark.parametrize(
    ("declared", "value", "code"),
    [
        ("ASCII", "Müller".encode(), "charset-invalid"),
        ("UNICODE UTF-8", b"M\xfcller", "charset-invalid"),
        ("ISO IR 999", b"x", "charset-unknown"),
        ("8859/12", b"x", "charset-unknown"),
        ("UNICODE UTF-16", b"x", "charset-unknown"),
        ("~ISO IR87", b"\x1b$B\x1b(B", "charset-not-reversible"),
    ],
)
def test_a_declared_charset_is_not_second_guessed(hl7v2, declared, value, code):
    """Bytes that are not in the declared set, and sets nobody knows, hold the message."""
    with pytest.raises(DecodeError) as caught:
        hl7v2.decode(header(declared).encode() + b"PID|||||" + value + b"\r")
    assert code == caught.value.code


def test_the_default_is_a_setting(hl7v2_tables):
    """Where nothing is declared and the bytes are not UTF-8 the configured set reads them."""
    codec = Hl7v2Codec(hl7v2_tables, default_charset="cp1250")
    assert family(codec.decode((header("") + "PID|||||Łuć\r").encode("cp1250"))) == "Łuć"


def test_unencodable_replacements_are_refused(hl7v2):
    """A replacement the message's set lacks is an error, never a question mark."""
    message = hl7v2.decode(header("8859/1").encode() + b"PID|||||Roe\r")
    with pytest.raises(EncodeError) as caught:
        hl7v2.encode(message, [Edit("PID-5.1.1", 0, 3, "Łuć")])
    assert caught.value.code == "unencodable"
    assert caught.value.__context__ is None
