"""Topics of released messages to an MLLP receiver: each partition in order, each record once."""

from __future__ import annotations

import asyncio
import importlib
import sys
from pathlib import Path

import pytest

from adapter.cli.send import sent
from adapter.config.settings import load_settings
from tests.send.receiving import oru, receiving

sys.path.insert(0, str(Path(__file__).parent))
cluster = importlib.import_module("cluster")

pytestmark = pytest.mark.kafka
TOTAL = 60


def test_topics_are_sent_in_order_and_offsets_say_what_was_accepted(bootstrap, app):
    """After a refusal its partition goes on with that message; tombstones are passed over."""
    topic = f"{app}.deid"
    messages = [(b"k%d" % (n % 5), oru(n), []) for n in range(TOTAL)]
    messages.insert(7, (b"k1", None, []))

    async def run(plan):
        async with receiving(plan) as receiver:
            values = {"host": "127.0.0.1", "port": receiver.port, "topics": [topic]}
            settings = load_settings(
                kafka={"bootstrap_servers": bootstrap, "app": app},
                send=values | {"retry_seconds": 0.01, "attempts": 2},
            )
            return await sent(settings, follow=False), receiver.got

    async def go():
        await cluster.make_topics(bootstrap, topic, partitions=3)
        await cluster.write(bootstrap, topic, messages)
        runs = [await run(["AA"] * 20 + ["AE", "AE"]), await run([]), await run([])]
        return runs, await cluster.read_all(bootstrap, topic)

    ((first, refused), (second, rest), (third, nothing)), records = asyncio.run(go())
    assert (1, 0, 0, []) == (first, second, third, nothing)
    there = {r.value.split(b"|")[9].decode(): r.partition for r in records if r.value}
    again = next(name for name in rest if there[name] == there[refused[-1]])
    assert (22, refused[-1]) == (len(refused), again)
    got = refused[:20] + rest
    assert {f"C{n}" for n in range(TOTAL)} == set(got)
    assert TOTAL == len(got)
    for partition in range(3):
        mine = [name for name, at in there.items() if at == partition]
        assert mine == [name for name in got if there[name] == partition]
