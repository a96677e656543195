"""Every store of the mart: each message counts once, in its place, and the erased stay erased."""

from __future__ import annotations

import itertools
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapter.errors import MartError, RuleError
from adapter.mart.store.protocol import Lane, ReleaseRow
from adapter.mart.store.registry import DATABASES, MARTS, open_store
from adapter.mart.versions import BACKFILL, Parting, number_key, resource_id
from tests.mart.stand_in import DAY, body, entry, feed, released, state
from tests.postgres import postgres

pytest.importorskip("duckdb")

LANE = Lane("out", 0)
CANARY = "Quillfeather"
_PROJECTS = itertools.count()


@pytest.fixture(scope="session")
def server():
    """The address of a PostgreSQL."""
    with postgres() as (url, _):
        yield url


def duckdb(_request, folder, project):
    """A file for each project."""
    return f"duckdb:///{folder / project}.duckdb"


def postgresql(request, _folder, _project):
    """The server; every project has a schema of its own."""
    return request.getfixturevalue("server")


def postgres_for_short(request, folder, project):
    """The same under the other scheme that libpq reads."""
    return postgresql(request, folder, project).replace("postgresql://", "postgres://", 1)


CASES = {"duckdb": duckdb, "postgresql": postgresql, "postgres": postgres_for_short}
"""Scheme -> the address of a store."""


@pytest.fixture(params=DATABASES)
def make(request, tmp_path):
    """Open an empty store, or the same one again."""
    own, opened = next(_PROJECTS), []

    def make(name="p"):
        project = f"{name}{own}"
        url = CASES[request.param](request, tmp_path, project)
        opened.append(open_store(url, project))
        return opened[-1]

    yield make
    for store in opened:
        store.close()


@pytest.fixture
def store(make):
    """An empty store."""
    return make()


def load(store, values, lane=LANE, start=0, batch=3):
    """Load values at offsets from ``start`` in small batches; how many were new."""
    (taken,) = store.take([lane])
    records = [released(start + n, v, *lane) for n, v in enumerate(values)]
    return sum(
        store.commit(
            [entry(record) for record in records[n : n + batch]],
            taken,
            min(start + n + batch, start + len(values)),
        )
        for n in range(0, len(records), batch)
    )


def texts(store, kind="Observation"):
    """Bodies of a type, resource by resource."""
    return [[version.body for version in versions] for versions in store.resources([kind])]


def test_every_store_is_tested_here():
    """A store is tested by being listed, and is asked for by the scheme it is listed under."""
    assert DATABASES.keys() == CASES.keys()
    for kind in DATABASES.values():
        assert kind.form.partition(":")[0] in DATABASES


def test_versions_come_out_in_the_order_of_their_messages(store):
    """Each resource comes once, by type and id, with its versions in order, however loaded."""
    values = [body("P1", 1, text=str(turn)) for turn in range(12)]
    (taken,) = store.take([LANE])
    for index in (7, 2, 11, 0, 5, 1, 3, 4, 6, 10, 9, 8):
        store.commit([entry(released(index, values[index]))], taken, index + 1)
    observation, patient = texts(store, "Observation"), texts(store, "Patient")
    assert patient == observation
    assert [f'"text":"{turn}"' in text for turn, text in enumerate(patient[0])] == [True] * 12
    kinds = [versions[0].resource_type for versions in store.resources()]
    assert ["Observation", "Patient"] == kinds
    ids = [v.resource_id for v in next(store.resources(["Patient"]))]
    assert [resource_id("Patient", "P1")] * 12 == ids


def test_a_message_counts_once(store):
    """Loaded again, whether in the same batch, a later one or after a restart, nothing changes."""
    assert len(feed()) == load(store, feed())
    before = state(store)
    assert 0 == load(store, feed())
    (taken,) = store.take([LANE])
    again = [entry(released(0, feed()[0]))] * 2
    assert 0 == store.commit(again, taken, len(feed()))
    assert before == state(store)
    twice = [entry(released(50, body("P9", 1)))] * 2
    assert 1 == store.commit(twice, taken, 51)


