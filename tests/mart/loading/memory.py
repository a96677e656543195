"""Lists of records as a source, and a crash at any step of a load."""

from __future__ import annotations

import asyncio

from adapter.mart.loading.loader import Loader
from adapter.mart.loading.source import Batch
from adapter.mart.store.protocol import Lane
from tests.mart.stand_in import DAY, land, released


class CrashError(BaseException):
    """The end of a process, so that nothing catches it."""


class Steps:
    """Counts steps, and crashes at one of them."""

    def __init__(self, at=None):
        self.at, self.count = at, 0

    def step(self):
        """One more."""
        self.count += 1
        if self.count == self.at:
            raise CrashError


class MemorySource:
    """Lanes of values; a value that is a key of no value is a tombstone (bytes, None)."""

    def __init__(self, lanes, batch=3, steps=None):
        self.feed = {
            lane: [record(n, value, lane) for n, value in enumerate(values)]
            for lane, values in lanes.items()
        }
        self.batch, self.steps = batch, steps or Steps()

    async def lanes(self):
        """Every lane."""
        self.steps.step()
        return tuple(self.feed)

    async def batches(self, start):
        """Lanes in turn, a batch of each."""
        at = {lane: start[lane] or 0 for lane in self.feed}
        while any(at[lane] < len(records) for lane, records in self.feed.items()):
            for lane, records in self.feed.items():
                some = tuple(records[at[lane] : at[lane] + self.batch])
                if some:
                    at[lane] += len(some)
                    self.steps.step()
                    yield Batch(lane, some, at[lane])
            yield None

    async def close(self):
        """Nothing is open."""


def record(index, value, lane):
    """A record of a value, or a tombstone of a key that is a tuple's only item."""
    key = value[0] if isinstance(value, tuple) else None
    return released(index, None if key else value, lane.topic, lane.partition, key)


class Stepping:
    """A database whose every call is a step, before and after it happens."""

    def __init__(self, database, steps):
        self.database, self.steps = database, steps

    def __getattr__(self, name):
        there = getattr(self.database, name)
        if name in ("open", "close"):
            return there

        def call(*args, **more):
            self.steps.step()
            done = there(*args, **more)
            self.steps.step()
            return done

        return call


def run(source, store, **more):
    """Load it all."""
    asyncio.run(Loader(source, store, land, lambda: DAY, **more).run())


LANE = Lane("out", 0)
