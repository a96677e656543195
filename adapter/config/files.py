"""Settings of the files transport."""

from __future__ import annotations

from adapter.config.section import FilePath, Section


class Files(Section):
    """Inputs and output folder of the files transport."""

    inputs: tuple[str, ...] = ()
    """Files, folders, or "-" for standard input."""
    output: str = "out"
    """A folder, or "-" for standard output."""
    quarantine: FilePath | None = None
    """Folder of sealed held messages; None: they stay at their source only."""
    audit: FilePath | None = None
    """File of audit records, one JSON object per line."""
    escrow: FilePath | None = None
    """File of escrow records, one JSON object per line."""
    state: FilePath | None = None
    """File of patient memory for later runs, sealed with ``keys.state``; None: the memory ends with
    the run."""
