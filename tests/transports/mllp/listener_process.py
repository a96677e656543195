"""A listener in a separate process, to be killed: ``python listener_process.py SETTINGS``.

Its process function only renames the patient, because input and output are what is tested.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from adapter.config.settings import load_settings
from adapter.runtime.service import serve, transport
from adapter.types import Hold, Release


def outcome(record):
    """Release HL7 v2 without the patient's name; hold anything else."""
    if not record.value.startswith(b"MSH"):
        return Hold("decode", "unknown-format")
    return Release(record.value.replace(b"QUILLFEATHER", b"OKAFOR"), format="hl7v2")


def make():
    """Return the workers' process function."""
    return outcome


def main():
    """Run until killed or stopped."""
    settings = load_settings(Path(sys.argv[1]))
    return asyncio.run(serve(settings, over=transport(settings), factory=make))


if __name__ == "__main__":
    sys.exit(main())
