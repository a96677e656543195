"""The patient memory is learned in record order, whatever workers and lanes do."""

from __future__ import annotations

import asyncio
import json
import random
import time

import pytest

from adapter.audit import configure_logs
from adapter.errors import RuleError
from adapter.phrases.memory.entries import Entry, pack
from adapter.runtime.patient_store import PatientStore, PatientStores
from adapter.runtime.workers import Pool
from adapter.sealing.box import Box
from adapter.types import PatientFacts, Position, Record, Release
from tests.wording import FIELDS

PLACE = Position("in", 0, 0)
ENTRY = pack(Entry("a", "id:1", (), ()))


class Counting:
    """A process that reports each record's text as a patient fact and releases the known facts."""

    def prepare(self, record):
        """Return the record's text as a fact about one patient."""
        time.sleep(0.0005)
        if record.value == b"slow":
            time.sleep(0.02)
        text = record.value.decode()
        packed = b'["id:1",[["patient",null,[["given","%s","PATIENT"]]]]]' % text.encode()
        return record, (PatientFacts("s", ("n",), (), (), packed),)

    def finish(self, _record, known):
        """Release what was known before."""
        return Release(b"".join(known))


def record(text):
    """Return a record with this value."""
    return Record(text, PLACE)


async def _in_random_order(pool, known, seconds):
    """Run batches started at random moments; return their outcomes in batch order."""
    tasks, waiting = [], set()
    end = time.monotonic() + seconds
    draw = random.Random(3)
    while time.monotonic() < end:
        while len(waiting) < 6:
            batch = [record(b"p%d" % (len(tasks) % 7))] * draw.choice((1, 2, 3))
            task = asyncio.create_task(pool.run(batch, known.begin()))
            tasks.append(task)
            waiting.add(task)
            if draw.random() < 0.5:
                await asyncio.sleep(0)
        done, waiting = await asyncio.wait(waiting, timeout=20, return_when="FIRST_COMPLETED")
        assert done, "workers wait for one another"
    await asyncio.wait_for(asyncio.gather(*waiting), 20)
    return [outcome for task in tasks for outcome in task.result()]


def test_workers_never_wait_for_one_another():
    """Chunks that wait for the facts of earlier chunks never block those from getting a worker."""

    async def run():
        async with Pool(Counting, 2) as pool:
            return await _in_random_order(pool, PatientStore(FIELDS), 3)

    assert len(asyncio.run(run())) > 50


def test_every_record_is_given_what_all_before_it_taught():
    """A record gets the facts of all earlier and no later records, however long workers take."""
    texts = [b"slow", b"b", b"c", b"d", b"slow", b"f", b"g", b"h"]

    async def run():
        async with Pool(Counting, 2) as pool:
            known = PatientStore(FIELDS)
            tasks = [asyncio.create_task(pool.run([record(t)], known.begin())) for t in texts]
            return [outcome for task in tasks for outcome in await task]

    seen = [processed.outcome.value for processed in asyncio.run(run())]
    for place, value in enumerate(seen):
        before = {text for text in texts if b'"%s"' % text in value}
        assert set(texts[:place]) == before, place


def test_a_cancelled_batch_teaches_nothing_and_blocks_nobody():
    """Batches after a cancelled one are processed, and do not know its facts."""

    async def run():
        async with Pool(Counting, 1) as pool:
            known = PatientStore(FIELDS)
            notes = known.begin()
            tasks = [asyncio.create_task(pool.run([record(b"slow")], known.begin()))]
            given_up = asyncio.create_task(pool.run([record(b"given-up")], notes))
            tasks.append(asyncio.create_task(pool.run([record(b"c")], known.begin())))
            await asyncio.sleep(0.001)
            notes.abandoned = True
            given_up.cancel()
            return [(await asyncio.wait_for(task, 20))[0].outcome.value for task in tasks]

    first, last = asyncio.run(run())
    assert b"" == first
    assert b'"slow"' in last
    assert b"given-up" not in last


