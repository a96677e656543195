"""The MLLP listener with a third-party client (python-hl7): it answers only committed messages."""

from __future__ import annotations

import asyncio
import random
import re
import struct
from contextlib import suppress
from socket import SO_LINGER, SOL_SOCKET

import pytest

from adapter.audit import configure_logs
from adapter.config.listeners.mllp import Mllp
from adapter.config.settings import Workers
from adapter.errors import RuleError
from adapter.transports.mllp import connection
from adapter.transports.mllp.framing import framed
from adapter.transports.mllp.transport import MllpTransport
from adapter.transports.protocol import Channel
from tests.transports.mllp.listening import (
    SEALER,
    Shelf,
    adt,
    answer,
    eventually,
    exchange,
    listening,
)

NUMBER = re.compile(rb"\|C(\d+)\|")


def numbers(values):
    """Return the numbers of messages, in order."""
    return [int(NUMBER.search(value)[1]) for value in values]


def test_a_message_is_answered_when_its_outcome_is_committed():
    """A message is answered only after its outcome is committed."""
    shelf = Shelf()

    async def go():
        async with listening(shelf, closed=True) as listener:
            reader, writer = await listener.connect()
            writer.writeblock(adt(7))
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(reader.readblock(), 0.1)
            before = len(shelf.kept)
            listener.pool.gate.set()
            return before, await answer(reader)

    assert (0, ("AA", "C7")) == asyncio.run(go())
    assert [adt(7).replace(b"QUILLFEATHER", b"OKAFOR")] == shelf.values()


@pytest.mark.parametrize(("held", "code"), [("accept", "AA"), ("error", "AE"), ("reject", "AR")])
def test_a_held_message_is_kept_and_answered_as_the_setting_says(held, code):
    """A held message is sealed whole and answered with the configured code."""
    shelf = Shelf()

    async def go():
        async with listening(shelf, held=held) as listener:
            return await exchange(await listener.connect(), b"no message", adt(2))

    assert [(code, ""), ("AA", "C2")] == asyncio.run(go())
    (envelope,) = shelf.values(Channel.HELD)
    assert b"no message" == SEALER.open(envelope)[1].value
    assert 2 == len(shelf.values(Channel.AUDIT))


def test_a_message_that_is_kept_nowhere_is_rejected():
    """A message too large for output and quarantine is rejected, so its sender keeps it."""
    shelf = Shelf(most=1_500)
    incompressible = random.Random(1).randbytes(3_000).hex()

    async def go():
        async with listening(shelf) as listener:
            return await exchange(await listener.connect(), adt(1, incompressible), adt(2))

    assert [("AR", "C1"), ("AA", "C2")] == asyncio.run(go())
    assert [2] == numbers(shelf.values())


def test_a_message_over_the_bound_is_rejected_in_its_turn():
    """A message over the size limit is rejected in message order, and the connection continues."""
    shelf = Shelf()

    async def go():
        async with listening(shelf, closed=True, max_message_bytes=2_000) as listener:
            reader, writer = await listener.connect()
            for message in (adt(1), adt(2, "y" * 200_000), adt(3)):
                writer.writeblock(message)
            await asyncio.sleep(0.05)
            listener.pool.gate.set()
            return [await answer(reader) for _ in range(3)]

    assert [("AA", "C1"), ("AR", "C2"), ("AA", "C3")] == asyncio.run(go())
    assert [1, 3] == numbers(shelf.values())


