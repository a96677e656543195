"""A registry over HTTP: asked once for each schema, believed only as far as it can be read."""

from __future__ import annotations

import base64
import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from adapter.config.settings import load_settings
from adapter.errors import EnvelopeError, is_transient
from adapter.schemas import registry as module
from adapter.schemas.registry import schemas_of

STRING = json.dumps({"type": "record", "name": "R", "fields": [{"name": "m", "type": "string"}]})
ENDLESS = json.dumps({"type": "array", "items": "null"})
EMPTY = {"type": "record", "name": "E", "fields": []}
SCHEMAS = {
    1: {"schema": STRING},
    2: {"schema": json.dumps({"required": ["a"]}), "schemaType": "JSON"},
    3: {"schema": 'syntax = "proto3";', "schemaType": "PROTOBUF"},
    4: {"schema": STRING, "references": [{"name": "x", "subject": "x", "version": 1}]},
    5: {"schema": "{"},
    6: {"schema": ENDLESS},
    7: {"schema": json.dumps({"type": "array", "items": EMPTY})},
    8: {},
    9: {"schema": json.dumps({"type": "map", "values": {"type": "array", "items": "null"}})},
}


@contextmanager
def serving(status=200):
    """A registry; gives its address and the requests it saw."""
    seen = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            seen.append((self.path, self.headers.get("Authorization")))
            number = self.path.rpartition("/")[2]
            found = SCHEMAS.get(int(number)) if number.isdigit() else ["AVRO"]
            answer = json.dumps(found or {"error_code": 40403}).encode()
            self.send_response(status if found is not None else 404)
            if status == 302:
                self.send_header("Location", "/elsewhere")
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_args):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", seen
    finally:
        server.shutdown()
        server.server_close()


def registry(url, **said):
    """The client of some settings."""
    return schemas_of(load_settings(registry={"url": url, **said}))


def code(of, number):
    """The code by which a schema is refused."""
    with pytest.raises(EnvelopeError) as error:
        of.body(number)
    return error.value.code


def test_a_schema_is_fetched_once():
    """A number names one schema for ever."""
    with serving() as (url, seen):
        of = registry(f"{url}/")
        assert of.body(1) is of.body(1)
        assert {"m": "x"} == of.body(1).read(b"\x02x")
    assert [("/schemas/ids/1", None)] == seen
    assert {"m": "y"} == of.body(1).read(b"\x02y")


@pytest.mark.parametrize("number", [3, 4, 5, 6, 7, 8, 9, 99])
def test_what_cannot_be_read_is_unknown(number):
    """Other types, references, no schema at all, lists of nothing, and numbers nobody knows."""
    with serving() as (url, _):
        assert "unknown-schema" == code(registry(url), number)


@pytest.mark.parametrize("status", [302, 401, 403, 500, 503])
def test_a_registry_that_refuses_is_asked_again_later(status, monkeypatch):
    """Whatever is no answer may pass; in the pause after a failure nothing is asked."""
    monkeypatch.setattr(module, "PAUSE", 60.0)
    with serving(status) as (url, seen):
        of = registry(url)
        assert ["no-registry"] * 3 == [code(of, number) for number in (1, 2, 1)]
    assert 1 == len(seen)
    assert is_transient("envelope", "no-registry")


def test_a_registry_that_is_not_there():
    """Nobody listens: it may pass."""
    with serving() as (url, _):
        pass
    assert "no-registry" == code(registry(url), 1)


def test_credentials_are_shown_to_the_registry():
    """A user with a password, or a token."""
    with serving() as (url, seen):
        registry(url, username="u", password="p").body(1)
        registry(url, token="t").body(1)
    basic = base64.b64encode(b"u:p").decode()
    assert [f"Basic {basic}", "Bearer t"] == [shown for _, shown in seen]


def test_a_client_shows_no_secret():
    """Neither credentials nor schemas stand in its repr."""
    with serving() as (url, _):
        of = registry(url, username="u", password="hidden")
        of.body(1)
        assert "hidden" not in repr(of)


@pytest.mark.parametrize("number", [3, 5, 99])
def test_an_unknown_number_is_remembered_for_a_while(number, monkeypatch):
    """It is asked for once by all messages that bear it, and again when it may be registered."""
    now = [1_000.0]
    monkeypatch.setattr(module.time, "monotonic", lambda: now[0])
    with serving() as (url, seen):
        of = registry(url)
        assert ["unknown-schema"] * 3 == [code(of, number) for _ in range(3)]
        first = len(seen)
        now[0] += module.UNKNOWN_SECONDS
        code(of, number)
        assert (1, 2) == (first, len(seen))


def test_numbers_that_nobody_knows_take_no_memory(monkeypatch):
    """Any four bytes may look like one."""
    monkeypatch.setattr(module, "MOST_UNKNOWN", 3)
    with serving() as (url, _):
        of = registry(url)
        for number in range(100, 110):
            code(of, number)
        assert len(of._unknown) <= 3
