"""Envelopes and topics of their own on a real broker: rows, Avro of a registry, a retry."""

from __future__ import annotations

import asyncio
import base64
import importlib
import io
import json
import struct
import sys
import threading
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import fastavro
import pytest

from adapter.config.settings import load_settings
from adapter.rules.compile import load_ruleset
from adapter.runtime.quarantine.operations import listed, retry
from adapter.runtime.service import Deidentify, runner, transport
from adapter.types import Processed

sys.path.insert(0, str(Path(__file__).parent))
cluster = importlib.import_module("cluster")

pytestmark = pytest.mark.kafka
HL7 = (
    "MSH|^~\\&|LAB|North|EHR|North|20240311104500||ADT^A01|778|P|2.5\r"
    "PID|1||40088213^^^H^MR||Lindgren^Zoe||19700131|F\r"
)
PLANTED = (b"Lindgren", b"40088213", b"Zoe")
SCHEMA = {
    "type": "record",
    "name": "Row",
    "fields": [
        {"name": "who", "type": "string"},
        {"name": "message", "type": "string"},
        {"name": "op", "type": "string"},
    ],
}
ROW = {"after": {"hl7": HL7, "who": "Lindgren"}, "op": "c"}


def avro(tree):
    """A value in Confluent's wire format."""
    stream = io.BytesIO()
    fastavro.schemaless_writer(stream, fastavro.parse_schema(SCHEMA), tree)
    return struct.pack(">bI", 0, 41) + stream.getvalue()


def unavro(value):
    """Schema number and tree of a value."""
    number = struct.unpack_from(">bI", value)[1]
    tree = fastavro.schemaless_reader(io.BytesIO(value[5:]), fastavro.parse_schema(SCHEMA), None)
    return number, tree


@pytest.fixture
def registry():
    """A registry that refuses until it is told to answer."""
    state = {"status": 503, "asked": 0}

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            state["asked"] += 1
            body = json.dumps({"schema": json.dumps(SCHEMA)}).encode()
            self.send_response(state["status"])
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            with suppress(OSError):  # the client did not wait
                self.wfile.write(body)

        def log_message(self, *_args):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}", state
    server.shutdown()
    server.server_close()


class Inline:
    """A pool without processes."""

    restarts = 0

    def __init__(self, process):
        self.process = process

    def alive(self):
        """One."""
        return 1

    async def run(self, batch, _notes=None):
        """Work at once."""
        return [Processed(self.process(record), 0.1) for record in batch]


def settings_of(address, app, url, topic):
    """English rules without a learned model; two topics."""
    key = {"id": "k1", "value": base64.b64encode(bytes(range(32))).decode()}
    return load_settings(
        kafka={
            "bootstrap_servers": address,
            "app": app,
            "topics": (f"{app}.row", f"{app}.avro"),
            "outputs": {f"{app}.row": f"{app}.research"},
            "quarantine": f"{app}.quarantine",
            "audit": f"{app}.audit",
        },
        keys={"surrogates": key, "quarantine": key},
        rules={
            "languages": ("en",),
            "taggers": ("phrases", "variants", "patterns", "attributes", "lexicons"),
        },
        known={"enabled": False},
        registry={"url": url, "timeout_seconds": 1.0},
        topic=topic,
        workers={"processes": 1},
    )


async def until(condition, seconds=300):
    """Wait for something."""
    async with asyncio.timeout(seconds):
        while not await condition():  # noqa: ASYNC110 - the broker tells nobody
            await asyncio.sleep(0.3)


def test_rows_and_registered_values_are_released_in_their_envelopes(bootstrap, app, registry):
    """A lane waits for its registry; what was held is retried by its topic's own settings."""
    url, state = registry
    envelope = {"kind": "confluent", "payload": ("/message",), "keep": ("/op",)}
    topics = {f"{app}.avro": {"envelope": envelope, "profile": "safe-harbor"}}
    before = settings_of(bootstrap, app, url, topics)
    row = {"kind": "json", "payload": ("/after/hl7",), "keep": ("/op",)}
    after = settings_of(bootstrap, app, url, topics | {f"{app}.ro*": {"envelope": row}})
    names = "row", "avro", "research", "avro.deid", "quarantine", "audit"

    async def served(loaded, condition):
        ruleset = load_ruleset(loaded)
        running = runner(loaded, transport(loaded), Inline(Deidentify(ruleset)), ruleset.digest)
        stop = asyncio.Event()
        task = asyncio.create_task(running.run(stop))
        await until(condition)
        stop.set()
        await task

    async def held():
        return await cluster.read_all(bootstrap, f"{app}.quarantine")

    async def released(name):
        return [record.value for record in await cluster.read_all(bootstrap, f"{app}.{name}")]

    async def go():
        await cluster.make_topics(bootstrap, *(f"{app}.{name}" for name in names), partitions=1)
        value = avro({"who": "Lindgren", "message": HL7, "op": "c"})
        await cluster.write(bootstrap, f"{app}.avro", [(b"a", value, ())])
        await cluster.write(bootstrap, f"{app}.row", [(b"b", json.dumps(ROW).encode(), ())])

        async def row_is_held_and_avro_waits():
            if not (await held() and state["asked"] > 2):
                return False
            found = await released("avro.deid")
            assert state["status"] == 200 or not found
            state["status"] = 200
            return bool(found)

        await served(before, row_is_held_and_avro_waits)
        (waiting,) = await listed(before)
        assert ("decode", "not-fhir") == (waiting.held.stage, waiting.held.code)
        assert 0 == await retry(after)
        return await released("avro.deid"), await released("research"), await held()

    avros, rows, _ = asyncio.run(go())
    (number, tree), out = unavro(avros[0]), json.loads(rows[0])
    assert (41, "", "c") == (number, tree["who"], tree["op"])
    assert {"after", "op"} == out.keys()
    assert {"hl7"} == out["after"].keys()
    inside = [text.split("\r")[1].split("|") for text in (tree["message"], out["after"]["hl7"])]
    assert inside[0][5] == inside[1][5]  # one person, one name
    assert (4, 8) == (len(inside[0][7]), len(inside[1][7]))  # by the profile of each topic
    assert [] == [p for p in PLANTED for raw in (*avros, *rows) if p in raw]
