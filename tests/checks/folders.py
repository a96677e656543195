"""Where the checks of others lie; tests that need them skip, saying so, where they are absent."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

HOME = Path(__file__).resolve().parents[2].parent / "shared" / "mart" / "checks"


def checks(*parts: str) -> Path:
    """A folder of checks below ``CLINICAL_DEID_CHECKS`` (default ../shared/mart/checks)."""
    folder = Path(os.environ.get("CLINICAL_DEID_CHECKS", HOME)).joinpath(*parts)
    if not folder.is_dir():
        pytest.skip(f"no checks: {'/'.join(parts)} is not below CLINICAL_DEID_CHECKS")
    return folder
