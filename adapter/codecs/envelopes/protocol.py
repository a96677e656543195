"""What an envelope is: a record's value to the messages in it and back, and what lies beside them.

What is written is made anew of what is known: the messages, and values that were asked for and have
been looked at. Nothing else of an envelope is ever copied, whatever it is called and however it is
written.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adapter.codecs.envelopes.pointers import Pointer


class Nature(StrEnum):
    """What a value beside the messages is, which says how it may stay."""

    TEXT = "text"  # a string: read as free text of the message
    NUMBER = "number"
    IDENTIFIER = "identifier"  # must be there, and is replaced


@dataclass(frozen=True, slots=True)
class Beside:
    """A value beside the messages that may stay; ``pointer`` is the settings' own text."""

    pointer: str
    text: str = field(repr=False)
    nature: Nature = Nature.TEXT


@dataclass(frozen=True, slots=True)
class Unwrapped:
    """The messages of a value, what may stay beside them, and the envelope's private rest."""

    payloads: tuple[bytes, ...] = field(repr=False)
    beside: tuple[Beside, ...] = field(default=(), repr=False)
    rest: Any = field(default=None, repr=False)


class Envelope(Protocol):
    """Takes messages out of values and puts them back."""

    def unwrap(self, value: bytes) -> Unwrapped:
        """Return what is in a value.

        Raises:
            EnvelopeError: it is not such an envelope, or readers could disagree about it.
        """

    def wrap(
        self, unwrapped: Unwrapped, payloads: Sequence[bytes], beside: Sequence[str | None]
    ) -> bytes:
        """Return the envelope with these messages in it, and of each value beside them this text.

        A text of None leaves a value out, or puts something neutral where a schema demands one.

        Raises:
            EnvelopeError: it cannot be written so.
        """


class Body(Protocol):
    """How a tree of objects (dict), lists and scalars is written as bytes.

    A number of JSON is a `adapter.codecs.fhir.json.Number`.
    """

    def read(self, raw: bytes) -> Any:
        """Return the tree.

        Raises:
            EnvelopeError: the bytes are none, or are not all of one.
        """

    def write(self, tree: Any, wanted: Any) -> bytes:
        """Return the bytes of a tree that has only what is wanted of another.

        Raises:
            EnvelopeError: it cannot be written.
        """


class Schemas(Protocol):
    """Where schemas are found by their number."""

    def body(self, number: int) -> Body:
        """Return what reads and writes values of that schema.

        Raises:
            EnvelopeError: "unknown-schema", "no-registry".
        """


@dataclass(frozen=True, slots=True)
class Spec:
    """What settings say of an envelope of some kind; bytes bound a value and its payloads."""

    payload: tuple[Pointer, ...] = ()
    keep: tuple[Pointer, ...] = ()
    base64: bool = False
    max_bytes: int = 16 << 20
