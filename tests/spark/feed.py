"""A feed of planted patients in lanes of two topics, and what the single machine makes of it."""

from __future__ import annotations

import asyncio
import json
import random
from functools import partial

from adapter.audit import Audit
from adapter.replay.hindsight import Knowing, KnownStore, empty
from adapter.rules.folder import rules_folder
from adapter.runtime.patient_store import PatientStore
from adapter.runtime.provenance import Provenance
from adapter.runtime.runner import Runner
from adapter.transports.memory.transport import Broker, MemoryTransport
from adapter.types import Position, Record, Release
from tests.corpus.runs import ruleset
from tests.corpus.runs import settings as settings_of
from tests.story.feed import SEALER, Inline, deidentify

SECRET = bytes(range(32))
NAMES = ("Quellbrunn", "Ostrevik", "Tamsweger", "Halvorrin", "Zarncastle", "Umbrecht", "Yndrafell")
PARTITIONS = 3


def note(number, patient):
    """A note that names the patient, whose PID has a number alone."""
    name = NAMES[patient]
    return (
        f"MSH|^~\\&|A|B|C|D|2024010{number % 9 + 1}||ORU^R01|o{patient}{number}|P|2.5\r"
        f"PID|1||77{patient}4312^^^H1^MR\r"
        f"OBX|1|TX|1^Note||Overnight {name} slept well and {name.lower()} was fed.||||||F\r"
    ).encode()


def admission(number, patient):
    """What says the patient's name."""
    return (
        f"MSH|^~\\&|A|B|C|D|2024010{number % 9 + 1}||ADT^A08|a{patient}{number}|P|2.5\r"
        f"PID|1||77{patient}4312^^^H1^MR||{NAMES[patient]}^Nella||1960010{patient + 1}|F\r"
    ).encode()


def merge(patient, prior):
    """A patient's record of another number ends."""
    return (
        f"MSH|^~\\&|A|B|C|D|20240109||ADT^A40^ADT_A39|m{patient}|P|2.5\rEVN|A40|20240109\r"
        f"PID|1||77{patient}4312^^^H1^MR||{NAMES[patient]}^Nella||1960010{patient + 1}|F\r"
        f"MRG|{prior}^^^H1^MR\r"
    ).encode()


def resource(patient):
    """The patient as FHIR."""
    told = {
        "resourceType": "Patient",
        "id": f"p{patient}",
        "identifier": [{"type": {"coding": [{"code": "MR"}]}, "value": f"77{patient}4312"}],
        "name": [{"family": NAMES[patient], "given": ["Nella"]}],
        "birthDate": f"1960-01-0{patient + 1}",
    }
    return json.dumps(told).encode()


def values():
    """(topic, partition, value); a patient keeps to a partition of a topic."""
    for patient in range(len(NAMES)):
        at = patient % PARTITIONS
        for number, make in enumerate((note, admission, note, note)):
            yield "hl7.in", at, make(number, patient)
        yield "fhir.in", at, resource(patient)
    yield "hl7.in", 0, b"no message of " + NAMES[0].encode()
    yield "hl7.in", 0, note(5, 0).replace(b"7704312", b"8814455")
    yield "hl7.in", 0, merge(0, "8814455")
    yield "hl7.in", 1, None
    yield "hl7.in", 1, note(6, 1)


def feed():
    """The records; their keys are the patients' numbers, as some sites have it."""
    counts: dict[tuple[str, int], int] = {}
    for topic, number, value in values():
        offset = counts[topic, number] = counts.get((topic, number), -1) + 1
        headers = (("content-type", b"x-hl7"), ("other", NAMES[1].encode()))
        at = Position(topic, number, offset)
        yield Record(value, at, b"7714312", headers, 1_700_000_000_000 + offset)


def single_machine():
    """What a live run publishes by message id, and (place, stage, code) of what it holds."""
    broker, held = Broker(partitions=PARTITIONS), set()
    for record in feed():
        broker.append(record.position.topic, record, record.position.partition)

    def watch(record, processed):
        if not isinstance(processed.outcome, Release):
            held.add((record.position, processed.outcome.stage, processed.outcome.code))

    transport = MemoryTransport(broker, ("fhir.in", "hl7.in"))
    remember = partial(PatientStore, rules_folder(settings_of()).fields)
    provenance = Provenance.under("test", SECRET, ruleset().digest, lasting=True)
    options = {"remember": remember, "provenance": provenance}
    runner = Runner(transport, Inline(), SEALER, Audit(), **options)
    runner.watch = watch
    asyncio.run(runner.run(asyncio.Event()))
    released = {
        dict(record.headers)["deid-id"].decode(): (record.key, record.value, record.headers)
        for record in broker.records("released")
    }
    return released, held


def hindsight():
    """What a replay in hindsight releases, by place: one memory of all lanes, nothing forgotten."""
    store, process = empty(ruleset().fields), deidentify()
    records = sorted(feed(), key=lambda r: (r.position.topic, r.position.partition))
    for record in records:
        store.learn(record, process.prepare(record)[1], store.begin())
    known, second = KnownStore(ruleset().fields, store.memory), Knowing(process)
    for record in records:
        prepared, facts = process.prepare(record)
        outcome = second.finish(prepared, known.learn(record, facts, known.begin()))
        if isinstance(outcome, Release):
            yield record.position, (outcome.key, outcome.value, outcome.merges)


def shuffled(seed=1):
    """The feed in another order."""
    found = list(feed())
    random.Random(seed).shuffle(found)
    return found
