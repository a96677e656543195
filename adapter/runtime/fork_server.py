"""A process that builds ``process`` once and forks workers, which share its memory.

A forked worker is ready at once and shares the server's memory until it writes to it. The server
itself is spawned, never forked, because the parent has threads; the server's only threads are those
of numpy's OpenBLAS, which stops them before a fork. The server and its workers end when the
parent's ends of their pipes close, which also happens when the parent is killed.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.reduction import recv_handle, send_handle
from threading import Lock
from typing import TYPE_CHECKING, Any

from adapter.errors import RuleError
from adapter.runtime.worker import Task, serve

if TYPE_CHECKING:
    from collections.abc import Callable, MutableSequence

    from adapter.runtime.worker import Process

    Factory = Callable[[], Process]

FORK, STATUS = "fork", "status"
"""Requests to the server: fork a worker; return a worker's exit status."""
_LOST = (EOFError, OSError)
"""Exceptions of a pipe whose other end is closed."""
_PATIENCE, _POLL = 5.0, 0.01
"""Seconds to wait for the end of a worker whose pipe has closed, and between checks."""


class WorkerStartError(Exception):
    """No worker can be started; the text is the type of the failure, or that a process died."""


class ForkServer:
    """The parent's side of the server; its methods block, and are thread-safe.

    ``at`` has a number for each worker, in memory shared by all processes.
    """

    def __init__(self, factory: Factory, workers: int, seconds: float) -> None:
        """Keep a picklable factory, which is called in the server."""
        self._factory, self._seconds = factory, seconds
        self._context = multiprocessing.get_context("spawn")
        self.at: MutableSequence[int] = self._context.RawArray("i", workers)
        self._lock = Lock()
        self._server: Any = None
        self._requests: Connection | None = None

    def start(self) -> None:
        """Start the server, and wait until it has called the factory.

        Raises:
            RuleError: the settings or rules cannot be applied.
            WorkerStartError: the factory failed otherwise.
        """
        self._requests, theirs = self._context.Pipe()
        self._server = self._context.Process(
            target=_run, args=(theirs, self._factory, self.at, self._seconds), daemon=True
        )
        self._server.start()
        theirs.close()
        try:
            failure = self._requests.recv()
        except _LOST:
            failure = "process died"
        if isinstance(failure, RuleError):
            raise failure
        if failure is not None:
            raise WorkerStartError(failure)

    def fork(self, number: int) -> tuple[int, Connection]:
        """Start worker ``number``; return its process id and the parent's end of its pipe.

        A server that has died is restarted.

        Raises:
            RuleError: it cannot be restarted, because settings or rules have changed.
            WorkerStartError: it cannot be restarted, or it dies again.
        """
        ours, theirs = self._context.Pipe()
        with theirs, self._lock:
            try:
                try:
                    return self._forked(number, theirs), ours
                except _LOST:
                    self.end()
                    self.start()
                    return self._forked(number, theirs), ours
            except Exception as error:
                ours.close()
                if isinstance(error, _LOST):
                    raise WorkerStartError("process died") from None
                raise

    def _forked(self, number: int, theirs: Connection) -> int:
        requests = self._connected()
        requests.send((FORK, number))
        send_handle(requests, theirs.fileno(), self._server.pid)
        pid: int = requests.recv()
        return pid

    def status(self, pid: int) -> int | None:
        """Return the exit code (`os.waitstatus_to_exitcode`) of a worker that has closed its pipe.

        A worker that does not end within 5 s is killed. None if its server is gone.
        """
        with self._lock:
            try:
                requests = self._connected()
                requests.send((STATUS, pid))
                found: int | None = requests.recv()
            except _LOST:
                return None
        return found

    def _connected(self) -> Connection:
        if self._requests is None:
            raise EOFError
        return self._requests

    def abandon(self) -> None:
        """Kill a server whose factory is still running; `start` then raises."""
        if self._server is not None and self._server.is_alive():
            self._server.kill()

    def end(self) -> None:
        """End the server; its workers must have ended."""
        if self._requests is None:
            return
        self._requests.close()
        self._server.join(timeout=2)
        if self._server.exitcode is None:
            self._server.kill()
            self._server.join()


# ---- in the server ----


def _run(requests: Connection, factory: Factory, at: MutableSequence[int], seconds: float) -> None:
    """Call the factory once, then fork workers on request until the pipe closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    with suppress(*_LOST):  # the parent closed its end, perhaps because it was killed
        try:
            process = factory()
        except RuleError as error:
            requests.send(error)
            return
        except Exception as error:  # noqa: BLE001 - its text can quote a secret, its type cannot
            requests.send(type(error).__name__)
            return
        requests.send(None)
        while True:
            wish, number = requests.recv()
            if wish == STATUS:
                requests.send(_status(number))
                continue
            pipe = recv_handle(requests)
            pid = os.fork()
            if pid == 0:
                requests.close()
                _work(process, Task(Connection(pipe), at, number, seconds))
            os.close(pipe)
            requests.send(pid)


def _work(process: Process, task: Task) -> None:
    """Run a worker; never return into the server's loop."""
    try:
        serve(process, task)
    finally:
        os._exit(0)


def _status(pid: int) -> int | None:
    """Return the exit code of a worker, or None for one of an earlier server."""
    try:
        return _ended(pid)
    except ChildProcessError:
        return None


def _ended(pid: int) -> int:
    until = time.monotonic() + _PATIENCE
    while time.monotonic() < until:
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
        time.sleep(_POLL)
    os.kill(pid, signal.SIGKILL)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
