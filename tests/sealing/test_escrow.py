"""The escrow: sealed by whoever has the public part, opened by the private one alone."""

from __future__ import annotations

import asyncio
import json
import random
from dataclasses import replace
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapter.audit import Audit
from adapter.config.settings import load_settings
from adapter.errors import RuleError
from adapter.runtime.runner import Runner
from adapter.runtime.service import escrow
from adapter.sealing.box import SealError
from adapter.sealing.escrow import Escrow, Opener, digest, read_deposit
from adapter.sealing.keyring import Ring, new_entry, write_ring
from adapter.sealing.quarantine import Sealer
from adapter.transports.files.escrow import EscrowFile
from adapter.transports.memory.transport import Broker, MemoryTransport
from adapter.transports.protocol import Channel
from adapter.types import Hold, Position, Processed, Record, Release

KEY = new_entry(Ring(), "escrow", "d", "2026-01-02")
ESCROW = Escrow(KEY.id, KEY.public)
OPENER = Opener({KEY.id: KEY.secret})
CANARY = "Quillfeather"
RECORD = Record(CANARY.encode(), Position("in", 2, 41), b"8841277", ((CANARY, b"h"),), 99)
RELEASE = Release(b"clean", b"7412560", ruleset_digest="r1", pairs=(("74-125-60", "88-412-77"),))

records = st.builds(
    Record,
    value=st.none() | st.binary(max_size=200),
    position=st.builds(Position, st.text(max_size=9), st.just(2), st.just(41)),
    key=st.none() | st.binary(max_size=20),
    headers=st.lists(st.tuples(st.text(max_size=9), st.binary(max_size=9)), max_size=3).map(tuple),
    timestamp=st.none() | st.integers(0, 2**60),
)


@given(record=records)
def test_what_is_sealed_is_opened_exactly(record):
    """The whole record comes back, tombstones and empty values told apart."""
    assert record == OPENER.record(ESCROW.seal(record, RELEASE, "in"))


def test_numbers_are_opened_without_the_message():
    """The pairs of the patient's numbers and of the record's key are sealed by themselves."""
    envelope = ESCROW.seal(RECORD, RELEASE, "in")
    without = {k: v for k, v in json.loads(envelope).items() if k != "record"}
    assert (("74-125-60", "88-412-77"), ("7412560", "8841277")) == (
        OPENER.pairs(json.dumps(without).encode())
    )


def test_the_clear_part_names_no_one():
    """Digest, key, ruleset, coordinates and marks can be read; no original, and no surrogate."""
    envelope = ESCROW.seal(RECORD, RELEASE, "file-1")
    deposit = read_deposit(envelope)
    assert (digest(b"clean"), KEY.id, "r1", "file-1", 2, 41) == (
        deposit.sha256,
        deposit.key_id,
        deposit.ruleset,
        deposit.topic,
        deposit.partition,
        deposit.offset,
    )
    clear = ("Quillfeather", "8841277", "88-412-77", "7412560", "74-125-60")
    assert [] == [text for text in clear if text.encode() in envelope]
    assert set(deposit.marks) == OPENER.marks("7412560") == OPENER.marks("74 125 60")


def test_no_two_seals_are_alike():
    """The same record is sealed under another ephemeral key each time."""
    first, second = (json.loads(ESCROW.seal(RECORD, RELEASE, "in")) for _ in range(2))
    assert [] == [n for n in ("ephemeral", "record", "pairs") if first[n] == second[n]]


@pytest.mark.parametrize(
    ("name", "value"),
    [("sha256", "0"), ("offset", 42), ("topic", "x"), ("marks", []), ("ruleset", "r2"),
     ("ephemeral", "6798bc7aef39e8d8"), ("ephemeral", "AAAA"), ("record", "AAAA")],
)  # fmt: skip
def test_a_changed_field_breaks_the_seal(name, value):
    """What is said in the clear is bound to what is sealed."""
    fields = json.loads(ESCROW.seal(RECORD, RELEASE, "in")) | {name: value}
    with pytest.raises(SealError):
        OPENER.record(json.dumps(fields).encode())


def test_record_and_pairs_are_not_interchangeable():
    """One sealed part in the place of the other does not open."""
    fields = json.loads(ESCROW.seal(RECORD, RELEASE, "in"))
    with pytest.raises(SealError, match="seal is broken"):
        OPENER.record(json.dumps(fields | {"record": fields["pairs"]}).encode())


def test_another_key_opens_nothing():
    """A private part of another id, or another one under this id, is refused."""
    other = new_entry(Ring(), "escrow", "d", "").secret
    envelope = ESCROW.seal(RECORD, RELEASE, "in")
    for privates, why in (({"x": KEY.secret}, "no private part"), ({KEY.id: other}, "broken")):
        with pytest.raises(SealError, match=why):
            Opener(privates).record(envelope)


