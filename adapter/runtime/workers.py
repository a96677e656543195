"""A pool of worker processes that turn batches of records into outcomes, in order.

Each worker has its own pipe and reports its current record, so that a worker's death is attributed
to exactly one record: after the second death the record is held with bug/unexpected. A message that
takes too long is stopped by an alarm inside the worker; if Python code gets no chance to run (a
library that keeps the interpreter lock), the kernel ends the worker when its CPU time is used up,
and if even that fails the parent ends it.

A message whose failure can be temporary (`adapter.errors.TRANSIENT`) is tried again a few times,
after a pause that doubles, with the same knowledge of its patients. The records after it wait, so
that the order is kept.

Workers are forked from a server that has compiled the ruleset, so a dead one is replaced at once.
"""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self, TypeVar

from adapter.audit import Event, log
from adapter.errors import RuleError, is_transient
from adapter.runtime.fork_server import ForkServer, WorkerStartError
from adapter.runtime.time_limit import TIMEOUT, UNEXPECTED, allowed
from adapter.types import Hold, Processed

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from adapter.phrases.memory import Facts
    from adapter.runtime.fork_server import Factory
    from adapter.runtime.patient_store import Given, Notes, Turn
    from adapter.types import Record

__all__ = ["Pool", "WorkerStartError"]

T = TypeVar("T")

CHUNK_RECORDS = 64
CHUNK_BYTES = 1 << 20
DEATHS = 2
"""Deaths of workers at one record after which that record is held."""


@dataclass(frozen=True, slots=True)
class Retries:
    """Number of retries of a message with a temporary failure, and the first pause in seconds."""

    times: int = 0
    pause: float = 1.0


class _DeadError(Exception):
    """The worker died or was ended at record ``index`` of its chunk."""

    def __init__(self, index: int, *, hung: bool, status: int | None = None) -> None:
        super().__init__(index)
        self.index = index
        self.hung = hung
        self.status = status


class _Worker:
    """One process and the parent's end of its pipe; its methods block."""

    def __init__(self, server: ForkServer, number: int, seconds: float) -> None:
        self.number = number
        self._server = server
        self._seconds = self._longest = seconds
        self._pid, self._pipe = server.fork(number)
        self._busy = self._given_up = False

    def alive(self) -> bool:
        """Return whether the process is alive, as far as the parent can tell without asking it.

        The pipe of a dead process is readable (end of file), while an idle process sends nothing.
        """
        try:
            return bool(self._pid) and (self._busy or not self._pipe.poll())
        except OSError:  # the pipe is being closed
            return False

    def call(self, chunk: Sequence[Record]) -> list[Processed]:
        self._longest = max(allowed(record, self._seconds) for record in chunk)
        return [Processed(*answer) for answer in self._ask((chunk, False))]

    def prepare(self, chunk: Sequence[Record]) -> list[Sequence[Facts]]:
        self._longest = max(allowed(record, self._seconds) for record in chunk)
        return self._ask((chunk, True))

    def finish(self, known: Sequence[Given]) -> list[Processed]:
        return [Processed(*answer) for answer in self._ask(known)]

    def _ask(self, question: object) -> list[Any]:
        if self._given_up:
            raise _DeadError(0, hung=False)
        at = self._server.at
        at[self.number] = 0
        self._busy = True
        try:
            self._pipe.send(question)
            self._wait()
            answer: list[Any] = self._pipe.recv()
        except (EOFError, OSError):  # OSError if it dies while it answers
            status = self.end()
            raise _DeadError(
                at[self.number], hung=status == -signal.SIGPROF, status=status
            ) from None
        finally:
            self._busy = False
        return answer

    def _wait(self) -> None:
        """Wait for the answer; end a worker that stays at one record for too long."""
        patience = 3 * self._longest + 5
        seen, since = -1, time.monotonic()
        while not self._pipe.poll(min(1.0, patience)):
            at = self._server.at[self.number]
            if at != seen:
                seen, since = at, time.monotonic()
            elif time.monotonic() - since > patience:
                with suppress(ProcessLookupError):
                    os.kill(self._pid, signal.SIGKILL)
                self.end()
                raise _DeadError(seen, hung=True)

    def give_up(self) -> None:
        """Kill the process, whatever it does; questions in progress and later ones fail."""
        self._given_up = True
        if pid := self._pid:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    def end(self) -> int | None:
        """End the process and return its exit status, or None if it was ended before."""
        self._pipe.close()
        pid, self._pid = self._pid, 0
        return self._server.status(pid) if pid else None


