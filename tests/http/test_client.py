"""One request: an answer in time and within bounds, or a word that says why there is none."""

from __future__ import annotations

import re
import socket
import threading
import time
from contextlib import contextmanager

import pytest

from adapter.http import client
from adapter.http.client import RequestError, Trust, fetched


def received(connected):
    """A request, with the body that its head tells of."""
    data = b""
    while b"\r\n\r\n" not in data:
        data += connected.recv(1 << 16)
    head, _, body = data.partition(b"\r\n\r\n")
    length = re.search(rb"Content-Length: (\d+)", head)
    while length and len(body) < int(length[1]):
        body += connected.recv(1 << 16)
    return head + b"\r\n\r\n" + body


@contextmanager
def answering(*pieces, pause=0.0):
    """A server that writes pieces, each after a pause; gives its address and what it was asked."""
    seen, done = [], threading.Event()

    def serve():
        connected, _ = listener.accept()
        with connected:
            seen.append(received(connected))
            for piece in pieces:
                done.wait(pause)
                try:
                    connected.sendall(piece)
                except OSError:
                    return

    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = threading.Thread(target=serve)
        server.start()
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}", seen
        finally:
            done.set()
            server.join()


def asked(url, seconds=5.0, body=None):
    """The answer."""
    return fetched(url, {"Accept": "x"}, Trust(), seconds, body)


def refused(url, seconds=5.0):
    """The word for no answer."""
    with pytest.raises(RequestError) as error:
        asked(url, seconds)
    return error.value.reason


OK = b"HTTP/1.1 200 OK\r\n"


@pytest.mark.parametrize(
    ("head", "rest"),
    [
        (OK + b"Content-Length: 60\r\n\r\n", b"x" * 60),
        (OK, b"X-Header: " + b"x" * 50),
        (OK + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\nx\r\n" * 10),
        (b"", b"H" * 60),
    ],
)
def test_an_answer_has_one_time_for_all_of_it(head, rest):
    """However little of head or body comes at a time, and that it comes at all."""
    pieces = [rest[n : n + 1] for n in range(len(rest))]
    with answering(head, *pieces, pause=0.1) as (url, _):
        begun = time.monotonic()
        assert "TimeoutError" == refused(url, seconds=0.5)
        assert time.monotonic() - begun < 2


@pytest.mark.parametrize(
    ("answer", "body"),
    [
        (b"Content-Length: 2\r\n\r\nab", b"ab"),
        (b"Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n", b"ab"),
        (b"\r\nab", b"ab"),
    ],
)
def test_an_answer_is_read_whole(answer, body):
    """By its length, in pieces or to its end."""
    with answering(OK, answer) as (url, seen):
        assert body == asked(f"{url}/a/b?c=d")
    (request,) = seen
    assert request.startswith(b"GET /a/b?c=d HTTP/1.1\r\n")


def test_a_body_is_posted():
    """With its length, behind the headers."""
    with answering(OK, b"\r\n") as (url, seen):
        asked(url, body=b"a=b")
    assert (b"POST / HTTP/1.1", b"a=b") == (seen[0][:15], seen[0][-3:])


@pytest.mark.parametrize("status", [b"204", b"302", b"401", b"503"])
def test_another_status_is_told(status):
    """A redirect is not followed."""
    head = b"HTTP/1.1 " + status + b" x\r\nLocation: /y\r\nContent-Length: 0\r\n\r\n"
    with answering(head) as (url, _):
        assert status.decode() == refused(url)


def test_an_answer_that_is_too_long_is_none(monkeypatch):
    """It is not read to its end."""
    monkeypatch.setattr(client, "LONGEST", 9)
    with answering(OK, b"\r\n" + b"x" * 10) as (url, _):
        assert "too-large" == refused(url)


def test_proxies_have_no_say(monkeypatch):
    """Credentials go to the address in the settings and to no other."""
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    with answering(OK, b"\r\nab") as (url, _):
        assert b"ab" == asked(url)


def test_what_is_no_answer_is_told_by_its_kind():
    """Nobody there, or something else than HTTP."""
    with answering(b"SSH-2.0\r\n") as (url, _):
        assert "BadStatusLine" == refused(url)
    assert "ConnectionRefusedError" == refused(url)
