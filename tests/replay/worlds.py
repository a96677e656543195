"""Archives in every format and layout, and a replay of them with a process that needs no rules."""

from __future__ import annotations

import asyncio
import base64
import gzip
import io
import json
from datetime import UTC, datetime
from pathlib import Path

from adapter.config.settings import load_settings
from adapter.replay.passes import Watch
from adapter.replay.run import replay
from adapter.types import Hold, Position, Record, Release

SECRET = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
TOPIC = "hl7.in"
START = 1_700_000_000_000
KEYS = {
    name: {"id": name[:1] + "1", "value": SECRET} for name in ("surrogates", "quarantine", "state")
}


def message(number):
    """Return a message of one of nine patients, with a line feed in it; one in ten is invalid."""
    if number % 10 == 9:
        return b"no message %d" % number
    patient = number % 9
    return (
        b"MSH|^~\\&|A|B|C|D|20240105||ORU^R01|%d|P|2.5\r"
        b"PID|1||MRN%d^^^H1^MR||QUILLFEATHER^JOHN\rOBX|1|TX|1^Note||seen by\nDr. W %d||||||F\r"
    ) % (number, patient, number)


def records(count=60, partitions=2, *, tombstones=True):
    """Return records of a topic, partition by partition; a few are tombstones."""
    made = []
    for number in range(count):
        value = None if tombstones and number % 25 == 24 else message(number)
        at = Position(TOPIC, number % partitions, number // partitions)
        key, headers = b"MRN%d" % (number % 9), (("source", b"h%d" % number),)
        made.append(Record(value, at, key, headers, START + number * 60_000))
    return made


def of_partition(given, number):
    """Return the records of one partition."""
    return [record for record in given if record.position.partition == number]


def chunks(given, size=10):
    """Yield the records of each partition in small groups."""
    for number in sorted({record.position.partition for record in given}):
        rows = of_partition(given, number)
        for start in range(0, len(rows), size):
            yield rows[start : start + size]


def text(raw):
    """Return base64, as a connector writes bytes to JSON."""
    return None if raw is None else base64.b64encode(raw).decode()


def row(record, *, binary=False):
    """Return a record as columns; in JSON its bytes are base64."""
    shown = (lambda raw: raw) if binary else text
    told = {
        "topic": record.position.topic,
        "partition": record.position.partition,
        "offset": record.position.offset,
        "timestamp": record.timestamp,
        "key": shown(record.key),
        "value": shown(record.value),
        "headers": [{"key": name, "value": shown(value)} for name, value in record.headers],
    }
    return told if binary else told | {"keyIsArray": True, "valueIsArray": record.value is not None}


def lines(rows):
    """Return JSON lines."""
    return b"".join(json.dumps(each).encode() + b"\n" for each in rows)


def avro(rows, schema):
    """Return an Avro object container file."""
    import fastavro  # noqa: PLC0415

    out = io.BytesIO()
    fastavro.writer(out, schema, rows, codec="deflate")
    return out.getvalue()


def parquet(rows):
    """Return a Parquet file."""
    import pyarrow as pa  # noqa: PLC0415
    import pyarrow.parquet as pq  # noqa: PLC0415

    out = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(rows), out, compression="zstd")
    return out.getvalue()


def nullable(kind):
    """Return an Avro type or null."""
    return ["null", kind]


HEADERS = {
    "type": "array",
    "items": {
        "type": "record",
        "name": "h",
        "fields": [{"name": "key", "type": "string"}, {"name": "value", "type": "bytes"}],
    },
}
COLUMNS = {
    "type": "record",
    "name": "columns",
    "fields": [
        {"name": "topic", "type": "string"},
        {"name": "partition", "type": "int"},
        {"name": "offset", "type": "long"},
        {"name": "timestamp", "type": "long"},
        {"name": "key", "type": nullable("bytes")},
        {"name": "value", "type": nullable("bytes")},
        {"name": "headers", "type": HEADERS},
    ],
}


def write(folder, name, raw):
    """Write a file below the folder."""
    path = Path(folder) / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(raw)
    return path


def columns_jsonl(folder, given):
    """Write plain columns as JSON lines, with gzip under a name that does not show it."""
    for number, some in enumerate(chunks(given)):
        write(folder, f"dump/{number:03d}.jsonl", gzip.compress(lines(map(row, some)), mtime=0))
    return {"key_encoding": "base64"}


def columns_zstd(folder, given):
    """Write both partitions to one object of two Zstandard frames."""
    import zstandard  # noqa: PLC0415

    packer = zstandard.ZstdCompressor()
    half = len(given) // 2
    frames = (packer.compress(lines(map(row, some))) for some in (given[:half], given[half:]))
    write(folder, "all.jsonl", b"".join(frames))
    return {"key_encoding": "base64"}


def columns_avro(folder, given):
    """Write plain columns as Avro."""
    for number, some in enumerate(chunks(given)):
        rows = [row(each, binary=True) for each in some]
        write(folder, f"{number:03d}.avro", avro(rows, COLUMNS))
    return {"format": "avro"}


def columns_parquet(folder, given):
    """Write plain columns like Spark's Kafka source, as Parquet."""
    for number, some in enumerate(chunks(given)):
        rows = [row(each, binary=True) for each in some]
        for each in rows:
            each["timestamp"] = datetime.fromtimestamp(each["timestamp"] / 1000, UTC)
        write(folder, f"{number:03d}.parquet", parquet(rows))
    return {"format": "parquet"}


