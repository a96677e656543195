"""The HTTP listener with a third-party client (httpx): it answers only committed messages."""

from __future__ import annotations

import asyncio
import random
import re

import pytest

from adapter.config.listeners.http import Http
from adapter.config.settings import Workers
from adapter.errors import RuleError
from adapter.transports.http.transport import HttpTransport
from adapter.transports.protocol import Channel
from tests.transports.http.posting import ER7, posted, posting
from tests.transports.mllp.listening import SEALER, Shelf, adt, eventually

TOKEN = "t" * 40


def clean(number=1):
    """Return the released form of a message."""
    return adt(number).replace(b"QUILLFEATHER", b"OKAFOR")


def token_file(folder):
    """Return a file with the token."""
    file = folder / "token"
    file.write_text(TOKEN + "\n")
    file.chmod(0o600)
    return file


def test_a_message_is_answered_when_its_outcome_is_committed():
    """A response is sent only after the outcome is committed, with the id of the output."""
    shelf = Shelf()

    async def go():
        async with posting(shelf, closed=True) as listener:
            asked = asyncio.create_task(listener.post(adt()))
            await asyncio.sleep(0.1)
            before = asked.done(), len(shelf.kept)
            listener.pool.gate.set()
            return before, await asked

    before, answer = asyncio.run(go())
    assert (False, 0) == before
    assert (200, "released") == (answer.status_code, answer.json()["status"])
    assert [clean()] == shelf.values()
    ((_, released),) = [kept for kept in shelf.kept if kept[0] is Channel.RELEASED]
    passed = dict(released.headers)
    assert answer.json()["id"].encode() == passed["deid-id"]
    assert answer.headers["deid-id"].encode() == passed["deid-id"]


@pytest.mark.parametrize(("held", "status"), [("accept", 202), ("reject", 422)])
def test_a_held_message_is_kept_and_answered_as_the_setting_says(held, status):
    """A held message is sealed whole, and answered with the configured status, id and code."""
    shelf = Shelf()
    answer, other = posted(shelf, b"no message", adt(2), held=held)
    assert (status, 200) == (answer.status_code, other.status_code)
    (envelope,) = shelf.values(Channel.HELD)
    clear, record = SEALER.open(envelope)
    assert b"no message" == record.value
    told = {"status": "held", "id": clear.id, "stage": "decode", "code": "unknown-format"}
    assert told == answer.json()
    assert clear.id == answer.headers["deid-id"]


def test_a_message_that_is_kept_nowhere_is_refused():
    """A message too large for output and quarantine is refused, so its sender keeps it."""
    large = adt(1, random.Random(1).randbytes(3_000).hex())
    answer, other = posted(Shelf(most=1_500), large, adt(2))
    assert (413, 200) == (answer.status_code, other.status_code)
    assert ("refused", "transport", "too-large") == tuple(
        answer.json()[key] for key in ("status", "stage", "code")
    )


def test_the_answer_can_be_the_message(tmp_path):
    """With answer = "message", the response is the sanitized message and its provenance."""

    async def go():
        async with posting(Shelf(), answer="message", token_file=token_file(tmp_path)) as listener:
            shown = {"authorization": f"Bearer {TOKEN}"}
            kind = {"content-type": "Text/Plain; charset=utf-8"}
            first = await listener.post(adt(), shown | kind)
            return first, await listener.post(b"no message", shown)

    answer, held = asyncio.run(go())
    assert (200, clean(), "text/plain") == (
        answer.status_code, answer.content, answer.headers["content-type"]
    )  # fmt: skip
    assert {"deid-id", "deid-ruleset", "deid-key"} == {
        name for name in answer.headers if name.startswith("deid-")
    }
    assert (202, "held") == (held.status_code, held.json()["status"])


def test_records_bear_the_type_and_nothing_else_of_the_request():
    """A record has the request's content type and no other of its headers."""
    shelf = Shelf()
    seen = []

    async def go():
        async with posting(shelf) as listener:
            run = listener.pool.run

            async def seeing(batch, notes=None):
                seen.extend(batch)
                return await run(batch, notes)

            listener.pool.run = seeing
            await listener.post(adt(), {"x-patient": "QUILLFEATHER", "deid-id": "1"})

    asyncio.run(go())
    assert [(("content-type", b"application/hl7-v2"),)] == [record.headers for record in seen]


