"""The escrow over a real Kafka: sealed with the messages' transaction, and the way back."""

from __future__ import annotations

import asyncio
import importlib
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.story.feed import MESSAGES, NAMES

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))
cluster = importlib.import_module("cluster")
known = importlib.import_module("test_patient_store")

pytestmark = pytest.mark.kafka
SOME = NAMES[:3]


def cli(*arguments):
    """A command that must succeed."""
    command = [sys.executable, "-m", "adapter", *map(str, arguments)]
    subprocess.run(command, check=True, capture_output=True)


def settings_file(folder, address, app):
    """A ring with an escrow key, and settings that use both."""
    cli("keys", "ring", folder / "ring.json")
    officer = folder / "officer.json"
    cli("keys", "rotate", folder / "ring.json", "--purpose", "escrow", "--private", officer)
    file = folder / "adapter.toml"
    file.write_text(
        f"""
[kafka]
bootstrap_servers = "{address}"
app = "{app}"
topics = ["{app}"]
audit = "{app}.audit"
[workers]
processes = 1
[rules]
languages = ["en"]
[keys]
ring = "ring.json"
[escrow]
enabled = true
"""
    )
    return file


async def sanitized(address, app, file, folder):
    """Released values of some messages, and what the escrow's topic shows."""
    outputs = (f"{app}.{name}" for name in ("deid", "quarantine", "audit", "escrow"))
    await cluster.make_topics(address, app, *outputs)
    messages = [(b"7730412", (MESSAGES / name).read_bytes(), ()) for name in SOME]
    await cluster.write(address, app, messages)
    with (folder / "log").open("ab") as log:
        process = cluster.start(file, log)
        try:
            await known.settled(address, app, len(SOME))
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(30)
    released, escrow = [
        await cluster.read_all(address, f"{app}.{name}") for name in ("deid", "escrow")
    ]
    return [r.value for r in released], b"".join(r.value for r in escrow)


def test_released_messages_come_back_from_the_topics(bootstrap, app, tmp_path):
    """With the officer's key the originals are read back from Kafka, to the byte."""
    file = settings_file(tmp_path, bootstrap, app)
    released, escrow = asyncio.run(sanitized(bootstrap, app, file, tmp_path))
    assert len(SOME) == len(released)
    assert b"Ostrander" not in escrow
    (tmp_path / "out").mkdir()
    for name, value in zip(SOME, released, strict=True):
        (tmp_path / "out" / name).write_bytes(value)
    options = ("--escrow", "kafka", "--config", file, "--key", tmp_path / "officer.json")
    cli("reidentify", tmp_path / "out", *options, "--reason", "recall", "-o", tmp_path / "back")
    for name in SOME:
        assert (MESSAGES / name).read_bytes() == (tmp_path / "back" / name).read_bytes()