def test_many_connections_each_in_their_order():
    """Messages of twenty concurrent senders are released once, in each sender's order."""
    shelf = Shelf()

    async def send(listener, sender):
        messages = [adt(1000 * sender + n) for n in range(30)]
        streams = await listener.connect()
        told = await exchange(streams, *messages)
        streams[1].close()
        return told

    async def go():
        async with listening(shelf, Workers(batch_records=7)) as listener:
            return await asyncio.gather(*(send(listener, sender) for sender in range(1, 21)))

    told = asyncio.run(go())
    assert [[("AA", f"C{1000 * s + n}") for n in range(30)] for s in range(1, 21)] == told
    found = numbers(shelf.values())
    assert 600 == len(set(found)) == len(found)
    by_sender = [[n for n in found if n // 1000 == sender] for sender in range(1, 21)]
    assert all(sorted(each) == each for each in by_sender)


def test_messages_sent_without_waiting_are_answered_in_order():
    """A connection's answers are in the order of its messages, whatever the batches."""
    shelf = Shelf()

    async def go():
        async with listening(shelf, Workers(batch_records=3)) as listener:
            reader, writer = await listener.connect()
            writer.write(b"".join(framed(adt(n)) + b"\r\n" for n in range(100)))
            return [await answer(reader) for _ in range(100)]

    assert [("AA", f"C{n}") for n in range(100)] == asyncio.run(go())
    assert list(range(100)) == numbers(shelf.values())


@pytest.mark.parametrize("text", ["short", "y" * 100_000, "y" * 1_000_000])
def test_a_sender_that_does_not_wait_is_held_back(text):
    """While nothing is committed, the bytes and messages read from a connection are bounded."""

    async def go():
        async with listening(Shelf(), Workers(batch_records=1), closed=True) as listener:
            _, writer = await listener.connect()
            block, taken = framed(adt(1, text)), 0
            with suppress(TimeoutError):
                async with asyncio.timeout(0.3):
                    while taken < 60_000_000:
                        writer.write(block)
                        await writer.drain()
                        taken += len(block)
            (only,) = listener.transport._connections.values()
            return taken, only._unanswered, only._bytes, len(block)

    taken, unanswered, size, length = asyncio.run(go())
    assert taken < 40_000_000
    assert 1 <= unanswered <= connection.UNANSWERED
    assert size < connection.SMALL + length


def test_large_messages_share_memory():
    """Of several connections with large messages, only as many are read as fit in memory."""

    async def go():
        sizes = {"max_message_bytes": 1 << 20, "receive_bytes": 2 << 20}
        async with listening(Shelf(), closed=True, **sizes) as listener:
            streams = [await listener.connect() for _ in range(6)]
            for _, writer in streams:
                writer.writeblock(adt(1, "y" * 900_000))
            await eventually(listener.transport.large.locked)
            await asyncio.sleep(0.1)
            given = len(listener.transport.lane._given)
            listener.pool.gate.set()
            return given, [await answer(reader) for reader, _ in streams]

    given, told = asyncio.run(go())
    assert given <= 2
    assert [("AA", "C1")] * 6 == told


def test_a_slow_sender_is_closed_without_an_answer():
    """A message that is incomplete at its time limit ends the connection without an answer."""
    shelf = Shelf()

    async def go():
        async with listening(shelf, message_seconds=0.2) as listener:
            reader, writer = await listener.connect()
            ending = asyncio.create_task(reader.read())
            writer.write(b"\x0bMSH|")
            written = 0
            while not ending.done() and written < 500:
                writer.write(b"x")
                written += 1
                await asyncio.sleep(0.01)
            with suppress(ConnectionResetError):
                assert b"" == await ending
            return written

    assert asyncio.run(go()) < 100
    assert [] == shelf.kept


def test_an_idle_sender_is_closed_if_the_setting_says_so():
    """An idle connection is closed after the configured time, by default never."""

    async def go(**options):
        async with listening(Shelf(), **options) as listener:
            reader, _ = await listener.connect()
            with suppress(TimeoutError):
                return await asyncio.wait_for(reader.read(), 0.3)

    assert (b"", None) == (asyncio.run(go(idle_seconds=0.1)), asyncio.run(go()))


@pytest.mark.parametrize("raw", [b"\x0bMSH|^~\\&|cut", b"MSH|^~\\&|unframed\r", b"\x0b\x1c\r", b""])
def test_what_is_no_whole_block_is_no_message(raw):
    """An incomplete, unframed or empty block is neither answered nor kept."""
    shelf = Shelf()

    async def go():
        async with listening(shelf) as listener:
            reader, writer = await listener.connect()
            writer.write(raw)
            writer.write_eof()
            found = await asyncio.wait_for(reader.read(), 5)
            return found, await exchange(await listener.connect(), adt(5))

    assert (b"", [("AA", "C5")]) == asyncio.run(go())
    assert [5] == numbers(shelf.values())


def test_endless_bytes_between_messages_end_the_connection():
    """A connection with too many bytes outside of blocks is closed."""

    async def go():
        async with listening(Shelf()) as listener:
            reader, writer = await listener.connect()
            with suppress(OSError):
                for _ in range(100):
                    writer.write(b"GET / HTTP/1.1\r\n" * 100)
                    await writer.drain()
            with suppress(OSError):
                return await asyncio.wait_for(reader.read(), 5)

    assert not asyncio.run(go())


def test_line_ends_between_messages_are_nothing():
    """Line ends between blocks, which many senders add, are ignored."""

    async def go():
        async with listening(Shelf()) as listener:
            reader, writer = await listener.connect()
            told = []
            for n in range(3):
                writer.write(b"\r\n" * 20_000 + framed(adt(n)))
                told.append(await answer(reader))
            return told

    assert [("AA", f"C{n}") for n in range(3)] == asyncio.run(go())


def test_a_sender_that_has_said_its_last_is_answered():
    """A sender that has closed its side of the connection still gets its answers."""

    async def go():
        async with listening(Shelf()) as listener:
            reader, writer = await listener.connect()
            writer.writeblock(adt(1))
            writer.write_eof()
            return await answer(reader), await reader.read()

    assert (("AA", "C1"), b"") == asyncio.run(go())


def test_after_a_failed_commit_the_message_comes_again():
    """After failed commits, a message is processed again, released once, and then answered."""
    shelf = Shelf(faults=["before", "before"])

    async def go():
        async with listening(shelf) as listener:
            return await exchange(await listener.connect(), adt(1), adt(2))

    assert [("AA", "C1"), ("AA", "C2")] == asyncio.run(go())
    assert [1, 2] == numbers(shelf.values())


def test_a_commit_that_happened_after_all_is_not_repeated():
    """A commit of unknown outcome is resolved by the outlet's offset, and not repeated."""
    shelf = Shelf(faults=["after", "", "after"])

    async def go():
        async with listening(shelf) as listener:
            return await exchange(await listener.connect(), adt(1), b"no message", adt(3))

    assert [("AA", "C1"), ("AA", ""), ("AA", "C3")] == asyncio.run(go())
    assert [1, 3] == numbers(shelf.values())
    assert 1 == len(shelf.values(Channel.HELD))


def test_what_nobody_waits_for_any_more_is_not_begun():
    """Waiting messages of a lost connection are not processed: their sender still has them."""
    shelf = Shelf()

    async def go():
        async with listening(shelf, Workers(batch_records=1), closed=True) as listener:
            first = await listener.connect()
            first[1].write(b"".join(framed(adt(n)) for n in range(10)))
            await eventually(lambda: listener.transport.lane.waiting() > 5)
            reset = struct.pack("ii", 1, 0)
            first[1].get_extra_info("socket").setsockopt(SOL_SOCKET, SO_LINGER, reset)
            first[1].transport.abort()
            await eventually(lambda: not listener.transport._connections)
            second = await listener.connect()
            second[1].writeblock(adt(77))
            await eventually(lambda: listener.transport.lane.waiting() > 6)
            listener.pool.gate.set()
            return await answer(second[0])

    assert ("AA", "C77") == asyncio.run(go())
    found = numbers(shelf.values())
    assert (77, True) == (found[-1], len(found) < 6)


def test_a_stop_answers_what_is_begun_and_leaves_the_rest():
    """At a stop, exactly the committed messages are answered; senders keep the others."""
    shelf = Shelf()

    async def go():
        async with listening(shelf, Workers(batch_records=2), closed=True) as listener:
            reader, writer = await listener.connect()
            writer.write(b"".join(framed(adt(n)) for n in range(12)))
            await eventually(lambda: listener.transport.lane.waiting() > 2)
            listener.stop.set()
            await asyncio.sleep(0.05)
            listener.pool.gate.set()
            told = []
            with suppress(asyncio.IncompleteReadError):
                while True:
                    told.append(await answer(reader))
            with pytest.raises(OSError, match="onnect"):
                await listener.connect()
            return told

    told = asyncio.run(go())
    assert 0 < len(told) < 12
    assert [("AA", f"C{n}") for n in numbers(shelf.values())] == told


def test_one_connection_too_many_is_closed_at_once():
    """A connection over the limit is closed at once, and existing ones continue."""

    async def go():
        async with listening(Shelf(), max_connections=2) as listener:
            first, second = await listener.connect(), await listener.connect()
            third = await listener.connect()
            refused = await asyncio.wait_for(third[0].read(), 5)
            told = await exchange(first, adt(1)) + await exchange(second, adt(2))
            first[1].close()
            await eventually(lambda: len(listener.transport._connections) < 2)
            return refused, told + await exchange(await listener.connect(), adt(3))

    assert (b"", [("AA", "C1"), ("AA", "C2"), ("AA", "C3")]) == asyncio.run(go())


def test_enhanced_mode_answers_twice_in_order():
    """In enhanced mode the accept acknowledgement precedes the application acknowledgement."""

    async def go():
        async with listening(Shelf()) as listener:
            reader, writer = await listener.connect()
            writer.writeblock(adt(1, enhanced="||AL|AL"))
            writer.writeblock(adt(2, enhanced="||AL|NE"))
            return [await answer(reader) for _ in range(3)]

    assert [("CA", "C1"), ("AA", "C1"), ("CA", "C2")] == asyncio.run(go())


def test_logs_tell_nothing_of_messages(capfd):
    """No log level shows anything that a sender sent."""
    configure_logs("debug")

    async def go():
        async with listening(Shelf(), max_message_bytes=2_000) as listener:
            await exchange(await listener.connect(), adt(1), b"QUILLFEATHER", adt(2, "y" * 3_000))
            for raw in (b"\x0bMSH|QUILLFEATHER", b"QUILLFEATHER" * 9_000):
                reader, writer = await listener.connect()
                writer.write(raw)
                writer.write_eof()
                with suppress(OSError):
                    await reader.read()

    asyncio.run(go())
    err = capfd.readouterr().err
    configure_logs("warning")
    assert ("connection closed" in err, "message refused" in err) == (True, True)
    assert "quillfeather" not in err.lower()


def test_an_address_that_is_taken_is_named():
    """An address in use is reported with the setting."""

    async def go():
        async with listening(Shelf()) as listener:
            taken = Mllp(port=listener.transport.port)
            await MllpTransport(taken, Workers(), Shelf()).start()

    with pytest.raises(RuleError, match=r"mllp.host: cannot listen on .*in use"):
        asyncio.run(go())


def test_nobody_is_let_in_before_outcomes_can_go_somewhere():
    """Until the outlet is opened, the listener is not ready and refuses connections."""
    shelf = Shelf(closed=3)

    async def go():
        waiting = MllpTransport(Mllp(port=0), Workers(), shelf)
        await waiting.start()
        with pytest.raises(ConnectionRefusedError):
            await asyncio.open_connection("127.0.0.1", waiting.port)
        lacking = waiting.lacking()
        await waiting.stop()
        async with listening(shelf) as listener:
            return lacking, await exchange(await listener.connect(), adt(1))

    assert (("lanes",), [("AA", "C1")]) == asyncio.run(go())
    assert 4 == shelf.opened


def test_positions_lie_behind_those_of_an_earlier_run():
    """Positions follow those of an earlier run even if the clock is behind."""
    shelf = Shelf(offset=1 << 60, faults=["before"])

    async def go():
        async with listening(shelf) as listener:
            return await exchange(await listener.connect(), adt(1)), len(shelf.values())

    assert ([("AA", "C1")], 1) == asyncio.run(go())
