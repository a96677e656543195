"""Connecting is retried until it succeeds, and a broker that is unreachable is reported."""

from __future__ import annotations

import asyncio
import socket
import time
from itertools import pairwise

import pytest
from aiokafka.errors import KafkaConnectionError, KafkaError

from adapter.config.kafka import Kafka
from adapter.config.settings import Workers
from adapter.transports.kafka import broker as module
from adapter.transports.kafka.broker import BrokerWatch, repeated, unless
from adapter.transports.kafka.transport import KafkaTransport


def closed_port():
    """Return a port on which nothing listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def test_connecting_is_repeated_with_growing_pauses(monkeypatch):
    """Each failed connection doubles the pause, up to a limit."""
    monkeypatch.setattr(module, "FIRST_PAUSE", 0.01)
    monkeypatch.setattr(module, "LONGEST_PAUSE", 0.03)
    times = []

    async def connect():
        times.append(time.monotonic())
        if len(times) < 5:
            raise KafkaConnectionError

    assert asyncio.run(repeated(connect, asyncio.Event()))
    pauses = [after - before for before, after in pairwise(times)]
    assert all(p >= least for p, least in zip(pauses, (0.01, 0.02, 0.03, 0.03), strict=True))


@pytest.mark.parametrize("hangs", [True, False])
def test_a_stop_ends_connecting(hangs):
    """A stop ends both a connection attempt that hangs and a pause between attempts."""

    async def connect():
        if hangs:
            await asyncio.sleep(60)
        raise KafkaConnectionError

    async def go():
        stop = asyncio.Event()
        asyncio.get_running_loop().call_later(0.05, stop.set)
        return await asyncio.wait_for(repeated(connect, stop), 5)

    assert asyncio.run(go()) is False


def test_a_defect_is_not_repeated():
    """Exceptions other than the client's are raised, not retried."""

    async def connect():
        raise ValueError

    with pytest.raises(ValueError):  # noqa: PT011 - the error has no text
        asyncio.run(asyncio.wait_for(repeated(connect, asyncio.Event()), 5))


def test_what_is_left_is_cancelled():
    """A call that is interrupted by a stop is cancelled."""
    ended = []

    async def call():
        try:
            await asyncio.sleep(60)
        finally:
            ended.append(True)

    async def go():
        stop = asyncio.Event()
        asyncio.get_running_loop().call_later(0.01, stop.set)
        return await unless(stop, call())

    assert (False, [True]) == (asyncio.run(go()), ended)


def test_no_broker_is_no_broker():
    """If nothing listens, connecting raises, and the broker counts as unreachable."""
    watch = BrokerWatch(Kafka(bootstrap_servers=f"127.0.0.1:{closed_port()}"))

    async def go():
        with pytest.raises(KafkaError):
            await watch.connect()
        await watch.stop()

    asyncio.run(go())
    assert not watch.reached


def test_a_transport_without_a_broker_can_be_stopped():
    """Without a broker the transport is not ready, and ends without lanes when drained."""
    kafka = Kafka(bootstrap_servers=f"127.0.0.1:{closed_port()}", topics=("a",))
    transport = KafkaTransport(kafka, Workers())

    async def go():
        starting = asyncio.create_task(transport.start())
        await asyncio.sleep(0.05)
        lacks = transport.lacking()
        transport.drain()
        await asyncio.wait_for(starting, 5)
        lanes = [lane async for lane in transport.lanes()]
        await transport.stop()
        return lacks, lanes

    assert (("broker", "lanes"), []) == asyncio.run(go())
