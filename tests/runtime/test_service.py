"""The running service over files, with the shipped rules."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from contextlib import asynccontextmanager

import pytest

from adapter.config.settings import Key, load_settings
from adapter.errors import RuleError
from adapter.runtime.quarantine.operations import listed, retry, show
from adapter.runtime.report import Report
from adapter.runtime.service import INTERRUPTED, LoadRuleset, serve, transport
from adapter.types import Hold, Release

KEY = base64.b64encode(bytes(range(32))).decode()
KEYS = {"surrogates": {"id": "s1", "value": KEY}, "quarantine": {"id": "q1", "value": KEY}}
ADT = (
    b"MSH|^~\\&|A|B|C|D|20240102||ADT^A01|1|P|2.5\r"
    b"PID|1||8841277^^^H1^MR||QUILLFEATHER^JOHN||19600102|M\r"
)


def settings_for(tmp_path, **values):
    """Return settings over a folder "in" with one HL7 v2 message and one text."""
    source = tmp_path / "in"
    source.mkdir(exist_ok=True)
    (source / "a.hl7").write_bytes(ADT)
    (source / "b.txt").write_bytes(b"Mr Quillfeather")
    files = {
        "inputs": [str(source)],
        "output": str(tmp_path / "out"),
        "quarantine": str(tmp_path / "q"),
        "audit": str(tmp_path / "audit.ndjson"),
    }
    return load_settings(
        transport="files", files=files, keys=KEYS, workers={"processes": 1}, **values
    )


def test_files_are_served(tmp_path):
    """A message is released and an unknown format is held; report, manifest and audit agree."""
    report = Report()
    code = asyncio.run(serve(settings_for(tmp_path), watch=report.add))
    report.write(tmp_path / "report.json")
    result = json.loads((tmp_path / "report.json").read_text())
    assert (0, 1, 1) == (code, result["released"], result["held"])
    assert {"a.hl7", "manifest.jsonl"} == {path.name for path in (tmp_path / "out").iterdir()}
    assert b"QUILLFEATHER" not in (tmp_path / "out/a.hl7").read_bytes()
    lines = (tmp_path / "out/manifest.jsonl").read_text().splitlines()
    message, *_, total = map(json.loads, lines)
    audit = map(json.loads, (tmp_path / "audit.ndjson").read_text().splitlines())
    ids = {entry["id"]: entry["outcome"] for entry in audit}
    assert (2, "released") == (len(ids), ids[message["deid-id"]])
    assert ("s1", 1) == (message["deid-key"], total["total"]["held"])
    assert b"uillfeather" not in (tmp_path / "audit.ndjson").read_bytes()


def test_a_key_file_that_changes_while_running_changes_no_surrogate(tmp_path):
    """Workers that start later use the key that the service started with."""
    file = tmp_path / "surrogates.key"
    file.write_text(KEY)
    file.chmod(0o600)
    plain = settings_for(tmp_path)
    own = plain.keys.model_copy(update={"surrogates": Key(id="s1", file=file)})

    @asynccontextmanager
    async def changed(_runner):
        file.write_text(base64.b64encode(bytes(32)).decode())
        yield

    asyncio.run(serve(plain))
    first = (tmp_path / "out/a.hl7").read_bytes()
    other = plain.files.model_copy(update={"output": tmp_path / "out2"})
    again = plain.model_copy(update={"keys": own, "files": other})
    asyncio.run(serve(again, beside=[changed]))
    assert first == (tmp_path / "out2/a.hl7").read_bytes()


def make_text():
    """Return a process function that releases any text."""
    return lambda record: Release(record.value.replace(b"Quillfeather", b"Bell"))


def test_held_files_are_listed_shown_and_retried(tmp_path):
    """Held files are listed, shown by name or place, and retried, all with audit records."""
    settings = settings_for(tmp_path)

    async def go():
        await serve(settings)
        before = await listed(settings)
        shown = [await show(settings, name) for name in (before[0].name, before[0].place)]
        code = await retry(settings, reason="ticket 8", factory=make_text)
        return before, [record.value for _, record in shown], code, await listed(settings)

    (entry,), values, code, left = asyncio.run(go())
    assert re.fullmatch(r"file-2-0-000000000000-\d{13}\.held", entry.place)
    assert re.fullmatch(r"[0-9a-f]{32}", entry.name)
    assert ([b"Mr Quillfeather"] * 2, 0, []) == (values, code, left)
    noted = [json.loads(line) for line in (tmp_path / "audit.ndjson").read_text().splitlines()]
    outcomes = [each for each in noted if "outcome" in each]
    told = [(each["access"], each.get("reason")) for each in noted if "access" in each]
    assert [("quarantine show", None)] * 2 + [("quarantine retry", "ticket 8")] == told
    assert (3, entry.name) == (len(outcomes), outcomes[-1]["id"])
    assert b"Mr Bell" == (tmp_path / "out/b.txt").read_bytes()


def test_without_a_key_nothing_starts():
    """The kafka transport requires a quarantine key and input topics."""
    with pytest.raises(RuleError, match=r"keys\.quarantine"):
        transport(load_settings(kafka={"topics": ("x",)}))
    with pytest.raises(RuleError, match=r"kafka\.topics"):
        transport(load_settings(keys=KEYS))


def make_nothing():
    """Fail as a factory whose exception quotes a patient."""
    raise ValueError("Quillfeather")


def test_a_failure_tells_its_type_only(tmp_path, capfd):
    """A failed run returns 1 and logs the exception's type, but not its text."""
    code = asyncio.run(serve(settings_for(tmp_path), factory=make_nothing))
    out, err = capfd.readouterr()
    assert (1, True) == (code, "WorkerStartError" in err)
    assert "Quillfeather" not in out + err


