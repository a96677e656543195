"""Lanes of a replay: progress in every transaction, a target that is down, the rate limit."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager

import pytest

from adapter.audit import Audit
from adapter.replay.errors import ReplayError
from adapter.replay.progress import Progress, released_digest
from adapter.replay.rate import Bucket, Rate
from adapter.replay.survey import LaneRange
from adapter.replay.transport import ReplayTransport
from adapter.runtime.runner import Runner
from adapter.sealing.quarantine import Sealer
from adapter.transports.protocol import Channel, TransportError
from adapter.types import Position, Record
from tests.replay.conftest import InlinePool
from tests.replay.worlds import StandIn, records

LANE = LaneRange("hl7.in", 0, 0, 30, 30)


class Listed:
    """A source of one lane."""

    async def batches(self, _lane, start):
        """Yield batches of ten records."""
        given = [r for r in records(30, partitions=1) if r.position.offset >= start]
        for first in range(0, len(given), 10):
            yield given[first : first + 10]


class Kept:
    """A target whose commits fail a given number of times, before or after they take effect."""

    def __init__(self, failures=0, *, counted=False):
        """Fail this many times."""
        self.failures = failures
        self.counted = counted
        self.committed = None
        self.sent = []

    def lane(self, _lane):
        """Return the only lane."""
        return self

    async def progress(self):
        """Return the committed progress."""
        return self.committed

    async def state(self):
        """Yield nothing."""
        return
        yield

    @asynccontextmanager
    async def transaction(self):
        """Commit records and progress together."""
        self.open, self.to = [], None
        yield self
        if self.failures and not self.counted:
            self.failures -= 1
            raise TransportError("send-failed")
        self.sent += self.open
        self.committed = self.to
        if self.failures:
            self.failures -= 1
            raise TransportError("send-failed")

    async def send(self, channel, record):
        """Add a record."""
        self.open.append((channel, record))

    async def settle(self, progress):
        """Set the progress."""
        self.to = progress

    async def close(self):
        """Do nothing."""


def ran(target, attempts=5):
    """Return the transport after a run."""

    async def go():
        over = ReplayTransport(Listed(), target, [LANE], Rate(), attempts=attempts)
        sealer = Sealer("q1", {"q1": bytes(32)})
        runner = Runner(over, InlinePool(StandIn()), sealer, Audit(), retry_seconds=0.001)
        await runner.run(asyncio.Event())
        return over

    return asyncio.run(go())


@pytest.mark.parametrize("counted", [False, True])
def test_commits_that_fail_are_repeated_and_count_once(counted):
    """Each record is settled once, whether or not failed commits took effect."""
    target = Kept(3, counted=counted)
    over = ran(target)
    assert over.complete
    places = [record.position.offset for channel, record in target.sent if channel == "audit"]
    assert list(range(30)) == places
    assert (30, 30) == (target.committed.records, target.committed.next)


def test_a_target_that_stays_down_ends_the_replay():
    """After the configured number of consecutive failures, the replay ends and names the lane."""
    with pytest.raises(ReplayError, match=r"hl7\.in-0: the target accepts no messages"):
        ran(Kept(99), attempts=3)


def test_progress_is_what_it_was_packed_from():
    """Progress is unchanged after it was packed and unpacked."""
    progress = Progress(3, 2, 1, 0, 7, {"decode/empty": 1}, "ab")
    assert progress == Progress.unpack(progress.pack())


def test_the_chain_depends_on_the_order_and_on_every_part():
    """The digest depends on the order of records, and on key, value and headers of each."""
    at = Position("t", 0, 0)
    kept = [Record(b"a", at, b"k"), Record(b"b", at, b"k"), Record(b"b", at, None)]
    kept += [Record(None, at, b"k"), Record(b"", at, b"k"), Record(b"a", at, b"k", (("h", b"x"),))]
    assert len(kept) == len({released_digest(record) for record in kept})
    chains = set()
    for some in (kept, kept[::-1]):
        progress = Progress()
        for record in some:
            progress.sent(Channel.RELEASED, record)
        chains.add(progress.digest)
    assert 2 == len(chains)


def test_a_bucket_gives_its_rate():
    """A full bucket allows one second's amount at once, then only its rate."""
    now = [0.0]
    bucket = Bucket(100, clock=lambda: now[0])
    assert 0 == bucket.take(100)
    assert 0.5 == bucket.take(50)
    now[0] = 10.0
    assert 0 == bucket.take(100)
    assert pytest.approx(1.0) == bucket.take(100)


def test_a_bucket_without_a_rate_never_waits():
    """A rate of 0 is unlimited."""
    assert 0 == Bucket(0).take(1e9)


def test_who_waits_for_the_rate_is_let_go_when_all_is_to_stop():
    """A stop ends the wait for the rate limit."""

    async def go():
        rate = Rate(records=0.01)
        waiting = asyncio.create_task(rate.take(records(5)))
        await asyncio.sleep(0.01)
        rate.stop()
        await asyncio.wait_for(waiting, 5)

    asyncio.run(go())
