"""A loader in a process of its own, to be killed: ``python loader_process.py URL FEED``."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from adapter.mart.store.protocol import Lane
from adapter.mart.store.registry import open_store
from tests.mart.loading.memory import MemorySource, run


def main():
    """Load the feed in small batches, each told of, until killed or done."""
    lanes = json.loads(Path(sys.argv[2]).read_text("utf-8"))
    source = {Lane(name, 0): [v.encode() for v in values] for name, values in lanes.items()}
    store = open_store(sys.argv[1])
    run(MemorySource(source, batch=20), store, report=lambda _b, _n: print("batch", flush=True))
    store.close()


if __name__ == "__main__":
    main()
