"""One request between its arrival and its response."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from adapter.transports.http.room import Place
    from adapter.transports.listener.results import Result


def _future() -> asyncio.Future[Result | None]:
    return asyncio.get_running_loop().create_future()


@dataclass(eq=False, slots=True)
class Exchange:
    """A message that waits for its outcome; keeps its place until the lane answers or drops it."""

    value: bytes = field(repr=False)
    media_type: str = field(repr=False)
    place: Place = field(repr=False)
    time_ms: int = field(default_factory=lambda: time.time_ns() // 1_000_000)
    told: asyncio.Future[Result | None] = field(default_factory=_future, repr=False)
    """The outcome; None if it is unknown, or the message was not processed."""
    lost: bool = False
    """Whether the sender no longer waits for the response."""

    @property
    def headers(self) -> tuple[tuple[str, bytes], ...]:
        """Return the headers of the record: the content type only, from a closed set."""
        return (("content-type", self.media_type.encode()),)

    def answer(self, result: Result) -> None:
        """Set the outcome, and free the place of the message."""
        self._settle(result)

    def drop(self) -> None:
        """Set no outcome, and free the place: the message stays with its sender."""
        self._settle(None)

    def _settle(self, result: Result | None) -> None:
        self.place.leave()
        self.value = b""
        if not self.told.done():
            self.told.set_result(result)