def test_progress_is_kept_with_the_rows(store, make):
    """A lane's next offset is that of the last commit, also for whoever opens the store next."""
    (taken,) = store.take([LANE])
    assert (None, 1) == (taken.next_offset, taken.epoch)
    store.commit([entry(released(6, body("P1", 1)))], taken, 7)
    store.close()
    other = make()
    assert {LANE: (1, 7)} == other.progress()
    (later,) = other.take([LANE])
    assert (7, 2) == (later.next_offset, later.epoch)


def test_an_older_loader_is_fenced(store):
    """Whoever takes a lane keeps those out who had it before; other lanes go on."""
    (old, apart) = store.take([LANE, Lane("out", 1)])
    store.commit([entry(released(0, body("P1", 1)))], old, 1)
    (new,) = store.take([LANE])
    with pytest.raises(MartError, match="mart/fenced"):
        store.commit([entry(released(1, body("P1", 2)))], old, 2)
    assert 1 == new.next_offset == sum(count.messages for count in store.counts())
    assert 1 == store.commit([entry(released(1, body("P1", 2)))], new, 2)
    assert 1 == store.commit([entry(released(0, body("P2", 2), partition=1))], apart, 1)


def test_a_failed_commit_leaves_nothing(store, monkeypatch):
    """Rows and progress come together or not at all; the store goes on afterwards."""
    (taken,) = store.take([LANE])
    append = store._db.append

    def fail(table, columns):
        append(table, columns)
        if table == "number_link":
            raise KeyboardInterrupt

    monkeypatch.setattr(store._db, "append", fail)
    with pytest.raises(KeyboardInterrupt):
        store.commit([entry(released(0, body("P1", 1)))], taken, 1)
    monkeypatch.undo()
    assert ([], {LANE: (1, None)}, ()) == (
        list(store.resources()),
        store.progress(),
        store.counts(),
    )
    assert 1 == store.commit([entry(released(0, body("P1", 1)))], taken, 1)


@pytest.mark.parametrize("first", ["archive", "live"])
def test_a_message_of_two_lanes_stands_in_the_later_one(store, first):
    """Backfilled versions are older than live ones, whichever were loaded first."""
    values = [body("P1", 1, text=str(turn)) for turn in range(8)]
    archive = (values[:6], Lane(f"{BACKFILL}2024", 0), 100)
    live = (values[3:], Lane("a-topic", 0), 0)
    lanes = (archive, live) if first == "archive" else (live, archive)
    for some, lane, start in lanes:
        load(store, some, lane, start)
    ((observation,), (topics)) = texts(store), {c.topic: c.messages for c in store.counts()}
    assert [True] * 8 == [f'"text":"{turn}"' in text for turn, text in enumerate(observation)]
    assert {f"{BACKFILL}2024": 3, "a-topic": 5} == topics


def test_numbers_and_merges_come_out(store):
    """Pairs of numbers come once each, merges in order with their days."""
    load(store, feed(persons=3))
    pairs = {tuple(sorted(map(number_key, (f"P{n}", f"Q{n}")))) for n in range(3)}
    assert sorted(pairs) == list(store.numbers())
    (merge,) = store.merges()
    assert (number_key("P2"), number_key("P1"), 3) == (merge.prior, merge.number, merge.days)


