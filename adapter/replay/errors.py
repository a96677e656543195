"""What ends a replay: a file and a place in it, or a target, and what is wrong there."""

from __future__ import annotations

import re

from adapter.errors import RuleError

_CREDENTIALS = re.compile(r"(?<=://)[^/@]*@|[?#].*", re.DOTALL)


class ReplayError(RuleError):
    """An archive, progress or target that cannot be used; nothing that was settled is lost.

    Its text names files, rows, topics and columns, and quotes nothing of a message.
    """


def at(name: str, row: int | None = None) -> str:
    """A place in an object: its name, and the number of a row (from 1)."""
    return name if row is None else f"{name}: row {row}"


def shown(url: str) -> str:
    """An address as it may be printed: without user, password and query."""
    return _CREDENTIALS.sub("", url) if "://" in url else url


def missing_extra(module: str) -> RuleError:
    """What to say where a library of the extra is not installed."""
    return RuleError("replay", f"needs {module}: pip install 'clinical-deid-adapter[replay]'")
