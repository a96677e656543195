"""Messages a second from Kafka to Kafka: the adapter, and aiokafka alone on the same messages.

    python tests/bench/kafka_throughput.py [--messages N] [--processes N] [--batch N] [--stand-in]

Takes KAFKA_BOOTSTRAP_SERVERS, else starts deploy/kafka-local. Both read, and write in one
transaction per batch, from one process; rates leave out the start. Prints one JSON object.
"""

from __future__ import annotations

import asyncio
import base64
import importlib
import json
import os
import subprocess
import sys
import tempfile
import time
import uuid
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer
from aiokafka import AIOKafkaConsumer, AIOKafkaProducer, TopicPartition

from adapter.train.command import command_of

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests/integration")]
cluster = importlib.import_module("cluster")
PATIENTS = 500


def adt(number):
    """An ADT^A01 of about 1 KB."""
    patient = number % PATIENTS
    return "\r".join(
        (
            f"MSH|^~\\&|ADT|H1|EHR|H2|20240102030405||ADT^A01^ADT_A01|C{number}|P|2.5",
            "EVN|A01|20240102030405",
            (
                f"PID|1||MRN77{patient:04d}^^^H1^MR||QUILLFEATHER^JOHN^Q^^MR||19600102|M|||12 ELM "
                "STREET^^SPRINGFIELD^IL^62704^USA||(217)555-0142|(217)555-0143||M|CAT|AC778899"
            ),
            "NK1|1|QUILLFEATHER^JANE|SPO|12 ELM STREET^^SPRINGFIELD^IL^62704|(217)555-0144",
            "NK1|2|OKONKWO^PETER|FTH|9 OAK ROAD^^SPRINGFIELD^IL^62704|(217)555-0199",
            (
                "PV1|1|I|4E^401^A^H1||||1234567893^OKAFOR^ADA^^^DR|1003000126^BELL^TOM^^^DR||MED|||||"
                "||||V100200|||||||||||||||||||||||||20240102030000"
            ),
            "GT1|1||QUILLFEATHER^JOHN||12 ELM STREET^^SPRINGFIELD^IL^62704|(217)555-0142",
            (
                "IN1|1|PPO|12345|ACME HEALTH|1 PLAZA^^CHICAGO^IL^60601|||GRP1||||20240101||||"
                "QUILLFEATHER^JOHN|SEL|19600102|12 ELM STREET^^SPRINGFIELD^IL^62704|||||||||||||||"
                "||POL998877"
            ),
            "DG1|1||I10^Essential hypertension^I10||20240102|A",
            "AL1|1|DA|70618^Penicillin|SV|Rash",
            "",
        )
    ).encode()


@contextmanager
def broker():
    """Return the address of a Kafka broker."""
    given = os.environ.get("KAFKA_BOOTSTRAP_SERVERS")
    if given:
        yield given
        return
    start = ROOT / "deploy/kafka-local/start"
    address = subprocess.run([start], check=True, capture_output=True, text=True).stdout.split()[-1]
    try:
        yield address
    finally:
        subprocess.run([start.with_name("stop")], check=True)


async def pass_through(address, app, total, batch):
    """Return seconds and messages of aiokafka alone, after its first batch."""
    consumer = AIOKafkaConsumer(
        bootstrap_servers=address, group_id=f"{app}-pass", enable_auto_commit=False
    )
    producer = AIOKafkaProducer(
        bootstrap_servers=address,
        transactional_id=f"{app}-pass",
        max_batch_size=1 << 18,
        linger_ms=5,
    )
    partitions = await cluster.partitions_of(address, app)
    async with consumer, producer:
        consumer.assign(partitions)
        await consumer.seek_to_beginning()
        done, since = 0, 0.0
        while done < total:
            fetched = await consumer.getmany(timeout_ms=500, max_records=batch)
            async with producer.transaction():
                for partition, records in fetched.items():
                    for record in records:
                        await producer.send(f"{app}.pass", record.value, record.key)
                    end = {TopicPartition(*partition): records[-1].offset + 1}
                    await producer.send_offsets_to_transaction(end, f"{app}-pass")
            done += sum(map(len, fetched.values()))
            if not since:
                since, first = time.perf_counter(), done
    return time.perf_counter() - since, done - first


