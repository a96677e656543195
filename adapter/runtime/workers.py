"""A pool of worker processes that turn batches of records into outcomes, in order.

Each worker has its own pipe and reports which record it is at, so that exactly one record is blamed
for a worker's death: after the second one it is held with bug/unexpected. A message that takes too
long is stopped by an alarm inside the worker; where Python code gets no chance to run (a library
that keeps the interpreter lock), the kernel ends the worker by its CPU time, and where even that
fails the parent ends it.

Workers are forked from a server that has compiled the ruleset, so a dead one is replaced at once.
"""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Self, TypeVar

from adapter.errors import RuleError
from adapter.runtime.fork_server import ForkServer, WorkerStartError
from adapter.runtime.time_limit import TIMEOUT, UNEXPECTED, allowed
from adapter.types import Processed

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from adapter.runtime.fork_server import Factory
    from adapter.runtime.patient_store import Given, Notes, Turn
    from adapter.types import PatientFacts, Record

__all__ = ["Pool", "WorkerStartError"]

T = TypeVar("T")

CHUNK_RECORDS = 64
CHUNK_BYTES = 1 << 20
DEATHS = 2
"""Deaths of a worker at one record after which that record is held."""


class _DeadError(Exception):
    """The worker died or was ended at record ``index`` of its chunk."""

    def __init__(self, index: int, *, hung: bool) -> None:
        super().__init__(index)
        self.index = index
        self.hung = hung


class _Worker:
    """One process and the parent's end of its pipe; its methods block."""

    def __init__(self, server: ForkServer, number: int, seconds: float) -> None:
        self.number = number
        self._server = server
        self._seconds = self._longest = seconds
        self._pid, self._pipe = server.fork(number)

    def call(self, chunk: Sequence[Record]) -> list[Processed]:
        self._longest = max(allowed(record, self._seconds) for record in chunk)
        return [Processed(*answer) for answer in self._ask((chunk, False))]

    def prepare(self, chunk: Sequence[Record]) -> list[Sequence[PatientFacts]]:
        self._longest = max(allowed(record, self._seconds) for record in chunk)
        return self._ask((chunk, True))

    def finish(self, known: Sequence[Given]) -> list[Processed]:
        return [Processed(*answer) for answer in self._ask(known)]

    def _ask(self, question: object) -> list[Any]:
        at = self._server.at
        at[self.number] = 0
        try:
            self._pipe.send(question)
            self._wait()
            answer: list[Any] = self._pipe.recv()
        except (EOFError, BrokenPipeError, ConnectionResetError):
            raise _DeadError(at[self.number], hung=self.end() == -signal.SIGPROF) from None
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
                os.kill(self._pid, signal.SIGKILL)
                self.end()
                raise _DeadError(seen, hung=True)

    def end(self) -> int | None:
        """End the process and return its exit status; None if it has been ended before."""
        self._pipe.close()
        pid, self._pid = self._pid, 0
        return self._server.status(pid) if pid else None


class Pool:
    """Worker processes behind an awaitable ``run``; used as an async context manager.

    ``factory`` is picklable and makes ``process(record) -> Outcome`` inside each worker, once. A
    process with patient memory also has ``prepare(record)``, which returns an intermediate result
    and the record's patient facts, and ``finish(intermediate, known)``, which returns the outcome.
    """

    def __init__(self, factory: Factory, processes: int = 0, seconds: float = 10.0) -> None:
        self._seconds = seconds
        self._count = processes or os.cpu_count() or 1
        self._server = ForkServer(factory, self._count, seconds)
        self._idle: asyncio.Queue[_Worker] = asyncio.Queue()
        self._turn = asyncio.Lock()
        self._threads = ThreadPoolExecutor(self._count, thread_name_prefix="worker")
        self.restarts = 0

    async def __aenter__(self) -> Self:
        """Start the workers.

        Raises:
            RuleError: the settings or rules cannot be honoured.
            WorkerStartError: the factory failed otherwise.
        """
        try:
            await self._in_thread(self._server.start)
            for number in range(self._count):
                self._idle.put_nowait(await self._in_thread(self._worker, number))
        except (RuleError, WorkerStartError):
            self._count = self._idle.qsize()
            await self.__aexit__()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        """End the workers; nothing may be running."""
        workers = [await self._idle.get() for _ in range(self._count)]
        await asyncio.gather(*(self._in_thread(worker.end) for worker in workers))
        await self._in_thread(self._server.end)
        self._threads.shutdown()

    def _worker(self, number: int) -> _Worker:
        return _Worker(self._server, number, self._seconds)

    async def _in_thread(self, function: Callable[..., T], *arguments: Any) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._threads, function, *arguments)

    async def run(self, batch: Sequence[Record], notes: Notes | None = None) -> list[Processed]:
        """Return the outcomes of a batch, in its order; never fails because of a record.

        With ``notes``, each record is given what earlier ones said of its patients, in the order of
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
            worker.add_done_callback(self._given_back)
            raise
        return await asyncio.shield(
            asyncio.ensure_future(self._chunk(worker.result(), chunk, turn))
        )

    async def _next_idle(self) -> _Worker:
        """Return an idle worker, first come first served, which `asyncio.Queue` alone is not.

        A chunk keeps its worker while it waits for the facts of earlier chunks: if it were served
        before them, it could wait for ever.
        """
        async with self._turn:
            return await self._idle.get()

    def _given_back(self, worker: asyncio.Future[_Worker]) -> None:
        if not worker.cancelled():
            self._idle.put_nowait(worker.result())

    async def _chunk(
        self, worker: _Worker, chunk: Sequence[Record], turn: Turn | None
    ) -> list[Processed]:
        """A chunk's outcomes, over as many deaths as it takes; its worker, or the last, is idle."""
        held: dict[int, Processed] = {}
        deaths: Counter[int] = Counter()
        known: dict[int, Given] = {}
        try:
            while len(held) < len(chunk):
                left = [index for index in range(len(chunk)) if index not in held]
                try:
                    answers = await self._answers(worker, chunk, left, turn, known)
                except _DeadError as dead:
                    worker = await self._replaced(worker)
                    index = left[dead.index]
                    deaths[index] += 1
                    if dead.hung or deaths[index] >= DEATHS:
                        verdict = TIMEOUT if dead.hung else UNEXPECTED
                        held[index] = Processed(verdict, 1000 * self._seconds * dead.hung)
                else:
                    held |= dict(zip(left, answers, strict=True))
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

    async def _replaced(self, dead: _Worker) -> _Worker:
        self.restarts += 1
        await self._in_thread(dead.end)
        return await self._in_thread(self._worker, dead.number)


def _chunks(batch: Sequence[Record], workers: int) -> list[Sequence[Record]]:
    """Split into consecutive records, so that every worker gets some and none too many bytes."""
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
