"""Every store of random codes by the scheme of its address; adding one is adding its line."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from adapter.errors import RuleError
from adapter.vault.sqlite import SqliteVault

if TYPE_CHECKING:
    from collections.abc import Callable

    from adapter.vault.protocol import Vault

_PLACE = "vault.url"
_FILE = ":///"


@dataclass(frozen=True, slots=True)
class Store:
    """How a store's address is written, and what makes its vault of one.

    The address of ``a_file`` is "scheme:///" and a path, which may be relative to the settings.
    """

    form: str
    make: Callable[[str], Vault]
    a_file: bool = False


def _sqlite(url: str) -> Vault:
    return SqliteVault(Path(url.partition(_FILE)[2]))


def _postgres(url: str) -> Vault:
    try:
        from adapter.vault.postgres import PostgresVault  # noqa: PLC0415 - an extra
    except ImportError:
        raise RuleError(_PLACE, "PostgreSQL needs the extra 'postgres'") from None
    return PostgresVault(url)


STORES: dict[str, Store] = {
    "sqlite": Store("sqlite:///FILE", _sqlite, a_file=True),
    "postgresql": Store("postgresql://...", _postgres),
    "postgres": Store("postgresql://...", _postgres),
}
"""Everything that can keep codes."""


def located(url: str, folder: Path) -> str:
    """The address with a relative file put into a folder.

    Raises:
        RuleError: it is no store's.
    """
    if not _store(url).a_file:
        return url
    scheme, _, path = url.partition(_FILE)
    return f"{scheme}{_FILE}{folder / path}"


def vault_at(url: str) -> Vault:
    """The vault at an address, not connected yet.

    Raises:
        RuleError: the address is no store's, or the store's library is not installed.
    """
    return _store(url).make(url)


def _store(url: str) -> Store:
    scheme, slashes, _ = url.partition("://")
    store = STORES.get(scheme)
    if store is None or not slashes or (store.a_file and not url.partition(_FILE)[2]):
        forms = dict.fromkeys(store.form for store in STORES.values())
        raise RuleError(_PLACE, f"is neither {' nor '.join(forms)}")
    return store
