"""A replay into a PostgreSQL mart has the same result as into DuckDB, whatever stops it."""

from __future__ import annotations

import pytest

from adapter.mart.store.protocol import Outcome
from adapter.mart.store.registry import open_store
from adapter.mart.store.sql import SqlStore
from adapter.replay.errors import ReplayError
from tests.postgres import postgres, restarted, stop
from tests.replay.mart.test_target import COUNT, archived, feed, live, load, settled, told
from tests.replay.worlds import run, stopped_after

psycopg = pytest.importorskip("psycopg")


@pytest.fixture(scope="module")
def server():
    """Yield the URL of a server, and its process, which a test may replace."""
    with postgres() as (url, process):
        held = [process]
        yield url, held
        stop(held[0])


def into(loaded, url, project):
    """Return the settings of a replay with another database as its target."""
    mart = loaded.mart.model_copy(update={"url": url, "project": project})
    return loaded.model_copy(update={"mart": mart})


def test_stops_and_restarts_change_nothing(tmp_path, server, monkeypatch):
    """Stops of the replay and a restart of its server do not change the mart or the erasures."""
    url, process = server
    expected = load(f"duckdb:///{tmp_path / 'live'}", live(settled(tmp_path), feed()))
    loaded = into(archived(tmp_path), url, "stopped")
    commit, calls, stops, done = SqlStore.commit, [], 0, None

    def restarting(self, *arguments):
        calls.append(1)
        if len(calls) == 5:  # between two commits
            process[0] = restarted(process[0])
        return commit(self, *arguments)

    monkeypatch.setattr(SqlStore, "commit", restarting)
    while done is None:
        try:
            done = run(loaded, resume=True, watch=stopped_after(30))
        except KeyError:
            stops += 1
    assert stops >= 2
    assert expected == told(open_store(url, "stopped"))
    assert COUNT == sum(expected[1].values()) == done.manifest["totals"]["records"]
    assert expected[1][Outcome.HELD] == done.manifest["totals"]["held"]
    again = loaded.replay.model_copy(update={"name": "two", "journal": str(tmp_path / "second")})
    run(loaded.model_copy(update={"replay": again}))
    assert expected == told(open_store(url, "stopped"))


def test_another_run_ends_this_one(tmp_path, server, monkeypatch):
    """A run whose lane was taken by another commits nothing more."""
    url, _ = server
    loaded, commit = into(archived(tmp_path), url, "fenced"), SqlStore.commit
    other = open_store(url, "fenced")

    def overtaken(self, entries, taken, *rest):
        other.take([taken.lane])
        return commit(self, entries, taken, *rest)

    monkeypatch.setattr(SqlStore, "commit", overtaken)
    with pytest.raises(ReplayError, match="another run of this replay has taken over"):
        run(loaded)
    assert {} == told(other)[1]


def test_a_database_that_is_not_there_is_told_of(tmp_path):
    """An unreachable database is reported with the setting, without its address."""
    loaded = into(archived(tmp_path), "postgresql:///x?host=/nonexistent", "none")
    with pytest.raises(ReplayError, match=r"^mart\.url: cannot be used \(mart/no-store\)$"):
        run(loaded)