def confluent_avro(folder, given):
    """Write values, keys and headers to separate objects; tombstones' keys under "tombstone"."""
    headers = {**HEADERS, "items": {**HEADERS["items"], "fields": _strings("key", "value")}}
    for some in chunks(given):
        for run in _runs(some):
            at = run[0].position
            stem = f"{TOPIC}+{at.partition}+{at.offset:010d}"
            where = f"topics/{TOPIC}/partition={at.partition}/{stem}"
            if run[0].value is None:
                where = f"topics/{TOPIC}/tombstone/{stem}"
            else:
                write(folder, f"{where}.avro", avro([r.value for r in run], "bytes"))
                told = [[{"key": n, "value": v.decode()} for n, v in r.headers] for r in run]
                write(folder, f"{where}.headers.avro", avro(told, headers))
            write(folder, f"{where}.keys.avro", avro([r.key.decode() for r in run], "string"))
    return {"layout": "confluent", "format": "avro"}


def _strings(*names):
    return [{"name": name, "type": "string"} for name in names]


def _runs(some):
    """Yield consecutive records with values, and each tombstone separately."""
    run = []
    for record in some:
        if record.value is None:
            yield from ([run] if run else [])
            yield [record]
            run = []
        else:
            run.append(record)
    yield from ([run] if run else [])


def confluent_json(folder, given):
    """Write values only: base64 strings, one per line, with gzip; no keys, no headers."""
    for some in chunks(given):
        at = some[0].position
        name = f"topics/{TOPIC}/partition={at.partition}/{TOPIC}+{at.partition}+{at.offset:010d}"
        rows = (text(record.value) for record in some)
        write(folder, f"{name}.json.gz", gzip.compress(lines(rows), mtime=0))
    return {"layout": "confluent"}


def lenses_json(folder, given):
    """Write envelopes as JSON lines."""
    for some in chunks(given):
        last = some[-1]
        name = f"pre/{TOPIC}/{last.position.partition}/{last.position.offset:012d}_1_2.json"
        write(folder, name, lines(_envelope(record) for record in some))
    return {"layout": "lenses"}


def _envelope(record):
    at = record.position
    told = {
        "key": text(record.key),
        "keyIsArray": True,
        "headers": {name: value.decode() for name, value in record.headers},
        "metadata": {
            "timestamp": record.timestamp,
            "topic": at.topic,
            "partition": at.partition,
            "offset": at.offset,
        },
    }
    if record.value is None:
        return told
    return told | {"value": text(record.value), "valueIsArray": True}


def aiven_jsonl(folder, given):
    """Write the connector's fields as JSON lines, with times in ISO 8601."""
    for some in chunks(given):
        at = some[0].position
        rows = [
            {
                "key": record.key.decode(),
                "value": text(record.value),
                "offset": record.position.offset,
                "timestamp": datetime.fromtimestamp(record.timestamp / 1000, UTC).isoformat(),
                "headers": [{"key": n, "value": v.decode()} for n, v in record.headers],
            }
            for record in some
        ]
        name = f"{TOPIC}-{at.partition}-{at.offset}.gz"
        write(folder, name, gzip.compress(lines(rows), mtime=0))
    return {"layout": "aiven"}


WHOLE = {
    made.__name__: made
    for made in (
        columns_jsonl,
        columns_zstd,
        columns_avro,
        columns_parquet,
        confluent_avro,
        lenses_json,
        aiven_jsonl,
    )
}
"""Archives with everything that a release is made of: all give the same output."""


def settings(folder, source=None, target=None, **values):
    """Return settings of a replay from FOLDER/archive to FOLDER/out."""
    keys = values.pop("keys", KEYS)
    workers = {"processes": 1, "batch_records": 7} | values.pop("workers", {})
    told = {
        "name": "one",
        "journal": str(folder / "journal"),
        "source": {"url": str(folder / "archive"), **(source or {})},
        "target": {"url": str(folder / "out"), **(target or {})},
    }
    replay_settings = told | values.pop("replay", {})
    return load_settings(
        keys=keys, workers=workers, replay=replay_settings, log={"level": "error"}, **values
    )


class StandIn:
    """A factory of a process that only renames the patient."""

    def __call__(self):
        """Return the process."""
        return stand_in


def stand_in(record):
    """Return a record's outcome: renamed, or held if it is not a message."""
    if record.value is None:
        return Release(None, key=renamed(record.key))
    if not record.value.startswith(b"MSH"):
        return Hold("decode", "unknown-format")
    return Release(renamed(record.value), renamed(record.key), record.headers, format="hl7v2")


def renamed(raw):
    """Return the bytes without the patient's name and number."""
    return raw and raw.replace(b"QUILLFEATHER", b"OKAFOR").replace(b"MRN", b"X")


def run(loaded, **options):
    """Run a replay to its end."""
    return asyncio.run(replay(loaded, factory=StandIn(), **options))


def released(folder):
    """Return the lines of all parts, in order."""
    found = []
    for path in sorted((folder / "out").glob("*.jsonl*")):
        raw = path.read_bytes()
        raw = gzip.decompress(raw) if path.suffix == ".gz" else raw
        found += [json.loads(line) for line in raw.splitlines()]
    return found


def manifest(folder, place="journal"):
    """Return a written manifest."""
    return json.loads((folder / place / "manifest.json").read_bytes())


def value_of(line):
    """Return the bytes of a line's value."""
    raw = line["value"]
    return base64.b64decode(raw) if line.get("valueIsArray") else raw and raw.encode()


def stopped_after(count):
    """Return a watch that ends a replay by an exception after this many records."""
    seen = []

    def settled(record, _processed):
        seen.append(record)
        if len(seen) >= count:
            raise KeyError

    return Watch(settled=settled)
