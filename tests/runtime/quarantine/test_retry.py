"""Retrying held records: released by better rules, held once more, or carried over."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from itertools import count

import pytest

from adapter.audit import Audit
from adapter.runtime.quarantine.entries import digest
from adapter.runtime.quarantine.retry import Plan, RetryTransport
from adapter.runtime.runner import Runner
from adapter.sealing.quarantine import Folder, Held, Sealer, read_clear
from adapter.transports.files.folder import FolderTransport
from adapter.transports.memory.transport import Broker, MemoryTransport
from adapter.transports.protocol import Channel
from adapter.types import Hold, Position, Processed, Record, Release

SEALER = Sealer("q1", {"q1": bytes(32)})
HELD = Held("decode", "empty", "in", 0, 3, 5)


class Better:
    """Rules that release every record except those that contain "bad"."""

    restarts = 0

    async def run(self, batch, _notes=None):
        """Return the outcomes of a batch immediately."""
        return [Processed(self.outcome(record), 0.1) for record in batch]

    def outcome(self, record):
        """Return the outcome of one record."""
        if b"bad" in record.value:
            return Hold("leak", "pattern")
        return Release(record.value.upper(), key=record.key)


def held(number, value, attempts=1, topic="in"):
    """Return an envelope of the record with this number."""
    record = Record(value, Position(topic, 0, number), key=b"k")
    return SEALER.seal(record, Held("decode", "empty", "in", 0, number, 5, attempts=attempts))


ENVELOPES = [
    held(3, b"one"),
    held(5, b"bad"),
    b"no envelope",
    held(7, b"two", attempts=5),
    held(9, b"three"),
    Sealer("q0", {"q0": bytes(32)}).seal(
        Record(b"x", Position("in", 0, 11)), Held("decode", "empty", "in", 0, 11, 5)
    ),
]


def broker_with_envelopes():
    """Return a broker whose quarantine topic contains ENVELOPES."""
    broker = Broker()
    for envelope in ENVELOPES:
        broker.append("quarantine", Record(envelope, Position("", 0, 0)))
    return broker


def retry(broker, batch_records=2, plan=None):
    """Retry the current envelopes once; new holds go to a separate topic."""
    outputs = {c: c.value for c in Channel}
    inner = MemoryTransport(broker, ("quarantine",), outputs, batch_records)
    again = RetryTransport(inner, SEALER, 5, "quarantine", plan)
    runner = Runner(again, Better(), SEALER, Audit("d2", again.public), earlier=again.earlier)
    asyncio.run(asyncio.wait_for(runner.run(asyncio.Event()), 10))
    return again


@pytest.mark.parametrize("batch_records", [1, 2, 3, 100])
def test_each_envelope_is_settled_once(batch_records):
    """Each envelope is released, held with one more attempt, or carried over unchanged."""
    broker = broker_with_envelopes()
    again = retry(broker, batch_records)
    clear = [json.loads(r.value) for r in broker.records("held") if r.value != b"no envelope"]
    assert [b"ONE", b"THREE"] == [r.value for r in broker.records("released")]
    assert {(5, "leak", 2), (7, "decode", 5), (11, "decode", 1)} == {
        (c["offset"], c["stage"], c["attempts"]) for c in clear
    }
    assert (3, 6, 4) == (
        again.carried,
        broker.offsets["quarantine", 0],
        len(broker.records("held")),
    )


@pytest.mark.parametrize("batch_records", [1, 2, 3, 100])
def test_only_what_is_planned_is_retried(batch_records):
    """Envelopes outside the plan are carried over; superseded ones settle with their message."""
    broker = broker_with_envelopes()
    plan = Plan(frozenset({digest(ENVELOPES[4])}), frozenset({digest(ENVELOPES[0])}))
    again = retry(broker, batch_records, plan)
    assert [b"THREE"] == [r.value for r in broker.records("released")]
    left = [r.value for r in broker.records("held")]
    assert sorted([*ENVELOPES[1:4], ENVELOPES[5]]) == sorted(left)
    assert (4, 6) == (again.carried, broker.offsets["quarantine", 0])


def test_a_record_keeps_the_id_it_was_held_under():
    """A message that is held again keeps the id of its first envelope."""
    broker = Broker()
    record = Record(b"bad", Position("in", 0, 3))
    broker.append(
        "quarantine", Record(SEALER.seal(record, replace(HELD, id="7f")), record.position)
    )
    retry(broker)
    (again,) = broker.records("held")
    assert ("7f", 2) == (read_clear(again.value).id, read_clear(again.value).attempts)


def test_a_retry_that_dies_repeats_nothing():
    """After a crash at any step, a second run completes the retry without repeating anything."""
    undisturbed = broker_with_envelopes()
    steps = count()
    undisturbed.step = lambda _name: next(steps)
    retry(undisturbed)
    for at in range(next(steps)):
        broker = broker_with_envelopes()
        ticks = count()

        def step(_name, at=at, ticks=ticks):
            if next(ticks) == at:
                raise KeyboardInterrupt

        broker.step = step
        with pytest.raises(KeyboardInterrupt):
            retry(broker)
        broker.step = lambda _name: None
        retry(broker)
        for topic in ("released", "held"):
            assert len(undisturbed.records(topic)) == len(broker.records(topic)), at


def test_a_folder_is_emptied_of_what_is_released(tmp_path):
    """Released records are moved to their file's name; others stay with one more attempt."""
    folder = Folder(tmp_path / "q")
    for number, value in enumerate([b"one", b"bad", b"two"]):
        folder.write(held(number, value, topic="a/Doe.hl7"))
    inner = FolderTransport(folder, tmp_path / "out", 2)
    again = RetryTransport(inner, SEALER, 5, "{topic}")
    runner = Runner(again, Better(), SEALER, Audit("d2", again.public), earlier=again.earlier)
    asyncio.run(asyncio.wait_for(runner.run(asyncio.Event()), 10))
    assert {"Doe.hl7": b"ONE", "Doe.hl7.2": b"TWO"} == {
        path.name: path.read_bytes() for path in (tmp_path / "out/a").iterdir()
    }
    (name,) = folder.names()
    left = read_clear(folder.read(name))
    assert ("leak", "in", 2) == (left.stage, left.topic, left.attempts)
