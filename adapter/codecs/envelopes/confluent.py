"""Confluent's wire format: a zero byte, a schema id (4 bytes, big-endian) and a value."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from adapter.codecs.envelopes.protocol import Spec, Unwrapped
from adapter.codecs.envelopes.tree import unwrapped as unwrapped_tree
from adapter.codecs.envelopes.tree import wrapped
from adapter.errors import EnvelopeError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adapter.codecs.envelopes.protocol import Schemas

_HEADER = struct.Struct(">bI")


@dataclass(frozen=True, slots=True)
class Confluent:
    """A value of a registered schema (Avro or JSON Schema) with messages at some pointers."""

    spec: Spec
    schemas: Schemas = field(repr=False)

    @classmethod
    def of(cls, spec: Spec, schemas: Schemas | None) -> Confluent:
        """Return the envelope with these settings."""
        assert schemas is not None
        return cls(spec, schemas)

    def unwrap(self, value: bytes) -> Unwrapped:
        """Return the messages at those pointers that have a value.

        Raises:
            EnvelopeError: the value is not in this format, or its schema is not available.
        """
        if len(value) <= _HEADER.size or value[0]:
            raise EnvelopeError("wire-format")
        number = _HEADER.unpack_from(value)[1]
        inner = unwrapped_tree(value[_HEADER.size :], self.schemas.body(number), self.spec)
        return Unwrapped(inner.payloads, inner.beside, (number, inner.rest))

    def wrap(
        self, unwrapped: Unwrapped, payloads: Sequence[bytes], beside: Sequence[str | None]
    ) -> bytes:
        """Return a value of the same schema; required fields that are not kept get a neutral value.

        Raises:
            EnvelopeError: the schema allows no such value.
        """
        number, rest = unwrapped.rest
        return _HEADER.pack(0, number) + wrapped(rest, payloads, beside)
