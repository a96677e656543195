"""``kill -9`` amid the stream: nothing lost, nothing published twice, order per key kept."""

from __future__ import annotations

import asyncio
import importlib
import json
import random
import re
import signal
import sys
from collections import Counter
from pathlib import Path

import pytest

from adapter.sealing.quarantine import Sealer

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))
cluster = importlib.import_module("cluster")

pytestmark = pytest.mark.kafka
NOTE = "Mr Quillfeather was seen in clinic and feels well. Call Mrs. Quillfeather with results."
CANARIES = re.compile(rb"quillfeather|MRN77", re.IGNORECASE)


def hl7v2(number, patient):
    """An ORU^R01 whose one number is the message's own."""
    return "\r".join(
        (
            f"MSH|^~\\&|LAB|H1|EHR|H2|20240102||ORU^R01^ORU_R01|C{number}|P|2.5",
            f"PID|1||MRN77{patient:03d}^^^H1^MR||QUILLFEATHER^JOHN||19600102|M",
            "OBR|1|||24356-8^Urinalysis^LN",
            f"OBX|1|NM|2345-7^Glucose^LN||{number}|mg/dL|||||F",
            f"OBX|2|TX|18842-5^Note^LN||{NOTE}||||||F",
            "",
        )
    ).encode()


def fhir(number, patient):
    """An Observation whose one number is the message's own."""
    return json.dumps(
        {
            "resourceType": "Observation",
            "status": "final",
            "code": {"coding": [{"system": "http://loinc.org", "code": "2345-7"}]},
            "subject": {"reference": f"Patient/MRN77{patient:03d}"},
            "valueQuantity": {"value": number, "unit": "mg/dL"},
            "note": [{"text": NOTE}],
        }
    ).encode()