def make_slowly():
    """Take longer than any test waits."""
    time.sleep(600)


def test_a_stop_while_rules_are_compiled_ends_at_once(tmp_path, capfd, monkeypatch):
    """A stop during the compilation of the rules ends the service at once."""

    def soon():
        stop = asyncio.Event()
        asyncio.get_running_loop().call_later(1, stop.set)
        return stop

    monkeypatch.setattr("adapter.runtime.service.stop_signal", soon)
    code = asyncio.run(asyncio.wait_for(serve(settings_for(tmp_path), factory=make_slowly), 30))
    events = [json.loads(line)["event"] for line in capfd.readouterr().err.splitlines()]
    assert (INTERRUPTED, ["compiling rules", "stopped"]) == (code, events)


SLOW = """
import asyncio, sys, time
from adapter.runtime.service import serve
from adapter.types import Release
from tests_settings import settings

def make():
    def process(record):
        time.sleep(0.05)
        return Release(record.value)
    return process

if __name__ == "__main__":
    sys.exit(asyncio.run(serve(settings(), factory=make)))
"""
SETTINGS = """
from adapter.config.settings import load_settings
def settings():
    return load_settings(transport="files", workers={{"processes": 1, "batch_records": 5}},
        keys={{"surrogates": {{"id": "s1", "value": "{key}"}}}},
        log={{"level": "debug"}}, files={{"inputs": ["{source}"], "output": "{output}"}})
"""


def test_a_signal_drains(tmp_path, repository):
    """After SIGTERM, batches in progress are settled, and an unfinished file leaves no output."""
    (tmp_path / "in").mkdir()
    (tmp_path / "in/x.hl7").write_bytes(ADT * 2000)
    values = {"source": tmp_path / "in", "output": tmp_path / "out", "key": KEY}
    (tmp_path / "tests_settings.py").write_text(SETTINGS.format(**values))
    (tmp_path / "slow.py").write_text(SLOW)
    environment = os.environ | {"PYTHONPATH": f"{repository}:{tmp_path}"}
    process = subprocess.Popen(
        [sys.executable, str(tmp_path / "slow.py")],
        env=environment,
        stderr=subprocess.PIPE,
        text=True,
    )
    killer = threading.Timer(120, process.kill)
    killer.start()
    lines = []
    for line in process.stderr:
        lines.append(json.loads(line))
        if lines[-1]["event"] == "committed" and len(lines) < 10:
            process.send_signal(signal.SIGTERM)
    code = process.wait()
    killer.cancel()
    assert (INTERRUPTED, "stopped") == (code, lines[-1]["event"])
    assert [] == list((tmp_path / "out").iterdir())


def test_holds_of_the_real_process_are_known(tmp_path):
    """A record in an unknown format is held at stage "decode"."""
    seen = []
    asyncio.run(serve(settings_for(tmp_path), watch=lambda _r, p: seen.append(p.outcome)))
    assert [Hold("decode", "unknown-format")] == [o for o in seen if isinstance(o, Hold)]


def test_another_ruleset_than_the_one_named_is_refused(tmp_path):
    """A ruleset whose digest is not the expected one is refused."""
    loaded = settings_for(tmp_path)
    with pytest.raises(RuleError, match="changed since the start"):
        LoadRuleset(loaded, "0" * 64)()
