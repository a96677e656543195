"""The outcome of a message that a listener has received, for the answer to its sender."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from adapter.sealing.quarantine import read_clear
from adapter.transports.protocol import Channel

if TYPE_CHECKING:
    from adapter.types import Record


class State(StrEnum):
    """Where a message is after its batch is committed."""

    RELEASED = "released"
    HELD = "held"
    """In the quarantine, with all its bytes."""
    REFUSED = "refused"
    """Not kept: only its sender has it."""


@dataclass(frozen=True, slots=True)
class Result:
    """The outcome of a message; ``code`` is "stage/code" if it was not released."""

    state: State
    code: str = ""
    id: str = field(default="", repr=False)
    """The message's id; empty if unknown."""
    released: Record | None = None


def result_of(channel: Channel, record: Record) -> Result | None:
    """Return the outcome that a sent record states of its message, or None if it states none."""
    if channel is Channel.RELEASED:
        return Result(State.RELEASED, released=record)
    if channel is not Channel.HELD:
        return None
    clear = read_clear(record.value or b"")
    state = State.HELD if clear.payload else State.REFUSED
    return Result(state, f"{clear.stage}/{clear.code}", clear.id)
