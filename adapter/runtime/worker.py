"""The code of a worker process: receives chunks of records, and sends their outcomes."""

from __future__ import annotations

import signal
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from adapter.runtime.time_limit import allowed, overrun, timed
from adapter.types import Hold

if TYPE_CHECKING:
    from collections.abc import Callable, MutableSequence, Sequence
    from multiprocessing.connection import Connection

    from adapter.phrases.memory import Facts
    from adapter.types import Outcome, Record

    Process = Callable[[Record], Outcome]


@dataclass(frozen=True, slots=True)
class Task:
    """A worker's end of its pipe, where it reports its current record, and its time limit.

    ``at[number]`` is the index of that record in its chunk; ``seconds`` is the limit of one record.
    """

    pipe: Connection
    at: MutableSequence[int]
    number: int
    seconds: float


@dataclass(frozen=True, slots=True)
class _Plain:
    """A process without patient memory."""

    process: Process

    def __call__(self, record: Record) -> Outcome:
        return self.process(record)

    def prepare(self, record: Record) -> tuple[Record, tuple[Facts, ...]]:
        return record, ()

    def finish(self, record: Record, _known: Sequence[bytes]) -> Outcome:
        return self.process(record)


def remembering(process: Process) -> Any:
    """Return the process with ``prepare`` and ``finish``, whether it has patient memory or not."""
    return process if hasattr(process, "prepare") else _Plain(process)


def serve(process: Process, task: Task) -> None:
    """Answer chunks until the pipe closes."""
    signal.signal(signal.SIGALRM, overrun)
    while True:
        try:
            chunk, by_patient = task.pipe.recv()
            if by_patient:
                task.pipe.send(_remembered(remembering(process), chunk, task))
            else:
                task.pipe.send(_answer(process, chunk, task))
        except (EOFError, ConnectionError):
            return


def _answer(process: Process, chunk: Sequence[Record], task: Task) -> list[tuple[Outcome, float]]:
    answers = []
    for index, record in enumerate(chunk):
        task.at[task.number] = index
        answers.append(timed(partial(process, record), allowed(record, task.seconds)))
    return answers


def _remembered(process: Any, chunk: Sequence[Record], task: Task) -> list[tuple[Outcome, float]]:
    """Report each record's patient facts; finish records with the known facts that come back."""
    opened = []
    for index, record in enumerate(chunk):
        task.at[task.number] = index
        opened.append(timed(partial(process.prepare, record), allowed(record, task.seconds)))
    task.pipe.send([() if isinstance(found, Hold) else found[1] for found, _ in opened])
    answers: list[tuple[Outcome, float]] = []
    answered = zip(chunk, opened, task.pipe.recv(), strict=True)
    for index, (record, (found, before), known) in enumerate(answered):
        task.at[task.number] = index
        outcome, spent = found, 0.0
        if not isinstance(found, Hold):
            finish = partial(process.finish, found[0], known)
            outcome, spent = timed(finish, allowed(record, task.seconds))
        answers.append((outcome, before + spent))
    return answers
