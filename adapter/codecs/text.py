"""The plain text codec: a message is one text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.codecs.protocol import Frame
from adapter.codecs.splice import ordered, rewritten
from adapter.errors import DecodeError, EncodeError
from adapter.types import Message, TextSegment

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adapter.types import Edit, SecurityLabel

BOM = b"\xef\xbb\xbf"


class TextCodec:
    """Reads and writes a whole record or file as one UTF-8 text at path "text"."""

    name = "text"

    def decode(self, raw: bytes) -> Message:
        """Return the text as a message of one segment; a byte order mark is not part of it.

        Raises:
            DecodeError: "empty", or "charset-invalid" where it is not UTF-8.
        """
        if not raw:
            raise DecodeError("empty")
        mark = BOM if raw.startswith(BOM) else b""
        text = _utf8(raw[len(mark) :])
        if text is None:
            raise DecodeError("charset-invalid")
        segments = (TextSegment("text", "text", "text", text),) if text else ()
        return Message("text", "text", segments, mark)

    def encode(
        self, message: Message, edits: Sequence[Edit], label: SecurityLabel | None = None
    ) -> bytes:
        """Return the text's bytes with the edits made; a text has no place for a label.

        Raises:
            EncodeError: an edit names another path, is outside the text, or is not Unicode.
        """
        del label
        text = message.segments[0].text if message.segments else ""
        if any(edit.path != "text" for edit in edits):
            raise EncodeError("unknown-path")
        value = _bytes(rewritten(text, ordered(edits, len(text))))
        if value is None:
            raise EncodeError("unencodable")
        mark: bytes = message.body  # type: ignore[assignment]
        return mark + value

    def split(self, raw: bytes) -> tuple[Frame, ...]:
        """Return the input as one frame; no frame if it is empty."""
        return (Frame(b"", raw, b""),) if raw else ()


def _utf8(raw: bytes) -> str | None:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return None


def _bytes(text: str) -> bytes | None:
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        return None
