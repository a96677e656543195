"""A release as a schema of PostgreSQL: whole, sorted, and one role may read it only."""

from __future__ import annotations

import duckdb
import pytest

from adapter.errors import RuleError
from adapter.mart.release.postgres import ReleaseSchema
from adapter.mart.release.publish import publish
from tests.mart.release.sample import hospital, plan, source
from tests.postgres import postgres

psycopg = pytest.importorskip("psycopg")


@pytest.fixture(scope="module")
def server():
    """The address of a server with a role for researchers."""
    with postgres() as (url, _):
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("CREATE ROLE researcher LOGIN")
        yield url


def released(url, folder, name):
    """Make a release into a schema of the server."""
    schema = ReleaseSchema(name, url, "researcher")
    return publish(source(hospital(300)), plan(name=name), folder, schema)


def test_a_schema_for_researchers(server, tmp_path):
    """The role reads all tables, in the order of persons, and can change nothing."""
    released(server, tmp_path, "release_a")
    assert not list((tmp_path / "release_a").glob("*.parquet"))
    reader = server.replace("user=deid", "user=researcher")
    with psycopg.connect(reader, autocommit=True) as connection:
        found = connection.execute('SELECT person_id, sex FROM "release_a".patient').fetchall()
        assert 300 == len(found)
        assert [row[0] for row in found] == sorted(row[0] for row in found)
        for statement in ("DELETE FROM release_a.patient", "CREATE TABLE release_a.x ()"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(statement)


def test_a_schema_that_is_there_stays(server, tmp_path):
    """A release does not replace another, and what it began is gone."""
    released(server, tmp_path / "one", "release_b")
    with pytest.raises(RuleError, match="its schema already exists"):
        released(server, tmp_path / "two", "release_b")
    assert [] == list((tmp_path / "two").iterdir())


def test_no_half_schema(server, tmp_path, monkeypatch):
    """Where writing stops midway there is no schema and no folder."""
    monkeypatch.setattr("adapter.mart.release.postgres.ordered", lambda _: "SELECT error('x')")
    with pytest.raises(duckdb.Error):
        released(server, tmp_path, "release_c")
    with psycopg.connect(server) as connection:
        query = "SELECT count(*) FROM pg_namespace WHERE nspname = 'release_c'"
        assert (0,) == connection.execute(query).fetchone()
    assert [] == list(tmp_path.iterdir())
