"""The quarantine's topics as those see them who look after them."""

from __future__ import annotations

import asyncio
import base64
import importlib
import json
import sys
from pathlib import Path

import pytest

from adapter.config.settings import load_settings
from adapter.errors import RuleError
from adapter.runtime.quarantine.entries import Selection
from adapter.runtime.quarantine.operations import discard, listed, retry, show
from adapter.sealing.quarantine import Held, Sealer, SealError
from adapter.types import Hold, Position, Record, Release

sys.path.insert(0, str(Path(__file__).parent))
cluster = importlib.import_module("cluster")

pytestmark = pytest.mark.kafka
KEY = bytes(range(32))
SECRET = {"id": "q1", "value": base64.b64encode(KEY).decode()}


def settings_for(address, app, **kafka):
    """Settings with keys."""
    values = {"bootstrap_servers": address, "app": app, "topics": (app,), "audit": f"{app}.audit"}
    return load_settings(
        kafka=values | kafka,
        keys={"surrogates": SECRET, "quarantine": SECRET},
        workers={"processes": 1},
    )


def envelope(app, number):
    """A sealed record of the input topic."""
    record = Record(b"m%d" % number, Position(app, 0, number), b"key")
    held = Held("decode", "empty", app, 0, number, time_ms=5, id=f"id{number}")
    return Sealer("q1", {"q1": KEY}).seal(record, held)


def make_even():
    """A process function that releases even numbers."""

    def process(record):
        even = int(record.value[1:]) % 2 == 0
        return Release(record.value, key=record.key) if even else Hold("leak", "pattern")

    return process


async def prepared(address, app):
    """An input topic and six held records."""
    await cluster.make_topics(address, app, f"{app}.deid", f"{app}.quarantine", f"{app}.audit")
    sealed = [(None, envelope(app, n), ()) for n in range(6)]
    await cluster.write(address, f"{app}.quarantine", sealed)


async def all_of(settings):
    """Clear parts by name."""
    return {entry.name: entry.held for entry in await listed(settings)}


@pytest.mark.parametrize("how", ["topics", "pattern"])
def test_list_show_retry(bootstrap, app, how):
    """Held records are listed and shown; after a retry only those still held are."""
    chosen = {} if how == "topics" else {"topics": (), "pattern": f"{app}.*"}

    async def go():
        await prepared(bootstrap, app)
        settings = settings_for(bootstrap, app, **chosen)
        before = await all_of(settings)
        shown = [await show(settings, name) for name in before]
        code = await retry(settings, factory=make_even)
        again = await retry(settings, factory=make_even)
        return (
            before,
            shown,
            (code, again),
            await all_of(settings),
            await cluster.read_all(bootstrap, f"{app}.deid"),
        )

    before, shown, codes, after, released = asyncio.run(go())
    assert {0, 1, 2, 3, 4, 5} == {held.offset for held in before.values()}
    assert {b"m%d" % n for n in range(6)} == {record.value for _, record in shown}
    assert {(1, "leak", 3), (3, "leak", 3), (5, "leak", 3)} == {
        (held.offset, held.stage, held.attempts) for held in after.values()
    }
    assert ((0, 0), {b"m0", b"m2", b"m4"}) == (codes, {r.value for r in released})


def test_some_are_retried_some_discarded_and_the_rest_stays(bootstrap, app):
    """Names stay while others are settled; a message that was held twice is released once."""

    async def go():
        await prepared(bootstrap, app)
        await cluster.write(bootstrap, f"{app}.quarantine", [(None, envelope(app, 2), ())])
        settings = settings_for(bootstrap, app)
        await retry(settings, Selection(names=frozenset({"id2"})), factory=make_even)
        left = await all_of(settings)
        gone = await discard(settings, Selection(names=frozenset({"id0", "id1"})), "test", "op")
        return (
            left,
            gone,
            await all_of(settings),
            await cluster.read_all(bootstrap, f"{app}.deid"),
            await cluster.read_all(bootstrap, f"{app}.audit"),
        )

    left, gone, after, released, audit = asyncio.run(go())
    assert {"id0", "id1", "id3", "id4", "id5"} == left.keys()
    assert ({"id0", "id1"}, {"id3", "id4", "id5"}) == ({e.name for e in gone}, after.keys())
    assert [b"m2"] == [record.value for record in released]
    records = [json.loads(r.value) for r in audit]
    outcomes = [(each["outcome"], each["offset"]) for each in records if "outcome" in each]
    assert [("discarded", 0), ("discarded", 1), ("released", 2)] == sorted(outcomes)


def test_show_needs_name_and_key(bootstrap, app):
    """A name that is not held, and settings without a key, are refused."""

    async def go():
        await prepared(bootstrap, app)
        with pytest.raises(SealError):
            await show(settings_for(bootstrap, app), "nothing")
        with pytest.raises(RuleError):
            await show(load_settings(kafka={"topics": (app,)}), "nothing")

    asyncio.run(go())
