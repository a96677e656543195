"""Converts disk failures to failed transactions, because they can be temporary (a full disk)."""

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
    """Convert errors of the system and of SQLite to a failed transaction, which is retried.

    The error is not chained, because its text can name files.

    Raises:
        TransportError: "unreachable".
    """
    try:
        yield
    except (OSError, sqlite3.Error) as error:
        names = named(error)
        cause = Cause(names["error"], names.get("reason", ""), setting=names.get("setting", ""))
        raise TransportError("unreachable", cause) from None
