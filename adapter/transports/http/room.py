"""How many messages, and how many bytes of them, arrive and wait at once."""

from __future__ import annotations

from dataclasses import dataclass

from adapter.errors import PostError


@dataclass(slots=True)
class Room:
    """What is left; who finds no room is told to come again, and nobody waits for it."""

    messages: int
    bytes: int

    def enter(self) -> Place:
        """Take a place for a message.

        Raises:
            PostError: "busy".
        """
        if not self.messages:
            raise PostError("busy")
        self.messages -= 1
        return Place(self)


@dataclass(slots=True)
class Place:
    """A message's share."""

    room: Room
    size: int = 0
    left: bool = False

    def grow(self, size: int) -> None:
        """Take room for more bytes.

        Raises:
            PostError: "busy".
        """
        if size > self.room.bytes:
            raise PostError("busy")
        self.room.bytes -= size
        self.size += size

    def leave(self) -> None:
        """Give everything back, once."""
        if not self.left:
            self.left = True
            self.room.messages += 1
            self.room.bytes += self.size
