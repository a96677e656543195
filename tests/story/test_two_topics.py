"""The story told in two topics: HL7 v2 in one, FHIR in the other, with one memory of patients."""

from __future__ import annotations

import asyncio
import json
from itertools import count

import pytest

from adapter.audit import Audit
from adapter.errors import RuleError
from adapter.runtime.patient_store import PatientStore
from adapter.runtime.provenance import Provenance
from adapter.runtime.runner import Runner
from adapter.transports.memory.transport import Broker, MemoryTransport
from adapter.transports.protocol import TransportError
from adapter.types import Position, Record
from tests.story.feed import BOX, MESSAGES, NAMES, RELEASED, SEALER
from tests.story.test_story import HER_OTHER, Memoized, pid
from tests.wording import FIELDS

HL7, FHIR = "hl7", "fhir"
TOPICS = HL7, FHIR
MERGE = NAMES.index("06-adt-a40-merge.hl7")
OTHER_RECORD = {
    "resourceType": "Patient",
    "identifier": [{"system": "urn:oid:2.16.840.1.113883.19.5", "value": HER_OTHER}],
    "name": [{"family": "Ostrander", "given": ["Mina"]}],
    "birthDate": "1961-08-17",
}
"""Her other record, as the FHIR feed goes on to tell it."""


@pytest.fixture(scope="module")
def pool():
    """The real rules; what they gave for a message and what was known is kept."""
    return Memoized()


def topic_of(name):
    """Where a message of the story goes."""
    return HL7 if name.endswith(".hl7") else FHIR


def add(over, topic, value, timestamp):
    """Put a message behind those of a topic."""
    over.append(topic, Record(value, Position("", 0, 0), timestamp=timestamp))


def told():
    """A broker with the story in two topics, in its order by timestamps."""
    over = Broker()
    for hour, name in enumerate(NAMES):
        add(over, topic_of(name), (MESSAGES / name).read_bytes(), hour * 3_600_000)
    return over


def run(over, pool, topics=TOPICS, *, joined=True):
    """Run over the topics to their ends."""
    transport = MemoryTransport(over, topics, batch_records=3, joined=joined)
    provenance = Provenance.under("s1", bytes(32), "d1", lasting=True)
    runner = Runner(
        transport,
        pool,
        SEALER,
        Audit("story"),
        retry_seconds=0,
        remember=lambda: PatientStore(FIELDS, BOX),
        provenance=provenance,
    )
    asyncio.run(asyncio.wait_for(runner.run(asyncio.Event()), 120))


def released(over):
    """What a reader of the output sees, in order."""
    return [record.value for record in over.records("released")]


GOLDEN = [(RELEASED / name).read_bytes() for name in NAMES]


def test_two_topics_tell_what_one_does(pool):
    """With a shared memory every message comes out as if all lay in one topic."""
    over = told()
    run(over, pool)

    assert GOLDEN == released(over)
    audit = [json.loads(record.value) for record in over.records("audit")]
    assert [topic_of(name) for name in NAMES] == [entry["topic"] for entry in audit]


def test_consumers_of_the_output_are_told_of_the_merge(pool):
    """The A40 bears it as its audit record does, and no other message does; ids are the same."""
    over, again = told(), told()
    run(over, pool)
    run(again, pool)
    said = [dict(record.headers) for record in over.records("released")]
    audit = [json.loads(record.value) for record in over.records("audit")]

    assert [MERGE] == [place for place, headers in enumerate(said) if "deid-merges" in headers]
    assert audit[MERGE]["merges"] == json.loads(said[MERGE]["deid-merges"])
    ids = [headers["deid-id"] for headers in said]
    assert ids == [dict(record.headers)["deid-id"] for record in again.records("released")]
    assert ids == [entry["id"].encode() for entry in audit]
    assert len(NAMES) == len(set(ids))


def test_without_it_a_topic_knows_nothing_of_the_other(pool):
    """The FHIR that names her by a reference alone keeps its own time line and names."""
    over = told()
    run(over, pool, joined=False)

    assert len(GOLDEN) == len(released(over))
    assert set(GOLDEN) != set(released(over))


@pytest.mark.parametrize("order", [TOPICS, TOPICS[::-1]])
def test_a_merge_of_one_topic_is_known_in_the_other(pool, order):
    """After an A40 the FHIR of the ended number has the survivor's name and time line."""
    over = told()
    add(over, FHIR, json.dumps(OTHER_RECORD).encode(), 99 * 3_600_000)
    run(over, pool, order)
    patient = json.loads(released(over)[-1])
    family, given = pid(GOLDEN[0].decode())[5].split("^")[:2]
    birth = pid(GOLDEN[0].decode())[7]

    assert [{"family": family, "given": [given]}] == [
        {"family": name["family"], "given": name["given"]} for name in patient["name"]
    ]
    assert birth == patient["birthDate"].replace("-", "")
    assert pid(GOLDEN[1].decode())[3].split("^")[0] == patient["identifier"][0]["value"]


def test_what_came_before_the_merge_has_a_time_line_of_its_own(pool):
    """The earlier timestamp decides, whichever topic is polled first."""
    over = Broker()
    add(over, FHIR, json.dumps(OTHER_RECORD).encode(), 1)
    for hour, name in enumerate(NAMES[: MERGE + 1]):
        add(over, HL7, (MESSAGES / name).read_bytes(), 2 + hour)
    run(over, pool)
    patient = json.loads(released(over)[0])

    assert pid(GOLDEN[0].decode())[7] != patient["birthDate"].replace("-", "")


@pytest.mark.parametrize("failure", ["crash", "transaction", "owner"])
def test_whatever_fails_at_any_step_changes_nothing(pool, failure):
    """Releases, memory and offsets of both topics are of one transaction, under one fence."""
    undisturbed = told()
    steps = count()
    undisturbed.step = lambda _name: next(steps)
    run(undisturbed, pool)
    for at in range(0, next(steps), 5):
        over = told()
        over.step = failing(over, at, failure)
        if failure == "crash":
            with pytest.raises(ZeroDivisionError):
                run(over, pool)
        run(over, pool)
        assert GOLDEN == released(over), at
        assert kept(undisturbed) == kept(over), at
        assert undisturbed.offsets == over.offsets


def kept(over):
    """What the state's topic holds in the end, opened."""
    state = {record.key: record.value for record in over.records("state")}
    return {key: value and BOX.open(value, key) for key, value in state.items()}


def failing(over, at, failure):
    """What makes one step fail: the process dies, the commit is refused, or another owner comes."""
    steps = count()

    def step(_name):
        if next(steps) != at:
            return
        if failure == "crash":
            raise ZeroDivisionError
        over.fence("domain-0")

    def refused(name):
        if next(steps) == at and name not in ("poll", "fence", "committed"):
            raise TransportError("send-failed")

    return refused if failure == "transaction" else step


def test_uneven_topics_do_not_start(pool):
    """Topics of other numbers of partitions cannot share a memory."""
    over = Broker()
    over.topics[HL7] = [[], []]
    with pytest.raises(RuleError, match=r"known\.scope"):
        run(over, pool)
