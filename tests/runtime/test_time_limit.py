"""The timers of the time limit after a call."""

from __future__ import annotations

import signal

from adapter.runtime.time_limit import timed


def test_no_timer_goes_on_behind_a_call():
    """No timer runs after a call, so that none can end the process during later work."""
    found, _ = timed(lambda: "done", 30)
    timers = [signal.getitimer(which)[0] for which in (signal.ITIMER_PROF, signal.ITIMER_REAL)]
    assert ("done", [0.0, 0.0]) == (found, timers)
