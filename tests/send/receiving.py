"""A third-party receiver (python-hl7), which answers as it is told."""

from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from hl7.mllp import start_hl7_server


def oru(number, enhanced="||", note="x"):
    """A released message by its number."""
    return (
        f"MSH|^~\\&|LAB|H|EHR|H|20240102||ORU^R01|C{number}|P|2.5|{enhanced}\rOBX|1|TX|||{note}\r"
    ).encode()


@dataclass
class Receiving:
    """What came, in order; ``plan`` says what to do with each that comes, in the end AA."""

    plan: list[str] = field(default_factory=list)
    got: list[str] = field(default_factory=list)
    port: int = 0

    async def serve(self, reader, writer):
        """Answer every message of a connection."""
        try:
            while True:
                message = await reader.readmessage()
                self.got.append(str(message["MSH.10"]))
                for code in (self.plan.pop(0) if self.plan else "AA").split():
                    if code == "close":
                        return
                    if code == "other":
                        writer.writeblock(b"MSH|^~\\&|\rMSA|AA|C999\r")
                    elif code != "silence":
                        writer.writemessage(message.create_ack(code))
        except (OSError, EOFError):
            return
        finally:
            writer.close()


@asynccontextmanager
async def receiving(plan=(), port=None, **options):
    """A receiver while the block runs."""
    receiver = Receiving(list(plan))
    server = await start_hl7_server(
        receiver.serve, "127.0.0.1", port, encoding="latin-1", **options
    )
    receiver.port = server.sockets[0].getsockname()[1]
    try:
        yield receiver
    finally:
        server.close()
