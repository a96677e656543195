"""Listeners into a real Kafka: what was answered is committed once, through kills."""

from __future__ import annotations

import asyncio
import base64
import importlib
import json
import sys
from pathlib import Path

import pytest

from adapter.config.settings import load_settings
from adapter.sealing.quarantine import Sealer, read_clear
from adapter.transports.registry import backend
from tests.transports.http.posting import post_all
from tests.transports.mllp import senders

sys.path.insert(0, str(Path(__file__).parent))
cluster = importlib.import_module("cluster")

pytestmark = pytest.mark.kafka


def settings_file(folder, transport, address, app, port):
    """A listener into topics."""
    key = base64.b64encode(cluster.KEY).decode()
    file = folder / "adapter.toml"
    file.write_text(
        f"""
transport = "{transport}"
[{transport}]
port = {port}
name = "{app}"
[kafka]
bootstrap_servers = "{address}"
app = "{app}"
audit = "{app}.audit"
[known]
enabled = false
[workers]
processes = 1
[keys]
surrogates = {{ id = "s1", value = "{key}" }}
quarantine = {{ id = "q1", value = "{key}" }}
"""
    )
    return file


async def listed(file):
    """Names and envelopes of what is held, and topics that are missing."""
    settings = load_settings(file)
    listener = backend(settings)
    looked = await listener.preflight(settings, state=False, create=False)
    return [found async for found in listener.envelopes(settings)], looked.wrong


@pytest.mark.parametrize(("transport", "by"), [("mllp", senders.send), ("http", post_all)])
@pytest.mark.parametrize(
    "load",
    [
        pytest.param({"connections": 8, "each": 50, "kills": 2}, id="short"),
        pytest.param(
            {"connections": 20, "each": 500, "kills": 5}, id="long", marks=pytest.mark.slow
        ),
    ],
)
def test_what_was_answered_is_committed_once(
    bootstrap, app, tmp_path, capsys, *, load, transport, by
):
    """Each answered attempt is once in the output or the quarantine, in its connection's order."""
    topics = [f"{app}.deid", f"{app}.quarantine", f"{app}.audit"]
    port = senders.free_port()
    file = settings_file(tmp_path, transport, bootstrap, app, port)

    async def go():
        await cluster.make_topics(bootstrap, *topics, partitions=3)
        code, log = await senders.killed_runs(file, port, tmp_path / "log", by=by, **load)
        seen = [await cluster.read_all(bootstrap, topic) for topic in topics]
        return code, log, seen, await listed(file)

    code, log, (released, held, audit), (envelopes, missing) = asyncio.run(go())
    assert (0, load["connections"] * load["each"], ()) == (code, len(log.answered), missing)
    sealer = Sealer("q1", {"q1": cluster.KEY})
    originals = [sealer.open(record.value)[1].value for record in held]
    with capsys.disabled():
        print(senders.account(log, [record.value for record in released], originals))
    assert len(released) + len(held) == len(audit) == len({r.offset for r in audit})
    assert {0} == {record.partition for record in (*released, *held, *audit)}
    assert {app} == {read_clear(envelope).topic for _, envelope in envelopes}
    assert len(held) == len(envelopes)
    written = [(tmp_path / "log").read_bytes(), *(record.value for record in audit)]
    assert not any(senders.CANARY in raw for raw in written)
    assert {"held", "released"} == {json.loads(record.value)["outcome"] for record in audit}
