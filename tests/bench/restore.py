"""Measures time and memory of restoring a lane's patient memory.

    python -m tests.bench.restore [--values N]

Takes KAFKA_BOOTSTRAP_SERVERS. Entries of invented patients, 20 values each, are sealed and written
to a compacted topic; a fresh process reads, opens and indexes them as an adapter does on
assignment. Prints one JSON object; the memory is the process's peak over that before restoring.
"""

from __future__ import annotations

import asyncio
import json
import os
import resource
import subprocess
import sys
import time
import uuid
from typing import Annotated

import typer
from aiokafka import AIOKafkaProducer, TopicPartition
from aiokafka.admin import AIOKafkaAdminClient, NewTopic

from adapter.config.settings import load_settings
from adapter.phrases.memory.entries import Entry, pack
from adapter.runtime.patient_store import PatientStore
from adapter.sealing.box import Box
from adapter.train.command import command_of
from adapter.transports.kafka.client import connection, producer_options
from adapter.transports.kafka.state import kept
from adapter.types import Position, Record
from tests.wording import FIELDS

VALUES = 20
BOX = Box("k1", {"k1": bytes(range(32))})


def entry(number):
    """An invented patient with kin and staff: 20 values, 5 numbers."""
    own = (
        ("id", f"{number:08d}", "MEDICALRECORD"), ("id", f"A{number * 7:09d}", "ACCOUNT"),
        ("family", f"Family{number % 90000}", "PATIENT"), ("given", f"Given{number}", "PATIENT"),
        ("middle", "Q", "PATIENT"), ("birthdate", f"19{number % 90:02d}0203", "DATE"),
        ("street", f"{number % 999} Elm Street", "STREET"), ("city", "Springfield", "CITY"),
        ("zip", f"{number % 100000:05d}", "ZIP"), ("phone", f"217555{number % 10000:04d}", "PHONE"),
    )  # fmt: skip
    kin = (
        ("family", f"Family{number % 90000}", "PATIENT"), ("given", f"Kin{number}", "PATIENT"),
        ("phone", f"217554{number % 10000:04d}", "PHONE"), ("city", "Springfield", "CITY"),
        ("street", f"{number % 999} Elm Street", "STREET"),
    )  # fmt: skip
    staff = tuple(("family", f"Staff{(number + n) % 500}", "DOCTOR") for n in range(5))
    groups = (
        ("patient", "F", own),
        ("kin", None, kin),
        *(("attending", None, (value,)) for value in staff),
    )
    numbers = tuple(f"{number:012x}{n:020x}" for n in range(5))
    names = {"family": (f"family{number % 90000}",), "given": (f"given{number}",)}
    return Entry(f"{number:032x}", f"id:{number}", numbers, groups, names, ("d",), 1)


async def write(kafka, topic, count):
    """Write the entries, as transactions of an adapter would have."""
    admin = AIOKafkaAdminClient(**connection(kafka))
    await admin.start()
    await admin.create_topics([NewTopic(topic, 1, 1, topic_configs={"cleanup.policy": "compact"})])
    await admin.close()
    source = PatientStore(FIELDS, BOX)
    async with AIOKafkaProducer(**producer_options(kafka, None)) as producer:
        for number in range(count):
            made = entry(number)
            value = source.sealed(made.subject, pack(made))
            await producer.send(topic, value, made.subject.encode(), 0)


async def restore(kafka, topic):
    """Read, open and index the entries, as an adapter does on assignment."""
    known = PatientStore(FIELDS, BOX)

    async def records():
        async for found in kept(kafka, TopicPartition(topic, 0)):
            yield Record(found.value, Position(topic, 0, found.offset), found.key)

    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.perf_counter()
    await known.restore(records(), topic)
    seconds = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {
        "patients": len(known.memory.entries),
        "values": len(known.memory.entries) * VALUES,
        "seconds": round(seconds, 1),
        "megabytes": round((peak - before) / 1024),
    }


def main(values: int = 1_000_000, topic: Annotated[str, typer.Option(hidden=True)] = ""):
    """Write, then restore in a process of its own."""
    address = os.environ["KAFKA_BOOTSTRAP_SERVERS"]
    kafka = load_settings(None, kafka={"bootstrap_servers": address}).kafka
    if topic:
        print(json.dumps(asyncio.run(restore(kafka, topic))))
        return
    topic = f"restore-{uuid.uuid4().hex[:8]}"
    asyncio.run(write(kafka, topic, values // VALUES))
    subprocess.run([sys.executable, "-m", "tests.bench.restore", "--topic", topic], check=True)


if __name__ == "__main__":
    command_of(main)()