@pytest.mark.parametrize("noise", [b"", b"{", b"{}", b"[]", b'{"v":1}', b'{"v":2}'])
def test_what_is_no_escrow_record_is_refused(noise):
    """Any bytes give a SealError."""
    with pytest.raises(SealError):
        read_deposit(noise)


def test_no_repr_shows_a_key():
    """Neither private parts nor a release's pairs are in a repr."""
    assert repr(KEY.secret) not in repr(OPENER)
    assert "88-412-77" not in repr(RELEASE)


# ---- settings ----


def test_the_escrow_is_off_unless_wished(tmp_path):
    """Without the setting nothing is kept; with it, key and file must be there."""
    assert escrow(load_settings()) is None
    wished = {"transport": "files", "escrow": {"enabled": True}}
    with pytest.raises(RuleError, match=r"files\.escrow: is not set"):
        escrow(load_settings(**wished))
    wished["files"] = {"escrow": tmp_path / "escrow.jsonl"}
    with pytest.raises(RuleError, match="the key ring has no escrow key"):
        escrow(load_settings(**wished))
    ring = Ring().add(replace(new_entry(Ring(), "escrow", "default", ""), secret=None))
    write_ring(tmp_path / "ring.json", ring)
    found = escrow(load_settings(**wished, keys={"ring": tmp_path / "ring.json"}))
    assert Escrow(ring.entries[0].id, ring.entries[0].public) == found


# ---- in the runner ----


class CrashError(Exception):
    """The process dies here."""


class Inline:
    """A pool without processes; "bad" values are held."""

    restarts = 0

    async def run(self, batch, _notes=None):
        """Reverse every value."""
        return [
            Processed(
                Hold("decode", "not-hl7v2")
                if record.value.startswith(b"bad")
                else Release(record.value[::-1], record.key),
                0.1,
            )
            for record in batch
        ]


VALUES = [b"m%02d" % n if n % 4 else b"bad%02d" % n for n in range(9)]


def broker_with(values):
    """A broker with values in topic "in"."""
    broker = Broker()
    for value in values:
        broker.append("in", Record(value, Position("", 0, 0)))
    return broker


def run(broker):
    """A runner over the broker to the end of its input."""
    transport = MemoryTransport(broker, batch_records=2)
    sealer = Sealer("q1", {"q1": bytes(32)})
    runner = Runner(transport, Inline(), sealer, Audit("d1"), escrow=ESCROW, retry_seconds=0)
    asyncio.run(asyncio.wait_for(runner.run(asyncio.Event()), 30))


def deposited(broker):
    """Digest and original of every escrow record."""
    envelopes = [record.value for record in broker.records(Channel.ESCROW)]
    return [(read_deposit(e).sha256, OPENER.record(e).value) for e in envelopes]


def released(broker):
    """The same of every released record."""
    values = [record.value for record in broker.records(Channel.RELEASED)]
    return [(digest(value), value[::-1]) for value in values]


def test_every_release_has_its_record():
    """What is released is in the escrow once; what is held is not."""
    broker = broker_with(VALUES)
    run(broker)
    assert released(broker) == deposited(broker)
    assert 6 == len(released(broker))


def test_a_crash_at_any_step_loses_and_repeats_nothing():
    """Wherever the process dies, releases and escrow records are of one transaction."""
    steps = count()
    undisturbed = broker_with(VALUES)
    undisturbed.step = lambda _name: next(steps)
    run(undisturbed)
    for at in range(next(steps)):
        broker, passed = broker_with(VALUES), count()

        def step(_name, at=at, passed=passed):
            if next(passed) == at:
                raise CrashError

        broker.step = step
        with pytest.raises(CrashError):
            run(broker)
        broker.step = lambda _name: None
        run(broker)
        assert released(undisturbed) == released(broker) == deposited(broker)


def test_what_the_escrow_refuses_is_not_released():
    """An original too large to be kept holds its message."""
    large = random.Random(1).randbytes(2_400)
    broker = broker_with([b"small", large])
    broker.max_bytes = 3_000
    run(broker)
    assert [b"small"] == [value for _, value in deposited(broker)]
    assert [b"small"] == [value for _, value in released(broker)]
    assert 1 == len(broker.records(Channel.HELD))


# ---- in a file ----


def test_a_cut_line_is_closed(tmp_path):
    """After a crash in the middle of a line the next record has a line of its own."""
    path = tmp_path / "escrow.jsonl"
    path.write_bytes(b"whole\ncu")
    file = EscrowFile(path)
    file.open()
    file.write([b"next", b"last"])
    file.close()
    assert [b"whole", b"cu", b"next", b"last"] == path.read_bytes().splitlines()
    assert [tmp_path / "escrow.jsonl"] == list(tmp_path.iterdir())