def test_what_is_said_of_persons_comes_out_latest_first(store):
    """Groups, merges and partings of each message; backfilled ones are older than all live ones."""
    one, other = number_key("P1"), number_key("P2")
    assert not store.parts()
    load(store, [body("P1", 0, also=["Q1"]), body("P2", 1, prior=["P1"])])
    load(store, [body("P1", 2, apart=["P2"])], Lane(f"{BACKFILL}old", 0))
    load(store, [body("P1", 3, apart=["P2"])], Lane("another", 0))
    merge, group, live, old = [
        each for each in store.identity_statements() if each.groups or each.partings
    ]
    assert ((one, other),) == merge.groups
    assert [{one, number_key("Q1")}] == [*map(set, group.groups)]
    assert ((Parting((one,), (other,)),),) * 2 == (live.partings, old.partings)
    assert store.parts()
    store.erase([other], "asked", DAY)
    assert ([], False) == (list(store.identity_statements()), store.parts())


def test_an_erased_person_is_gone_and_stays_gone(store):
    """All rows of a person go, under all numbers; replays bring nothing back, others stay."""
    load(store, feed())
    before = len(list(store.resources()))
    result = store.erase([number_key("Q0")], "asked", DAY)
    assert (2, 12, ()) == (result.numbers, result.versions, result.recall)
    after = state(store)
    left = [version for versions in store.resources() for version in versions]
    assert (before - 5, 0) == (
        len(list(store.resources())),
        sum('"person":"P0"' in version.body for version in left),
    )
    assert {number_key("P0"), number_key("Q0")} == store.erased()
    for lane in (LANE, Lane(f"{BACKFILL}x", 0)):
        load(store, feed(), lane)
        assert after["resources"] == list(store.resources())
    assert 0 == store.erase([number_key("Q0")], "asked", DAY).versions


def test_a_tombstone_erases(store):
    """A record without value erases who is named by its key, whatever comes before or after."""
    values = feed(persons=3)
    (taken,) = store.take([LANE])
    store.commit([entry(released(n, v)) for n, v in enumerate(values)], taken, len(values))
    store.commit([entry(released(99, None, key=b"P0"))], taken, 100)
    gone = state(store)
    other_lane = Lane("other", 0)
    store.erase([number_key("P0")], "again", DAY)
    assert gone == state(store)
    assert not any(v.subject == number_key("P0") for r in store.resources() for v in r)
    load(store, [body("P0", 77, also=["NEW"]), body("NEW", 78)], other_lane)
    assert {number_key("P0"), number_key("Q0"), number_key("NEW")} == store.erased()
    assert gone["resources"] == list(store.resources())


@pytest.mark.parametrize("at", [0, 1, 2, 5, 20])
def test_when_a_tombstone_comes_does_not_matter(make, at):
    """The state after all messages is one, wherever in their order the erasure was."""
    stores = make("one"), make("other")
    values = feed()
    states = []
    for store, where in zip(stores, (at, len(values)), strict=True):
        (taken,) = store.take([LANE])
        entries = [entry(released(n, v)) for n, v in enumerate(values)]
        entries.insert(where, entry(released(99, None, key=b"P3")))
        for n in range(0, len(entries), 2):
            store.commit(entries[n : n + 2], taken, n + 2)
        states.append(state(store))
    assert states[0] == states[1]
    assert {number_key(n) for n in ("P3", "Q3", "P4", "Q4")} == states[0]["erased"]


def test_a_number_that_joins_an_erased_one_is_erased(store):
    """What was loaded under a number goes when it turns out to be the erased person's."""
    load(store, [body("P1", 1), body("P2", 2), body("P3", 3)])
    store.erase([number_key("P1")], "asked", DAY)
    load(store, [body("P2", 4, prior=["P1"])], start=3)
    assert {number_key("P1"), number_key("P2")} == store.erased()
    ((only,),) = texts(store)
    assert '"person":"P3"' in only


def test_what_was_released_before_an_erasure_is_recalled(store):
    """Earlier releases are named and marked; later ones are not."""
    load(store, feed())
    rows = [ReleaseRow(f"r{n}", DAY, "k1", 5, "Dr. Who", "{}") for n in range(2)]
    store.release(rows[0])
    assert ("r0",) == store.erase([number_key("P1")], "asked", DAY).recall
    store.release(rows[1])
    assert [("r0", "asked"), ("r1", "")] == [(r.name, r.recalled) for r in store.releases()]


