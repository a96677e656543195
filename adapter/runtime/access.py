"""Audit records of operators' accesses to originals, written before anything is opened or settled.

Without an audit record no original is opened. A record says who, when, why and which message, but
never contains its text.
"""

from __future__ import annotations

import getpass
import json
import os
import time
from typing import TYPE_CHECKING, Any

from adapter.errors import RuleError
from adapter.transports.protocol import TransportError
from adapter.transports.registry import backend

if TYPE_CHECKING:
    from adapter.config.settings import Settings
    from adapter.sealing.quarantine import Held


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
    except TransportError:
        raise RuleError("audit", "the record cannot be written, so no original is opened") from None


def _now() -> int:
    return round(time.time() * 1000)


def _json(record: dict[str, Any]) -> bytes:
    return json.dumps(record, separators=(",", ":")).encode()
