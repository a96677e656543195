"""A client of an MLLP receiver: sends a message, returns its acknowledgement (HL7 v2.8.2, 2.9)."""

from __future__ import annotations

import asyncio
import ssl
from contextlib import suppress
from typing import TYPE_CHECKING

from adapter.audit import Event, log
from adapter.errors import RuleError
from adapter.transports.mllp.framing import Framer, framed
from adapter.transports.mllp.header import read_header

if TYPE_CHECKING:
    from adapter.config.send import ReceiverTls, Send
    from adapter.transports.mllp.header import Header

ACCEPTED = frozenset({"AA", "CA"})
REFUSED = frozenset({"AE", "AR", "CE", "CR"})
LONGEST_ANSWER = 1 << 20
_READ = 1 << 16
_WANTED = frozenset({"AL", "SU"})
"""Conditions of table 0155 under which success is acknowledged."""


class NoAnswerError(Exception):
    """It is unknown whether the receiver has the message."""


class Receiver:
    """One connection, opened when it is needed."""

    def __init__(self, send: Send) -> None:
        """Keep the settings; do not connect yet.

        Raises:
            RuleError: TLS cannot be used.
        """
        self._send = send
        self._tls = client_context(send.tls)
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self._framer = Framer(LONGEST_ANSWER)

    async def deliver(self, value: bytes) -> str:
        """Send a message once, and return MSA-1 of its answer; "" if it asks for no answer.

        Raises:
            NoAnswerError: there was no answer in time.
        """
        try:
            async with asyncio.timeout(self._send.answer_seconds):
                return await self._exchanged(value)
        except (OSError, EOFError) as error:  # TimeoutError is an OSError
            await self.close()
            raise NoAnswerError(type(error).__name__) from None

    async def _exchanged(self, value: bytes) -> str:
        reader, writer = self._streams = self._streams or await self._connected()
        writer.write(framed(value))
        await writer.drain()
        header = read_header(value)
        kinds = _kinds(header)
        while kinds:
            data = await reader.read(_READ)
            if not data:
                raise EOFError
            if code := self._answer(data, header, kinds):
                return code
        return ""

    def _answer(self, data: bytes, header: Header, kinds: str) -> str:
        """Return MSA-1 of the answer that settles a message, or ""; answers to others are ignored.

        A refusal that does not settle the message is logged.
        """
        settled = ""
        for block in self._framer.feed(data):
            code, control_id = read_answer(block.value)
            meant = code[:1] in {*kinds} and control_id in {"", header.control_id}
            if meant and not settled:
                settled = code
            elif code in REFUSED:
                log(Event.REFUSED_LATER, "warning", code=code)
        return settled

    async def _connected(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        streams = await asyncio.open_connection(self._send.host, self._send.port, ssl=self._tls)
        self._framer = Framer(LONGEST_ANSWER)
        log(Event.CONNECTED, port=self._send.port)
        return streams

    async def close(self) -> None:
        """Close the connection, if there is one."""
        streams, self._streams = self._streams, None
        if streams is not None:
            streams[1].close()
            with suppress(OSError):
                await asyncio.wait_for(streams[1].wait_closed(), 1)


def _kinds(header: Header) -> str:
    """Return the first letters of codes that settle a message, "A" or "C"; "" if none is asked for.

    If both acknowledgements are asked for, the first one (safe receipt) settles the message.
    """
    if not header.enhanced:
        return "AC"  # some receivers always answer in the enhanced mode
    if header.accept in _WANTED:
        return "C"
    return "A" if header.application in _WANTED else ""


def read_answer(value: bytes) -> tuple[str, str]:
    """Return MSA-1 and MSA-2 of an acknowledgement; both are "" if it has no MSA segment."""
    header = read_header(value)
    lines = value.decode(header.codec, "replace").splitlines()
    for line in lines:
        fields = [*line.split(header.separator), "", ""]
        if fields[0] == "MSA":
            return fields[1].strip(), fields[2].strip()
    return "", ""


def client_context(tls: ReceiverTls) -> ssl.SSLContext | None:
    """Return the TLS context of the settings, or None for plain TCP.

    Raises:
        RuleError: a file cannot be read, or has the wrong content.
    """
    if not tls.enabled:
        return None
    password = tls.key_password.get_secret_value() if tls.key_password else ""
    try:
        context = ssl.create_default_context(cafile=tls.cafile)
        context.check_hostname = tls.check_hostname
        if tls.certfile is not None:
            context.load_cert_chain(tls.certfile, tls.keyfile, lambda: password)
    except (OSError, ValueError) as error:
        raise RuleError("send.tls", f"cannot be used ({type(error).__name__})") from None
    return context
