"""Requests meant to exhaust, confuse or be quoted: limits hold, and no request text is repeated."""

from __future__ import annotations

import asyncio
import contextlib
import time

import pytest

from adapter.audit import configure_logs
from adapter.transports.http import app, connection
from tests.transports.http.posting import posting
from tests.transports.mllp.listening import Shelf, adt, eventually

NAME = "QUILLFEATHER"
HEAD = "POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/hl7-v2\r\n"


def request(*headers, body=b"", line="POST / HTTP/1.1"):
    """Return the bytes of a request."""
    lines = [line, "Host: x", "Content-Type: application/hl7-v2", *headers]
    return "".join(f"{each}\r\n" for each in lines).encode() + b"\r\n" + body


def told(*parts, pause=0.0, after=True, **http):
    """Return the raw response and the released values; check that the next client is served."""
    shelf = Shelf()

    async def go():
        async with posting(shelf, **http) as listener:
            answer = await listener.raw(*parts, pause=pause)
            if after:
                assert 200 == (await listener.post(adt(99))).status_code
            return answer

    return asyncio.run(go()), shelf.values()[:-1] if after else shelf.values()


@pytest.fixture(autouse=True)
def _nothing_is_told(capfd):
    """Check that no log line contains sent text or a traceback."""
    configure_logs("debug")
    yield
    out = "".join(capfd.readouterr())
    assert NAME not in out
    assert "Traceback" not in out
    configure_logs("info")


def test_a_huge_message_is_refused_before_it_is_sent():
    """A Content-Length over the limit is refused before any byte of the message is read."""
    answer, kept = told(request("Content-Length: 99999999999"), max_message_bytes=2_000)
    assert answer.startswith(b"HTTP/1.1 413 ")
    assert b'"code":"too-large"' in answer
    assert [] == kept


def test_chunks_without_end_are_refused():
    """Chunks that exceed the message limit are refused, and the rest is not read."""
    chunk = b"1000\r\n" + b"y" * 4096 + b"\r\n"
    answer, kept = told(
        request("Transfer-Encoding: chunked"), *([chunk] * 20), max_message_bytes=10_000
    )
    assert answer.startswith(b"HTTP/1.1 413 ")
    assert [] == kept


def test_who_sends_on_after_a_refusal_is_cut_off(monkeypatch):
    """The connection ends if a client keeps sending after a refusal."""
    monkeypatch.setattr(app, "LINGER_SECONDS", 0.2)

    async def go():
        async with posting(Shelf(), max_message_bytes=2_000) as listener:
            _, writer = await asyncio.open_connection("127.0.0.1", listener.transport.port)
            writer.write(request("Transfer-Encoding: chunked"))
            began = time.monotonic()
            with contextlib.suppress(ConnectionError):
                while time.monotonic() < began + 10:
                    writer.write(b"400\r\n" + b"y" * 1024 + b"\r\n")
                    await writer.drain()
                    await asyncio.sleep(0.01)
            writer.close()
            return time.monotonic() - began

    assert asyncio.run(go()) < 5


def test_a_slow_message_is_refused():
    """A message that is incomplete at its time limit gets 408, and other clients are served."""
    answer, kept = told(request("Content-Length: 500", body=adt()), message_seconds=0.2)
    assert answer.startswith(b"HTTP/1.1 408 ")
    assert [] == kept


@pytest.mark.parametrize("begun", [b"", b"POST / HT", HEAD.encode()])
def test_a_slow_head_ends_the_connection(monkeypatch, begun):
    """A head that is incomplete at its time limit ends the connection without a response."""
    monkeypatch.setattr(connection, "HEAD_SECONDS", 0.2)
    assert (b"", []) == told(begun)


def test_a_head_that_drips_ends_the_connection(monkeypatch):
    """The head's time limit is not extended by further bytes, nor for a second request."""
    monkeypatch.setattr(connection, "HEAD_SECONDS", 0.3)
    drops = [b"X-A: 1\r\n"] * 20
    assert (b"", []) == told(HEAD.encode(), *drops, pause=0.05)
    whole = request(f"Content-Length: {len(adt())}", body=adt())
    answer, kept = told(whole, HEAD.encode(), *drops, pause=0.05)
    assert 1 == answer.count(b"HTTP/1.1 ")
    assert 1 == len(kept)


def test_connections_are_bounded():
    """A connection over the limit is closed; after one has ended, another is served."""

    async def go():
        async with posting(Shelf(), max_connections=2) as listener:
            port = listener.transport.port
            held = [await asyncio.open_connection("127.0.0.1", port) for _ in range(2)]
            third = await listener.raw(request(f"Content-Length: {len(adt())}", body=adt()))
            for _, writer in held:
                writer.close()
            await asyncio.sleep(0.05)
            return third, (await listener.post(adt())).status_code

    assert (b"", 200) == asyncio.run(go())


