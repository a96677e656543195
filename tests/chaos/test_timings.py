"""The calculations of the measuring commands."""

from __future__ import annotations

import pytest

from tests.chaos.soak import Latency, first_minute, percentiles, quarters
from tests.chaos.timings import longest_pause


def committed(lane, second):
    """Return a line of the log."""
    return {"event": "committed", "lane": lane, "timestamp": f"2026-01-01T00:00:{second:02d}Z"}


BEGIN = 1767225600.0
"""2026-01-01T00:00:00Z."""


def test_the_longest_pause_is_of_one_lane():
    """Lanes that commit in turn do not hide the pause of each."""
    lines = [committed("a", 1), committed("b", 2), committed("a", 5), committed("b", 4)]
    lines += [{"event": "started", "timestamp": "2026-01-01T00:00:30Z"}, committed("a", 50)]
    assert 6.0 == longest_pause(lines, BEGIN, BEGIN + 10)
    assert 56.0 == longest_pause(lines, BEGIN, BEGIN + 60)
    assert 4.0 == longest_pause(lines, BEGIN + 1, BEGIN + 5)


def test_a_lane_that_stands_still_pauses_all_the_time():
    """A lane that commits nothing in the window, but did before, pauses for all of it."""
    assert 10.0 == longest_pause([committed("a", 1)], BEGIN + 20, BEGIN + 30)
    assert 0.0 == longest_pause([], BEGIN, BEGIN + 60)


def test_quarters_and_percentiles():
    """Quarters are compared by their medians; percentiles are the 50th and the 99th."""
    assert (2, 11) == quarters([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
    assert (50.5, 99.99) == pytest.approx(percentiles(range(1, 101)), abs=0.02)


def test_the_first_minute_is_of_records_sent_in_it():
    """A record belongs to the first minute by when it was sent, however late it was settled."""
    begin = 1767225600_000
    late, last = Latency(begin, 90.0), Latency(begin + 59_999, 0.2)
    sent = [Latency(begin + 60_000, 0.1), late, last, Latency(begin + 61_000, 0.1)]
    assert [late, last] == first_minute(sent)
    assert [] == first_minute([])
