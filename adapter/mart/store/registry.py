"""Every database of the mart by the scheme of its address; adding one is adding its line."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from adapter.errors import RuleError
from adapter.mart.store.sql import SqlStore

if TYPE_CHECKING:
    from collections.abc import Callable

    from adapter.mart.store.database import Database
    from adapter.mart.store.protocol import Store

_PLACE = "mart.url"
_FILE = ":///"


@dataclass(frozen=True, slots=True)
class Kind:
    """How a database's address is written, and what makes a connection of it for a project.

    The address of ``a_file`` is "scheme:///" and a path, which may be relative to the settings.
    """

    form: str
    make: Callable[[str, str], Database]
    a_file: bool = False


def _duckdb(url: str, _project: str) -> Database:
    try:
        from adapter.mart.store.duckdb import DuckDatabase  # noqa: PLC0415 - an extra
    except ImportError:
        raise RuleError(_PLACE, "the mart needs the extra 'mart'") from None
    return DuckDatabase(Path(url.partition(_FILE)[2]))


def _postgres(url: str, project: str) -> Database:
    try:
        from adapter.mart.store.postgres import PostgresDatabase  # noqa: PLC0415 - an extra
    except ImportError:
        raise RuleError(_PLACE, "PostgreSQL needs the extra 'mart'") from None
    return PostgresDatabase(url, f"mart_{project}")


DATABASES: dict[str, Kind] = {
    "duckdb": Kind("duckdb:///FILE", _duckdb, a_file=True),
    "postgresql": Kind("postgresql://...", _postgres),
    "postgres": Kind("postgresql://...", _postgres),
}
"""Everything that can keep a mart."""


def located(url: str, folder: Path) -> str:
    """The address with a relative file put into a folder.

    Raises:
        RuleError: it is no database's.
    """
    if not _kind(url).a_file:
        return url
    scheme, _, path = url.partition(_FILE)
    return f"{scheme}{_FILE}{folder / path}"


def open_store(url: str, project: str = "default") -> Store:
    """The mart of a project, its tables made if need be.

    Raises:
        RuleError: the address is no database's, or its library is not installed.
        MartError: the database cannot be opened or used, or another process has it.
    """
    return SqlStore(_kind(url).make(url, project))


def _kind(url: str) -> Kind:
    scheme, slashes, _ = url.partition("://")
    kind = DATABASES.get(scheme)
    if kind is None or not slashes or (kind.a_file and not url.partition(_FILE)[2]):
        forms = dict.fromkeys(kind.form for kind in DATABASES.values())
        raise RuleError(_PLACE, f"is neither {' nor '.join(forms)}")
    return kind
