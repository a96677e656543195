"""Retries before a message is held: only of transient failures, a limited number of times."""

from __future__ import annotations

import asyncio
from functools import partial
from pathlib import Path

import pytest

from adapter.errors import CODES, TRANSIENT, is_transient
from adapter.runtime.workers import Pool, Retries
from adapter.types import Hold, Position, Record, Release


def failing(folder, record):
    """Hold as many times as the value ("stage/code times") says; count the attempts in a folder."""
    reason, times = record.value.decode().split()
    file = Path(folder) / f"{record.position.offset}"
    tried = len(file.read_bytes()) if file.exists() else 0
    file.write_bytes(bytes(tried + 1))
    if tried < int(times):
        return Hold(*reason.split("/"))
    return Release(b"fine")


def make_failing(folder):
    """Return a process function."""
    return partial(failing, folder)


def attempts(tmp_path, values, retries):
    """Return the outcomes, and the number of attempts for each record."""

    async def go():
        batch = [Record(value, Position("t", 0, n)) for n, value in enumerate(values)]
        async with Pool(partial(make_failing, str(tmp_path)), 1, 5, retries) as pool:
            return [processed.outcome for processed in await pool.run(batch)]

    outcomes = asyncio.run(asyncio.wait_for(go(), 60))
    return outcomes, [(tmp_path / str(n)).stat().st_size for n in range(len(values))]


@pytest.mark.parametrize("times", [0, 1, 3])
def test_what_may_pass_is_tried_again_within_bounds(tmp_path, times):
    """Transient failures are retried up to the limit, others never, and the order is kept."""
    values = [b"surrogate/no-vault 2", b"leak/pattern 1", b"tag/timeout 99", b"bug/unexpected 1"]
    outcomes, tried = attempts(tmp_path, values, Retries(times, 0.001))
    vault = Release(b"fine") if times >= 2 else Hold("surrogate", "no-vault")
    assert [
        vault,
        Hold("leak", "pattern"),
        Hold("tag", "timeout"),
        Hold("bug", "unexpected"),
    ] == outcomes
    assert [min(times, 2) + 1, 1, times + 1, 1] == tried


def test_every_transient_code_is_a_code():
    """The table of transient failures contains only existing codes."""
    assert all(codes <= CODES[stage] for stage, codes in TRANSIENT.items())
    assert (True, False) == (is_transient("tag", "timeout"), is_transient("tag", "failed"))
    assert not is_transient("none", "timeout")
