"""Failures of the disk as those of a transaction: what may pass, such as a full disk."""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager
from typing import TYPE_CHECKING

from adapter.telemetry.error_names import named
from adapter.transports.protocol import Cause, TransportError

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def disk_failures() -> Iterator[None]:
    """Let failures of the system or of SQLite be those of a transaction, which is repeated.

    Their own text may name files, so they are not chained.

    Raises:
        TransportError: "unreachable".
    """
    try:
        yield
    except (OSError, sqlite3.Error) as error:
        names = named(error)
        cause = Cause(names["error"], names.get("reason", ""))
        raise TransportError("unreachable", cause) from None
