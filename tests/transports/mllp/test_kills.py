"""``kill -9`` under many senders: answered messages are settled once, others at most once."""

from __future__ import annotations

import asyncio
import base64

import pytest

from adapter.codecs.hl7v2.framing import split_hl7v2
from adapter.sealing.quarantine import Folder, Sealer
from tests.transports.mllp import senders

KEY = bytes(range(32))


def settings_file(folder, port, transport="mllp"):
    """Write the settings of a listener over folders."""
    file = folder / "adapter.toml"
    file.write_text(
        f"""
transport = "{transport}"
[{transport}]
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
    """Through kills and a SIGTERM, answered messages are settled once, in each sender's order."""
    port = senders.free_port()
    file = settings_file(tmp_path, port)
    told = killed(tmp_path, file, "mllp-*.hl7", port=port, **load)
    with capsys.disabled():
        print(told)


def killed(folder, file, names, **load):
    """Send through kills, and check every attempt."""
    code, log = asyncio.run(senders.killed_runs(file, errors=folder / "log", **load))
    assert (0, load["connections"] * load["each"]) == (code, len(log.answered))
    released = [
        frame.value
        for path in sorted((folder / "out").glob(names))
        for frame in split_hl7v2(path.read_bytes())
    ]
    sealer, quarantine = Sealer("q1", {"q1": KEY}), Folder(folder / "quarantine")
    held = [sealer.open(quarantine.read(name))[1].value for name in quarantine.names()]
    written = [path.read_bytes() for path in (folder / "log", folder / "audit.ndjson")]
    assert not any(senders.CANARY in raw for raw in written)
    return senders.account(log, released, held)
