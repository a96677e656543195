"""Checks whether the brokers answer: with growing pauses at the start, then every few seconds."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from itertools import count
from typing import TYPE_CHECKING

from aiokafka.client import AIOKafkaClient
from aiokafka.errors import KafkaError
from aiokafka.protocol.admin import ApiVersionRequest

from adapter.audit import Event, log
from adapter.transports.kafka.client import connection
from adapter.transports.kafka.failures import quietly

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from adapter.config.kafka import Kafka

FIRST_PAUSE, LONGEST_PAUSE = 0.5, 30.0
EVERY_SECONDS, ANSWER_SECONDS = 3.0, 5.0


async def unless(stop: asyncio.Event, call: Awaitable[object]) -> bool:
    """Await a call, or cancel it when ``stop`` is set; return whether it completed."""
    calling, stopping = asyncio.ensure_future(call), asyncio.create_task(stop.wait())
    try:
        await asyncio.wait((calling, stopping), return_when=asyncio.FIRST_COMPLETED)
        if calling.done():
            calling.result()
        return calling.done()
    finally:
        for task in (calling, stopping):
            task.cancel()
        await asyncio.gather(calling, stopping, return_exceptions=True)


async def repeated(connect: Callable[[], Awaitable[None]], stop: asyncio.Event) -> bool:
    """Retry ``connect`` until it succeeds; return False if ``stop`` was set before.

    The client logs the address and the kind of each failure; this adds the time of the next
    attempt.
    """
    for attempt in count(1):
        try:
            return await unless(stop, connect())
        except (KafkaError, TimeoutError) as error:
            pause = min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** min(attempt - 1, 10))
            log(Event.CONNECTING, "warning", attempt=attempt, seconds=pause, error=error)
        if await unless(stop, asyncio.sleep(pause)) is False:
            return False
    raise AssertionError  # the count has no end


class BrokerWatch:
    """Checks on a separate connection whether the brokers answer."""

    def __init__(self, kafka: Kafka) -> None:
        """Start unconnected, with ``reached`` false."""
        self._kafka = kafka
        self._client: AIOKafkaClient | None = None
        self.reached = False

    async def connect(self) -> None:
        """Connect to the brokers.

        Raises:
            KafkaError: no address leads to a broker that accepts the connection.
        """
        await self.stop()
        self._client = AIOKafkaClient(**connection(self._kafka))
        await self._client.bootstrap()
        self.reached = True

    async def run(self) -> None:
        """Check until cancelled; log when the brokers stop answering and when they answer again."""
        while True:
            await asyncio.sleep(EVERY_SECONDS)
            reached = await self._answers()
            if reached != self.reached:
                self.reached = reached
                if reached:
                    log(Event.REACHED)
                else:
                    log(Event.NOT_REACHED, "warning", address=self._kafka.bootstrap_servers)

    async def _answers(self) -> bool:
        """Whether one of the brokers answers."""
        client = self._client
        if client is None:
            return False
        for broker in client.cluster.brokers():
            with suppress(KafkaError, OSError, TimeoutError):
                async with asyncio.timeout(ANSWER_SECONDS):
                    await client.send(broker.nodeId, ApiVersionRequest())
                return True
        return False

    async def stop(self) -> None:
        """Close the connection."""
        client, self._client = self._client, None
        if client is not None:
            await quietly(client.close())
