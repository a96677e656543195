"""Output files of the MLLP listener: one per batch, each message in its MLLP block."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.transports.listener.to_files import OutputFile
from adapter.transports.mllp.framing import END, START

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adapter.types import Record


def blocks(released: Sequence[Record]) -> Sequence[OutputFile]:
    """Return the one file of a batch, with every message framed."""
    framed = [((START, record.value or b"", END), record) for record in released]
    return [OutputFile(".hl7", framed)]