def message(number, patients=40):
    """Key, value and headers of the number-th message; every fiftieth is no message at all."""
    patient = number % patients
    make = (hl7v2, fhir)[number // patients % 2]
    value = b"no message of Quillfeather" if number % 50 == 0 else make(number, patient)
    headers = [("patient", b"Quillfeather")]
    return f"MRN77{patient:03d}".encode(), value, headers


NUMBER = re.compile(rb'\|\|(\d+)\|mg/dL|"value": ?(\d+)')


def number_of(value):
    """The number in a released message."""
    match = NUMBER.search(value)
    return int(match[1] or match[2])


def settings_file(folder, address, app):
    """Settings whose logs tell all."""
    file = cluster.settings_file(folder, address, app)
    with file.open("a") as more:
        more.write('[log]\nlevel = "debug"\n')
    return file


async def killed_runs(address, app, folder, total, kills):
    """Write ``total`` messages in portions; kill the adapter soon after it begins each of them."""
    topics = app, f"{app}.deid", f"{app}.quarantine", f"{app}.audit"
    await cluster.make_topics(address, *topics, partitions=3)
    file, dice = settings_file(folder, address, app), random.Random(7)
    numbers = list(range(total))
    portion = -(-total // (kills + 1))
    with (folder / "log").open("ab") as log:
        process = cluster.start(file, log)
        for number in range(kills + 1):
            part = numbers[number * portion : (number + 1) * portion]
            await cluster.write(address, app, [message(n) for n in part])
            goal = part[0] + 20 if number < kills else total
            await reached(address, app, goal, process)
            if number < kills:
                await asyncio.sleep(dice.uniform(0, 0.2))
                process.kill()
                process.wait()
                process = cluster.start(file, log)
        process.send_signal(signal.SIGTERM)
        code = await asyncio.to_thread(process.wait, 30)
    return code, [await cluster.read_all(address, topic) for topic in topics]


async def stopped_and_resumed(address, app, folder, total):
    """Stop one adapter amid the stream, let another take over, and let the first go on."""
    topics = app, f"{app}.deid", f"{app}.quarantine", f"{app}.audit"
    await cluster.make_topics(address, *topics, partitions=3)
    file = settings_file(folder, address, app)
    with (folder / "log").open("ab") as log:
        late = cluster.start(file, log)
        await cluster.write(address, app, [message(n) for n in range(total)])
        await reached(address, app, 40, late)
        late.send_signal(signal.SIGSTOP)
        heir = cluster.start(file, log)
        await reached(address, app, total, heir)
        late.send_signal(signal.SIGCONT)
        await cluster.write(address, app, [message(n) for n in range(total, 2 * total)])
        await reached(address, app, 2 * total, heir)
        for process in (late, heir):
            process.send_signal(signal.SIGTERM)
        codes = [await asyncio.to_thread(process.wait, 60) for process in (late, heir)]
    return codes, [await cluster.read_all(address, topic) for topic in topics]


async def reached(address, app, goal, process, seconds=180):
    """Until the group has committed that many records."""
    for _ in range(seconds * 20):
        if await cluster.committed(address, app, app) >= goal:
            return
        if process.poll() is not None:
            raise RuntimeError("the adapter ended by itself")
        await asyncio.sleep(0.05)
    raise TimeoutError


@pytest.mark.parametrize(
    ("total", "kills"),
    [
        pytest.param(2_000, 2, id="short"),
        pytest.param(20_000, 5, id="long", marks=pytest.mark.slow),
    ],
)
def test_exactly_once_over_kills(bootstrap, app, tmp_path, total, kills):
    """However often it is killed, a read_committed reader sees each message once, in order."""
    code, seen = asyncio.run(killed_runs(bootstrap, app, tmp_path, total, kills))
    assert 0 == code
    complete(total, seen, (tmp_path / "log").read_bytes())


def test_exactly_once_when_a_late_owner_wakes_up(bootstrap, app, tmp_path):
    """An adapter stopped while another took over its partitions publishes nothing twice."""
    codes, seen = asyncio.run(stopped_and_resumed(bootstrap, app, tmp_path, 600))
    assert [0, 0] == codes
    complete(1200, seen, (tmp_path / "log").read_bytes())


def complete(total, seen, log):
    """Each offset was settled once; released and held are all there, clean and in order."""
    source, released, held, audit = seen
    assert total == len(source)
    entries = [json.loads(record.value) for record in audit]
    settled = Counter((entry["partition"], entry["offset"]) for entry in entries)
    assert {(r.partition, r.offset): 1 for r in source} == dict(settled)
    assert total == len(released) + len(held)
    in_order(source, released)
    clean(released, held, log, audit)
    sealed(source, held)


def in_order(source, released):
    """Numbers of one key rise, and are all there."""
    by_key: dict = {}
    for record in released:
        by_key.setdefault(record.key, []).append(number_of(record.value))
    assert all(sorted(numbers) == numbers for numbers in by_key.values())
    expected = sorted(n for n in range(len(source)) if n % 50)
    assert expected == sorted(n for numbers in by_key.values() for n in numbers)
    assert len({r.key for r in source}) == len(by_key)


def clean(released, held, log, audit):
    """Nothing of the patient in keys, headers, values, envelopes, audit or logs."""
    texts = [r.key for r in released] + [r.value for r in released + held + audit] + [log]
    texts += [b"%s %s" % (name.encode(), value) for r in released for name, value in r.headers]
    assert [] == [index for index, text in enumerate(texts) if CANARIES.search(text)]
    assert {(None, ())} == {(r.key, r.headers) for r in held}


def sealed(source, held):
    """What is held can be opened, and is what came in."""
    sealer = Sealer("q1", {"q1": cluster.KEY})
    originals = {(r.partition, r.offset): (r.key, r.value, r.headers) for r in source}
    for envelope in held:
        record = sealer.open(envelope.value)[1]
        at = record.position.partition, record.position.offset
        assert originals[at] == (record.key, record.value, record.headers)
