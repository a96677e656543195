"""An adapter in a process of its own, to be killed: ``python adapter_process.py SETTINGS``.

The real one; with STAND_IN set, one whose process function only renames the patient and takes
that many seconds a message. With KILL_AT="commit_transaction after 3" it kills itself after the
third call of that method of its producers has returned; with "before", when it is called.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from adapter.config.settings import load_settings
from adapter.types import Hold, Release


def make_stand_in():
    """A process function without rules."""
    seconds = float(os.environ["STAND_IN"])

    def process(record):
        if seconds:
            time.sleep(seconds)
        if record.value is None:
            return Release(None, key=renamed(record.key))
        if not record.value.lstrip().startswith((b"MSH", b"{")):
            return Hold("decode", "unknown-format")
        return Release(renamed(record.value), key=renamed(record.key), format="hl7v2")

    return process


def renamed(raw):
    """The bytes without the patient's name and number."""
    clean = raw.replace(b"Quillfeather", b"Okafor").replace(b"MRN77", b"X55")
    return clean.replace(b"QUILLFEATHER", b"OKAFOR")


def stand_in(settings):
    """The runner over Kafka, without rules."""
    from adapter.audit import Audit, configure_logs  # noqa: PLC0415
    from adapter.runtime.runner import Runner  # noqa: PLC0415
    from adapter.runtime.workers import Pool  # noqa: PLC0415
    from adapter.sealing.key_lookup import audit_signer  # noqa: PLC0415
    from adapter.sealing.quarantine import Sealer  # noqa: PLC0415
    from adapter.transports.kafka.transport import KafkaTransport  # noqa: PLC0415

    async def go():
        configure_logs(settings.log.level)
        key = settings.keys.quarantine
        async with Pool(make_stand_in, settings.workers.processes) as pool:
            signer = audit_signer(settings)
            transport = KafkaTransport(settings.kafka, settings.workers, signer=signer)
            stop = asyncio.Event()
            asyncio.get_running_loop().add_signal_handler(15, stop.set)
            runner = Runner(transport, pool, Sealer(key.id, {key.id: key.read()}), Audit("d1"))
            await runner.run(stop)
        return 0

    return go()


def kill_at(wish):
    """Have this process kill itself at a call of a method of Kafka's producers."""
    from aiokafka import AIOKafkaProducer  # noqa: PLC0415

    name, when, number = wish.split()
    method, calls = getattr(AIOKafkaProducer, name), [0]

    async def deadly(self, *args, **kwargs):
        calls[0] += 1
        last = calls[0] == int(number)
        if last and when == "before":
            os.kill(os.getpid(), signal.SIGKILL)
        answer = await method(self, *args, **kwargs)
        if last:
            os.kill(os.getpid(), signal.SIGKILL)
        return answer

    setattr(AIOKafkaProducer, name, deadly)


def main():
    """Run until killed or told to stop."""
    if os.environ.get("KILL_AT"):
        kill_at(os.environ["KILL_AT"])
    settings = load_settings(Path(sys.argv[1]))
    if os.environ.get("STAND_IN"):
        return asyncio.run(stand_in(settings))
    from adapter.runtime.service import serve  # noqa: PLC0415

    return asyncio.run(serve(settings))


if __name__ == "__main__":
    sys.exit(main())
