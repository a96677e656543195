"""Tokens for OAUTHBEARER: fetched from an endpoint, a file or a command, and cached."""

from __future__ import annotations

import asyncio
import json
import sys
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs

import pytest
from aiokafka.errors import KafkaConnectionError

from adapter.config.kafka import OAuth, Security
from adapter.config.settings import load_settings
from adapter.errors import RuleError
from adapter.transports.kafka.client import connection
from adapter.transports.kafka.tokens import Tokens, refuse_without_token


@contextmanager
def endpoint(*answers):
    """Yield the URL of a token endpoint with these (status, body) answers, and the forms it got."""
    seen, left = [], list(answers)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            seen.append({name: values[0] for name, values in parse_qs(body).items()})
            status, answer = left.pop(0)
            raw = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(raw)))
            self.end_headers()
            self.wfile.write(raw)

        def log_message(self, *_args):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/token", seen
    finally:
        server.shutdown()
        server.server_close()


def asked(url, **others):
    """Return settings of an endpoint."""
    return OAuth(token_url=url, client_id="adapter", client_secret="s3cret", **others)


def given(tokens):
    """Return a token, as a connection gets it."""
    return asyncio.run(tokens.token())


def test_a_token_is_kept_for_most_of_its_life():
    """All connections share a token until it is replaced at 80% of its lifetime."""
    now = [0.0]
    answers = [(200, {"access_token": f"t{n}", "expires_in": 100}) for n in (1, 2)]
    with endpoint(*answers) as (url, seen):
        tokens = Tokens(asked(url, scope="kafka"), lambda: now[0])
        first = given(tokens), given(tokens)
        now[0] = 79.0
        still = given(tokens)
        now[0] = 81.0
        assert (("t1", "t1"), "t1", "t2") == (first, still, given(tokens))
    form = {
        "grant_type": "client_credentials",
        "client_id": "adapter",
        "client_secret": "s3cret",
        "scope": "kafka",
    }
    assert [form, form] == seen


@pytest.mark.parametrize(
    "answer",
    [
        (401, {"error": "invalid_client"}),
        (200, {"error": "x"}),
        (200, b"no json"),
        (200, [1]),
        (200, {"access_token": ""}),
        (200, {"access_token": "a\x01b"}),
        (200, {"access_token": "a", "expires_in": "soon"}),
        (200, {"access_token": "a", "expires_in": 0}),
        (200, {"access_token": "a", "expires_in": -5}),
        (200, {"access_token": "a", "expires_in": float("nan")}),
        (200, {"access_token": "a", "expires_in": float("inf")}),
        (200, {"access_token": "a", "expires_in": 10**400}),
    ],
)
def test_what_is_no_token_is_told_without_a_secret(answer):
    """An invalid answer is a connection error without the secret; the next attempt asks again."""
    with endpoint(answer, (200, {"access_token": "good"})) as (url, _):
        tokens = Tokens(asked(url))
        with pytest.raises(KafkaConnectionError) as error:
            given(tokens)
        assert "s3cret" not in str(error.value)
        assert "good" == given(tokens)


def test_a_file_is_read_for_each_connection(tmp_path):
    """A token file is read for each connection, and refused if others may read it."""
    file = tmp_path / "token"
    file.write_text("one\n")
    file.chmod(0o600)
    tokens = Tokens(OAuth(token_file=file))
    assert "one" == given(tokens)
    file.write_text("two")
    assert "two" == given(tokens)
    file.chmod(0o644)
    with pytest.raises(KafkaConnectionError):
        given(tokens)


def test_a_command_prints_a_token():
    """A command prints a plain token or JSON; if it fails there is no token."""
    printed = {"print('abc')": "abc", 'print(\'{"access_token": "def", "expires_in": 5}\')': "def"}
    for program, token in printed.items():
        assert token == given(Tokens(OAuth(command=(sys.executable, "-c", program))))
    with pytest.raises(KafkaConnectionError):
        given(Tokens(OAuth(command=(sys.executable, "-c", "raise SystemExit(1)"))))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "kafka.security: OAUTHBEARER needs one of"),
        ("[kafka.security.oauth]\ntoken_url = 'https://x'", "token_url needs client_id"),
        (
            "[kafka.security.oauth]\ntoken_file = 'a'\ncommand = ['b']",
            "set only one of token_url, token_file, command",
        ),
        ("[kafka.security.oauth]\ntoken_uri = 'x'", "did you mean token_url?"),
        (
            "[kafka.security.oauth]\ntoken_url = 'http://x'\nclient_id = 'a'\nclient_secret = 'b'",
            "kafka.security.oauth: credentials are sent only to an https:// address",
        ),
    ],
)
def test_settings_without_a_source_of_tokens_are_refused(tmp_path, text, told):
    """Incomplete or conflicting token settings are refused by their key, with suggestions."""
    file = tmp_path / "adapter.toml"
    file.write_text(f"[kafka.security]\nprotocol = 'SASL_SSL'\nmechanism = 'OAUTHBEARER'\n{text}")
    with pytest.raises(RuleError, match=told.replace("?", r"\?")):
        load_settings(file)


def test_all_clients_of_some_settings_share_one_provider():
    """All clients of the same settings share one provider, with the configured extensions."""
    oauth = {"command": ["true"], "extensions": {"logicalCluster": "lkc-1"}}
    security = {"protocol": "SASL_PLAINTEXT", "mechanism": "OAUTHBEARER", "oauth": oauth}
    loaded = load_settings(kafka={"security": security}).kafka
    first, second = (connection(loaded)["sasl_oauth_token_provider"] for _ in range(2))
    assert first is second
    assert {"logicalCluster": "lkc-1"} == first.extensions()


def test_check_says_why_there_is_no_token():
    """The check names the setting that yields no token, and asks for none without SASL."""
    failing = OAuth(command=(sys.executable, "-c", "raise SystemExit(1)"))
    security = {"protocol": "SASL_SSL", "mechanism": "OAUTHBEARER", "oauth": failing}
    with pytest.raises(RuleError, match=r"kafka.security.oauth.*CalledProcessError"):
        asyncio.run(refuse_without_token(Security(**security)))
    asyncio.run(refuse_without_token(Security(**security | {"protocol": "PLAINTEXT"})))
