"""No envelope: a value is its messages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.codecs.envelopes.protocol import Unwrapped

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adapter.codecs.envelopes.protocol import Schemas, Spec


class Plain:
    """Gives a value as it is."""

    @classmethod
    def of(cls, _spec: Spec, _schemas: Schemas | None) -> Plain:
        """Return it."""
        return cls()

    def unwrap(self, value: bytes) -> Unwrapped:
        """Return the value."""
        return Unwrapped((value,))

    def wrap(
        self, _unwrapped: Unwrapped, payloads: Sequence[bytes], _beside: Sequence[str | None]
    ) -> bytes:
        """Return the one payload."""
        return payloads[0]
