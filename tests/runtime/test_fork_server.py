"""The fork server builds the process function once, and forks the workers from it."""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from pathlib import Path

import pytest

from adapter.errors import RuleError
from adapter.runtime.fork_server import ForkServer, WorkerStartError, _run
from adapter.types import Position, Record, Release


def make_pids():
    """Return a process function that releases the ids of its builder's and its own process."""
    built = os.getpid()

    def process(_record):
        return Release(b"%d %d" % (built, os.getpid()))

    return process


def make_refusal():
    """Fail as a factory whose rules cannot be applied."""
    raise RuleError("rules.profile", "no such profile")


def make_death():
    """Kill the process that calls the factory."""
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.fixture
def server():
    """Yield a started server for two workers."""
    made = ForkServer(make_pids, 2, 5.0)
    made.start()
    yield made
    made.end()


def asked(pipe):
    """Return the ids of the processes that built and ran a worker's function."""
    pipe.send(([Record(b"", Position("t", 0, 0))], False))
    assert pipe.poll(10)
    ((outcome, _),) = pipe.recv()
    return [int(pid) for pid in outcome.value.split()]


def test_workers_share_what_was_built_once(server):
    """Two workers are separate processes whose function was built once, in the server."""
    (first, one), (second, two) = (server.fork(number) for number in range(2))
    with one, two:
        built, ran = asked(one)
        assert (built, ran, second) == (asked(two)[0], first, asked(two)[1])
        assert built not in {first, second, os.getpid()}
    assert [0, 0] == [server.status(first), server.status(second)]


def test_how_a_worker_died_is_known(server):
    """A killed worker's status is its signal, also if it hangs and must be killed to end."""
    (first, one), (second, two) = (server.fork(number) for number in range(2))
    os.kill(first, signal.SIGKILL)
    assert -signal.SIGKILL == server.status(first)
    os.kill(second, signal.SIGSTOP)
    assert -signal.SIGKILL == server.status(second)
    one.close()
    two.close()


def test_a_server_that_died_is_started_anew(server):
    """If the server died, a new one forks the next worker and does not know its predecessor's."""
    pid, pipe = server.fork(0)
    built, _ = asked(pipe)
    os.kill(built, signal.SIGKILL)
    other, after = server.fork(1)
    with pipe, after:
        assert built != asked(after)[0]
        assert [built, pid] == asked(pipe), "the worker of the first server goes on"
    assert [None, 0] == [server.status(pid), server.status(other)]


def test_workers_end_with_their_parents_pipes():
    """The server and its workers end when the parent closes its pipes."""
    made = ForkServer(make_pids, 1, 5.0)
    made.start()
    pid, pipe = made.fork(0)
    built, _ = asked(pipe)
    pipe.close()
    made.end()
    until = time.monotonic() + 10
    while any(Path(f"/proc/{each}").exists() for each in (built, pid)):
        assert time.monotonic() < until
        time.sleep(0.05)


@pytest.mark.parametrize(
    ("factory", "failure", "said"),
    [
        (make_refusal, RuleError, "^rules.profile: no such profile$"),
        (make_death, WorkerStartError, "^process died$"),
    ],
)
def test_a_server_that_cannot_start_says_why(factory, failure, said):
    """The start raises the factory's RuleError unchanged, and reports a dead server process."""
    made = ForkServer(factory, 1, 1.0)
    with pytest.raises(failure, match=said):
        made.start()
    made.end()


@pytest.mark.parametrize("factory", [make_pids, make_refusal, dict.popitem])
def test_a_server_whose_parent_is_gone_ends_quietly(factory):
    """What it would answer after its parent was killed reaches nobody, and is no exception."""
    ours, theirs = multiprocessing.Pipe()
    ours.close()
    before = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
    try:
        _run(theirs, factory, [0], 1.0)
    finally:
        for number, handler in zip((signal.SIGINT, signal.SIGTERM), before, strict=True):
            signal.signal(number, handler)
