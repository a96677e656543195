"""The protocol of envelopes: a record value to its messages and neighbouring values, and back.

An envelope is built again from known parts: the messages, and neighbouring values that the
settings keep and that were processed. Nothing else is ever copied from the original.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adapter.codecs.envelopes.pointers import Pointer


class Nature(StrEnum):
    """The nature of a value beside the messages, which decides how it is processed."""

    TEXT = "text"  # a string: processed as free text of the message
    NUMBER = "number"
    IDENTIFIER = "identifier"  # required, and replaced by a surrogate


@dataclass(frozen=True, slots=True)
class Beside:
    """A value beside the messages that may be kept; ``pointer`` is as the settings write it."""

    pointer: str
    text: str = field(repr=False)
    nature: Nature = Nature.TEXT


@dataclass(frozen=True, slots=True)
class Unwrapped:
    """The messages of a value, the values beside them that may be kept, and private state."""

    payloads: tuple[bytes, ...] = field(repr=False)
    beside: tuple[Beside, ...] = field(default=(), repr=False)
    rest: Any = field(default=None, repr=False)


class Envelope(Protocol):
    """Takes messages out of record values and puts them back."""

    def unwrap(self, value: bytes) -> Unwrapped:
        """Return the messages in a value, and the values beside them.

        Raises:
            EnvelopeError: the value is not such an envelope, or readers could disagree about it.
        """

    def wrap(
        self, unwrapped: Unwrapped, payloads: Sequence[bytes], beside: Sequence[str | None]
    ) -> bytes:
        """Return the envelope with these messages and these texts of the values beside them.

        A text of None leaves the value out, or writes a neutral one where a schema requires it.

        Raises:
            EnvelopeError: the result cannot be written.
        """


class Body(Protocol):
    """Reads and writes a tree of objects (dict), lists and scalars as bytes.

    A JSON number is a `adapter.codecs.fhir.json.Number`.
    """

    def read(self, raw: bytes) -> Any:
        """Return the tree that the bytes encode.

        Raises:
            EnvelopeError: the bytes are not exactly one tree.
        """

    def write(self, tree: Any, wanted: Any) -> bytes:
        """Return the bytes of a tree that has only the ``wanted`` values of ``tree``.

        Raises:
            EnvelopeError: the tree cannot be written.
        """


class Schemas(Protocol):
    """Finds schemas by their id."""

    def body(self, number: int) -> Body:
        """Return the reader and writer of values of the schema with this id.

        Raises:
            EnvelopeError: "unknown-schema", "no-registry".
        """


@dataclass(frozen=True, slots=True)
class Spec:
    """An envelope's settings; ``max_bytes`` limits a value and each of its payloads."""

    payload: tuple[Pointer, ...] = ()
    keep: tuple[Pointer, ...] = ()
    base64: bool = False
    max_bytes: int = 16 << 20
