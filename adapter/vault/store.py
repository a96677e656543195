"""The vault: random codes instead of keyed ones, kept in a database for as long as they are needed.

It holds no original: of each there is the HMAC under the project's key, beside 32 random bytes that
its surrogates are drawn with, and the code drawn, which no other original may have. So the key
alone tells nothing of who is behind a code, and neither does the vault alone; the same vault and
key give the same surrogates. Any number of processes may share one vault.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from adapter.errors import RuleError, SurrogateError
from adapter.surrogates import numbers_of
from adapter.vault.sqlite import SqliteVault

if TYPE_CHECKING:
    from collections.abc import Callable

    from adapter.surrogates import Key

SQLITE = "sqlite:///"


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


def open_vault(url: str) -> Vault | None:
    """The vault at an address, its tables made if need be; None without an address.

    Raises:
        RuleError: it cannot be reached or used.
    """
    if not url:
        return None
    vault = _vault(url)
    try:
        vault.count()
    except SurrogateError:
        raise RuleError("vault.url", "the database cannot be opened or used") from None
    finally:
        vault.close()  # a worker process opens its own
    return vault


def _vault(url: str) -> Vault:
    if url.startswith(SQLITE):
        return SqliteVault(Path(url.removeprefix(SQLITE)))
    try:
        from adapter.vault.postgres import PostgresVault  # noqa: PLC0415 - an extra
    except ImportError:
        raise RuleError("vault.url", "PostgreSQL needs the extra 'postgres'") from None
    return PostgresVault(url)


def erase(vault: Vault, key: Key, text: str) -> int:
    """Forget a patient's number and who it stands for; how many codes were forgotten.

    A process that met the number goes on knowing it until it ends.

    Raises:
        SurrogateError: the vault does not answer.
    """
    return sum(
        vault.erase(key.original(kind, value)) for kind, value in numbers_of(text, key.words)
    )