@pytest.mark.parametrize(
    ("headers", "path", "status", "code"),
    [
        ({"content-type": "application/pdf"}, "/", 415, "media-type"),
        ({"content-type": "multipart/form-data; boundary=x"}, "/", 415, "media-type"),
        ({"content-encoding": "gzip"}, "/", 415, "media-type"),
        ({"origin": "null"}, "/", 403, "from-a-page"),
        ({"origin": "http://127.0.0.1"}, "/", 403, "from-a-page"),
        ({"sec-fetch-site": "cross-site"}, "/", 403, "from-a-page"),
        ({}, "/other", 404, "no-such-path"),
        ({}, "/%2F", 404, "no-such-path"),
        ({}, "/Patient/QUILLFEATHER", 404, "no-such-path"),
    ],
)
def test_a_request_that_is_none_is_refused_by_its_head(headers, path, status, code, capfd):
    """A request refused by its head gets a code; response and log repeat nothing of it."""
    shelf = Shelf()

    async def go():
        async with posting(shelf) as listener:
            return await listener.post(adt(), headers, path)

    answer = asyncio.run(go())
    assert (status, {"status": "refused", "stage": "request", "code": code}) == (
        answer.status_code, answer.json()
    )  # fmt: skip
    assert [] == shelf.kept
    assert "QUILLFEATHER" not in answer.text + "".join(capfd.readouterr())


def test_only_posts_are_taken():
    """Other methods than POST get 405 with Allow: POST."""

    async def go():
        async with posting(Shelf()) as listener:
            return [
                await listener.client.request(method, "/", headers=ER7)
                for method in ("GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE")
            ]

    answers = asyncio.run(go())
    assert {(405, "POST")} == {(a.status_code, a.headers["allow"]) for a in answers}


def test_an_empty_message_is_refused():
    """An empty or blank message is refused."""
    answers = posted(Shelf(), b"", b" \r\n")
    assert [(400, "empty")] * 2 == [(a.status_code, a.json()["code"]) for a in answers]


@pytest.mark.parametrize(
    "header",
    [None, "", "Bearer", f"Bearer {TOKEN}x", f"Bearer {TOKEN[:-1]}", f"Basic {TOKEN}", TOKEN],
)
def test_without_the_token_nobody_is_served(tmp_path, header):
    """A request without the token gets 401; with the token the message is accepted."""

    async def go():
        async with posting(Shelf(), token_file=token_file(tmp_path)) as listener:
            shown = {} if header is None else {"authorization": header}
            right = {"authorization": f"bearer {TOKEN}"}
            return await listener.post(adt(), shown), await listener.post(adt(), right)

    refused, taken = asyncio.run(go())
    assert (401, "Bearer", "no-token") == (
        refused.status_code, refused.headers["www-authenticate"], refused.json()["code"]
    )  # fmt: skip
    assert 200 == taken.status_code


def test_a_token_that_others_can_read_or_guess_is_refused(tmp_path):
    """A token file that is readable by others, too short, malformed or missing is refused."""
    for text, mode in ((TOKEN, 0o644), ("short", 0o600), ("two words " * 9, 0o600), ("", 0o600)):
        file = tmp_path / "token"
        file.write_text(text)
        file.chmod(mode)
        with pytest.raises(RuleError) as raised:
            HttpTransport(Http(token_file=file), Workers(), Shelf())
        assert TOKEN not in str(raised.value)
        file.unlink()
    with pytest.raises(RuleError, match=r"http\.token_file"):
        HttpTransport(Http(token_file=file), Workers(), Shelf())


def test_who_finds_no_room_comes_again():
    """A message over the limit of waiting ones gets 503 at once; later messages are accepted."""

    async def go():
        async with posting(Shelf(), closed=True, max_waiting=3) as listener:
            waiting = [asyncio.create_task(listener.post(adt(n))) for n in range(3)]
            await eventually(lambda: listener.transport.app.room.messages == 0)
            refused = await listener.post(adt(4))
            listener.pool.gate.set()
            answers = [await each for each in waiting]
            return refused, answers, await listener.post(adt(5)), listener.transport.app.room

    refused, answers, later, room = asyncio.run(go())
    assert (503, "busy", "1") == (
        refused.status_code, refused.json()["code"], refused.headers["retry-after"]
    )  # fmt: skip
    assert [200] * 4 == [a.status_code for a in (*answers, later)]
    assert (3, 64 << 20) == (room.messages, room.bytes)


