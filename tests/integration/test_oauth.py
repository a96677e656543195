"""SASL OAUTHBEARER with a real broker that takes unsecured tokens (RFC 7515, appendix A.5)."""

from __future__ import annotations

import asyncio
import base64
import importlib
import json
import sys
import time
from pathlib import Path

import pytest
from aiokafka import AIOKafkaProducer
from aiokafka.errors import KafkaError

from adapter.config.settings import load_settings
from adapter.transports.kafka.client import producer_options

sys.path.insert(0, str(Path(__file__).parent))
conftest = importlib.import_module("conftest")

pytestmark = pytest.mark.kafka
MODULE = "org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule"


@pytest.fixture(scope="module")
def tokens_broker(tmp_path_factory):
    """The address of a listener that wants a token."""
    users = conftest.free_port()
    extra = f"""
listeners=PLAINTEXT://127.0.0.1:{{port}},USERS://127.0.0.1:{users},CONTROLLER://127.0.0.1:{{next}}
advertised.listeners=PLAINTEXT://127.0.0.1:{{port}},USERS://127.0.0.1:{users}
listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,USERS:SASL_PLAINTEXT
listener.name.users.sasl.enabled.mechanisms=OAUTHBEARER
listener.name.users.oauthbearer.sasl.jaas.config=\
{MODULE} required unsecuredLoginStringClaim_sub="b";
"""
    started = conftest.start_local(tmp_path_factory.mktemp("tokens"), extra, users)
    if started is None:
        pytest.skip("NO KAFKA with tokens: install Java 17 and Maven")
    _, stop = started
    yield f"127.0.0.1:{users}"
    stop()


def part(claims):
    """A part of a token."""
    return base64.urlsafe_b64encode(json.dumps(claims).encode()).decode().rstrip("=")


def token(seconds):
    """An unsecured token that lives for some seconds."""
    now = int(time.time())
    return f"{part({'alg': 'none'})}.{part({'sub': 'deid', 'iat': now, 'exp': now + seconds})}."


def test_a_broker_takes_the_token_of_a_file_and_no_ended_one(tokens_broker, tmp_path):
    """A valid token opens a connection that writes; one that has ended does not."""
    file = tmp_path / "token"
    file.touch(mode=0o600)
    security = {
        "protocol": "SASL_PLAINTEXT",
        "mechanism": "OAUTHBEARER",
        "oauth": {"token_file": str(file)},
    }
    kafka = load_settings(kafka={"bootstrap_servers": tokens_broker, "security": security}).kafka

    async def written():
        producer = AIOKafkaProducer(**producer_options(kafka, None))
        try:
            async with asyncio.timeout(60):
                await producer.start()
                return await producer.send_and_wait("tokens", b"x")
        finally:
            await producer.stop()

    file.write_text(token(300))
    assert 0 <= asyncio.run(written()).offset
    file.write_text(token(-300))
    with pytest.raises((KafkaError, TimeoutError)):
        asyncio.run(written())