def test_an_entry_is_bound_to_its_name():
    """A sealed entry cannot be opened under another patient's name, or with another key."""
    known = PatientStore(FIELDS, Box("s", {"s": bytes(32)}))
    sealed = known.sealed("a", b"[]")

    async def one(name):
        yield Record(sealed, PLACE, name)

    with pytest.raises(
        RuleError, match=r"^keys.state: in/0 at 0 cannot be opened: seal is broken$"
    ):
        asyncio.run(known.restore(one(b"b"), "lane"))
    other = PatientStore(FIELDS, Box("s", {"s": bytes(31) + b"1"}))
    with pytest.raises(RuleError, match=r"^keys.state: "):
        asyncio.run(other.restore(one(b"a"), "lane"))


async def entries(*values):
    """Yield state records about one patient."""
    for offset, value in enumerate(values):
        yield Record(value, Position("in.state", 2, offset), b"a")


def test_an_entry_under_a_destroyed_key_is_erased(capfd):
    """An entry under a destroyed key erases the patient's earlier entries, and is logged."""
    old, new = Box("old", {"old": bytes(32)}), Box("new", {"new": bytes(32)}, frozenset({"old"}))
    sealed, known = PatientStore(FIELDS, old).sealed("a", ENTRY), PatientStore(FIELDS, new)
    configure_logs("warning")
    asyncio.run(known.restore(entries(known.sealed("a", ENTRY), sealed), "in-2"))
    (line,) = [json.loads(line) for line in capfd.readouterr().err.splitlines()]
    assert ({}, "in-2", 1) == (dict(known.memory.entries), line["lane"], line["records"])


@pytest.mark.parametrize(
    ("value", "why"),
    [
        (b"rubbish", "not sealed in this version"),
        (Box("other", {"other": bytes(32)}).seal(b"[]", b"a"), "no key other"),
        (Box("s", {"s": bytes(32)}).seal(b"not packed", b"a"), "not an entry of the adapter"),
        (
            PatientStore(FIELDS, Box("s", {"s": bytes(32)})).sealed("a", b"[]"),
            "not an entry of the adapter",
        ),
    ],
    ids=["no seal", "no key", "not packed", "no entry"],
)
def test_an_entry_that_does_not_open_is_named(value, why):
    """An entry that cannot be opened refuses the start, with its place: names could be missed."""
    known = PatientStore(FIELDS, Box("s", {"s": bytes(32)}))
    place = rf"^keys.state: in.state/2 at 1 cannot be opened: {why}$"
    with pytest.raises(RuleError, match=place):
        asyncio.run(known.restore(entries(known.sealed("a", ENTRY), value), "in-2"))


def test_other_rules_keep_what_is_known():
    """A change of rules replaces the field words of a memory and keeps its entries."""
    known, later = PatientStore(FIELDS), PatientStore(FIELDS)
    stores = PatientStores(lambda: known, one_feed=True)

    async def go():
        async with stores.in_order():
            pass
        stores.change(lambda: later)

    known.memory.words, later.memory.words = object(), object()
    asyncio.run(go())
    assert known.memory.words is later.memory.words


def test_a_restored_memory_forgets_in_the_same_order():
    """A subject that changes again in a batch is written behind those that changed before."""
    store, facts = PatientStore(FIELDS), {}
    for name in "ab":
        group = f'[["patient",null,[["family","{name}",null]]]]'
        facts[name] = PatientFacts(name, (name,), (), (), f'["id:{name}",{group}]'.encode())
    notes, day = store.begin(), 86_400_000
    for number, name in enumerate("aba", 1):
        store.learn(Record(b"", PLACE, timestamp=number * day), [facts[name]], notes)
    later = PatientStore(FIELDS)

    async def written():
        for each in notes.records(PLACE):
            yield each

    asyncio.run(later.restore(written(), "lane"))
    assert ["b", "a"] == list(store.memory.entries) == list(later.memory.entries)
