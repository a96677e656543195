"""Limits the messages, and their bytes, that arrive and wait at once."""

from __future__ import annotations

from dataclasses import dataclass

from adapter.errors import PostError


@dataclass(slots=True)
class Room:
    """The messages and bytes that still fit; a request that does not fit is refused at once."""

    messages: int
    bytes: int

    def enter(self) -> Place:
        """Reserve a place for a message.

        Raises:
            PostError: "busy".
        """
        if not self.messages:
            raise PostError("busy")
        self.messages -= 1
        return Place(self)


@dataclass(slots=True)
class Place:
    """The bytes that one message has reserved."""

    room: Room
    size: int = 0
    left: bool = False

    def grow(self, size: int) -> None:
        """Reserve more bytes.

        Raises:
            PostError: "busy".
        """
        if size > self.room.bytes:
            raise PostError("busy")
        self.room.bytes -= size
        self.size += size

    def leave(self) -> None:
        """Release the place and its bytes; repeated calls do nothing."""
        if not self.left:
            self.left = True
            self.room.messages += 1
            self.room.bytes += self.size
