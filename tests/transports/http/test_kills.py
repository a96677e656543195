"""``kill -9`` under many senders: answered messages are settled once, others at most once."""

from __future__ import annotations

import asyncio

import httpx
import pytest

from tests.transports.http.posting import ER7
from tests.transports.mllp import senders
from tests.transports.mllp.test_kills import killed, settings_file


async def post(port, sender, total, log):
    """Post all messages in order, repeating each one until it is answered."""
    number, attempt = 0, 0
    async with httpx.AsyncClient(trust_env=False, timeout=30) as client:
        while number < total:
            attempt += 1
            log.sent.add((sender, number, attempt))
            body = senders.message(sender, number, attempt)
            try:
                told = await client.post(f"http://127.0.0.1:{port}/", content=body, headers=ER7)
            except httpx.TransportError:
                await asyncio.sleep(0.02)
                continue
            if told.status_code == 503:
                await asyncio.sleep(0.02)
                continue
            assert told.status_code in {200, 202}
            log.answered.add((sender, number, attempt))
            number += 1


@pytest.mark.parametrize(
    "load",
    [
        pytest.param({"connections": 3, "each": 50, "kills": 2}, id="short"),
        pytest.param(
            {"connections": 20, "each": 300, "kills": 5}, id="long", marks=pytest.mark.slow
        ),
    ],
)
def test_what_was_answered_is_out_or_held_once(tmp_path, capsys, load):
    """Through kills and a SIGTERM, answered messages are settled once, in each sender's order."""
    port = senders.free_port()
    file = settings_file(tmp_path, port, "http")
    told = killed(tmp_path, file, "http-*", port=port, by=post, **load)
    with capsys.disabled():
        print(told)
