"""The rights that the page on operation lists, on a broker that asks for them."""

from __future__ import annotations

import asyncio
import re

import pytest
from aiokafka import AIOKafkaConsumer
from hl7.mllp import open_hl7_connection

from adapter.config.kafka import Security
from adapter.config.settings import load_settings
from adapter.transports.registry import backend
from tests.chaos.load import hl7v2, message
from tests.integration.acls import (
    CREATE,
    GROUP,
    ID,
    LITERAL,
    PREFIX,
    READ,
    TOPIC,
    WRITE,
    grant,
    security,
)
from tests.integration.cluster import (
    committed,
    make_topics,
    read_all,
    settings_file,
    start,
    write,
)
from tests.integration.conftest import ROOT, free_port

pytestmark = pytest.mark.slow

USER = "deid"


def needed(topic, app):
    """The rights on what a topic or listener is written to, with its memory."""
    written = f"{topic}.deid", f"{topic}.quarantine", f"{app}.audit", f"{topic}.state"
    rights = [(TOPIC, name, LITERAL, WRITE) for name in written]
    return [*rights, (TOPIC, f"{topic}.state", LITERAL, READ)]


RIGHTS = [
    (TOPIC, "in", LITERAL, READ),
    (GROUP, "ward", LITERAL, READ),
    *needed("in", "ward"),
    (ID, "ward-", PREFIX, WRITE),
]
LISTENER = [
    (TOPIC, "adt.deid", LITERAL, READ),
    (GROUP, "post-adt", LITERAL, READ),
    *needed("adt", "post"),
    (ID, "post-adt", LITERAL, WRITE),
]


async def looked(settings, owner, rights):
    """What is wrong with these rights."""
    await grant(owner, USER, rights)
    found = await backend(settings).preflight(settings, state=True, create=False)
    return [place for place, _ in found.wrong]


async def each_is_needed(settings, owner, rights):
    """Check that nothing is wrong with the rights, and that each that is taken away is named."""
    assert [] == await looked(settings, owner, rights)
    for right in rights:
        left = [each for each in rights if each != right]
        (place,) = await looked(settings, owner, left)
        assert right[1] in place


async def acknowledged(port):
    """MSA-1 of the answer to one message, as soon as somebody listens."""
    async with asyncio.timeout(120):
        while True:
            try:
                reader, writer = await open_hl7_connection("127.0.0.1", port)
            except OSError:
                await asyncio.sleep(0.2)
                continue
            writer.writeblock(hl7v2(1, 1))
            answer = await reader.readmessage()
            writer.close()
            return str(answer["MSA.1"])


def test_every_right_is_needed_and_no_other(guarded, tmp_path):
    """With the rights nothing is wrong; without any one of them its resource is named."""
    owner, address = guarded
    file = settings_file(tmp_path, address, "ward", topics=("in",), state=True)
    file.write_text(f"{file.read_text()}\n{security(USER)}")
    settings = load_settings(file)

    async def go():
        await make_topics(owner, "in", "in.deid", "in.quarantine", "ward.audit")
        await make_topics(owner, "in.state", configs={"cleanup.policy": "compact"})
        await each_is_needed(settings, owner, RIGHTS)

    asyncio.run(go())


def test_each_transactional_id_is_looked_at(guarded, tmp_path):
    """The id of one partition is not enough if others have lanes too, which have their own."""
    owner, address = guarded
    file = settings_file(tmp_path, address, "ids", topics=("ids",), state=False)
    file.write_text(f"{file.read_text()}\n{security(USER)}")
    settings = load_settings(file)
    names = ["ids", "ids.deid", "ids.quarantine", "ids.audit"]
    rights = [(TOPIC, name, LITERAL, op) for name in names for op in (READ, WRITE)]
    rights += [(GROUP, "ids", LITERAL, READ), (ID, "ids-ids-0", LITERAL, WRITE)]

    async def go():
        await make_topics(owner, *names, partitions=3)
        await grant(owner, USER, rights)
        found = await backend(settings).preflight(settings, state=False, create=False)
        assert (
            ("transactional id ids-ids-1", "lacks the right WRITE (2 of 3 ids)"),
        ) == found.wrong

    asyncio.run(go())


