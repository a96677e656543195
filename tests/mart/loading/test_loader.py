"""However often a load stops and wherever, the store ends as if it had never stopped."""

from __future__ import annotations

import itertools
import json
import os
import random
import time
from pathlib import Path

import pytest

from adapter.errors import MartError
from adapter.mart.store.protocol import Lane, Outcome
from adapter.mart.store.registry import open_store
from adapter.mart.versions import number_key, patient_key
from tests import processes
from tests.mart.loading.memory import CrashError, MemorySource, Stepping, Steps, run
from tests.mart.stand_in import body, feed, released, state

pytest.importorskip("duckdb")

ROOT = Path(__file__).resolve().parents[3]
LANES = {
    Lane("out", 0): [*feed(3, 2), (b"P0",)],
    Lane("out", 1): [body("P7", 1), body("P8", 2, also=["P0"]), body("P9", 3)],
}


def loaded(url, lanes=LANES, **more):
    """The state of a store after a clean run."""
    store = open_store(url)
    run(MemorySource(lanes), store, **more)
    found = state(store)
    store.close()
    return found


def test_every_record_is_loaded_once(tmp_path):
    """What all batches bring is there, once, and a second load brings nothing."""
    store = open_store(f"duckdb:///{tmp_path / 'm'}")
    told = []
    run(MemorySource(LANES), store, report=lambda batch, new: told.append((batch.lane, new)))
    before = state(store)
    assert sum(map(len, LANES.values())) == sum(new for _, new in told)
    run(MemorySource(LANES), store)
    assert before == state(store)
    gone = {number_key(name) for name in ("P0", "Q0", "P8")} | {patient_key("P0")}
    assert gone == before["erased"]


@pytest.mark.parametrize(
    "stride", [pytest.param(7, id="some"), pytest.param(1, id="all", marks=pytest.mark.slow)]
)
def test_a_crash_between_any_two_steps_changes_nothing(tmp_path, stride):
    """Stopped before or after any call of source or database, then started again: one state."""
    lanes = {
        Lane("out", 0): [body("P0", 1, also=["Q0"]), body("P1", 1), (b"P0",)],
        Lane("out", 1): [body("P2", 1, also=["Q0"], place="W1")],
    }
    expected = loaded(f"duckdb:///{tmp_path / 'clean'}", lanes)
    for at in itertools.count(1, stride):
        url = f"duckdb:///{tmp_path / f'crash{at}'}"
        if not crashed(url, lanes, at):
            break
        assert expected == loaded(url, lanes), at
    assert at > 60


def crashed(url, lanes, at):
    """Whether a load that crashes at a step came to that step."""
    store, steps = open_store(url), Steps(at)
    store._db = store._eraser._db = Stepping(store._db, steps)
    try:
        run(MemorySource(lanes, 2, steps), store)
    except CrashError:
        return True
    finally:
        store._db.database.close()
    return False


def test_a_record_that_cannot_be_landed_is_counted(tmp_path):
    """One that no map foresees stops nothing, and is told of without its text."""
    store = open_store(f"duckdb:///{tmp_path / 'm'}")
    run(MemorySource({Lane("out", 0): [body("P1", 1), b"{ Quillfeather", body("P2", 2)]}), store)
    outcomes = {count.outcome: count.messages for count in store.counts()}
    assert {Outcome.RELEASED: 2, Outcome.REJECTED: 1} == outcomes
    assert [("message", "failed", 1)] == [(r.place, r.code, r.count) for r in store.rejects()]
    store.close()


