"""Provenance headers of released records: the same in every run, and without the source."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace

import pytest

from adapter.audit import Audit
from adapter.config.settings import load_settings
from adapter.errors import RuleError
from adapter.runtime.provenance import Provenance
from adapter.runtime.runner import Runner
from adapter.sealing.quarantine import Sealer
from adapter.transports.memory.transport import Broker, MemoryTransport
from adapter.types import Hold, Merge, Position, Processed, Record, Release

SECRET = bytes(range(32))
MERGE = Merge("8841277", "1990023", -12)
RECORD = Record(b"MSH|...", Position("ward-7.hl7", 3, 41))


def under(secret=SECRET, **options):
    """Return the provenance under a secret."""
    return Provenance.under("s1", secret, "d1", **{"lasting": True} | options)


def test_headers_name_message_ruleset_key_and_merges():
    """A released record has its id, its ruleset's digest, the key's id, and its merges if any."""
    release = Release(b"x", headers=(("content-type", b"x-hl7"),), merges=(MERGE,))
    found = under().headers(RECORD, release)

    assert ["content-type", "deid-id", "deid-ruleset", "deid-key", "deid-merges"] == [
        name for name, _ in found
    ]
    said = dict(found)
    assert (32, b"d1", b"s1") == (len(said["deid-id"]), said["deid-ruleset"], said["deid-key"])
    merges = [{"prior": "8841277", "number": "1990023", "days": -12}]
    assert merges == json.loads(said["deid-merges"])
    assert "deid-merges" not in dict(under().headers(RECORD, Release(b"x")))


def test_headers_of_the_input_by_these_names_do_not_pass():
    """Input headers with the names of provenance headers are dropped, and cannot be configured."""
    sent = (("Deid-Id", b"ward-7"), ("deid-source", b"ward-7"), ("content-type", b"y"))
    found = under().headers(RECORD, Release(b"x", headers=sent))

    assert not any(b"ward-7" in value for _, value in found)
    assert 1 == sum(name.lower() == "deid-id" for name, _ in found)
    with pytest.raises(RuleError, match=r"rules\.headers"):
        load_settings(None, rules={"headers": ["Deid-Id"]})


def test_an_id_is_of_topic_partition_and_offset():
    """An id depends on topic, partition, offset and key, and on nothing else."""
    at = RECORD.position
    places = [at, replace(at, topic="b"), replace(at, partition=4), replace(at, offset=42)]
    ids = [under().message_id(replace(RECORD, position=place)) for place in places]
    ids += [under(bytes(32)).message_id(RECORD)]

    assert 5 == len(set(ids))
    assert ids[0] == under().message_id(replace(RECORD, value=b"other", key=b"k", timestamp=7))


def test_coordinates_do_not_run_together():
    """Coordinates are delimited in the MAC: "a1", 1 differs from "a", 11."""
    places = ("a1", 1, 1), ("a", 11, 1), ("a", 1, 11), ("a\x1f1", 1, 1)
    assert 4 == len({under().message_id(Record(b"", Position(*place))) for place in places})


def test_where_positions_do_not_last_the_bytes_count():
    """If positions do not last, as in files, the id depends on the bytes of the message too."""
    files = under(lasting=False)

    assert files.message_id(RECORD) != files.message_id(replace(RECORD, value=b"other"))
    assert files.message_id(RECORD) == files.message_id(replace(RECORD, timestamp=7))


def test_an_id_is_not_what_surrogates_are_drawn_with():
    """The key of ids is not the surrogates' secret, and neither is in the repr."""
    assert SECRET != under().key.secret
    assert str(SECRET) not in repr(under())
    assert "ward-7" not in repr(under())


class Inline:
    """A pool without processes that holds bad values and releases others with a merge."""

    restarts = 0

    async def run(self, batch, _notes=None):
        """Return the outcomes of a batch immediately."""
        return [Processed(outcome(record.value), 0.1) for record in batch]


def outcome(value):
    """Return a hold for a bad value, else a release with a merge."""
    if value.startswith(b"bad"):
        return Hold("decode", "not-hl7v2")
    return Release(b"clean", merges=(MERGE,), ruleset_digest="d2")


def ran(broker):
    """Return the broker after a run over all its records."""
    provenance = under()
    runner = Runner(
        MemoryTransport(broker),
        Inline(),
        Sealer("q1", {"q1": bytes(32)}),
        Audit("d1"),
        provenance=provenance,
    )
    asyncio.run(asyncio.wait_for(runner.run(asyncio.Event()), 30))
    return broker


def test_released_records_bear_them_and_audit_records_the_id():
    """Released records have the headers; audit records have the ids with the source's offsets."""
    broker = Broker(2)
    for value in (b"one", b"bad", b"two"):
        broker.append("in", Record(value, Position("", 0, 0)), 1)
    ran(broker)
    said = [dict(record.headers) for record in broker.records("released")]
    audit = [json.loads(record.value) for record in broker.records("audit")]

    assert [b"d2", b"d2"] == [one["deid-ruleset"] for one in said]
    assert all(json.loads(one["deid-merges"])[0]["days"] == -12 for one in said)
    found = {entry["id"]: entry["offset"] for entry in audit}
    assert [0, 2] == [found[one["deid-id"].decode()] for one in said]
    assert 3 == len(found)
    assert () == tuple(h for record in broker.records("held") for h in record.headers)
