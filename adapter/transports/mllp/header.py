"""Reads the header fields that an acknowledgement needs (HL7 v2.8.2, 2.14.9).

Nothing of a message is sent back but its control id and fields of a fixed form.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from adapter.codecs.hl7v2.charsets import codec_of, declared_charset
from adapter.errors import DecodeError

_HEADER = re.compile(rb"(?:\xef\xbb\xbf)?\s*((?:MSH|BHS|FHS)[!-/:-@\[-`{-~][^\r\n]{0,4096})")
_CONTROL_ID = {"MSH": 10, "BHS": 11, "FHS": 11}
_EVENT = re.compile(r"[A-Z][A-Z0-9]{2}")
_PROCESSING = re.compile(r"[A-Z]")
_VERSION = re.compile(r"2(?:\.\d){0,2}")
_CHARSET = re.compile(r"[A-Za-z0-9 /_.-]{0,40}")
_LONGEST_ID = 199


@dataclass(frozen=True, slots=True, repr=False)
class Header:
    """The header of a message; a field that is missing or malformed is empty."""

    control_id: str = ""
    kind: str = ""
    """MSH-9.1."""
    event: str = ""
    """MSH-9.2."""
    processing: str = "P"
    version: str = "2.5"
    charset: str = ""
    """The first repetition of MSH-18."""
    accept: str = ""
    """MSH-15: when an accept acknowledgement is wanted (table 0155)."""
    application: str = ""
    """MSH-16: when an application acknowledgement is wanted."""
    separator: str = "|"
    encoding: str = "^~\\&"
    codec: str = "utf-8"
    """Python codec of the charset."""

    @property
    def enhanced(self) -> bool:
        """Whether the sender uses the enhanced mode (2.9.3): MSH-15 or MSH-16 has a value."""
        return bool(self.accept or self.application)


def read_header(value: bytes) -> Header:
    """Return a message's header; empty if the message has none."""
    found = _HEADER.match(value)
    if found is None:
        return Header()
    line, codec = found[1], _codec(found[1])
    try:
        text = line.decode(codec)
    except UnicodeError:
        text, codec = line.decode("latin-1"), "latin-1"
    return _read(text, codec)


def _codec(line: bytes) -> str:
    names = declared_charset(line)
    try:
        return codec_of(names) if names else "utf-8"
    except DecodeError:
        return "latin-1"


def _read(text: str, codec: str) -> Header:
    separator = text[3]
    fields = ["", text[:3], *text.split(separator, 20)[1:]]  # the index is the field's number
    fields += [""] * (19 - len(fields))
    encoding = fields[2] if 1 <= len(fields[2]) <= 5 else "^~\\&"  # noqa: PLR2004 - MSH-2
    own_id = fields[_CONTROL_ID[text[:3]]][:_LONGEST_ID]
    control_id = own_id if own_id.isprintable() else ""
    if text[:3] != "MSH":
        return Header(control_id, separator=separator, encoding=encoding, codec=codec)
    kind, event = [*fields[9].split(encoding[0]), ""][:2]
    return Header(
        control_id=control_id,
        kind=_of_form(_EVENT, kind),
        event=_of_form(_EVENT, event),
        processing=_of_form(_PROCESSING, fields[11].split(encoding[0])[0]) or "P",
        version=_of_form(_VERSION, fields[12].split(encoding[0])[0]) or "2.5",
        charset=_of_form(_CHARSET, fields[18].split(encoding[1:2] or "~")[0]),
        accept=_condition(fields[15]),
        application=_condition(fields[16]),
        separator=separator,
        encoding=encoding,
        codec=codec,
    )


def _of_form(form: re.Pattern[str], text: str) -> str:
    return text if form.fullmatch(text) else ""


def _condition(text: str) -> str:
    """Return a condition of table 0155; an unknown one asks for every answer."""
    code = text.strip().upper()
    if code in {"", '""'}:
        return ""
    return code if code in {"AL", "NE", "ER", "SU"} else "AL"
