"""One request between its arrival and its answer."""

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
    """A message that waits for its outcome; it keeps its place until the lane has let go of it."""

    value: bytes = field(repr=False)
    media_type: str
    place: Place = field(repr=False)
    time_ms: int = field(default_factory=lambda: time.time_ns() // 1_000_000)
    told: asyncio.Future[Result | None] = field(default_factory=_future, repr=False)
    """What became of it; None: nobody knows, or it was not begun."""
    lost: bool = False
    """Whether nobody waits for the answer any more."""

    @property
    def headers(self) -> tuple[tuple[str, bytes], ...]:
        """What the record bears of the request: its type, from a closed set."""
        return (("content-type", self.media_type.encode()),)

    def answer(self, result: Result) -> None:
        """Tell the sender, if there is one."""
        self._settle(result)

    def drop(self) -> None:
        """Leave it with the sender."""
        self._settle(None)

    def _settle(self, result: Result | None) -> None:
        self.place.leave()
        self.value = b""
        if not self.told.done():
            self.told.set_result(result)