async def adapted(address, app, total, command, environment):
    """Return seconds and messages of the adapter, after its first commit."""
    process = await asyncio.create_subprocess_exec(
        *command, env=environment, stderr=subprocess.DEVNULL
    )
    try:
        return await settled(address, app, total, [process])
    finally:
        process.terminate()
        await process.wait()


async def settled(address, app, total, processes):
    """Return seconds and messages from the first commit until all are committed."""
    since, first, done = 0.0, 0, 0
    while done < total:
        if any(process.returncode is not None for process in processes):
            raise SystemExit("an adapter ended by itself")
        done = await cluster.committed(address, app, app)
        if done and not since:
            since, first = time.perf_counter(), done
        await asyncio.sleep(0.02)
    return time.perf_counter() - since, done - first


def settings_file(folder, address, app, options):
    """Write the settings of the measured adapter."""
    key = base64.b64encode(bytes(range(32))).decode()
    file = folder / "adapter.toml"
    file.write_text(
        f'[kafka]\nbootstrap_servers = "{address}"\napp = "{app}"\ntopics = ["{app}"]\n'
        f'audit = "{app}.audit"\n[workers]\nprocesses = {options.processes}\n'
        f"batch_records = {options.batch}\n[keys]\n"
        f'surrogates = {{ id = "s1", value = "{key}" }}\n'
        f'quarantine = {{ id = "q1", value = "{key}" }}\n[log]\nlevel = "error"\n'
    )
    return file


async def none_held(address, app):
    """End with an error if a message was held: holding is faster than releasing."""
    held = len(await cluster.read_all(address, f"{app}.quarantine"))
    if held:
        raise SystemExit(f"{held} messages were held")


async def measure(address, options, folder):
    """Measure both rates over the same messages."""
    app = f"bench{uuid.uuid4().hex[:8]}"
    names = [app, *(f"{app}.{kind}" for kind in ("deid", "quarantine", "audit", "pass"))]
    await cluster.make_topics(address, *names, partitions=3)
    texts = [(b"MRN77%04d" % (n % PATIENTS), adt(n), ()) for n in range(options.messages)]
    await cluster.write(address, app, texts)
    script = ROOT / "tests/integration/adapter_process.py"
    command = [sys.executable, str(script), str(settings_file(folder, address, app, options))]
    environment = os.environ | ({"STAND_IN": "0"} if options.stand_in else {})
    alone = await pass_through(address, app, options.messages, options.batch)
    with_adapter = await adapted(address, app, options.messages, command, environment)
    await none_held(address, app)
    plain, rate = (number / seconds for seconds, number in (alone, with_adapter))
    return {
        "messages": options.messages,
        "bytes_each": len(texts[0][1]),
        "processes": options.processes,
        "batch": options.batch,
        "stand_in": "STAND_IN" in environment,
        "aiokafka_alone_per_second": round(plain),
        "adapter_per_second": round(rate),
        "ratio": round(rate / plain, 3),
    }


@dataclass(frozen=True, slots=True)
class Options:
    """What the command line asks for; a stand-in delivers without rules."""

    messages: int
    processes: int
    batch: int
    stand_in: bool


def main(
    messages: int = 20_000,
    processes: int = 2,
    batch: int = 500,
    *,
    stand_in: Annotated[bool, typer.Option("--stand-in", help="Deliver without rules.")] = False,
):
    """Measure messages per second from topic to topic, and print them."""
    options = Options(messages, processes, batch, stand_in)
    with broker() as address, tempfile.TemporaryDirectory() as folder:
        print(json.dumps(asyncio.run(measure(address, options, Path(folder)))))


if __name__ == "__main__":
    command_of(main)()
