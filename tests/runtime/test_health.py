"""The endpoint says whether the adapter lives, whether it works, and how it goes."""

from __future__ import annotations

import asyncio
import socket

import pytest

from adapter.audit import Audit
from adapter.config.settings import Health
from adapter.runtime.health import endpoint
from adapter.runtime.runner import Runner
from adapter.transports.memory.transport import Broker, MemoryTransport
from adapter.types import Hold, Position, Processed, Record


class Inline:
    """A pool that holds everything."""

    restarts = 3

    async def run(self, batch, _notes=None):
        """Work at once."""
        return [Processed(Hold("leak", "pattern"), 0.1) for _ in batch]


def runner_over(broker):
    """A runner that follows its input."""
    return Runner(MemoryTransport(broker, follow=True), Inline(), None, Audit("d"))


def free_port():
    """A free port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


async def ask(port, request):
    """The whole answer to a request."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(request)
    answer = await reader.read()
    writer.close()
    return answer.decode()


def get(path):
    """A GET request."""
    return f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode()


async def while_running(*requests):
    """Answers given before, during and after a run."""
    broker = Broker()
    broker.append("in", Record(b"x", Position("", 0, 0)))
    runner, stop = runner_over(broker), asyncio.Event()
    async with endpoint(runner, Health(port=free_port())) as port:
        before = await ask(port, get("/readyz"))
        task = asyncio.create_task(runner.run(stop))
        while not broker.offsets:  # noqa: ASYNC110 - it tells nobody
            await asyncio.sleep(0.001)
        during = [await ask(port, request) for request in requests]
        stop.set()
        await task
        return before, during, await ask(port, get("/readyz"))


def status(answer):
    """The status of an answer."""
    return int(answer.split(" ")[1])


def test_ready_while_in_work():
    """Not ready before the start and after the end; alive throughout."""
    before, during, after = asyncio.run(while_running(get("/readyz"), get("/healthz")))
    assert [503, 200, 200, 503] == [status(answer) for answer in (before, *during, after)]


def test_metrics_are_up_to_date():
    """Gauges are measured when they are asked for."""
    _, (answer,), _ = asyncio.run(while_running(get("/metrics")))
    for line in (
        'deid_held_total{code="pattern",stage="leak"} 1.0',
        'deid_lag_records{lane="in-0"} 0.0',
        "deid_in_flight_records 0.0",
        "deid_worker_restarts 3.0",
        "deid_lanes 1.0",
        "deid_oldest_in_flight_seconds 0.0",
    ):
        assert line in answer


@pytest.mark.parametrize("request_", [b"nonsense\r\n\r\n", b"\xff\xfe \r\n\r\n", b"x" * 70_000])
def test_what_is_no_request_gets_no_answer(request_):
    """The endpoint survives it."""
    _, (nothing, alive), _ = asyncio.run(while_running(request_, get("/healthz")))
    assert ("", 200) == (nothing, status(alive))


def test_an_unknown_path():
    """Anything else is not found."""
    _, (answer,), _ = asyncio.run(while_running(get("/secrets")))
    assert 404 == status(answer)


def test_turned_off():
    """Without a port nothing listens."""

    async def go():
        async with endpoint(runner_over(Broker()), Health()) as port:
            return port

    assert 0 == asyncio.run(go())
