"""All stores of random codes by URL scheme; to add one, add a line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.config.database_urls import Kind, Registry, file_of
from adapter.errors import RuleError
from adapter.vault.sqlite import SqliteVault

if TYPE_CHECKING:
    from collections.abc import Callable

    from adapter.vault.protocol import Vault

_PLACE = "vault.url"


def _sqlite(url: str) -> Vault:
    return SqliteVault(file_of(url))


def _postgres(url: str) -> Vault:
    try:
        from adapter.vault.postgres import PostgresVault  # noqa: PLC0415 - an extra
    except ImportError:
        raise RuleError(_PLACE, "PostgreSQL needs the extra 'postgres'") from None
    return PostgresVault(url)


STORES: dict[str, Kind[Callable[[str], Vault]]] = {
    "sqlite": Kind("sqlite:///FILE", _sqlite, a_file=True),
    "postgresql": Kind("postgresql://...", _postgres),
    "postgres": Kind("postgresql://...", _postgres),
}
"""URL scheme -> store."""
VAULTS = Registry(_PLACE, STORES)


def vault_at(url: str) -> Vault:
    """Return the vault at a URL, not connected yet.

    Raises:
        RuleError: no store has such a URL, or the store's library is not installed.
    """
    return VAULTS.kind(url).make(url)
