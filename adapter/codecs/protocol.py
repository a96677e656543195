"""The protocol of codecs: bytes to a :class:`Message` and back, and a file to its messages."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adapter.types import Edit, Message, SecurityLabel


@dataclass(frozen=True, slots=True)
class Frame:
    """One message of a longer byte stream, with the framing bytes around it.

    Over the frames of one input, the concatenation of ``prefix + value + suffix`` is that input.
    Only byte order marks, MLLP block characters and white space are framing.
    """

    prefix: bytes = field(repr=False)
    value: bytes = field(repr=False)
    suffix: bytes = field(repr=False)


class Codec(Protocol):
    """Reads and writes one message format and changes only the bytes of its edits."""

    @property
    def name(self) -> str:
        """The format's name in configuration, rules and audit: "hl7v2", "fhir", "text"."""

    def decode(self, raw: bytes) -> Message:
        """Return the one message in ``raw``; ``encode(decode(raw), ()) == raw``.

        Raises:
            DecodeError: the bytes are not exactly one message this codec can write back.
        """

    def encode(
        self, message: Message, edits: Sequence[Edit], label: SecurityLabel | None = None
    ) -> bytes:
        """Return the message's bytes with the text that ``edits`` name replaced.

        Edits are non-overlapping; an edit whose text is None covers a whole segment and empties or
        removes its element. A ``label`` is written if the format has a place for one and it is not
        there yet.

        Raises:
            EncodeError: an edit names an unknown path, overlaps another, or cannot be written.
        """

    def split(self, raw: bytes) -> tuple[Frame, ...]:
        """Return the messages of a file or of one record's value, in order; never fails."""
