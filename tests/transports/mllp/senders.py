"""Senders that load a listener, and repeat each message until it is answered.

Every attempt has its own control id, so that for each one can tell whether it was answered and how
often it was released.
"""

from __future__ import annotations

import asyncio
import random
import re
import signal
import socket
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from hl7.mllp import open_hl7_connection

from tests import processes

PROCESS = Path(__file__).parent / "listener_process.py"
ATTEMPT = re.compile(rb"A(\d+)\.(\d+)\.(\d+)Z")
"""Sender, message and attempt."""
SECONDS = 300
"""Time limit for the messages after the last kill."""
CANARY = b"QUILLFEATHER"


def free_port():
    """Return a free port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def message(sender, number, attempt):
    """Return one attempt; every fiftieth message is not HL7 v2."""
    name = f"A{sender}.{number}.{attempt}Z"
    if number % 50 == 49:
        return f"no message {name} of QUILLFEATHER".encode()
    return (
        f"MSH|^~\\&|LAB|H|EHR|H|20240102||ADT^A01|{name}|P|2.5\r"
        f"PID|1||{sender}^^^H^MR||QUILLFEATHER^JOHN\r"
    ).encode()


@dataclass
class Log:
    """The attempts that were sent, and those that were answered."""

    sent: set = field(default_factory=set)
    answered: set = field(default_factory=set)


async def send(port, sender, total, log):
    """Send all messages in order over one connection at a time."""
    streams, number, attempt = None, 0, 0
    while number < total:
        attempt += 1
        try:
            streams = streams or await open_hl7_connection("127.0.0.1", port)
            log.sent.add((sender, number, attempt))
            streams[1].writeblock(message(sender, number, attempt))
            answer = await asyncio.wait_for(streams[0].readmessage(), 30)
        except (OSError, EOFError):
            if streams:
                streams[1].close()
            streams = None
            await asyncio.sleep(0.02)
            continue
        assert "AA" == str(answer["MSA.1"])
        log.answered.add((sender, number, attempt))
        number += 1
    streams[1].close()


def start(settings, log):
    """Start a listener in a separate process that appends to a log."""
    return processes.Started([PROCESS, settings], stdout=log, stderr=log)


async def killed_runs(settings, port, errors, *, connections, each, kills, by=send):
    """Send everything while the listener is killed ``kills`` times; return its exit status, a log.

    ``by`` is the function that sends the messages of one connection.
    """
    log, dice, total = Log(), random.Random(7), connections * each
    with errors.open("ab") as written:
        process = start(settings, written)
        sending = asyncio.gather(*(by(port, n, each, log) for n in range(connections)))
        for kill in range(1, kills + 1):
            goal = total * kill / (kills + 1)
            while len(log.answered) < goal and not sending.done():
                assert process.poll() is None
                await asyncio.sleep(0.005)
            await asyncio.sleep(dice.uniform(0, 0.1))
            process.kill()
            process.wait()
            process = start(settings, written)
        await asyncio.wait_for(sending, SECONDS)
        process.send_signal(signal.SIGTERM)
        return await asyncio.to_thread(process.wait, 30), log


def attempts(values):
    """Return the attempts that values belong to, in order."""
    return [tuple(map(int, ATTEMPT.search(value).groups())) for value in values]


def account(log, released, held):
    """Check that answered attempts were settled once, others at most once, and all in order."""
    found = Counter(attempts(released) + attempts(held))
    assert [] == [attempt for attempt in log.answered if found[attempt] != 1]
    assert {1} == set(found.values())
    assert [] == [attempt for attempt in found if attempt not in log.sent]
    by_sender: dict = {}
    for attempt in attempts(released):
        by_sender.setdefault(attempt[0], []).append(attempt)
    assert all(sorted(each) == each for each in by_sender.values())
    assert [] == [index for index, value in enumerate(released) if CANARY in value]
    return {
        "answered": len(log.answered),
        "sent": len(log.sent),
        "out": len(released),
        "held": len(held),
        "repeats": sum(found.values()) - len(log.answered),
    }
