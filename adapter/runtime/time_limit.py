"""The time limit of one record: an alarm inside the worker, or else a signal from the kernel.

An alarm stops a message that takes too long; if Python code gets no chance to run (a library that
keeps the interpreter lock), the kernel ends the process when its CPU time is used up.
"""

from __future__ import annotations

import signal
import time
from typing import TYPE_CHECKING, Any

from adapter.errors import AdapterError
from adapter.types import Hold

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

    from adapter.types import Record

TIMEOUT = Hold("tag", "timeout")
UNEXPECTED = Hold("bug", "unexpected")
SLICE = 256 * 1024
"""The time limit grows by the configured seconds for each such number of bytes."""


class OverrunError(BaseException):
    """Raised by the alarm; not an Exception, so that no handler of the core catches it."""


def allowed(record: Record, seconds: float) -> float:
    """Return the seconds that a record may take, which grow in proportion to its length."""
    return seconds * (1 + len(record.value or b"") / SLICE)


def overrun(_signal: int, _frame: FrameType | None) -> None:
    """Handle SIGALRM in a worker."""
    raise OverrunError


def timed(call: Callable[[], Any], seconds: float) -> tuple[Any, float]:
    """Call within the time limit; return the result and the milliseconds it took."""
    start = time.perf_counter()
    found = _bounded(call, seconds)
    return found, (time.perf_counter() - start) * 1000


def _bounded(call: Callable[[], Any], seconds: float) -> Any:
    """Call within ``seconds`` of wall time, and at most ``2 * seconds + 1`` of CPU time."""
    try:
        signal.setitimer(signal.ITIMER_PROF, 2 * seconds + 1)  # SIGPROF ends the process
        signal.setitimer(signal.ITIMER_REAL, seconds)
        try:
            return _outcome_or_hold(call)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.setitimer(signal.ITIMER_PROF, 0)
    except OverrunError:
        return TIMEOUT


def _outcome_or_hold(call: Callable[[], Any]) -> Any:
    """Return the call's result; an exception becomes a Hold."""
    try:
        return call()
    except AdapterError as error:
        return Hold(error.stage, error.code)
    except Exception:  # noqa: BLE001 - fail closed; its text can quote the message
        return UNEXPECTED
