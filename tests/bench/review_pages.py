"""Pages with 100,000 items, beside an empty queue: ``python -m tests.bench.review_pages``.

A sample of 60 messages is read and settled in both, so that the report has figures to make; pages
deep in a queue begin behind its middle.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from pathlib import Path

from adapter.review.judging.actions import Action, Kind
from adapter.review.judging.items import packed
from adapter.review.store import items, readings
from adapter.review.store.items import Item
from adapter.review.store.readings import Reading
from adapter.review.store.store import fresh_id
from tests.review.console import DAY, PEOPLE, Browser, content, staffed

ITEMS = 100_000
READ = 60
ROUNDS = 15
PAGES = {
    "olga": (
        "/queue", "/queue?done=1", "/queue?queue=uncertain", "/proposals", "/report", "/agreement",
    ),
    "ann": ("/queue?queue=uncertain", "/queue?queue=recall"),
    "aud": ("/audit", "/audit?before=40"),
    "adm": ("/people",),
}  # fmt: skip


def fill(console, number):
    """Add messages: a third held, a third uncertain, a third done; return ids deep in each."""
    store, now = console.store, console.store.now
    sealed = packed(content(1, hold="leak/known-value"))
    ann, deep = console.person("ann").id, {}
    with store.database.transaction() as cursor:
        for each in range(number):
            kind = ("held", "uncertain", "done")[each % 3]
            item = Item(fresh_id(), "ORU^R01", "", "leak/known-value", "", now, now + 30 * DAY)
            items.add(cursor, store.box, item, each.to_bytes(8, "big"), sealed, mentions=())
            queue, who = ("uncertain", ann) if kind == "uncertain" else ("held", "")
            done = now + each if kind == "done" else 0
            made = Reading(
                fresh_id(), item.id, queue, "", who, -1, each, done=done, spans=5, created=now
            )
            readings.add(cursor, made)
            if each <= number // 2:
                deep[kind] = made.id
    return deep


def read(console):
    """Read every message of the sample, by both readers; one of them overlooks a name."""
    for name in ("ann", "ben"):
        who = console.person(name)
        for reading in console.readings("recall", name):
            text = console.desk.view(who, reading.id).content.texts[0].text
            words = ("Ashford", "Halloran", "Mr ")[: 3 if name == "ann" else 2]
            added = [
                Action(Kind.ADD, text=0, start=at, end=at + len(word), label="OTHER")
                for word in words
                for at in (text.index(word),)
            ]
            console.desk.act(who, reading.id, 0, added)
            console.desk.finish(who, reading.id, 1)
    olga = console.person("olga")
    for reading in console.readings("disagreements"):
        view = console.desk.view(olga, reading.id)
        accept = [Action(Kind.ACCEPT, span=n) for n in view.asked]
        console.desk.act(olga, reading.id, 0, accept)
        console.desk.finish(olga, reading.id, 1)


def seconds(client, path):
    """The median time of a page, and the CPU time of that."""
    took, worked = [], []
    for _ in range(ROUNDS):
        start, busy = time.perf_counter(), time.process_time()
        assert client.get(path).status_code == 200, path
        took.append(time.perf_counter() - start)
        worked.append(time.process_time() - busy)
    return statistics.median(took), statistics.median(worked)


def first(console, path):
    """As `seconds`, of a console that has been started and has counted its figures."""
    took = []
    for _ in range(3):
        client = Browser(console.app(warm=True))
        client.log_in("olga")
        start, busy = time.perf_counter(), time.process_time()
        assert client.get(path).status_code == 200, path
        took.append((time.perf_counter() - start, time.process_time() - busy))
    return tuple(statistics.median(each) for each in zip(*took, strict=True))


def measured(number):
    """The median times of each page, and of an item, with so many items."""
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{Path(folder) / 'review.sqlite'}"
        console = staffed(url, notes=READ, recall=READ, uncertain=0)
        read(console)
        deep, found = fill(console, number), {}
        clients = {name: Browser(console.app()) for name in PEOPLE}
        for name, paths in PAGES.items():
            clients[name].log_in(name)
            for path in paths:
                found[f"{name} {path}"] = seconds(clients[name], path)
        held, uncertain, done = (deep[kind] for kind in ("held", "uncertain", "done"))
        for name, title, path in (
            ("olga", "deep in held", f"/queue?queue=held&after={held}"),
            ("olga", "deep in uncertain", f"/queue?queue=uncertain&after={uncertain}"),
            ("olga", "deep in what is done", f"/queue?queue=held&done=1&after={done}"),
            ("ann", "deep in her uncertain", f"/queue?queue=uncertain&after={uncertain}"),
            ("olga", "item", f"/readings/{held}"),
            ("olga", "same phrase", f"/readings/{held}/phrase?span=1"),
        ):
            found[f"{name} {title}"] = seconds(clients[name], path)
        found["olga first /report"] = first(console, "/report")
        found["olga first /agreement"] = first(console, "/agreement")
        console.store.database.close()
    return found


def main():
    """Print wall and CPU time, and the ratio of CPU times; status 1 if a page takes 200 ms."""
    number = int(sys.argv[1]) if len(sys.argv) > 1 else ITEMS
    empty, full = measured(10), measured(number)
    for path, (took, worked) in full.items():
        ratio = worked / empty[path][1]
        print(f"{path:32} {took * 1000:7.1f} ms, of CPU {worked * 1000:6.1f} ms,", end="")
        print(f" {ratio:5.1f} x an empty queue's")
    sys.exit(max(took for took, _ in full.values()) >= 0.2)


if __name__ == "__main__":
    main()
