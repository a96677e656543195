"""How released messages lie in files: each in its own, byte for byte, named after its type."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.transports.http.media_types import MEDIA_TYPES
from adapter.transports.listener.to_files import OutputFile

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adapter.types import Record


def apart(released: Sequence[Record]) -> Sequence[OutputFile]:
    """Return a file for each message."""
    files = [OutputFile(_suffix(record), [((record.value or b"",), record)]) for record in released]
    return files or [OutputFile("", ())]


def _suffix(record: Record) -> str:
    """The end of its name; nothing where `rules.headers` lets the type not pass."""
    named = dict(record.headers).get("content-type", b"")
    return MEDIA_TYPES.get(named.decode("latin-1"), "")
