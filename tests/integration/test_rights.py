"""The rights that the page on operation lists, on a broker that asks for them."""

from __future__ import annotations

import asyncio
import re

import pytest
from aiokafka.admin import AIOKafkaAdminClient
from aiokafka.protocol.admin import CreateAclsRequest, DeleteAclsRequest

from adapter.config.settings import load_settings
from adapter.transports.registry import backend
from tests.chaos.load import message
from tests.integration.cluster import (
    committed,
    make_topics,
    read_all,
    settings_file,
    start,
    write,
)
from tests.integration.conftest import ROOT, free_port, start_local

pytestmark = pytest.mark.slow

USER, PASSWORD = "deid", "deid-secret"
TOPIC, GROUP, ID = 2, 3, 5
LITERAL, PREFIX, ANY, ALLOW = 3, 4, 1, 3
READ, WRITE = 3, 4
RIGHTS = [
    (TOPIC, "in", LITERAL, READ),
    (GROUP, "ward", LITERAL, READ),
    (TOPIC, "in.deid", LITERAL, WRITE),
    (TOPIC, "in.quarantine", LITERAL, WRITE),
    (TOPIC, "ward.audit", LITERAL, WRITE),
    (TOPIC, "in.state", LITERAL, READ),
    (TOPIC, "in.state", LITERAL, WRITE),
    (ID, "ward-", PREFIX, WRITE),
]


@pytest.fixture(scope="module")
def guarded(tmp_path_factory):
    """A broker with ACLs: an address for its owner, and one for users with a password."""
    users = free_port()
    extra = f"""
listeners=PLAINTEXT://127.0.0.1:{{port}},USERS://127.0.0.1:{users},CONTROLLER://127.0.0.1:{{next}}
advertised.listeners=PLAINTEXT://127.0.0.1:{{port}},USERS://127.0.0.1:{users}
listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,USERS:SASL_PLAINTEXT
listener.name.users.sasl.enabled.mechanisms=PLAIN
listener.name.users.plain.sasl.jaas.config=\
org.apache.kafka.common.security.plain.PlainLoginModule required user_{USER}="{PASSWORD}";
authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer
super.users=User:ANONYMOUS
"""
    started = start_local(tmp_path_factory.mktemp("guarded"), extra)
    if started is None:
        pytest.skip("NO KAFKA with ACLs: install Java 17 and Maven")
    address, stop = started
    yield address, f"127.0.0.1:{users}"
    stop()


async def grant(admin, rights):
    """Give the user these rights and no others."""
    everything = DeleteAclsRequest(ANY, None, ANY, f"User:{USER}", None, ANY, ANY)
    await admin._send_to_controller(everything)
    for kind, name, pattern, operation in rights:
        wish = CreateAclsRequest(kind, name, pattern, f"User:{USER}", "*", operation, ALLOW)
        answer = await admin._send_to_controller(wish)
        assert 0 == answer.creation_responses[0][0]
    await asyncio.sleep(0.3)


async def looked(settings, owner, rights):
    """What is wrong with these rights."""
    admin = AIOKafkaAdminClient(bootstrap_servers=owner)
    await admin.start()
    try:
        await grant(admin, rights)
    finally:
        await admin.close()
    found = await backend(settings).preflight(settings, state=True, create=False)
    return [place for place, _ in found.wrong]


def test_every_right_is_needed_and_no_other(guarded, tmp_path):
    """With the rights nothing is wrong; without any one of them its resource is named."""
    owner, address = guarded
    file = settings_file(tmp_path, address, "ward", topics=("in",), state=True)
    sasl = f'protocol = "SASL_PLAINTEXT"\nusername = "{USER}"\npassword = "{PASSWORD}"\n'
    file.write_text(f"{file.read_text()}\n[kafka.security]\n{sasl}")
    settings = load_settings(file)

    async def go():
        await make_topics(owner, "in", "in.deid", "in.quarantine", "ward.audit")
        await make_topics(owner, "in.state", configs={"cleanup.policy": "compact"})
        assert [] == await looked(settings, owner, RIGHTS)
        for right in RIGHTS:
            left = [each for each in RIGHTS if each != right]
            (place,) = await looked(settings, owner, left)
            assert right[1] in place

    asyncio.run(go())


def test_an_adapter_needs_no_other_right(guarded, tmp_path):
    """With these rights alone it reads, remembers, publishes and holds, and commits all of it."""
    owner, address = guarded
    file = settings_file(tmp_path, address, "ward", topics=("in",), state=True)
    sasl = f'protocol = "SASL_PLAINTEXT"\nusername = "{USER}"\npassword = "{PASSWORD}"\n'
    file.write_text(f"{file.read_text()}\n[kafka.security]\n{sasl}")

    async def go():
        await make_topics(owner, "in", "in.deid", "in.quarantine", "ward.audit")
        await make_topics(owner, "in.state", configs={"cleanup.policy": "compact"})
        admin = AIOKafkaAdminClient(bootstrap_servers=owner)
        await admin.start()
        await grant(admin, RIGHTS)
        await admin.close()
        await write(owner, "in", [message(number) for number in range(100)])
        with (tmp_path / "log").open("wb") as log:
            adapter = start(file, log)
            async with asyncio.timeout(120):
                while await committed(owner, "ward", "in") < 100:  # noqa: ASYNC110
                    await asyncio.sleep(0.2)
            adapter.terminate()
            await asyncio.to_thread(adapter.wait, 60)
        return [
            len(await read_all(owner, name)) for name in ("in.deid", "in.quarantine", "ward.audit")
        ]

    released, held, audited = asyncio.run(go())
    assert (98, 2, 100) == (released, held, audited)
    assert "AUTHORIZATION" not in (tmp_path / "log").read_text()


def test_the_page_lists_what_was_tried():
    """Resources and operations of the table are those of the rights above."""
    page = (ROOT / "docs/operate.md").read_text("utf-8")
    rows = re.findall(r"^\| (topic|group|transactional id)[^|]*\| ([^|]+) \|", page, re.MULTILINE)
    listed = {(kind, op) for kind, ops in rows for op in re.findall(r"`([A-Z]+)`", ops)}
    kinds = {TOPIC: "topic", GROUP: "group", ID: "transactional id"}
    tried = {(kinds[kind], "READ" if op == READ else "WRITE") for kind, _, _, op in RIGHTS}
    assert tried == listed
