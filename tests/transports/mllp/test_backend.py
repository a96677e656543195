"""The MLLP backend's settings: requirements, and the documented example."""

from __future__ import annotations

import asyncio
import base64
import re
import tomllib
from pathlib import Path

import pytest

from adapter.config.settings import load_settings
from adapter.errors import RuleError
from adapter.runtime.service import serve, transport
from adapter.transports.registry import backend
from tests.transports.listener.test_tls import Authority
from tests.transports.mllp.listener_process import make
from tests.transports.mllp.listening import adt, exchange
from tests.transports.mllp.senders import free_port

KEY = base64.b64encode(bytes(range(32))).decode()
KEYS = {name: {"id": name, "value": KEY} for name in ("surrogates", "quarantine", "state")}
PAGE = (Path(__file__).parents[3] / "docs/operate.md").read_text("utf-8")


def example(folder):
    """Write the documented settings and their files; return the authority and a free port."""
    text = re.search(r"```toml\n(# an MLLP listener\n.*?)```", PAGE, re.DOTALL)[1]
    (folder / "secrets").mkdir(mode=0o700)
    authority = Authority(folder)
    names = {"listener.pem": "listener", "senders-ca.pem": None}
    cert, key = authority.signed("listener")
    for name, source in (("listener.pem", cert), ("listener-key.pem", key)):
        source.rename(folder / "secrets" / name)
    (folder / "secrets/senders-ca.pem").write_bytes(authority.cafile.read_bytes())
    assert set(names) < {path.name for path in (folder / "secrets").iterdir()}
    for name in KEYS:
        path = folder / f"secrets/{name}.key"
        path.write_text(KEY)
        path.chmod(0o600)
    port = free_port()
    output = folder / "released"
    text = text.replace("2575", str(port)).replace('"released"', f'"{output}"')
    (folder / "adapter.toml").write_text(text)
    return authority, port


def test_the_pages_example_runs(tmp_path):
    """The documented example runs: a sender with a certificate is answered, files are written."""
    import os  # noqa: PLC0415
    import signal  # noqa: PLC0415
    import ssl  # noqa: PLC0415

    from hl7.mllp import open_hl7_connection  # noqa: PLC0415

    authority, port = example(tmp_path)
    settings = load_settings(tmp_path / "adapter.toml")
    context = ssl.create_default_context(cafile=authority.cafile)
    context.load_cert_chain(*authority.signed("engine"))

    async def sent():
        while True:
            try:
                streams = await open_hl7_connection(
                    "127.0.0.1", port, ssl=context, server_hostname="listener"
                )
            except ConnectionRefusedError:
                await asyncio.sleep(0.05)
            else:
                return await exchange(streams, adt(1), b"no message")

    async def go():
        serving = asyncio.create_task(serve(settings, over=transport(settings), factory=make))
        told = await sent()
        os.kill(os.getpid(), signal.SIGTERM)
        return told, await serving

    assert ([("AA", "C1"), ("AA", "")], 0) == asyncio.run(go())
    (released,) = (tmp_path / "released").glob("adt-*.hl7")
    assert b"\x0b" + adt(1).replace(b"QUILLFEATHER", b"OKAFOR") + b"\x1c\r" == released.read_bytes()
    assert 1 == len(list((tmp_path / "quarantine").glob("adt-0-*.held")))
    assert 2 == len((tmp_path / "audit.ndjson").read_text().splitlines())


def mllp(output, **values):
    """Return settings of a listener."""
    return load_settings(transport="mllp", mllp={"output": output}, **values)


def test_what_is_missing_is_named(tmp_path):
    """A missing quarantine key, quarantine folder or escrow file is named."""
    with pytest.raises(RuleError, match=r"keys\.quarantine"):
        transport(mllp("kafka"))
    with pytest.raises(RuleError, match=r"files\.quarantine"):
        transport(mllp("files", keys=KEYS))
    settings = mllp("files", keys=KEYS, files={"quarantine": tmp_path})
    with pytest.raises(RuleError, match=r"files\.escrow"):
        backend(settings).refuse_escrow(settings)


def test_memory_lasts_or_there_is_none(tmp_path):
    """Patient memory is used only if it outlives a restart."""
    state = {"files": {"state": tmp_path / "s", "quarantine": tmp_path / "q"}}
    for settings, expected in (
        (mllp("files"), False),
        (mllp("files", **state), True),
        (mllp("kafka"), True),
        (mllp("kafka", kafka={"state": ""}), False),
    ):
        assert expected == backend(settings).remembers(settings, sealed=True)
    place = backend(mllp("kafka")).memory_place(mllp("kafka"))
    assert "in mllp.state" == place


def test_names_fit_topics_and_files():
    """An invalid name, and text that would break an acknowledgement, are refused."""
    for values in ({"name": "a/b"}, {"name": "a.b"}, {"application": "A|B"}, {"facility": "A\rB"}):
        with pytest.raises(RuleError, match=r"mllp\."):
            load_settings(mllp=values)


def test_the_example_is_toml():
    """The example taken from the page is complete TOML."""
    assert "mllp" == tomllib.loads(re.search(r"(# an MLLP.*?)```", PAGE, re.DOTALL)[1])["transport"]
