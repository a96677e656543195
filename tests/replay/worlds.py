"""Archives in every format and layout, and a replay over them by a process that needs no rules."""

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
    """A message of one of nine patients; some have line ends inside, one in ten is no message."""
    if number % 10 == 9:
        return b"no message %d" % number
    patient = number % 9
    return (
        b"MSH|^~\\&|A|B|C|D|20240105||ORU^R01|%d|P|2.5\r"
        b"PID|1||MRN%d^^^H1^MR||QUILLFEATHER^JOHN\rOBX|1|TX|1^Note||seen by\nDr. W %d||||||F\r"
    ) % (number, patient, number)


def records(count=60, partitions=2, *, tombstones=True):
    """Records of a topic, partition by partition; a few are tombstones."""
    made = []
    for number in range(count):
        value = None if tombstones and number % 25 == 24 else message(number)
        at = Position(TOPIC, number % partitions, number // partitions)
        key, headers = b"MRN%d" % (number % 9), (("source", b"h%d" % number),)
        made.append(Record(value, at, key, headers, START + number * 60_000))
    return made


def of_partition(given, number):
    """The records of one partition."""
    return [record for record in given if record.position.partition == number]


def chunks(given, size=10):
    """Records of each partition, a few at a time."""
    for number in sorted({record.position.partition for record in given}):
        rows = of_partition(given, number)
        for start in range(0, len(rows), size):
            yield rows[start : start + size]


def text(raw):
    """Base64, as a connector over bytes writes JSON."""
    return None if raw is None else base64.b64encode(raw).decode()


def row(record, *, binary=False):
    """A record as columns; in JSON its bytes are base64."""
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
    """JSON lines."""
    return b"".join(json.dumps(each).encode() + b"\n" for each in rows)


def avro(rows, schema):
    """An Avro object container file."""
    import fastavro  # noqa: PLC0415

    out = io.BytesIO()
    fastavro.writer(out, schema, rows, codec="deflate")
    return out.getvalue()


def parquet(rows):
    """A Parquet file."""
    import pyarrow as pa  # noqa: PLC0415
    import pyarrow.parquet as pq  # noqa: PLC0415

    out = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(rows), out, compression="zstd")
    return out.getvalue()


def nullable(kind):
    """An Avro type, or null."""
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
    """A file below the folder."""
    path = Path(folder) / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(raw)
    return path


def columns_jsonl(folder, given):
    """Plain columns, JSON lines, gzip under a name that does not say so."""
    for number, some in enumerate(chunks(given)):
        write(folder, f"dump/{number:03d}.jsonl", gzip.compress(lines(map(row, some)), mtime=0))
    return {"key_encoding": "base64"}


def columns_zstd(folder, given):
    """Both partitions in one object of two Zstandard frames."""
    import zstandard  # noqa: PLC0415

    packer = zstandard.ZstdCompressor()
    half = len(given) // 2
    frames = (packer.compress(lines(map(row, some))) for some in (given[:half], given[half:]))
    write(folder, "all.jsonl", b"".join(frames))
    return {"key_encoding": "base64"}


def columns_avro(folder, given):
    """Plain columns, Avro."""
    for number, some in enumerate(chunks(given)):
        rows = [row(each, binary=True) for each in some]
        write(folder, f"{number:03d}.avro", avro(rows, COLUMNS))
    return {"format": "avro"}


def columns_parquet(folder, given):
    """Plain columns as Spark's Kafka source has them, Parquet."""
    for number, some in enumerate(chunks(given)):
        rows = [row(each, binary=True) for each in some]
        for each in rows:
            each["timestamp"] = datetime.fromtimestamp(each["timestamp"] / 1000, UTC)
        write(folder, f"{number:03d}.parquet", parquet(rows))
    return {"format": "parquet"}


def confluent_avro(folder, given):
    """Values, keys and headers in objects of their own; tombstones' keys under "tombstone"."""
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
    """Consecutive records with value, and each tombstone by itself."""
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
    """Values alone: base64 strings, one a line, gzip; no keys, no headers."""
    for some in chunks(given):
        at = some[0].position
        name = f"topics/{TOPIC}/partition={at.partition}/{TOPIC}+{at.partition}+{at.offset:010d}"
        rows = (text(record.value) for record in some)
        write(folder, f"{name}.json.gz", gzip.compress(lines(rows), mtime=0))
    return {"layout": "confluent"}


def lenses_json(folder, given):
    """The envelope, JSON lines."""
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
    """The connector's fields, JSON lines, times as ISO 8601."""
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
"""Archives that lack nothing a release is made of: all give the same output."""


def settings(folder, source=None, target=None, **values):
    """Settings of a replay from FOLDER/archive to FOLDER/out."""
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
    """Makes a process that only renames the patient."""

    def __call__(self):
        """The process."""
        return stand_in


def stand_in(record):
    """The outcome of a record: renamed, or held where it is no message."""
    if record.value is None:
        return Release(None, key=renamed(record.key))
    if not record.value.startswith(b"MSH"):
        return Hold("decode", "unknown-format")
    return Release(renamed(record.value), renamed(record.key), record.headers, format="hl7v2")


def renamed(raw):
    """Bytes without the patient's name and number."""
    return raw and raw.replace(b"QUILLFEATHER", b"OKAFOR").replace(b"MRN", b"X")


def run(loaded, **options):
    """A replay to its end."""
    return asyncio.run(replay(loaded, factory=StandIn(), **options))


def released(folder):
    """The lines of all parts, in order."""
    found = []
    for path in sorted((folder / "out").glob("*.jsonl*")):
        raw = path.read_bytes()
        raw = gzip.decompress(raw) if path.suffix == ".gz" else raw
        found += [json.loads(line) for line in raw.splitlines()]
    return found


def manifest(folder, place="journal"):
    """A manifest that was written."""
    return json.loads((folder / place / "manifest.json").read_bytes())


def value_of(line):
    """The bytes of a line's value."""
    raw = line["value"]
    return base64.b64decode(raw) if line.get("valueIsArray") else raw and raw.encode()


def stopped_after(count):
    """A watch that ends a replay by an exception after so many records."""
    seen = []

    def settled(record, _processed):
        seen.append(record)
        if len(seen) >= count:
            raise KeyError

    return Watch(settled=settled)