def test_held_messages_are_counted_from_the_audit(tmp_path):
    """What the audit says was held counts until it is released; other lines say nothing."""
    lane, own = Lane("deid.audit", 0), [released(0, body("P1", n)).message_id for n in range(3)]
    audit = [
        {"outcome": "held", "id": own[0], "topic": "in", "stage": "tag", "code": "timeout"},
        {"outcome": "held", "id": own[1], "topic": "in", "stage": "leak", "code": "pattern"},
        {"outcome": "released", "id": own[2], "topic": "in"},
        {"outcome": "held", "id": ""},
    ]
    store = open_store(f"duckdb:///{tmp_path / 'm'}")
    lines = [json.dumps(line).encode() for line in audit]
    for _ in range(2):
        run(MemorySource({lane: [*lines, b"no audit record"]}), store, audit="deid.audit")
        store.take([lane])
    held = [("in", "leak", "pattern", 1), ("in", "tag", "timeout", 1)]
    assert held == [(c.topic, c.stage, c.code, c.messages) for c in store.counts()]
    run(MemorySource({Lane("out", 0): [body("P1", 0)]}), store)
    outcomes = {(c.outcome, c.code): c.messages for c in store.counts()}
    assert {("held", "pattern"): 1, ("released", ""): 1} == outcomes
    store.close()


class Away:
    """A database that does not answer for a while; ``lost`` commits are made but not answered."""

    def __init__(self, store, failures, *, lost):
        self.store, self.failures, self.lost = store, failures, lost

    def __getattr__(self, name):
        return getattr(self.store, name)

    def commit(self, *args):
        """Fail for some time."""
        self.failures -= 1
        if self.failures >= 0:
            if self.lost:
                self.store.commit(*args)
            raise MartError("no-store")
        return self.store.commit(*args)


@pytest.mark.parametrize("lost", [True, False])
def test_a_database_that_comes_back_is_waited_for(tmp_path, monkeypatch, lost):
    """A commit whose answer was lost is not made again, one that was not made is."""
    monkeypatch.setattr("adapter.mart.loading.loader._PAUSE", 0)
    expected = loaded(f"duckdb:///{tmp_path / 'clean'}")
    store = open_store(f"duckdb:///{tmp_path / 'm'}")
    run(MemorySource(LANES), Away(store, 2, lost=lost))
    assert expected == state(store)
    with pytest.raises(MartError, match="mart/no-store"):
        run(MemorySource({Lane("x", 0): [body("P1", 1)]}), Away(store, 99, lost=False), patience=0)
    store.close()


def test_another_loader_ends_this_one(tmp_path):
    """A loader whose lane was taken while it waited for the database commits nothing."""
    store = open_store(f"duckdb:///{tmp_path / 'm'}")
    lane = Lane("out", 0)

    def taken(_batch, _new):
        store.take([lane])

    with pytest.raises(MartError, match="mart/fenced"):
        run(MemorySource({lane: feed()}), store, report=taken)
    assert 3 == sum(count.messages for count in store.counts())
    store.close()


@pytest.mark.parametrize("kills", [1, pytest.param(20, marks=pytest.mark.slow)])
def test_kills_change_nothing(tmp_path, kills):
    """A loader killed amid its work, again and again, leaves the state of one that never was."""
    values = [
        body(f"P{n % 40}", n, also=[f"Q{n % 40}"], place=f"W{n % 3}")
        for n in range(150 + 250 * kills)
    ]
    lanes = {f"out-{n}": [value.decode() for value in values[n::2]] for n in range(2)}
    told = tmp_path / "feed.json"
    told.write_text(json.dumps(lanes))
    url, dice = f"duckdb:///{tmp_path / 'm.duckdb'}", random.Random(5)
    command = [Path(__file__).with_name("loader_process.py"), url, told]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    for _ in range(kills):
        process = processes.Started(command, env=environment, stdout=processes.PIPE)
        for _ in range(dice.randint(1, 5)):
            assert b"batch\n" == process.stdout.readline()
        time.sleep(dice.uniform(0, 0.1))
        process.kill()
        process.wait()
    before = open_store(url)
    loaded_by_then = sum(count.messages for count in before.counts())
    before.close()
    assert 0 < loaded_by_then < len(values)
    assert 0 == processes.run(command, env=environment).returncode
    source = {Lane(name, 0): [v.encode() for v in some] for name, some in lanes.items()}
    expected = loaded(f"duckdb:///{tmp_path / 'clean'}", source)
    store = open_store(url)
    assert expected == state(store)
    store.close()