def test_deleted_bytes_leave_the_files(make, request, tmp_path):
    """After compaction no byte of the person is in any file, also after a full replay."""
    store = make()
    values = [body(CANARY if n % 7 == 0 else f"P{n}", n) for n in range(200)]
    load(store, values, batch=50)
    assert (False, True) == (store.compact(), bool(texts(store)))
    store.erase([number_key(CANARY)], "asked", DAY)
    assert (True, False) == (store.compact(), store.compact())
    load(store, values, Lane("out", 1), batch=50)
    assert 171 == len(texts(store))
    assert not any(CANARY in text for versions in texts(store) for text in versions)
    assert 0 == sum(CANARY in repr(row) for row in _everything(store))
    if "duckdb" in request.node.callspec.id:
        store.close()
        files = [path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()]
        assert (True, 0) == (len(files) > 0, sum(CANARY.encode() in raw for raw in files))
        assert 171 == len(texts(make()))
    else:
        assert 0 == _bytes_in_files(request.getfixturevalue("server"))


def _bytes_in_files(server):
    """Files of tables with the canary; the write-ahead log has it until that is recycled."""
    import psycopg  # noqa: PLC0415 - an extra

    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute("CHECKPOINT")
        (folder,) = connection.execute("SHOW data_directory").fetchone()
    files = [path for path in (Path(folder) / "base").rglob("*") if path.is_file()]
    assert len(files) > 100
    return sum(CANARY.encode() in path.read_bytes() for path in files)


def _everything(store):
    tables = (
        "message",
        "version",
        "number_link",
        "merge",
        "parting",
        "reject",
        "erased",
        "lane",
        "release",
    )
    return [row for table in tables for row in store._db.rows(f"SELECT * FROM {table}")]


def test_who_only_reads_needs_no_right_to_write(server):
    """A role that may only select reads a mart that is there."""
    import psycopg  # noqa: PLC0415 - an extra

    project = f"granted{next(_PROJECTS)}"
    store = open_store(server, project)
    load(store, feed())
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE ROLE reader_{project} LOGIN")
        connection.execute(f"GRANT USAGE ON SCHEMA mart_{project} TO reader_{project}")
        connection.execute(
            f"GRANT SELECT ON ALL TABLES IN SCHEMA mart_{project} TO reader_{project}"
        )
    reader = open_store(server.replace("user=deid", f"user=reader_{project}"), project)
    assert texts(store) == texts(reader)
    with pytest.raises(MartError, match="mart/no-store"):
        reader.take([LANE])
    store.close()
    reader.close()


def test_projects_are_apart(make):
    """Two projects know nothing of one another."""
    one, other = make("one"), make("two")
    load(one, feed())
    assert (True, []) == (bool(texts(one)), list(other.resources()))


@settings(max_examples=6)
@given(order=st.permutations(range(4)), cuts=st.lists(st.integers(1, 6), min_size=8, max_size=8))
def test_order_over_persons_and_loading_twice_change_nothing(tmp_path_factory, order, cuts):
    """Each person's messages in order, the persons in any, some twice: the state is the same."""
    folder = tmp_path_factory.mktemp("laws")
    states = []
    for name, persons in (("plain", range(4)), ("mixed", (*order, *order[:2]))):
        store = open_store(f"duckdb:///{folder / name}")
        for person, cut in zip(persons, itertools.cycle(cuts), strict=False):
            values = [body(f"P{person}", n, also=[f"Q{person}"]) for n in range(5)]
            load(store, values, Lane("out", person), batch=cut)
        states.append(state(store))
        store.close()
    assert states[0] == states[1]


