"""The HTTP backend's settings: requirements, output files, TLS, and the documented example."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import ssl
import sys
import tomllib
from pathlib import Path

import httpx
import pytest

from adapter.config.files import Files
from adapter.config.listeners.http import Http
from adapter.config.listeners.listener import ListenerTls
from adapter.config.settings import load_settings
from adapter.errors import RuleError
from adapter.runtime.service import serve, transport
from adapter.transports.files.names import MANIFEST
from adapter.transports.http.layout import apart
from adapter.transports.http.media_types import MEDIA_TYPES
from adapter.transports.listener.to_files import FilesOutlet
from adapter.transports.registry import backend
from adapter.types import Position, Record, Release
from tests.transports.http.posting import posting
from tests.transports.listener.test_tls import Authority
from tests.transports.mllp.listener_process import make
from tests.transports.mllp.listening import Shelf, adt
from tests.transports.mllp.senders import free_port
from tests.transports.mllp.test_backend import KEYS

PAGE = (Path(__file__).parents[3] / "docs/operate.md").read_text("utf-8")
EXAMPLE = re.search(r"```toml\n(# an HTTP listener\n.*?)```", PAGE, re.DOTALL)[1]


def http(**values):
    """Return settings of a listener."""
    return load_settings(transport="http", **values)


@pytest.mark.parametrize(
    "values",
    [
        {"host": "0.0.0.0"},
        {"host": "::"},
        {"host": "adapter.example"},
        {"answer": "message"},
        {"receive_bytes": 2_000},
        {"path": "no-slash"},
        {"path": "/a?b"},
        {"name": "a/b"},
    ],
)
def test_what_is_not_safe_is_refused(values):
    """Remote access without TLS, answers to unknown clients and impossible limits are refused."""
    with pytest.raises(RuleError, match="http"):
        http(http=values)


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.8.8", "::1", "localhost"])
def test_this_machine_needs_no_tls(host):
    """A listener on a loopback address needs no TLS."""
    assert host == http(http={"host": host}).http.host


def test_elsewhere_tls_is_enough():
    """Remote access needs TLS; answering with messages also needs client certificates."""
    tls = {"certfile": "c", "keyfile": "k"}
    assert http(http={"host": "0.0.0.0", "tls": tls})
    known = tls | {"cafile": "a"}
    assert http(http={"host": "0.0.0.0", "answer": "message", "tls": known})


def test_without_its_library_the_extra_is_named(monkeypatch, tmp_path):
    """If the library is missing, the error names the extra to install."""
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    monkeypatch.delitem(sys.modules, "adapter.transports.http.transport")
    settings = http(keys=KEYS, http={"output": "files"}, files={"quarantine": tmp_path})
    with pytest.raises(RuleError, match="needs the extra 'http'"):
        transport(settings)


def test_what_is_missing_is_named(tmp_path):
    """A missing quarantine key or folder is named, and a dry run is refused."""
    with pytest.raises(RuleError, match=r"keys\.quarantine"):
        transport(http())
    with pytest.raises(RuleError, match=r"files\.quarantine"):
        transport(http(keys=KEYS, http={"output": "files"}))
    settings = http(keys=KEYS, http={"output": "files"}, files={"quarantine": tmp_path})
    with pytest.raises(RuleError, match="cannot be read again"):
        backend(settings).reader(settings, lambda _name: None, 0)


def test_each_message_is_a_file_named_after_its_type(tmp_path):
    """Each released message is one file, with the suffix of its type and a line in the manifest."""
    outlet = FilesOutlet(Files(output=str(tmp_path / "out")), tmp_path / "q", "http", apart)

    async def go():
        async with posting(outlet) as listener:

            async def run(batch, _notes=None):
                released = [Release(r.value, format="x", headers=r.headers) for r in batch]
                done = await real(batch)
                return [type(each)(one, 0.1) for each, one in zip(done, released, strict=True)]

            real, listener.pool.run = listener.pool.run, run
            for kind in MEDIA_TYPES:
                await listener.post(b"MSH|" + kind.encode(), {"content-type": kind})

    asyncio.run(go())
    files = {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()}
    lines = [json.loads(line) for line in files.pop(MANIFEST).splitlines()]
    assert set(files) == {line["file"] for line in lines if "index" in line}
    assert {b"MSH|" + kind.encode() for kind in MEDIA_TYPES} == set(files.values())
    for name, value in files.items():
        assert re.fullmatch(r"http-\d+\.[a-z0-9]+", name)
        assert name.endswith(MEDIA_TYPES[value.decode().removeprefix("MSH|")])


def test_a_type_that_may_not_pass_names_no_file():
    """If `rules.headers` drops the content type, output files have no suffix."""
    (file,) = apart([Record(b"x", Position("http", 0, 7))])
    assert "http-7" == file.name("http", 7)
    assert ["http-9"] == [each.name("http", 9) for each in apart([])]


def test_messages_come_over_tls(tmp_path):
    """Only a client with a certificate of the configured authority is served."""
    authority = Authority(tmp_path)
    cert, key = authority.signed("127.0.0.1")
    tls = ListenerTls(certfile=cert, keyfile=key, cafile=authority.cafile)
    trusting = ssl.create_default_context(cafile=authority.cafile)
    trusting.check_hostname = False

    async def go():
        async with posting(Shelf(), tls=trusting, http_tls=tls) as listener:
            with pytest.raises(httpx.TransportError):
                await listener.post(adt(1))
            trusting.load_cert_chain(*authority.signed("sender"))
            async with httpx.AsyncClient(verify=trusting, trust_env=False) as client:
                address = f"https://127.0.0.1:{listener.transport.port}/"
                headers = {"content-type": "text/plain"}
                return (await client.post(address, content=adt(2), headers=headers)).status_code

    assert 200 == asyncio.run(go())


def test_the_pages_example_runs(tmp_path):
    """The documented example runs: a client with the token is answered, and files are written."""
    port, token = free_port(), "e" * 40
    (tmp_path / "secrets").mkdir(mode=0o700)
    for name, value in (
        ("http.token", token),
        *((f"{n}.key", k["value"]) for n, k in KEYS.items()),
    ):
        path = tmp_path / "secrets" / name
        path.write_text(value)
        path.chmod(0o600)
    text = EXAMPLE.replace("8570", str(port)).replace('"released"', f'"{tmp_path}/released"')
    (tmp_path / "adapter.toml").write_text(text)
    settings = load_settings(tmp_path / "adapter.toml")

    async def sent():
        headers = {"authorization": f"Bearer {token}", "content-type": "application/hl7-v2"}
        async with httpx.AsyncClient(headers=headers, trust_env=False) as client:
            while True:
                try:
                    bodies = adt(1), b"no message"
                    told = [
                        await client.post(f"http://127.0.0.1:{port}/", content=body)
                        for body in bodies
                    ]
                except httpx.ConnectError:
                    await asyncio.sleep(0.05)
                else:
                    return [answer.status_code for answer in told]

    async def go():
        serving = asyncio.create_task(serve(settings, over=transport(settings), factory=make))
        told = await sent()
        os.kill(os.getpid(), signal.SIGTERM)
        return told, await serving

    assert ([200, 202], 0) == asyncio.run(go())
    (released,) = (tmp_path / "released").glob("http-*")
    assert adt(1).replace(b"QUILLFEATHER", b"OKAFOR") == released.read_bytes()
    assert 1 == len(list((tmp_path / "quarantine").glob("http-0-*.held")))
    assert 2 == len((tmp_path / "audit.ndjson").read_text().splitlines())


def test_the_example_is_toml():
    """The example taken from the page is complete TOML with the default port."""
    assert "http" == tomllib.loads(EXAMPLE)["transport"]
    assert Http().port == tomllib.loads(EXAMPLE)["http"]["port"]
