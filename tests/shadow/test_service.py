"""The shadow beside a service: it counts a share of the records, and is never in the way."""

from __future__ import annotations

import asyncio
import io
import json
import time
from functools import partial

import pytest

from adapter.audit import Audit, configure_logs
from adapter.config.settings import load_settings
from adapter.errors import RuleError
from adapter.runtime.health import answer
from adapter.runtime.runner import Runner
from adapter.shadow.comparison import Compared
from adapter.shadow.service import Shadowing, sampled, shadowing
from adapter.transports.memory.transport import Broker, MemoryTransport
from adapter.types import Position, Processed, Record, Release

TOTAL = 100


class Inline:
    """A pool without processes."""

    restarts = 0

    def alive(self):
        """One of them lives."""
        return 1

    async def run(self, batch, _notes=None):
        """Work at once."""
        return [Processed(Release(record.value), 0.1) for record in batch]


def make(kind):
    """What compares in a process of its own; it sees the record's text and gives counts."""
    if kind == "refused":
        raise RuleError("shadow.profile", "no such profile")
    if kind == "broken":
        raise ValueError("Quillfeather")

    def compared(record):
        if kind == "slow":
            time.sleep(0.2)
        if kind == "dies" and record.value.endswith(b"7"):
            raise MemoryError
        changed = record.value.endswith(b"1")
        changes = ((("gained", "PATIENT", "crf"), 2),) if changed else ()
        return Compared(changes, 1.0, 2.0)

    return compared


class Scene:
    """A service over TOTAL records with a shadow of some kind."""

    def __init__(self, kind, **shadow):
        self.broker = Broker()
        told = {"share": 1.0, "profile": "safe-harbor", "queue_records": TOTAL, **shadow}
        transport = MemoryTransport(self.broker, batch_records=10, follow=True)
        self.runner = Runner(transport, Inline(), None, Audit("d1"))
        self.shadow = Shadowing(
            self.runner, load_settings(shadow=told), lambda *_: partial(make, kind)
        )
        self.page = None

    async def run(self, until):
        """Serve once the shadow has begun, or failed; until all is settled and ``until`` holds."""
        stop = asyncio.Event()
        self.runner.drain_seconds = 0
        async with shadowing(self.shadow):
            served = asyncio.create_task(self.runner.run(stop))
            while self.shadow.state == "starting":  # noqa: ASYNC110
                await asyncio.sleep(0.01)
            for number in range(TOTAL):
                self.broker.append("in", Record(b"Quillfeather %d" % number, Position("", 0, 0)))
            while not (self.broker.offsets.get(("in", 0)) == TOTAL and until(self.shadow)):  # noqa: ASYNC110
                await asyncio.sleep(0.01)
            self.page = json.loads(answer(self.runner, "/shadow")[2])
            stop.set()
            await served
        return self


@pytest.fixture
def logged():
    """What is logged meanwhile."""
    stream = io.StringIO()
    configure_logs("info", stream)
    yield stream
    configure_logs("warning")


def seen(shadow):
    """How many records the shadow has done with, whatever came of them."""
    found = shadow.comparison
    return found.records + found.dropped + found.failed


def whole(shadow):
    """Whether all of them are done with."""
    return seen(shadow) == TOTAL


def test_records_are_compared_and_counted(logged):
    """The page, the metrics and the log have counts by closed sets, and no text."""
    scene = asyncio.run(Scene("compares", interval_seconds=0.001).run(whole))
    assert ("running", TOTAL, 10) == tuple(
        scene.page[name] for name in ("state", "records", "different")
    )
    assert ({"PATIENT/crf": 20}, 0.5) == (scene.page["gained"], scene.page["speed_ratio"])
    text = scene.runner.metrics.exposition().decode()
    for line in (
        'deid_shadow_records_total{result="different"} 10.0',
        'deid_shadow_records_total{result="same"} 90.0',
        'deid_shadow_spans_total{change="gained",label="PATIENT",source="crf"} 20.0',
        'deid_shadow_seconds_total{ruleset="shadow"} 200.0',
    ):
        assert line in text
    lines = [json.loads(line) for line in logged.getvalue().splitlines()]
    summed = [line for line in lines if line["event"] == "shadow compared"]
    assert {"records", "different", "gained", "lost", "dropped"} <= set(summed[-1])
    assert "uillfeather" not in logged.getvalue() + text + json.dumps(scene.page)


def test_a_share_is_sampled():
    """About the share that is asked for, the same records each time."""
    places = [Position("in", 0, offset) for offset in range(4000)]
    tenth = [place for place in places if sampled(place, 0.1)]
    assert 300 < len(tenth) < 500
    assert set(tenth) <= {place for place in places if sampled(place, 0.3)}
    assert (0, 4000) == tuple(sum(sampled(p, share) for p in places) for share in (0, 1))


def test_a_slow_shadow_drops_and_delays_nobody():
    """What finds no room is counted; the lanes are done long before the shadow."""
    scene = asyncio.run(Scene("slow", queue_records=1).run(lambda _shadow: True))
    assert scene.page["dropped"] > TOTAL // 2
    assert TOTAL == len(scene.broker.records("released"))


@pytest.mark.parametrize("kind", ["refused", "broken"])
def test_rules_that_cannot_be_honoured_end_the_shadow_alone(kind, logged):
    """The lanes go on; the log says why, and quotes nothing."""
    scene = asyncio.run(Scene(kind).run(lambda _shadow: True))
    assert ("failed", 0) == (scene.page["state"], scene.page["records"])
    assert TOTAL == len(scene.broker.records("released"))
    (line,) = [json.loads(x) for x in logged.getvalue().splitlines() if "shadow failed" in x]
    assert (kind == "refused") == ("shadow.profile" == line.get("place"))
    assert "uillfeather" not in logged.getvalue()


def test_what_cannot_be_compared_is_counted():
    """A record at which the shadow's process fails is one that failed, and no more."""
    scene = asyncio.run(Scene("dies").run(whole))
    assert (90, 10) == (scene.page["records"], scene.page["failed"])


def test_without_a_share_there_is_no_shadow():
    """Nothing is started, and the page says so."""
    scene = asyncio.run(Scene("broken", share=0.0).run(lambda _shadow: True))
    assert ("off", 0) == (scene.page["state"], scene.page["records"])


def test_a_change_begins_anew(logged):
    """Beside other rules the counts of the earlier ones say nothing."""

    async def go():
        scene = Scene("compares")
        changed = False

        def until(shadow):
            nonlocal changed
            if not changed and whole(shadow):
                changed = True
                shadow.change(shadow.settings)
            return changed and shadow.state == "running" and shadow.comparison.records == 0

        return await scene.run(until)

    scene = asyncio.run(go())
    assert ("running", 0) == (scene.page["state"], scene.page["records"])
    assert 2 == logged.getvalue().count("shadow started")
