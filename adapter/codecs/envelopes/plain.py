"""No envelope: the record value is the payload."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.codecs.envelopes.protocol import Unwrapped

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adapter.codecs.envelopes.protocol import Schemas, Spec


class Plain:
    """The envelope that returns a value unchanged."""

    @classmethod
    def of(cls, _spec: Spec, _schemas: Schemas | None) -> Plain:
        """Return the plain envelope."""
        return cls()

    def unwrap(self, value: bytes) -> Unwrapped:
        """Return the value as the one payload."""
        return Unwrapped((value,))

    def wrap(
        self, _unwrapped: Unwrapped, payloads: Sequence[bytes], _beside: Sequence[str | None]
    ) -> bytes:
        """Return the one payload."""
        return payloads[0]
