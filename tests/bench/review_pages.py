"""Pages with 100,000 items, beside an empty queue: ``python -m tests.bench.review_pages``."""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from pathlib import Path

from adapter.review.judging.items import packed
from adapter.review.store import items, readings
from adapter.review.store.items import Item
from adapter.review.store.readings import Reading
from adapter.review.store.store import fresh_id
from tests.review.console import DAY, Browser, content, staffed

ITEMS = 100_000
ROUNDS = 15
PAGES = ("/queue", "/queue?queue=uncertain", "/proposals", "/report")


def fill(console, number):
    """Add messages, half of them held, half uncertain."""
    store, now = console.store, console.store.now
    sealed = packed(content(1, hold="leak/known-value"))
    ann = console.person("ann").id
    with store.database.transaction() as cursor:
        for each in range(number):
            item = Item(fresh_id(), "ORU^R01", "", "leak/known-value", "", now, now + 30 * DAY)
            items.add(cursor, store.box, item, each.to_bytes(8, "big"), sealed, mentions=())
            queue = "held" if each % 2 else "uncertain"
            who = "" if each % 2 else ann
            made = Reading(fresh_id(), item.id, queue, "", who, -1, each, spans=5, created=now)
            readings.add(cursor, made)


def seconds(client, path):
    """The median time of a page."""
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        assert client.get(path).status_code == 200, path
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def measured(number):
    """The median time of each page, and of an item, with so many items."""
    with tempfile.TemporaryDirectory() as folder:
        console = staffed(
            f"sqlite:///{Path(folder) / 'review.sqlite'}", notes=4, recall=2, uncertain=0
        )
        fill(console, number)
        client = Browser(console.app())
        client.log_in("olga")
        found = {path: seconds(client, path) for path in PAGES}
        held = console.readings("held")[-1].id
        found["far page"] = seconds(client, f"/queue?queue=held&after={held}")
        found["item"] = seconds(client, f"/readings/{held}")
        console.store.database.close()
    return found


def main():
    """Print both, and their ratio; status 1 if a page takes 200 ms or more."""
    number = int(sys.argv[1]) if len(sys.argv) > 1 else ITEMS
    empty, full = measured(0), measured(number)
    for path, took in full.items():
        print(f"{path:32} {took * 1000:7.1f} ms  {took / empty[path]:5.1f} x an empty queue's")
    sys.exit(max(full.values()) >= 0.2)


if __name__ == "__main__":
    main()