@pytest.mark.parametrize(
    ("line", "status"),
    [
        (f"POST /{NAME} HTTP/1.1", b"404"),
        (f"POST /?name={NAME} HTTP/1.1", b"200"),
        ("POST // HTTP/1.1", b"404"),
        ("POST /%2f HTTP/1.1", b"404"),
        ("POST /.%2e/%2e%2e/etc/passwd HTTP/1.1", b"404"),
        ("POST /../../etc/passwd HTTP/1.1", b"404"),
        (f"POST http://{NAME}/ HTTP/1.1", b"404"),
        ("POST * HTTP/1.1", b"404"),
        (f"{NAME} / HTTP/1.1", b"405"),
        ("CONNECT / HTTP/1.1", b"405"),
        (f"POST /{NAME} HTTP/9.9", b"404"),
        (f"POST /{NAME}\x01 HTTP/1.1", b"400"),
        (f"POST / {NAME}", b"400"),
    ],
)
def test_paths_and_lines_lead_nowhere_and_are_told_nowhere(line, status):
    """Only the exact path is served, and no response repeats a request line."""
    raw = request(f"Content-Length: {len(adt())}", "Connection: close", body=adt(), line=line)
    answer, kept = told(raw)
    assert status == answer.split(b" ")[1]
    assert NAME.encode() not in answer
    assert (status == b"200") == bool(kept)


@pytest.mark.parametrize(
    "header",
    [
        f"X-A: {NAME}\r\n smuggled: 1",
        f"X-{NAME}\x00: 1",
        f"X A: {NAME}",
        f"Content-Length: {NAME}",
        "Content-Length: -1",
        "Content-Length: 5, 6",
        "Transfer-Encoding: gzip, chunked",
        f"X-A: {'y' * 20_000}",
    ],
)
def test_broken_heads_are_no_requests(header):
    """A malformed head is refused, and neither repeated in the response nor committed."""
    answer, kept = told(request(header, "Connection: close", body=b"x"))
    assert answer.split(b" ")[1] in {b"400", b"411", b"501", b"202"}
    assert NAME.encode() not in answer
    assert [value for value in kept if b"x" != value] == []


def test_two_lengths_are_one_too_many():
    """A request with Content-Length and Transfer-Encoding is refused as ambiguous."""
    body = b"5\r\nhello\r\n0\r\n\r\n"
    answer, kept = told(request("Content-Length: 3", "Transfer-Encoding: chunked", body=body))
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert b'"code":"ambiguous"' in answer
    assert [] == kept


def test_values_of_a_message_break_no_header():
    """Line ends and names in a held message do not get into the response."""
    body = f"MSX|\r\nSet-Cookie: {NAME}=1\r\n\r\n{NAME}".encode()
    answer, _ = told(request(f"Content-Length: {len(body)}", "Connection: close", body=body))
    head, _, rest = answer.partition(b"\r\n\r\n")
    assert b"202" == head.split(b" ")[1]
    assert b"cookie" not in head.lower()
    assert NAME.encode() not in head + rest


def test_a_broken_chunk_ends_the_request():
    """A malformed chunk is answered with 400, and the message is not accepted."""
    head = request("Transfer-Encoding: chunked")
    answer, kept = told(head, b"5\r\nMSH|^", b"zz\r\n", pause=0.05)
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert [] == kept


def test_a_message_that_ends_early_is_not_taken():
    """A message whose sender disconnects within it is not processed, and its place is freed."""

    async def go():
        shelf = Shelf()
        async with posting(shelf) as listener:
            reader, writer = await asyncio.open_connection("127.0.0.1", listener.transport.port)
            writer.write(request("Content-Length: 5000", body=adt()))
            await writer.drain()
            writer.close()
            await reader.read()
            await listener.post(adt(2))
            return len(shelf.values()), listener.transport.app.room.messages

    assert (1, 64) == asyncio.run(go())


def test_requests_in_a_row_are_answered_in_their_order():
    """Pipelined requests are answered and processed in order."""
    several = b"".join(request(f"Content-Length: {len(adt(n))}", body=adt(n)) for n in range(3))
    last = request("Connection: close", f"Content-Length: {len(adt(3))}", body=adt(3))
    answer, kept = told(several + last)
    assert 4 == answer.count(b"HTTP/1.1 200 ")
    assert sorted(kept) == kept


def test_an_upgrade_is_not_made():
    """An Upgrade header is ignored, and the request is served."""
    upgrade = "Connection: upgrade", "Upgrade: websocket", f"Content-Length: {len(adt())}"
    answer, kept = told(request(*upgrade, body=adt()), max_connections=5, idle_seconds=1)
    assert answer.startswith(b"HTTP/1.1 200 ")
    assert 1 == len(kept)


def test_an_answer_that_nobody_reads_is_given_up(monkeypatch, tmp_path):
    """A connection whose client does not read its large response is closed."""
    monkeypatch.setattr(connection, "STALLED_SECONDS", 0.2)
    token = tmp_path / "token"
    token.write_text("t" * 40)
    token.chmod(0o600)

    async def go():
        async with posting(Shelf(), answer="message", token_file=token) as listener:
            reader, writer = await asyncio.open_connection(
                "127.0.0.1", listener.transport.port, limit=1024
            )
            large = adt(1, "y" * 12_000_000)
            shown = "Authorization: Bearer " + "t" * 40
            writer.write(request(shown, f"Content-Length: {len(large)}", body=large))
            await writer.drain()
            made = listener.transport._state.connections
            await eventually(lambda: made)
            await eventually(lambda: not made)
            writer.close()
            return reader

    assert asyncio.run(go())


def test_what_nobody_foresaw_is_a_bug_without_its_text(monkeypatch):
    """An unexpected exception gives 500 with stage and code; its text appears nowhere."""

    def broken(*_args):
        raise ValueError(NAME)

    monkeypatch.setattr(app, "Exchange", broken)
    body = request(f"Content-Length: {len(adt())}", body=adt())
    answer, kept = told(body, after=False)
    assert answer.startswith(b"HTTP/1.1 500 ")
    assert answer.endswith(b'{"status":"refused","stage":"bug","code":"unexpected"}')
    assert [] == kept