class Pool:
    """Worker processes behind an awaitable ``run``; used as an async context manager.

    ``factory`` is picklable and returns ``process(record) -> Outcome``; it is called once, in the
    server that workers are forked from. A process with patient memory also has ``prepare(record)``,
    which returns an intermediate result and the record's patient facts, and ``finish(intermediate,
    known)``, which returns the outcome.
    """

    def __init__(
        self,
        factory: Factory,
        processes: int = 0,
        seconds: float = 10.0,
        retries: Retries = Retries(),
    ) -> None:
        self._seconds = seconds
        self._retries = retries
        self._count = processes or os.cpu_count() or 1
        self._server = ForkServer(factory, self._count, seconds)
        self._idle: asyncio.Queue[_Worker] = asyncio.Queue()
        self._workers: dict[int, _Worker] = {}
        self._turn = asyncio.Lock()
        self._threads = ThreadPoolExecutor(self._count, thread_name_prefix="worker")
        self.restarts = 0
        self._ended = False

    async def __aenter__(self) -> Self:
        """Start the workers.

        Raises:
            RuleError: the settings or rules cannot be applied.
            WorkerStartError: the factory failed otherwise.
        """
        try:
            await self._in_thread(self._server.start)
            for number in range(self._count):
                self._idle.put_nowait(await self._started(number))
        except (RuleError, WorkerStartError):
            self._count = self._idle.qsize()
            await self.__aexit__()
            raise
        return self

    def abandon(self) -> None:
        """Abort a start in progress: `__aenter__` raises WorkerStartError."""
        self._server.abandon()

    async def __aexit__(self, *_: object) -> None:
        """End the workers, even those that are at a batch which was cancelled."""
        if self._ended:
            return
        self._ended = True
        idle = [self._idle.get_nowait() for _ in range(self._idle.qsize())]
        for worker in self._workers.values():
            if worker not in idle:
                worker.give_up()
        workers = idle + [await self._idle.get() for _ in range(self._count - len(idle))]
        await asyncio.gather(*(self._in_thread(worker.end) for worker in workers))
        await self._in_thread(self._server.end)
        self._threads.shutdown()

    async def _started(self, number: int) -> _Worker:
        worker = await self._in_thread(_Worker, self._server, number, self._seconds)
        self._workers[number] = worker
        return worker

    def alive(self) -> int:
        """Return the number of live workers."""
        return sum(worker.alive() for worker in tuple(self._workers.values()))

    async def _in_thread(self, function: Callable[..., T], *arguments: Any) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._threads, function, *arguments)

    async def run(self, batch: Sequence[Record], notes: Notes | None = None) -> list[Processed]:
        """Return the outcomes of a batch, in its order; never fails because of a record.

        With ``notes``, each record gets what earlier records said of its patients, in the order of
        calls.
        """
        chunks = _chunks(batch, self._count)
        turns = [notes.turn() if notes else None for _ in chunks]
        try:
            results = await asyncio.gather(*map(self._shielded, chunks, turns))
        except asyncio.CancelledError:
            for turn in filter(None, turns):
                turn.end()
            raise
        return [processed for result in results for processed in result]

    async def _shielded(self, chunk: Sequence[Record], turn: Turn | None) -> list[Processed]:
        """Run a chunk; if its batch is cancelled, the worker still finishes it."""
        worker = asyncio.ensure_future(self._next_idle())
        try:
            await asyncio.shield(worker)
        except asyncio.CancelledError:
            worker.add_done_callback(self._return_worker)
            raise
        return await asyncio.shield(
            asyncio.ensure_future(self._chunk(worker.result(), chunk, turn))
        )

    async def _next_idle(self) -> _Worker:
        """Return an idle worker, first come first served, which `asyncio.Queue` does not ensure.

        A chunk keeps its worker while it waits for the facts of earlier chunks: if it got a worker
        before them, it could wait forever.
        """
        async with self._turn:
            return await self._idle.get()

    def _return_worker(self, worker: asyncio.Future[_Worker]) -> None:
        if not worker.cancelled():
            self._idle.put_nowait(worker.result())

    async def _chunk(
        self, worker: _Worker, chunk: Sequence[Record], turn: Turn | None
    ) -> list[Processed]:
        """Return a chunk's outcomes even if workers die; the last worker becomes idle again."""
        held: dict[int, Processed] = {}
        deaths: Counter[int] = Counter()
        known: dict[int, Given] = {}
        attempt = 0
        try:
            while len(held) < len(chunk):
                left = [index for index in range(len(chunk)) if index not in held]
                try:
                    answers = await self._answers(worker, chunk, left, turn, known)
                except _DeadError as dead:
                    if self._ended:
                        return []
                    worker = await self._replaced(worker, dead)
                    index = left[dead.index]
                    deaths[index] += 1
                    if dead.hung or deaths[index] >= DEATHS:
                        verdict = TIMEOUT if dead.hung else UNEXPECTED
                        held[index] = Processed(verdict, 1000 * self._seconds * dead.hung)
                    continue
                found = dict(zip(left, answers, strict=True))
                again = _transient(found) if attempt < self._retries.times else frozenset()
                held |= {index: each for index, each in found.items() if index not in again}
                if again:
                    attempt += 1
                    await self._pause(len(again), attempt)
        finally:
            if turn:
                turn.end()
            self._idle.put_nowait(worker)
        return [held[index] for index in range(len(chunk))]

    async def _answers(
        self,
        worker: _Worker,
        chunk: Sequence[Record],
        left: Sequence[int],
        turn: Turn | None,
        known: dict[int, Given],
    ) -> list[Processed]:
        """Return a worker's answers to the remaining records; facts are learned once, in order."""
        records = [chunk[index] for index in left]
        if turn is None:
            answers: list[Processed] = await self._in_thread(worker.call, records)
            return answers
        patient_facts = await self._in_thread(worker.prepare, records)
        if not known:
            known.update(zip(left, await turn.learn(records, patient_facts), strict=True))
            turn.end()
        given = [known[index] for index in left]
        finished: list[Processed] = await self._in_thread(worker.finish, given)
        return finished

    async def _pause(self, records: int, attempt: int) -> None:
        log(Event.TRIED_AGAIN, "warning", records=records, attempt=attempt)
        await asyncio.sleep(self._retries.pause * 2 ** (attempt - 1))

    async def _replaced(self, dead: _Worker, death: _DeadError) -> _Worker:
        self.restarts += 1
        code = "timeout" if death.hung else "died"
        log(Event.WORKER_DIED, "warning", worker=dead.number, code=code, status=death.status)
        since = time.monotonic()
        await self._in_thread(dead.end)
        worker = await self._started(dead.number)
        spent = round((time.monotonic() - since) * 1000)
        log(Event.WORKER_REPLACED, worker=dead.number, milliseconds=spent)
        return worker


def _transient(found: Mapping[int, Processed]) -> frozenset[int]:
    """Return the indices of outcomes whose cause can be temporary."""
    return frozenset(
        index
        for index, each in found.items()
        if isinstance(each.outcome, Hold) and is_transient(each.outcome.stage, each.outcome.code)
    )


def _chunks(batch: Sequence[Record], workers: int) -> list[Sequence[Record]]:
    """Split a batch evenly over the workers, in chunks within `CHUNK_RECORDS` and `CHUNK_BYTES`."""
    most = max(1, min(CHUNK_RECORDS, -(-len(batch) // workers)))
    chunks: list[list[Record]] = []
    size = 0
    for record in batch:
        length = len(record.value or b"")
        if not chunks or len(chunks[-1]) >= most or size + length > CHUNK_BYTES:
            chunks.append([])
            size = 0
        chunks[-1].append(record)
        size += length
    return list(chunks)
