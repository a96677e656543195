"""What a store of random codes is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable


class Vault(Protocol):
    """A store of codes. What fails is a SurrogateError "no-vault", and the message is held."""

    def seed(self, original: bytes, attempt: int, code: Callable[[bytes], str]) -> bytes:
        """The 32 random bytes of an original's nth attempt, as `adapter.surrogates.Codes` says."""

    def settle(self) -> None:
        """Have every code on disk that was given; called once a message."""

    def erase(self, original: bytes) -> int:
        """Forget an original for good; how many codes it had. Its codes stay taken."""

    def count(self) -> int:
        """Originals and attempts that have a code."""

    def close(self) -> None:
        """Let go of the database; it is opened again when needed."""
