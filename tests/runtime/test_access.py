"""Accesses of a program that runs on: in the audit of its settings, or refused."""

from __future__ import annotations

import asyncio
import base64
import io
import json
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from adapter.audit import configure_logs
from adapter.config.settings import load_settings
from adapter.errors import RuleError
from adapter.runtime.access import Accesses, accesses
from adapter.sealing.chain import Signer
from adapter.sealing.verification import Verifier
from adapter.transports.files.audit import AuditFile, read_lines
from adapter.transports.protocol import Cause, TransportError

SECRET = bytes(range(32))
SIGNER = Signer.of("a1", SECRET)
KEYS = {"audit": {"id": "a1", "value": base64.b64encode(SECRET).decode()}}


class Log:
    """A log that keeps records in a list, and fails or waits as it is told."""

    def __init__(self, error=None, wait=0.0):
        self.records, self.closed = [], False
        self.error, self.wait = error, wait
        self.writing = False

    async def write(self, entry):
        """Keep a record; two at once are an error of the caller."""
        assert not self.writing
        self.writing = True
        try:
            await asyncio.sleep(self.wait)
            if self.error is not None:
                raise self.error
            self.records.append(json.loads(entry))
        finally:
            self.writing = False

    async def close(self):
        """Note that it is closed."""
        self.closed = True


def verified(path):
    """The problems of a file, and the lengths of its chains."""
    verifier = Verifier({"a1": SIGNER.public})
    for place, line in read_lines(path):
        verifier.add(place, line)
    return verifier.problems, [chain.head.number for chain in verifier.finish()]


@pytest.mark.parametrize(
    "transport",
    [{"transport": "files"}, {"transport": "mllp", "mllp": {"name": "ward", "output": "files"}}],
    ids=lambda settings: settings["transport"],
)
def test_records_of_many_threads_and_of_the_service_are_one_chain(tmp_path, transport):
    """A file has one chain, whoever writes to it in between."""
    path = tmp_path / "audit.jsonl"
    settings = load_settings(keys=KEYS, files={"audit": path}, **transport)
    service = AuditFile(path, SIGNER)
    service.open()
    service.write([b'{"outcome":"released"}'])
    with accesses(settings, "review") as opened, ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda n: opened.record("review view", "review", item=n), range(8)))
        service.write([b'{"outcome":"released"}'])
        opened.record("review view", "review", item=8)
    assert ([], [11]) == verified(path)
    found = [json.loads(line) for _, line in read_lines(path)]
    assert list(range(9)) == sorted(record["item"] for record in found if "access" in record)


@pytest.mark.parametrize(
    "settings",
    [{"transport": "memory"}, {"transport": "files"}, {"kafka": {"audit": ""}}],
    ids=["memory", "files", "kafka"],
)
def test_without_an_audit_there_is_no_log(settings):
    """The caller decides what happens then."""
    with accesses(load_settings(**settings), "review") as opened:
        assert opened is None


def test_a_record_that_cannot_be_written_is_a_refusal_with_its_cause_logged(tmp_path):
    """The log names the cause; the next record is written if the failure has passed."""
    lines = io.StringIO()
    configure_logs("info", lines)
    log = Log(TransportError("fenced", Cause("ProducerFenced", "", "deid.audit")))
    opened = Accesses(log)
    with pytest.raises(RuleError, match="audit: the record cannot be written"):
        opened.record("review view", "review", item="a")
    log.error = None
    opened.record("review view", "review", item="b")
    opened.close()
    said = json.loads(lines.getvalue())
    assert ("access refused: it cannot be recorded", "fenced", "ProducerFenced", "deid.audit") == (
        said["event"], said["code"], said["error"], said["topic"],
    )  # fmt: skip
    assert ["b"] == [record["item"] for record in log.records]
    path = tmp_path / "folder"
    path.mkdir()
    settings = load_settings(transport="files", files={"audit": path})
    with accesses(settings, "review") as opened, pytest.raises(RuleError, match="no original"):
        opened.record("review view", "review")


def test_nobody_waits_long_for_an_audit_that_does_not_answer():
    """The time limit includes the turns of others; later records are not blocked."""
    log = Log(wait=30.0)
    opened = Accesses(log, seconds=0.2)
    with ThreadPoolExecutor(8) as pool:
        asked = [pool.submit(opened.record, "review view", "review") for _ in range(8)]
        failures = [each.exception(timeout=10) for each in asked]
    assert [RuleError] * 8 == [type(each) for each in failures]
    log.wait = 0.0
    opened.record("review view", "review", item="later")
    opened.close()
    assert (["later"], True) == ([record["item"] for record in log.records], log.closed)
    assert not [t for t in threading.enumerate() if t is opened._thread]


def test_records_are_written_one_at_a_time():
    """Threads wait for their turns: a transaction of Kafka cannot hold records of two."""
    log = Log(wait=0.01)
    opened = Accesses(log)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda n: opened.record("review view", "review", item=n), range(8)))
    opened.close()
    assert list(range(8)) == sorted(record["item"] for record in log.records)
