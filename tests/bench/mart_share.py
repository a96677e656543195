"""What the mart costs beside the adapter: CPU of landing and storing against that of ``process``.

``python -m tests.bench.mart_share [--aims]``. The two messages of the bench, each time of another
patient, visit, order and staff, are sanitized, landed and committed to a DuckDB file in one run. A
batch is as large as the loader's: what was landed is committed again and again under other ids.
"""

from __future__ import annotations

import datetime as dt
import random
import re
import sys
import tempfile
import time
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from adapter.mart.landing import land
from adapter.mart.loading.entries import entry
from adapter.mart.maps import read_maps
from adapter.mart.store.protocol import Lane
from adapter.mart.store.registry import open_store
from adapter.mart.versions import Released
from adapter.pipeline.process import process
from adapter.runtime.service import LoadRuleset
from adapter.types import Position, Record, Release
from tests.bench.messages import ADT, ORU
from tests.corpus.runs import settings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from adapter.mart.store.protocol import Entry

MESSAGES, BATCH = 150, 5_000
DAY = dt.date(2026, 11, 22)
MOST = 0.15
NUMBER = re.compile(rb"40088213|V40077213|P4471|F88120|MSG0048213|5510|5521|9917|77121")


@dataclass
class Spent:
    """CPU seconds by step."""

    seconds: dict[str, float] = field(default_factory=dict)

    def on(self, step, work):
        """Run a function, and count its CPU seconds."""
        start = time.process_time()
        result = work()
        self.seconds[step] = self.seconds.get(step, 0) + time.process_time() - start
        return result


def messages(raw: bytes, count: int) -> Iterator[bytes]:
    """Yield a message repeatedly, each time of another patient, visit, order and staff."""
    dice = random.Random(7)
    for _ in range(count):
        digits = {}
        yield NUMBER.sub(lambda m, known=digits: known.setdefault(m[0], _other(m[0], dice)), raw)


def _other(number: bytes, dice: random.Random) -> bytes:
    return re.sub(rb"\d", lambda _: str(dice.randint(1, 9)).encode(), number)


def again(entries: list[Entry], count: int) -> list[Entry]:
    """Return ``count`` entries under other message ids and at other places."""
    found = []
    for number in range(count):
        entry = entries[number % len(entries)]
        row = replace(entry.message, message_id=f"{number:032d}", offset=number + 1)
        found.append(replace(entry, message=row))
    return found


def share(name: str, raw: bytes, rules, folder: Path) -> float:
    """Print a message's cost in each step; return the mart's share."""
    spent, maps = Spent(), read_maps()
    sent = [Record(m, Position("bench", 0, n)) for n, m in enumerate(messages(raw, MESSAGES))]
    made = spent.on("process", lambda: [process(record, rules) for record in sent])
    records = [
        Released(one.value, f"{n:032x}", "out", 0, n)
        for n, one in enumerate(made)
        if isinstance(one, Release)
    ]
    reader = partial(land, maps=maps)
    reader(records[0])  # compiles the tables
    first, records = records[:1], records[1:]
    entries = spent.on("land", lambda: [entry(record, reader, DAY) for record in records])
    store = open_store(f"duckdb:///{folder}/{name}.duckdb", "bench")
    (taken,) = store.take([Lane("out", 0)])
    store.commit([entry(record, reader, DAY) for record in first], taken, 1)  # and loads libraries
    batch = again(entries, BATCH)
    spent.on("store", lambda: store.commit(batch, taken, len(batch) + 1))
    spent.seconds["store"] *= len(entries) / len(batch)
    store.close()
    versions = sum(len(one.landed.versions) for one in entries)
    mart = spent.seconds["land"] + spent.seconds["store"]
    steps = ", ".join(f"{k} {v / len(records) * 1e6:,.0f} us" for k, v in spent.seconds.items())
    found = mart / spent.seconds["process"]
    print(f"{name}: {steps}; {versions / len(records):.0f} versions a message; share {found:.1%}")
    return found


def main() -> int:
    """Print the share of each message, and of both together."""
    rules = LoadRuleset(settings())().ruleset
    with tempfile.TemporaryDirectory() as folder:
        shares = [share(n, raw, rules, Path(folder)) for n, raw in (("adt", ADT), ("oru", ORU))]
    return int("--aims" in sys.argv and max(shares) > MOST)


if __name__ == "__main__":
    sys.exit(main())
