"""Audit records of operators' accesses to originals, written before anything is opened or settled.

Without an audit record no original is opened. A record says who, when, why and which message, but
never contains its text.
"""

from __future__ import annotations

import asyncio
import getpass
import json
import os
import time
from contextlib import contextmanager
from dataclasses import asdict
from threading import Thread
from typing import TYPE_CHECKING, Any

from adapter.audit import Event, log
from adapter.errors import RuleError
from adapter.telemetry.error_names import named
from adapter.transports.protocol import TransportError
from adapter.transports.registry import backend

if TYPE_CHECKING:
    from collections.abc import Iterator

    from adapter.config.settings import Settings
    from adapter.sealing.quarantine import Held
    from adapter.transports.backend import AccessLog

SECONDS = 15.0
"""Longest wait of a program that runs on for a record, the turns of other records included."""


def entry(access: str, reason: str, **told: Any) -> bytes:
    """Return an audit record, dated now, of an access by the user of this process."""
    who = {"user": getpass.getuser(), "uid": os.getuid()}
    why = {"reason": reason} if reason else {}
    return _json({"time_ms": _now(), "access": access, **who, **why, **told})


def discarded(held: Held | None, place: str, user: str, reason: str) -> bytes:
    """Return the audit record, dated now, of a held message that is settled without release.

    ``place`` is where its envelope is stored; ``reason`` is the operator's text.
    """
    record: dict[str, Any] = {"time_ms": _now(), "outcome": "discarded"}
    if held is not None:
        record |= {"topic": held.topic, "partition": held.partition, "offset": held.offset}
        record |= {"stage": held.stage, "code": held.code, "id": held.id}
    return _json(record | {"place": place, "user": user, "reason": reason})


async def record(settings: Settings, access: str, reason: str, **told: Any) -> None:
    """Write the audit record of an access; it is durable when this returns.

    Raises:
        RuleError: the settings keep no audit, or the record could not be written.
    """
    try:
        await backend(settings).record(settings, entry(access, reason, **told))
    except TransportError as error:
        raise RuleError("audit", _not_written(error.described)) from None


def is_audited(settings: Settings) -> bool:
    """Return whether the settings keep an audit, in which accesses must be recorded."""
    kind = backend(settings)
    try:
        kind.require_audit(settings)
    except RuleError:
        return False
    return True


class Accesses:
    """Records accesses for a program that runs on, from any of its threads, one after another.

    A thread of its own has the event loop that a Kafka producer, kept between records, is bound to.
    """

    def __init__(self, log: AccessLog, seconds: float = SECONDS) -> None:
        self._log = log
        self._seconds = seconds
        self._turn = asyncio.Lock()
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()

    def record(self, access: str, reason: str, **told: Any) -> None:
        """Write the audit record of an access; it is durable when this returns.

        Raises:
            RuleError: the record could not be written, or not in time.
        """
        written = self._written(entry(access, reason, **told))
        try:
            asyncio.run_coroutine_threadsafe(written, self._loop).result()
        except (TransportError, TimeoutError) as error:
            log(Event.NOT_RECORDED, "error", **_cause(error))
            why = error.described if isinstance(error, TransportError) else "not in time"
            raise RuleError("audit", _not_written(why)) from None

    async def _written(self, record: bytes) -> None:
        async with asyncio.timeout(self._seconds), self._turn:
            await self._log.write(record)

    def close(self) -> None:
        """Close the log and end the thread."""
        asyncio.run_coroutine_threadsafe(self._log.close(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


@contextmanager
def accesses(settings: Settings, name: str) -> Iterator[Accesses | None]:
    """Open the audit for a program of this name while the block runs; None without an audit."""
    if not is_audited(settings):
        yield None
        return
    opened = Accesses(backend(settings).access_log(settings, name))
    try:
        yield opened
    finally:
        opened.close()


def _not_written(why: str) -> str:
    return f"the record cannot be written ({why}), so no original is opened"


def _cause(error: Exception) -> dict[str, str]:
    """Return why a record was not written, in names of closed sets and the topic's."""
    if not isinstance(error, TransportError):
        return named(error)
    return {"code": error.code} | {
        key: value for key, value in asdict(error.cause).items() if value
    }


def _now() -> int:
    return round(time.time() * 1000)


def _json(record: dict[str, Any]) -> bytes:
    return json.dumps(record, separators=(",", ":")).encode()
