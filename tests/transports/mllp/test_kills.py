"""``kill -9`` amid many senders: what was answered is out or held, each attempt at most once."""

from __future__ import annotations

import asyncio
import base64

import pytest

from adapter.codecs.hl7v2.framing import split_hl7v2
from adapter.sealing.quarantine import Folder, Sealer
from tests.transports.mllp import senders

KEY = bytes(range(32))


def settings_file(folder, port):
    """A listener over folders."""
    file = folder / "adapter.toml"
    file.write_text(
        f"""
transport = "mllp"
[mllp]
port = {port}
output = "files"
[files]
output = "{folder}/out"
quarantine = "quarantine"
audit = "audit.ndjson"
[known]
enabled = false
[workers]
processes = 1
[keys]
surrogates = {{ id = "s1", value = "{base64.b64encode(KEY).decode()}" }}
quarantine = {{ id = "q1", value = "{base64.b64encode(KEY).decode()}" }}
"""
    )
    return file


@pytest.mark.parametrize(
    "load",
    [
        pytest.param({"connections": 8, "each": 50, "kills": 2}, id="short"),
        pytest.param(
            {"connections": 20, "each": 500, "kills": 5}, id="long", marks=pytest.mark.slow
        ),
    ],
)
def test_what_was_answered_is_out_or_held_once(tmp_path, capsys, load):
    """Through kills and a last SIGTERM, over all connections, in the order of each."""
    port = senders.free_port()
    file = settings_file(tmp_path, port)
    code, log = asyncio.run(senders.killed_runs(file, port, tmp_path / "log", **load))
    assert (0, load["connections"] * load["each"]) == (code, len(log.answered))
    released = [
        frame.value
        for path in sorted((tmp_path / "out").glob("mllp-*.hl7"))
        for frame in split_hl7v2(path.read_bytes())
    ]
    sealer, folder = Sealer("q1", {"q1": KEY}), Folder(tmp_path / "quarantine")
    held = [sealer.open(folder.read(name))[1].value for name in folder.names()]
    with capsys.disabled():
        print(senders.account(log, released, held))
    written = [path.read_bytes() for path in (tmp_path / "log", tmp_path / "audit.ndjson")]
    assert not any(senders.CANARY in raw for raw in written)
