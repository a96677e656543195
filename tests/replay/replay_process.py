"""A replay in a separate process, to be killed: ``python replay_process.py SETTINGS SECONDS``.

Its process function needs no rules and takes SECONDS per message.
"""

from __future__ import annotations

import asyncio
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from adapter.config.settings import load_settings
from adapter.replay import passes
from adapter.replay.run import replay
from tests.replay.conftest import InlinePool
from tests.replay.worlds import stand_in


def slow(seconds):
    """Return a factory of a process that takes this many seconds."""

    def process(record):
        time.sleep(seconds)
        return stand_in(record)

    return lambda: process


def main():
    """Run or resume until killed or finished."""
    passes.Pool = InlinePool
    loaded = load_settings(Path(sys.argv[1]))
    factory = slow(float(sys.argv[2]))
    return asyncio.run(replay(loaded, resume=True, factory=factory)).status


if __name__ == "__main__":
    sys.exit(main())