def test_bytes_that_wait_are_bounded():
    """A message over the limit of waiting bytes gets 503."""

    async def go():
        small = {"max_message_bytes": 3_000, "receive_bytes": 4_000}
        async with posting(Shelf(), closed=True, **small) as listener:
            first = asyncio.create_task(listener.post(adt(1, "y" * 2_000)))
            await eventually(lambda: listener.transport.app.room.bytes < 4_000)
            second = await listener.post(adt(2, "y" * 2_500))
            listener.pool.gate.set()
            return second, await first

    second, first = asyncio.run(go())
    assert (503, 200) == (second.status_code, first.status_code)


def test_an_outcome_that_is_not_in_time_is_not_known():
    """Without an outcome in time the response is 504, and the message's place is freed."""
    shelf = Shelf()

    async def go():
        async with posting(shelf, closed=True, answer_seconds=0.2) as listener:
            first = await listener.post(adt(1))
            listener.pool.gate.set()
            await eventually(lambda: listener.transport.app.room.messages == 64)
            return first

    answer = asyncio.run(go())
    assert (504, "no-outcome") == (answer.status_code, answer.json()["code"])


def test_after_a_failure_messages_come_again_and_are_answered_once():
    """A failed commit is repeated; one that took effect despite an error is not."""
    shelf = Shelf(faults=["before", "after"])
    answers = posted(shelf, adt(1), adt(2))
    assert [200, 200] == [a.status_code for a in answers]
    assert [clean(1), clean(2)] == shelf.values()


def test_a_sender_that_is_gone_is_forgotten():
    """Waiting messages of disconnected clients are not processed, and their places are freed."""
    shelf = Shelf()

    async def go():
        async with posting(shelf, Workers(batch_records=1), closed=True) as listener:
            asked = [asyncio.create_task(listener.post(adt(n))) for n in range(5)]
            await eventually(lambda: listener.transport.app.room.messages == 59)
            for each in asked:
                each.cancel()
            await asyncio.gather(*asked, return_exceptions=True)
            await asyncio.sleep(0.1)
            listener.pool.gate.set()
            await eventually(lambda: listener.transport.app.room.messages == 64)

    asyncio.run(go())
    assert len(shelf.values()) < 5


def test_a_stop_answers_what_is_begun_and_sends_the_rest_back():
    """At a stop, each message is either answered 200 and released, or answered 503 and not."""
    shelf = Shelf()

    async def go():
        async with posting(shelf, Workers(batch_records=1), closed=True) as listener:
            asked = [asyncio.create_task(listener.post(adt(n))) for n in range(8)]
            await eventually(lambda: listener.transport.app.room.messages == 56)
            listener.stop.set()
            await asyncio.sleep(0.05)
            listener.pool.gate.set()
            answers = await asyncio.gather(*asked)
            await listener.running
            return answers

    answers = asyncio.run(go())
    statuses = [answer.status_code for answer in answers]
    assert {200, 503} == set(statuses)
    numbers = [n for n, status in enumerate(statuses) if status == 200]
    found = [int(re.search(rb"\|C(\d+)\|", value)[1]) for value in shelf.values()]
    assert numbers == sorted(found)
    assert all(a.json()["code"] == "stopping" for a in answers if a.status_code == 503)


def test_many_senders_are_served_at_once():
    """Forty concurrent requests are answered 200, and each message is released once."""
    shelf = Shelf()

    async def go():
        async with posting(shelf, Workers(batch_records=7)) as listener:
            return await asyncio.gather(*(listener.post(adt(n)) for n in range(40)))

    assert {200} == {answer.status_code for answer in asyncio.run(go())}
    assert 40 == len(set(shelf.values())) == len(shelf.values())


def test_nobody_is_let_in_before_outcomes_can_go_somewhere():
    """No connection is accepted until the outlet has been opened."""
    shelf = Shelf(closed=3)
    assert [200] == [a.status_code for a in posted(shelf, adt())]
    assert 4 == shelf.opened


def test_an_address_that_is_taken_is_named():
    """An address in use is reported with the setting."""

    async def go():
        async with posting(Shelf()) as listener:
            second = HttpTransport(Http(port=listener.transport.port), Workers(), Shelf())
            with pytest.raises(RuleError, match=r"http\.host: cannot listen on"):
                await second.start()

    asyncio.run(go())