def test_all_stores_tell_the_same(request, tmp_path):
    """The same messages give the same state in every database."""
    states = []
    for make in CASES.values():
        project = f"same{next(_PROJECTS)}"
        store = open_store(make(request, tmp_path, project), project)
        load(store, feed())
        load(store, [body("Zoë-Straße", 1), body("zoe", 1), body("_", 2)], Lane("B-out", 0))
        store.erase([number_key("P0")], "asked", DAY)
        states.append(state(store))
        store.close()
    assert states[0] == states[1] == states[2]


def test_a_file_belongs_to_one_process(tmp_path):
    """Another process is refused while one has the file, and the file is its owner's only."""
    url = f"duckdb:///{tmp_path / 'mart.duckdb'}"
    store = open_store(url)
    load(store, feed())
    store.erase([number_key("P0")], "asked", DAY)
    assert store.compact()
    load(store, feed(), Lane("B-out", 0))
    files = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.iterdir()}
    assert {"mart.duckdb": 0o600, "mart.duckdb.wal": 0o600} == files
    code = f"from adapter.mart.store.registry import open_store; open_store({url!r})"
    other = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert b"mart/locked" in other.stderr.splitlines()[-1]
    store.close()
    assert 0 == subprocess.run([sys.executable, "-c", code], check=False).returncode


@pytest.mark.parametrize(
    "url", ["duckdb:////no/such/folder/m.duckdb", "postgresql://127.0.0.1:9/x"]
)
def test_a_database_that_cannot_be_reached_has_a_code(url):
    """Nothing of the address is told."""
    with pytest.raises(MartError, match=r"^mart/no-store$"):
        open_store(url)


@pytest.mark.parametrize("name", ["m.jsonl", "m.json", "m.csv", "m.parquet", "m.duckdb", "m"])
def test_a_file_of_another_kind_is_refused(tmp_path, name):
    """Whatever its name says, only a DuckDB database is opened; the file stays as it is."""
    file = tmp_path / name
    file.write_text('{"a": 1}\n')
    with pytest.raises(MartError, match=r"^mart/no-store$"):
        open_store(f"duckdb:///{file}")
    assert '{"a": 1}\n' == file.read_text()
    assert [file] == list(tmp_path.iterdir())


def test_compaction_follows_a_link_and_refuses_hard_links(tmp_path):
    """The file behind a link is replaced; with a second name, erased rows would stay there."""
    file, link = tmp_path / "real.duckdb", tmp_path / "link.duckdb"
    link.symlink_to(file)
    store = open_store(f"duckdb:///{link}")
    load(store, feed())
    store.erase([number_key("P0")], "asked", DAY)
    before = file.stat().st_ino
    assert store.compact()
    store.close()
    assert (True, True) == (link.is_symlink(), before != file.stat().st_ino)
    (tmp_path / "other").hardlink_to(file)
    with pytest.raises(RuleError, match=r"mart\.url: has several hard links"):
        open_store(f"duckdb:///{link}")


def test_a_server_that_went_away_has_a_code():
    """Without the server nothing is lost; when connections were cut meanwhile, it goes on."""
    with postgres() as (url, _):
        import psycopg  # noqa: PLC0415 - an extra

        store = open_store(url)
        (taken,) = store.take([LANE])
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'"
            )
        with pytest.raises(MartError, match=r"^mart/no-store$"):
            store.commit([entry(released(0, body("P1", 1)))], taken, 1)
        assert 1 == store.commit([entry(released(0, body("P1", 1)))], taken, 1)
        store.close()


@pytest.mark.parametrize("url", ["mysql://x", "duckdb:///", "duckdb://x", "duckdb", "://x", "x"])
def test_an_address_of_no_database_is_refused(url):
    """The error names the setting and every form there is, and nothing of the address."""
    result = r"^mart\.url: must be duckdb:///FILE or postgresql://\.\.\.$"
    with pytest.raises(RuleError, match=result):
        MARTS.located(url, Path())
    with pytest.raises(RuleError, match=result):
        open_store(url)
