"""The status of a lane: position, outcomes, failures, and the age of its oldest record."""

from __future__ import annotations

import time

import pytest

from adapter.runtime.lane_status import LaneStatus
from adapter.transports.protocol import Cause, TransportError
from adapter.types import Hold, Position, Processed, Record, Release


@pytest.fixture
def now(monkeypatch):
    """Stop the clock 100 s after the epoch."""
    monkeypatch.setattr("adapter.runtime.lane_status.time.time", lambda: 100.0)


def batch(*stamps):
    """Return records with these timestamps, in seconds."""
    return [
        Record(b"x", Position("in", 2, n), timestamp=round(1000 * stamp))
        for n, stamp in enumerate(stamps)
    ]


@pytest.mark.usefixtures("now")
def test_the_oldest_record_is_that_of_the_first_batch_in_work():
    """The age is that of the first unsettled batch, and 0 if there is none."""
    lane = LaneStatus("in-2")
    first, second = batch(90, 99), batch(95)
    ages = [lane.age()]
    lane.taken(first)
    lane.taken(second)
    ages.append(lane.age())
    lane.settled(first, [Processed(Release(b""), 1.0), Processed(Hold("leak", "pattern"), 1.0)])
    ages.append(lane.age())
    lane.settled(second, [Processed(Release(b""), 1.0)])
    assert [0.0, 10.0, 5.0, 0.0] == [*ages, lane.age()]
    assert (2, {"leak/pattern": 1}, {("in", 2): 0}) == (lane.released, lane.held, lane.positions)


@pytest.mark.usefixtures("now")
def test_a_batch_that_fails_stays_the_oldest():
    """The age of a failed batch is kept through retries, until the batch is settled."""
    lane = LaneStatus("in-2")
    for _ in range(3):
        lane.taken(batch(40))
        lane.taken(batch(50))
        lane.failed(TransportError("no-topic", Cause("E", "UNKNOWN", "in.deid")))
    shown = lane.as_dict()
    assert (60.0, "failing") == (shown["oldest_unsettled_seconds"], shown["state"])
    assert {
        "code": "no-topic",
        "error": "E",
        "reason": "UNKNOWN",
        "topic": "in.deid",
        "seconds_ago": 0.0,
    } == shown["last_failure"]
    lane.taken(batch(40))
    lane.settled(batch(40), [Processed(Release(b""), 1.0)])
    assert (0.0, "working") == (lane.age(), lane.as_dict()["state"])


def test_the_age_of_a_failure_does_not_follow_the_wall_clock(monkeypatch):
    """After the clock was set back by a day, a failure of this moment is 0 s ago."""
    lane = LaneStatus("in-2")
    lane.failed(TransportError("no-topic"))
    monkeypatch.setattr(
        "adapter.runtime.lane_status.time.time", lambda: time.time_ns() / 1e9 - 86_400
    )
    assert 0.0 <= lane.as_dict()["last_failure"]["seconds_ago"] < 60
