"""A listener in a process of its own, to be killed: ``python listener_process.py SETTINGS``.

Its process function only renames the patient: what is tested is the way in and out.
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
    """Release what is HL7 v2, without the patient; hold the rest."""
    if not record.value.startswith(b"MSH"):
        return Hold("decode", "unknown-format")
    return Release(record.value.replace(b"QUILLFEATHER", b"OKAFOR"), format="hl7v2")


def make():
    """What a worker runs."""
    return outcome


def main():
    """Run until killed or told to stop."""
    settings = load_settings(Path(sys.argv[1]))
    return asyncio.run(serve(settings, over=transport(settings), factory=make))


if __name__ == "__main__":
    sys.exit(main())
