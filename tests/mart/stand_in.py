"""A feed of a few persons and a landing of it, small enough to be seen to be right."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
from itertools import count

from adapter.mart.store.protocol import Entry, MessageRow, Outcome
from adapter.mart.versions import (
    Landed,
    Merge,
    Op,
    Parting,
    Released,
    Version,
    canonical,
    number_key,
    resource_id,
)

DAY = dt.date(2026, 11, 22)


def body(person, number, **more):
    """A message of one observation of a person, as JSON."""
    message = {"person": person, "number": number, "text": f"{person} has {number}"} | more
    return json.dumps(message).encode()


def released(index, value, topic="out", partition=0, key=None):
    """A record at an offset; its id is that of the value, as the same message has the same."""
    told = value if value is not None else (key or b"") + str(index).encode()
    message_id = hashlib.blake2b(told, digest_size=16).hexdigest()
    return Released(value, message_id, topic, partition, index, key, (("deid-ruleset", b"r1"),))


def land(record):
    """A patient and an observation; "also" are other numbers, "prior" ends another record."""
    told = json.loads(record.value)
    subject = number_key(told["person"])
    resources = [("Patient", told["person"]), ("Observation", f"{told['person']}|{told['number']}")]
    versions = [
        Version(kind, resource_id(kind, key), subject, Op.REPLACE, canonical(told), index)
        for index, (kind, key) in enumerate(resources)
    ]
    if told.get("place"):
        key = resource_id("Location", told["place"])
        versions.append(Version("Location", key, None, Op.MERGE, canonical(told), 2))
    numbers = [tuple(map(number_key, (told["person"], *told.get("also", ()))))]
    merges = tuple(Merge(number_key(p), subject, 3) for p in told.get("prior", ()))
    apart = told.get("apart", ())
    partings = tuple(Parting((subject,), (number_key(p),)) for p in apart)
    brought = tuple(versions), tuple(numbers), merges, partings
    return Landed(*brought, format="fhir", kind="Bundle")


def entry(record, day=DAY):
    """What the loader makes of a record."""
    if record.value is None:
        erases = (number_key(record.key.decode()),)
        return Entry(row(record, day, Outcome.TOMBSTONE), erases=erases)
    return Entry(row(record, day), land(record))


def row(record, day=DAY, outcome=Outcome.RELEASED):
    """The message's row."""
    at = record.message_id, record.topic, record.partition, record.offset
    return MessageRow(*at, day, ruleset="r1", key_id="k1", outcome=outcome)


def feed(persons=5, each=4):
    """Bodies of persons in turn; the last person's record is merged into the one before."""
    numbers = count()
    messages = [
        body(f"P{person}", next(numbers), also=[f"Q{person}"] if turn % 2 else [], place="W1")
        for turn in range(each)
        for person in range(persons)
    ]
    return [*messages, body(f"P{persons - 2}", next(numbers), prior=[f"P{persons - 1}"])]


def state(store):
    """All that can be told of a store, but for the order and the days of loading."""
    return {
        "resources": list(store.resources()),
        "numbers": list(store.numbers()),
        "merges": list(store.merges()),
        "said": list(store.identity_statements()),
        "counts": sorted((c.topic, c.kind, c.outcome, c.messages) for c in store.counts()),
        "rejects": store.rejects(),
        "erased": store.erased(),
    }
