"""Discarding held messages: each is settled with its audit record, and the others are unchanged."""

from __future__ import annotations

import asyncio
import json
from itertools import count

import pytest

from adapter.runtime.access import discarded
from adapter.runtime.quarantine.discard import Discard
from adapter.runtime.quarantine.entries import Entry, digest
from adapter.sealing.quarantine import Folder, Held, Sealer, read_clear
from adapter.transports.files.audit import AuditFile
from adapter.transports.files.folder import FolderTransport
from adapter.transports.memory.transport import Broker, MemoryTransport
from adapter.transports.protocol import Channel
from adapter.types import Position, Record

SEALER = Sealer("q1", {"q1": bytes(32)})


def envelope(number):
    """Return an envelope of the message with this number."""
    held = Held("decode", "empty", "in", 0, number, 5, id=f"id{number}")
    return SEALER.seal(Record(b"m%d" % number, Position("in", 0, number)), held)


ENVELOPES = [envelope(0), envelope(1), b"no envelope", envelope(3)]
CHOSEN = {
    digest(raw): Entry(f"q-{at}", digest(raw), read_clear(raw) if at != 2 else None)
    for at, raw in enumerate(ENVELOPES)
    if at in {1, 2}
}


def note(entry):
    """Return the audit record of an entry."""
    return discarded(entry.held, entry.place, "op", "test feed")


def over_memory(broker):
    """Discard the chosen envelopes of a broker's quarantine; return their number."""
    outputs = {c: c.value for c in Channel}
    transport = MemoryTransport(broker, ("quarantine",), outputs, 2)
    return asyncio.run(Discard(transport, "quarantine", CHOSEN, note).run())


def broker_with_envelopes():
    """Return a broker whose quarantine contains ENVELOPES."""
    broker = Broker()
    for raw in ENVELOPES:
        broker.append("quarantine", Record(raw, Position("", 0, 0)))
    return broker


def test_what_is_discarded_is_in_the_audit_and_the_rest_stays():
    """Each discarded envelope gets an audit record with its source; the others are carried over."""
    broker = broker_with_envelopes()
    assert 2 == over_memory(broker)
    first, second = (json.loads(record.value) for record in broker.records("audit"))
    assert ("discarded", "test feed", "op", "in", 1, "id1") == tuple(
        first[name] for name in ("outcome", "reason", "user", "topic", "offset", "id")
    )
    assert {"time_ms", "outcome", "place", "user", "reason"} == second.keys()
    assert [ENVELOPES[0], ENVELOPES[3]] == [record.value for record in broker.records("held")]
    assert 4 == broker.offsets["quarantine", 0]


def test_a_discard_that_dies_loses_and_repeats_nothing():
    """After a crash at any step, a second run completes the discard without loss or repetition."""
    undisturbed = broker_with_envelopes()
    steps = count()
    undisturbed.step = lambda _name: next(steps)
    over_memory(undisturbed)
    for at in range(next(steps)):
        broker = broker_with_envelopes()
        ticks = count()

        def step(_name, at=at, ticks=ticks):
            if next(ticks) == at:
                raise KeyboardInterrupt

        broker.step = step
        with pytest.raises(KeyboardInterrupt):
            over_memory(broker)
        broker.step = lambda _name: None
        over_memory(broker)
        for topic in ("audit", "held"):
            assert len(undisturbed.records(topic)) == len(broker.records(topic)), at


def test_a_folder_keeps_what_is_not_discarded(tmp_path):
    """Only the chosen files are deleted; all others, envelopes or not, are not even rewritten."""
    folder = Folder(tmp_path / "q")
    for raw in (ENVELOPES[0], ENVELOPES[1], ENVELOPES[3]):
        folder.write(raw)
    (tmp_path / "q/a.held").write_bytes(b"something else")
    (tmp_path / "q/b.held").write_bytes(b"no envelope")
    before = {path.name: path.stat().st_ino for path in (tmp_path / "q").iterdir()}
    transport = FolderTransport(
        folder, tmp_path / "out", 2, audit=AuditFile(tmp_path / "audit.jsonl")
    )
    assert 2 == asyncio.run(Discard(transport, "{topic}", CHOSEN, note).run())
    after = {path.name: path.stat().st_ino for path in (tmp_path / "q").iterdir()}
    gone = before.keys() - after.keys()
    assert (2, True) == (len(gone), "b.held" in gone)
    assert after.items() < before.items()
    assert 2 == len((tmp_path / "audit.jsonl").read_bytes().splitlines())
