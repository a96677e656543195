"""The checker of the fault suite finds planted faults."""

from __future__ import annotations

import asyncio
import hashlib
from contextlib import contextmanager
from dataclasses import dataclass, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from tests.chaos.checker import Deposited, Findings, Topics, account
from tests.chaos.load import message
from tests.chaos.pages import PATHS, Pages
from tests.chaos.trial import Broker, Done, Plan, Trial


@dataclass(frozen=True)
class Kept:
    """A record of a topic, as the checker reads it."""

    partition: int
    offset: int
    key: bytes
    value: bytes
    headers: tuple = ()


def run(total=120):
    """Return the topics of a faultless run over two partitions of messages."""
    source = []
    for number in range(total):
        key, value, headers = message(number)
        source.append(Kept(number % 2, number // 2, key, value, headers))
    released = [
        replace(
            record,
            key=record.key.replace(b"MRN77", b"X55"),
            value=record.value.replace(b"MRN77", b"X55")
            .replace(b"QUILLFEATHER", b"OKAFOR")
            .replace(b"Quillfeather", b"Okafor"),
            headers=(),
        )
        for number, record in enumerate(source)
        if number % 50
    ]
    held = [((r.partition, r.offset), r.value) for n, r in enumerate(source) if n % 50 == 0]
    sent = {(r.partition, r.offset): r.value for r in source}
    escrow = [
        Deposited(at := (r.partition, r.offset), sent[at], hashlib.sha256(r.value).hexdigest())
        for r in released
    ]
    return Topics(source, released, held, list(sent), (), escrow)


def wrong(found: Findings) -> dict[str, int]:
    """Return the counts of findings that are not zero."""
    return {name: count for name, count in found.counts().items() if count}


def test_a_faultless_run_is_sound():
    """No fault is found if each message is released once, in order, as in the undisturbed run."""
    seen = run()
    assert account(seen, seen.released).sound


def test_a_patient_in_any_topic_is_found():
    """An audit record, envelope or state record that names the patient is named by its place."""
    seen = run()
    told = Kept(0, 3, b"", b'{"name": "QUILLFEATHER"}')
    found = account(seen._replace(others=[Kept(0, 2, b"", b"{}"), told]), seen.released)
    assert {"leaking": 1} == wrong(found)
    assert ((0, 3),) == found.leaking


def test_a_memory_of_patients_that_differs_is_found():
    """An entry that is lost, stale or too much, by its partition and name."""
    seen = run()
    memory = {(0, "a"): b"1", (0, "b"): b"2", (1, "a"): b"3"}
    assert account(seen._replace(memory=dict(memory)), seen.released, memory).sound
    other = {(0, "a"): b"1", (0, "b"): b"1", (1, "c"): b"3"}
    found = account(seen._replace(memory=other), seen.released, memory)
    assert {"misremembered": 3} == wrong(found)
    assert {(0, "b"), (1, "a"), (1, "c")} == set(found.misremembered)


def test_a_planted_loss_is_found():
    """A message that was neither released nor held is named by its place."""
    seen = run()._replace(escrow=None)
    gone = seen.released[7]
    found = account(seen._replace(released=[r for r in seen.released if r is not gone]))
    assert ((gone.partition, gone.offset),) == found.lost
    assert {"lost": 1} == wrong(found)


def test_a_planted_double_is_found():
    """A message that was published twice, or published and held, is named by its place."""
    seen = run()
    twice = seen.released[7]
    assert {"doubled": 1} == wrong(
        account(seen._replace(released=[*seen.released[:8], twice, *seen.released[8:]]))
    )
    place = twice.partition, twice.offset
    original = next(r.value for r in seen.source if (r.partition, r.offset) == place)
    assert {"doubled": 1} == wrong(account(seen._replace(held=[*seen.held, (place, original)])))


def test_two_messages_of_a_key_in_the_wrong_order_are_found():
    """A record released after a later one of its key is found."""
    seen = run()
    first = seen.released[0]
    later = next(r for r in seen.released[1:] if r.key == first.key)
    swapped = [later if r is first else first if r is later else r for r in seen.released]
    assert {"disordered": 1} == wrong(account(seen._replace(released=swapped)))


def test_other_bytes_than_those_of_the_undisturbed_run_are_found():
    """A release or held original whose bytes differ from the undisturbed run or input is found."""
    seen = run()
    changed = replace(seen.released[3], headers=(("h", b"1"),))
    other = [changed if n == 3 else r for n, r in enumerate(seen.released)]
    assert {"altered": 1} == wrong(account(seen._replace(released=other), seen.released))
    place, _ = seen.held[0]
    assert {"altered": 1} == wrong(account(seen._replace(held=[(place, b"x"), *seen.held[1:]])))


def test_an_audit_with_a_gap_a_repeat_or_a_stranger_is_found():
    """A missing, repeated or unknown audit record is found."""
    seen = run()
    for audit in (seen.audit[1:], [*seen.audit, seen.audit[0]], [*seen.audit, (9, 9)]):
        assert {"misaudited": 1} == wrong(account(seen._replace(audit=audit)))


def test_an_escrow_that_does_not_hold_each_release_once_is_found():
    """A release is found that is not there, or twice, or with other bytes; so is a held message."""
    seen = run()
    first, *others = seen.escrow
    held = Deposited(*seen.held[0], "0" * 64)
    for escrow in (others, [*seen.escrow, first], [*seen.escrow, held]):
        assert {"misdeposited": 1} == wrong(account(seen._replace(escrow=escrow)))
    for change in ({"original": b"x"}, {"digest": "0" * 64}):
        escrow = [first._replace(**change), *others]
        assert {first.place} == set(account(seen._replace(escrow=escrow)).misdeposited)


def test_a_patient_in_a_release_is_found():
    """A patient in a key, a value or a header is found."""
    seen = run()
    for change in ({"key": b"MRN77001"}, {"headers": (("n", b"Quillfeather"),)}):
        leaking = [replace(seen.released[0], **change), *seen.released[1:]]
        assert 1 == account(seen._replace(released=leaking)).counts()["leaking"]


def test_what_no_input_explains_is_found():
    """A released record whose number was never sent is found."""
    seen = run()
    stray = replace(seen.released[0], value=seen.released[0].value.replace(b"||1|", b"||999999|"))
    assert 1 == account(seen._replace(released=[*seen.released, stray])).counts()["unknown"]


@contextmanager
def answering(pages):
    """A health port that answers with these pages, and with 503 for others; gives its number."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200 if self.path in pages else 503)
            self.end_headers()
            self.wfile.write(pages.get(self.path, b"not ready: broker\n"))

        def log_message(self, *_words):
            """Print nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    yield server.server_port
    server.shutdown()
    server.server_close()


@pytest.fixture
def trial(tmp_path):
    """A trial without a broker whose log and broker's data are written."""
    (tmp_path / "kafka").mkdir()
    (tmp_path / "kafka/00.log").write_bytes(b"QUILLFEATHER")
    (tmp_path / "disturbed.log").write_bytes(b'{"event": "started"}\n')
    return Trial(Plan(messages=1), Broker({}), tmp_path)


def done(trial):
    """The result of a trial whose topics are faultless."""
    shown, pages = tuple(trial.shown()), trial.pages.counts
    return Done(Findings(), (0,), 0, shown, pages, (), 1.0)


def test_pages_and_logs_without_a_patient_are_sound(trial):
    """Pages are kept whatever their status; what the broker stores is not searched here."""
    with answering({"/metrics": b"deid_messages_total 7\n", "/lanes": b"{}"}) as port:
        asyncio.run(trial.pages.fetch([port, port]))
    assert dict.fromkeys(PATHS, 2) == trial.pages.counts
    assert b"not ready: broker\n" in trial.pages.file.read_bytes()
    assert done(trial).sound


@pytest.mark.parametrize("path", PATHS)
def test_a_patient_in_a_page_is_found(trial, path):
    """A patient's name in any page of a health port is named by its line."""
    told = {path: b'x 1\nlane{file="quillfeather.hl7"} 1\n'}
    with answering(told) as port:
        asyncio.run(trial.pages.fetch([port]))
    assert [True] == [place.startswith("pages.log:") for place in trial.shown()]
    assert not done(trial).sound


def test_a_patient_in_a_log_is_found(trial):
    """A patient's number in a log is named by file and line, in a subfolder too."""
    with answering({}) as port:
        asyncio.run(trial.pages.fetch([port]))
    assert done(trial).sound
    (trial.folder / "disturbed.log").write_bytes(b'{}\n{"error": "PID-3 MRN77012"}\n')
    (trial.folder / "reference").mkdir()
    (trial.folder / "reference/core").write_bytes(b"\0Quillfeather\0")
    assert ["disturbed.log:2", "core:1"] == trial.shown()
    assert not done(trial).sound


def test_pages_that_were_never_fetched_are_a_fault(tmp_path):
    """Where no port answers there is nothing to search, and the trial is not sound."""
    with answering({}) as port:
        pass
    pages = Pages(tmp_path / "pages.log")
    asyncio.run(pages.fetch([port]))
    assert {} == pages.counts
    assert not Done(Findings(), (0,), 0, (), pages.counts, (), 1.0).sound
