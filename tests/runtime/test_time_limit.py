"""What is left of a time limit when the call is over."""

from __future__ import annotations

import signal

from adapter.runtime.time_limit import timed


def test_no_timer_goes_on_behind_a_call():
    """A process that does other work later must not be ended for it."""
    found, _ = timed(lambda: "done", 30)
    timers = [signal.getitimer(which)[0] for which in (signal.ITIMER_PROF, signal.ITIMER_REAL)]
    assert ("done", [0.0, 0.0]) == (found, timers)
