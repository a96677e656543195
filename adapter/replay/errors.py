"""Errors that end a replay, with the file and place, or the target, and the problem."""

from __future__ import annotations

import re

from adapter.errors import RuleError

_CREDENTIALS = re.compile(r"(?<=://)[^/@]*@|[?#].*", re.DOTALL)


class ReplayError(RuleError):
    """An archive, progress or target cannot be used; nothing that was settled is lost.

    The error's text names files, rows, topics and columns, and quotes nothing of a message.
    """


def at(name: str, row: int | None = None) -> str:
    """Return a place in an object for error texts: its name, and the number of a row (from 1)."""
    return name if row is None else f"{name}: row {row}"


def shown(url: str) -> str:
    """Return an address without user, password and query, so that it may be printed."""
    return _CREDENTIALS.sub("", url) if "://" in url else url


def missing_extra(module: str) -> RuleError:
    """Return the error for a library of the extra that is not installed."""
    return RuleError("replay", f"needs {module}: pip install 'clinical-deid-adapter[replay]'")
