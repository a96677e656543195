"""``deid-adapter send`` by the page's example, through kills, and without what it needs."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import ssl
from itertools import groupby
from pathlib import Path

import pytest
from typer.testing import CliRunner

from adapter.cli import app
from adapter.cli.send import sent
from adapter.config.settings import load_settings
from adapter.errors import RuleError
from adapter.transports.mllp.framing import framed
from tests import processes
from tests.send.receiving import oru, receiving
from tests.transports.listener.test_tls import Authority
from tests.transports.mllp.senders import free_port

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/operate.md").read_text("utf-8")


def test_the_pages_example_runs(tmp_path):
    """A message is sent over TLS; a refused one is where the page says."""
    text = re.search(r"```toml\n(# an MLLP sender\n.*?)```", PAGE, re.DOTALL)[1]
    (tmp_path / "secrets").mkdir()
    (tmp_path / "released").mkdir()
    (tmp_path / "released/adt-1.hl7").write_bytes(framed(oru(1)) + framed(oru(2)))
    authority = Authority(tmp_path)
    authority.cafile.rename(tmp_path / "secrets/engine-ca.pem")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*authority.signed("localhost"))
    port = free_port()
    text = text.replace("engine.example", "localhost").replace("2576", str(port))
    (tmp_path / "adapter.toml").write_text(text.replace("[send]", "[send]\nretry_seconds = 0.01"))
    settings = load_settings(tmp_path / "adapter.toml")

    async def go():
        async with receiving(["AA", *["AE"] * 5], port, ssl=context) as receiver:
            return await sent(settings, follow=False), receiver.got

    assert (0, ["C1", *["C2"] * 5]) == asyncio.run(go())
    (refused,) = (tmp_path / "refused").iterdir()
    assert oru(2) == refused.read_bytes()


def settings_file(folder, port):
    """Settings of a sender of a folder."""
    file = folder / "adapter.toml"
    file.write_text(
        f'[send]\nhost = "127.0.0.1"\nport = {port}\nsource = "files"\nfolder = "released"\n'
        "retry_seconds = 0.01\n"
    )
    return file


def started(file):
    """A sender as a process of its own, until all is sent."""
    command = ["-m", "adapter", "send", "--once", "--config", file]
    return processes.Started(command, cwd=ROOT)


def test_a_killed_sender_goes_on_behind_what_was_accepted(tmp_path):
    """Everything arrives in order; what arrives twice is the message just before."""
    (tmp_path / "released").mkdir()
    for number in range(20):
        messages = [framed(oru(10 * number + n)) for n in range(10)]
        (tmp_path / f"released/adt-{number:03}.hl7").write_bytes(b"".join(messages))

    async def go():
        async with receiving() as receiver:
            file = settings_file(tmp_path, receiver.port)
            for goal in (40, 110, 1000):
                process = started(file)
                while len(receiver.got) < goal and process.poll() is None:  # noqa: ASYNC110 - both
                    await asyncio.sleep(0.002)
                process.kill() if goal < 1000 else process.wait()
            return process.wait(), receiver.got

    code, got = asyncio.run(go())
    assert 0 == code
    assert [f"C{n}" for n in range(200)] == [name for name, _ in groupby(got)]
    assert len(got) <= 200 + 2


def test_a_refusal_ends_it_with_the_place(tmp_path):
    """Without a folder for refused messages the status is 1, and standard error says where."""
    (tmp_path / "released").mkdir()
    (tmp_path / "released/adt-1.hl7").write_bytes(oru(1) + oru(2))

    async def go():
        async with receiving(["AA", *["AR"] * 5]) as receiver:
            file = settings_file(tmp_path, receiver.port)
            command = ["-m", "adapter", "send", "--config", file]
            return await asyncio.to_thread(processes.run, command, cwd=ROOT)

    done = asyncio.run(go())
    assert (1, True) == (done.returncode, b"the receiver refused adt-1.hl7-1;" in done.stderr)


def test_sigterm_ends_a_sender_that_waits(tmp_path):
    """It stops with status 0, and nothing is noted as delivered."""
    (tmp_path / "released").mkdir()
    (tmp_path / "released/adt-1.hl7").write_bytes(oru(1))
    settings = load_settings(settings_file(tmp_path, free_port()))

    async def go():
        sending = asyncio.create_task(sent(settings, follow=True))
        await asyncio.sleep(0.3)
        os.kill(os.getpid(), signal.SIGTERM)
        return await asyncio.wait_for(sending, 10)

    assert 0 == asyncio.run(go())


@pytest.mark.parametrize(
    ("values", "place"),
    [
        ({}, r"send\.host"),
        ({"host": "x"}, r"send\.topics"),
        ({"host": "x", "source": "files", "folder": "missing"}, r"send\.folder"),
    ],
)
def test_what_is_missing_is_named(values, place):
    """Settings that say too little end with the setting's name."""
    with pytest.raises(RuleError, match=place):
        asyncio.run(sent(load_settings(send=values), follow=False))


def test_help_says_what_it_does():
    """The command is listed, with its option."""
    told = CliRunner().invoke(app, ["send", "--help"])
    assert (0, True) == (told.exit_code, "--once" in told.output)
