"""The protocol of vaults, stores of random codes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable


class Vault(Protocol):
    """A store of codes; a failure is a SurrogateError "no-vault", and nothing is released."""

    def seed(self, original: bytes, attempt: int, code: Callable[[bytes], str]) -> bytes:
        """Return the 32 random bytes of an original's nth attempt; see `surrogates.Codes`."""

    def settle(self) -> None:
        """Wait until every returned code is on disk; called once per message."""

    def erase(self, original: bytes) -> int:
        """Erase an original permanently and return its number of codes, which stay reserved."""

    def count(self) -> int:
        """Return the number of codes of originals that are not erased."""

    def close(self) -> None:
        """Close the database; it is reopened when needed."""
