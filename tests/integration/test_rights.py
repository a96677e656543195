"""The rights that the page on operation lists, on a broker that asks for them."""

from __future__ import annotations

import asyncio
import re

import pytest

from adapter.config.settings import load_settings
from adapter.transports.registry import backend
from tests.chaos.load import message
from tests.integration.acls import GROUP, ID, LITERAL, PREFIX, READ, TOPIC, WRITE, grant, security
from tests.integration.cluster import (
    committed,
    make_topics,
    read_all,
    settings_file,
    start,
    write,
)
from tests.integration.conftest import ROOT

pytestmark = pytest.mark.slow

USER = "deid"
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


async def looked(settings, owner, rights):
    """What is wrong with these rights."""
    await grant(owner, USER, rights)
    found = await backend(settings).preflight(settings, state=True, create=False)
    return [place for place, _ in found.wrong]


def test_every_right_is_needed_and_no_other(guarded, tmp_path):
    """With the rights nothing is wrong; without any one of them its resource is named."""
    owner, address = guarded
    file = settings_file(tmp_path, address, "ward", topics=("in",), state=True)
    file.write_text(f"{file.read_text()}\n{security(USER)}")
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


def test_the_page_lists_what_was_tried():
    """Resources and operations of the table are those of the rights above."""
    page = (ROOT / "docs/operate.md").read_text("utf-8")
    table = page.split("<!-- rights: ")[1].split("\n\n")[0]
    rows = re.findall(r"^\| (topic|group|transactional id)[^|]*\| ([^|]+) \|", table, re.MULTILINE)
    listed = {(kind, op) for kind, ops in rows for op in re.findall(r"`([A-Z]+)`", ops)}
    kinds = {TOPIC: "topic", GROUP: "group", ID: "transactional id"}
    tried = {(kinds[kind], "READ" if op == READ else "WRITE") for kind, _, _, op in RIGHTS}
    assert tried == listed
