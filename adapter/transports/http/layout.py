"""Output files of the HTTP listener: one message per file, with a suffix for its content type."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.transports.http.media_types import MEDIA_TYPES
from adapter.transports.listener.to_files import OutputFile

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adapter.types import Record


def apart(released: Sequence[Record]) -> Sequence[OutputFile]:
    """Return one file per message; if there are no messages, one empty file."""
    files = [OutputFile(_suffix(record), [((record.value or b"",), record)]) for record in released]
    return files or [OutputFile("", ())]


def _suffix(record: Record) -> str:
    """Return the file suffix of a message; empty if `rules.headers` drops its content type."""
    named = dict(record.headers).get("content-type", b"")
    return MEDIA_TYPES.get(named.decode("latin-1"), "")
