r"""Repair of messages whose segments a site's feed ends by something other than a line end.

A gateway that wrote ``\r``, ``&#xD;`` or a next line (U+0085) for each carriage return is known to
its site. Where nothing but the site's own separator ends segments, it is read as the carriage
return that the standard requires (HL7 v2.8.2, chapter 2.5.2), and restored when the message is
written. Everything works on bytes, because the charset is known only once the header has an end.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from adapter.codecs.hl7v2.charsets import encode_text
from adapter.codecs.hl7v2.delimiters import HEADERS
from adapter.errors import DecodeError

if TYPE_CHECKING:
    from collections.abc import Collection

_MOST = 16
_SIGN = re.compile(r"[^\w|^~& -]|_")
_LINE_END = re.compile(r"[\r\n]")
_PARTS = re.compile(
    rb"(?P<lead>(?:\xef\xbb\xbf)?[\s\x1c]*)(?P<body>(?:MSH|FHS|BHS).*?)(?P<tail>[\x0b\x1c\r\n]*)",
    re.DOTALL,
)
_LOCAL = re.compile(rb"Z[A-Z0-9]{2}")


@dataclass(frozen=True, slots=True)
class Repair:
    """The separator that was read as carriage returns, and the framing around the segments."""

    separator: bytes = field(repr=False)
    lead: bytes = field(repr=False)
    tail: bytes = field(repr=False)

    def undone(self, raw: bytes) -> bytes | None:
        """Return the segments with the site's separator and framing restored.

        Returns None if a reader would split them differently, because an edit wrote a separator.
        """
        sent = raw.replace(b"\r", self.separator)
        if sent.split(self.separator) != raw.split(b"\r"):
            return None
        return self.lead + sent + self.tail


def is_separator(text: str) -> bool:
    """Whether a text can end segments: short, with a sign other than delimiters and line ends."""
    found = _SIGN.search(text) is not None and _LINE_END.search(text) is None
    return found and len(text) <= _MOST and not text.startswith(("|", "^", "~"))


class Repairer:
    """Finds a site's separator; ``names`` are segments of the standard, ``charset`` a codec."""

    def __init__(self, separator: str | None, names: Collection[str], charset: str) -> None:
        texts = [separator] if separator else []
        ways = dict.fromkeys(("utf-8", "iso-8859-1", charset))
        sent = [encode_text(text, way) for text in texts for way in ways]
        self._separators = tuple(dict.fromkeys(one for one in sent if one))
        self._names = frozenset(name.encode("ascii") for name in {*names, *HEADERS})

    def repaired(self, raw: bytes) -> tuple[bytes, Repair | None]:
        """Return a message with carriage returns, and how to undo that; None if nothing was done.

        A message that has line ends too is returned as it is.

        Raises:
            DecodeError: "segments" if only the separator ends lines, and one is not followed by a
                known segment.
        """
        separator = next((one for one in self._separators if one in raw), None)
        parts = separator and _PARTS.fullmatch(raw)
        if not separator or not parts:
            return raw, None
        body: bytes = parts["body"]
        if separator not in body or b"\r" in body or b"\n" in body:
            return raw, None
        pieces = body.split(separator)
        segments = pieces[:-1] if pieces[-1] == b"" else pieces
        if not all(self._is_segment(piece, body[3:4]) for piece in segments):
            raise DecodeError("segments")
        return b"\r".join(pieces), Repair(separator, parts["lead"], parts["tail"])

    def _is_segment(self, piece: bytes, field: bytes) -> bool:
        """Whether a piece begins with a segment's name and the field separator."""
        name = piece[:3]
        known = name in self._names or _LOCAL.fullmatch(name) is not None
        return known and piece[3:4] == field
