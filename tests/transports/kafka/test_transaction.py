"""Records passed to a producer."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace

from adapter.transports.kafka.transaction import sent
from adapter.transports.protocol import Channel
from adapter.types import Position, Record


def test_a_producer_follows_each_topic_before_it_is_written_to():
    """A producer follows each topic before it writes to it, so it keeps all topics' leaders."""
    steps = []

    async def send(topic, *_what):
        steps.append(("send", topic))

    client = SimpleNamespace(add_topic=lambda topic: steps.append(("follow", topic)))
    producer = SimpleNamespace(client=client, send=send)
    record = Record(b"x", Position("in", 0, 0), b"k")

    async def go():
        for topic in ("a", "b"):
            await sent(producer, topic, Channel.RELEASED, record, keeps_times=False)

    asyncio.run(go())
    assert [("follow", "a"), ("send", "a"), ("follow", "b"), ("send", "b")] == steps
