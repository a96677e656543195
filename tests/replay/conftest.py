"""A pool without processes for replays whose outcomes need no rules."""

from __future__ import annotations

import pytest

from adapter.replay import passes
from adapter.types import Processed


class InlinePool:
    """A pool that processes batches immediately, in the test's process."""

    def __init__(self, factory, _processes=0, _seconds=10.0):
        """Make the process."""
        self.process = factory()
        self.restarts = 0

    async def __aenter__(self):
        """Do nothing."""
        return self

    async def __aexit__(self, *_):
        """Do nothing."""

    async def run(self, batch, notes=None):
        """Return the outcomes in order; with ``notes``, learn in record order."""
        if notes is None or not hasattr(self.process, "prepare"):
            return [Processed(self.process(record), 0.1) for record in batch]
        turn = notes.turn()
        try:
            prepared = [self.process.prepare(record) for record in batch]
            known = await turn.learn(batch, [facts for _, facts in prepared])
        finally:
            turn.end()
        finished = zip(prepared, known, strict=True)
        return [
            Processed(self.process.finish(opened, given), 0.1) for (opened, _), given in finished
        ]


@pytest.fixture(autouse=True)
def inline_pool(request, monkeypatch):
    """Replace the pool, except for tests marked to need processes."""
    if "real_pool" not in request.fixturenames:
        monkeypatch.setattr(passes, "Pool", InlinePool)


@pytest.fixture
def real_pool():
    """Request worker processes."""