def test_without_transactions_each_right_is_needed(guarded, tmp_path):
    """A write of no records tells who may write, and writes nothing."""
    owner, address = guarded
    file = settings_file(tmp_path, address, "once", topics=("ward.in",), state=True)
    text = file.read_text().replace("[kafka]", '[kafka]\nguarantee = "at-least-once"')
    file.write_text(f"{text}\n{security(USER)}")
    outputs = ["ward.in.deid", "ward.in.quarantine", "once.audit"]
    rights = [(TOPIC, "ward.in", LITERAL, READ), (GROUP, "once", LITERAL, READ)]
    rights += [(TOPIC, name, LITERAL, WRITE) for name in [*outputs, "ward.in.state"]]
    rights.append((TOPIC, "ward.in.state", LITERAL, READ))

    async def go():
        await make_topics(owner, "ward.in", *outputs)
        await make_topics(owner, "ward.in.state", configs={"cleanup.policy": "compact"})
        await each_is_needed(load_settings(file), owner, rights)
        assert [] == [each for name in outputs for each in await read_all(owner, name)]

    asyncio.run(go())


def test_a_state_topic_that_may_not_be_created_is_named(guarded, tmp_path):
    """Asking the broker creates nothing; with the right the adapter creates it at its start."""
    owner, address = guarded
    file = settings_file(tmp_path, address, "own", topics=("own",), state=True)
    file.write_text(f"{file.read_text()}\n{security(USER)}")
    settings = load_settings(file)
    rights = [(GROUP, "own", LITERAL, READ), (ID, "own-", PREFIX, WRITE)]
    rights += [(TOPIC, "own", PREFIX, op) for op in (READ, WRITE)]

    async def go():
        await make_topics(owner, "own", "own.deid", "own.quarantine", "own.audit")
        without = await looked(settings, owner, rights)
        granted = await looked(settings, owner, [*rights, (TOPIC, "own.state", LITERAL, CREATE)])
        async with AIOKafkaConsumer(bootstrap_servers=owner) as reader:
            there = await reader.topics()
        return without, granted, "own.state" in there

    assert (["own.state"], [], False) == asyncio.run(go())


def test_every_right_of_a_listener_is_needed(guarded, tmp_path):
    """With topics that `check` makes, a listener starts with these rights and with none less."""
    owner, address = guarded
    file = settings_file(tmp_path, address, "post", topics=(), state=True)
    listener = f'transport = "mllp"\n[mllp]\nname = "adt"\nport = {free_port()}\n'
    text = re.sub(r"^transport = .*$", "", file.read_text(), flags=re.MULTILINE)
    file.write_text(f"{listener}{text}\n{security(USER)}")
    settings = load_settings(file)
    names = ("adt.deid", "adt.quarantine", "post.audit", "adt.state")

    async def go():
        own = settings.kafka.model_copy(update={"bootstrap_servers": owner, "security": Security()})
        owners = settings.model_copy(update={"kafka": own})
        missing = await backend(owners).preflight(owners, state=True, create=False)
        made = await backend(owners).preflight(owners, state=True, create=True)
        assert {*names} - {"adt.state"} == {place for place, _ in missing.wrong}
        assert {f"{name} created" for name in names} <= {*made.fine}
        assert () == made.wrong
        await each_is_needed(settings, owner, LISTENER)
        await grant(owner, USER, LISTENER)
        with (tmp_path / "log").open("wb") as log:
            adapter = start(file, log)
            answer = await acknowledged(settings.mllp.port)
            adapter.terminate()
            await asyncio.to_thread(adapter.wait, 60)
        return answer, [len(await read_all(owner, name)) for name in names[:3]]

    assert ("AA", [1, 0, 1]) == asyncio.run(go())
    assert "AUTHORIZATION" not in (tmp_path / "log").read_text()


def test_an_adapter_needs_no_other_right(guarded, tmp_path):
    """With these rights alone it reads, remembers, publishes and holds, and commits all of it."""
    owner, address = guarded
    file = settings_file(tmp_path, address, "ward", topics=("in",), state=True)
    file.write_text(f"{file.read_text()}\n{security(USER)}")

    async def go():
        await make_topics(owner, "in", "in.deid", "in.quarantine", "ward.audit")
        await make_topics(owner, "in.state", configs={"cleanup.policy": "compact"})
        await grant(owner, USER, RIGHTS)
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


@pytest.mark.parametrize(("marker", "rights"), [("rights", RIGHTS), ("listener", LISTENER)])
def test_the_page_lists_what_was_tried(marker, rights):
    """Resources and operations of the tables are those of the rights above."""
    page = (ROOT / "docs/operate.md").read_text("utf-8")
    table = page.split(f"<!-- {marker}: ")[1].split("\n\n")[0]
    rows = re.findall(r"^\| (topic|group|transactional id)[^|]*\| ([^|]+) \|", table, re.MULTILINE)
    listed = {(kind, op) for kind, ops in rows for op in re.findall(r"`([A-Z]+)`", ops)}
    kinds = {TOPIC: "topic", GROUP: "group", ID: "transactional id"}
    tried = {(kinds[kind], "READ" if op == READ else "WRITE") for kind, _, _, op in rights}
    assert tried == listed
