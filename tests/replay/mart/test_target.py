"""A replay into the mart equals loading the live output, whatever stops it, and keeps erasures."""

from __future__ import annotations

import asyncio
import datetime as dt
import signal
from pathlib import Path

import pytest
from typer.testing import CliRunner

from adapter.audit import Audit
from adapter.cli import app
from adapter.errors import MartError, RuleError
from adapter.mart.current import state_digest
from adapter.mart.landing import land
from adapter.mart.loading.entries import released
from adapter.mart.loading.loader import Loader
from adapter.mart.loading.source import Batch
from adapter.mart.maps import read_maps
from adapter.mart.release.mart import days_of
from adapter.mart.store.protocol import Lane, Outcome
from adapter.mart.store.registry import open_store
from adapter.mart.store.sql import SqlStore
from adapter.mart.versions import BACKFILL, number_key
from adapter.replay.errors import ReplayError
from adapter.runtime.provenance import Provenance
from adapter.runtime.runner import Runner
from adapter.sealing.key_lookup import surrogates_key
from adapter.transports.memory.transport import Broker, MemoryTransport
from adapter.transports.protocol import Channel
from adapter.types import Position, Record
from tests import processes
from tests.mart.loading.outputs import oru
from tests.replay import worlds
from tests.replay.worlds import manifest, run, settings, stopped_after
from tests.story.feed import SEALER, Inline

pytest.importorskip("duckdb")
SCRIPT = Path(__file__).parents[1] / "replay_process.py"
DAY = dt.date(2026, 11, 22)
COUNT = 80
AUDIT = Channel.AUDIT.value


def feed(count=COUNT, *, tombstone=True):
    """Yield results of eight patients in two partitions, several for each order; some are held."""
    offsets = [0, 0]
    for number in range(count):
        patient = number % 8
        value = oru(patient, patient, number).encode()
        if number % 10 == 9:
            value = b"no message %d of Quillfeather" % number
        if tombstone and number == 60:
            value, patient = None, 3
        part = patient % 2
        at = Position(worlds.TOPIC, part, offsets[part])
        offsets[part] += 1
        yield Record(value, at, b"MRN%d" % patient, (), worlds.START + number)


def settled(folder, **values):
    """Return settings of a replay from FOLDER/archive into FOLDER/mart."""
    mart = {"project": "stroke", "url": f"duckdb:///{folder / 'mart'}"}
    return settings(
        folder,
        {"key_encoding": "base64"},
        {"url": "", "kind": "mart"},
        mart=mart,
        **values,
    )


def archived(folder, **options):
    """Write an archive of the feed; return the settings of its replay."""
    worlds.columns_jsonl(folder / "archive", list(feed(**options)))
    return settled(folder)


def live(loaded, records):
    """Return what a live run over the records publishes, by lane."""
    broker = Broker(partitions=2)
    for record in records:
        broker.append(worlds.TOPIC, record, record.position.partition)
    provenance = Provenance.under(*surrogates_key(loaded), "r", lasting=True)
    over = MemoryTransport(broker, (worlds.TOPIC,))
    runner = Runner(over, Inline(worlds.stand_in), SEALER, Audit(), provenance=provenance)
    asyncio.run(runner.run(asyncio.Event()))
    topic = Channel.RELEASED.value
    names = (topic, AUDIT)
    found = {Lane(name, n): log for name in names for n, log in enumerate(broker.log(name))}
    assert all(found.values())
    return {lane: tuple(map(released, log)) for lane, log in found.items()}


class Published:
    """A source of published records."""

    def __init__(self, logs):
        self.logs = logs

    async def lanes(self):
        """Return every partition."""
        return tuple(self.logs)

    async def batches(self, start):
        """Yield the remaining records of each lane in small batches."""
        for lane, log in self.logs.items():
            for at in range(start[lane] or 0, len(log), 9):
                some = log[at : at + 9]
                yield Batch(lane, some, at + len(some))


def load(url, logs):
    """Load published records; return the state of the mart."""
    store, maps = open_store(url), read_maps()
    loader = Loader(Published(logs), store, lambda each: land(each, maps), lambda: DAY, audit=AUDIT)
    asyncio.run(loader.run())
    return told(store)


def told(store):
    """Return the digest, the messages by outcome and the erased persons; close the store."""
    counts = {}
    for count in store.counts():
        counts[count.outcome] = counts.get(count.outcome, 0) + count.messages
    found = state_digest(store), counts, store.erased()
    store.close()
    return found


def state(folder):
    """Return the state of the mart that was replayed into."""
    return told(open_store(f"duckdb:///{folder / 'mart'}"))


@pytest.fixture
def expected(tmp_path):
    """Return the state of a mart loaded from a live run's output."""
    url = f"duckdb:///{tmp_path / 'live'}"
    return load(url, live(settled(tmp_path), feed()))


def test_a_replay_gives_what_the_live_run_gives(tmp_path, expected):
    """Resources, counts and erasures equal those of a mart loaded from the live output."""
    done = run(archived(tmp_path))
    assert (0, expected) == (done.status, state(tmp_path))
    assert expected[1][Outcome.RELEASED] > 40
    assert "stroke" == manifest(tmp_path)["output"]["project"]


def test_stops_change_nothing(tmp_path, expected):
    """A replay that is stopped and resumed several times gives the same mart and manifest."""
    loaded = archived(tmp_path)
    failures, done = 0, None
    while done is None:
        try:
            done = run(loaded, resume=True, watch=stopped_after(20))
        except KeyError:
            failures += 1
    assert failures >= 3
    assert expected == state(tmp_path)
    (tmp_path / "whole").mkdir()
    run(archived(tmp_path / "whole"))
    assert manifest(tmp_path / "whole") == manifest(tmp_path)
    for name in ("held.jsonl", "audit.jsonl"):
        own, other = (folder / "journal" / name for folder in (tmp_path, tmp_path / "whole"))
        assert len(own.read_bytes().splitlines()) == len(other.read_bytes().splitlines()) > 0


@pytest.mark.parametrize("after", [False, True])
def test_a_stop_between_journal_and_mart_changes_nothing(tmp_path, expected, monkeypatch, after):
    """A stop between the writes to journal and mart loses and repeats no transaction."""
    loaded, commit, calls = archived(tmp_path), SqlStore.commit, []

    def dying(self, *arguments):
        calls.append(1)
        if after:
            commit(self, *arguments)
        if len(calls) in (2, 5, 6):
            raise KeyError
        return 0 if after else commit(self, *arguments)

    monkeypatch.setattr(SqlStore, "commit", dying)
    stops, done = 0, None
    while done is None:
        try:
            done = run(loaded, resume=True)
        except KeyError:
            stops += 1
    assert stops >= 2  # two lanes may fail in one run
    assert expected == state(tmp_path)
    assert COUNT == done.manifest["totals"]["records"]


def test_a_lost_answer_is_not_asked_twice(tmp_path, expected, monkeypatch):
    """A commit that took effect but was not answered loses and repeats no message."""
    loaded, commit, calls = archived(tmp_path), SqlStore.commit, []

    def lost(self, *arguments):
        calls.append(commit(self, *arguments))
        if len(calls) == 2:
            raise MartError("no-store")
        return calls[-1]

    monkeypatch.setattr(SqlStore, "commit", lost)
    done = run(loaded)
    assert (COUNT, expected) == (done.manifest["totals"]["records"], state(tmp_path))


def test_kills_change_nothing(tmp_path, expected):
    """Three SIGKILLs during the work do not change the mart."""
    archived(tmp_path)
    keys = "\n".join(
        f'[keys.{name}]\nid = "{key["id"]}"\nvalue = "{key["value"]}"'
        for name, key in worlds.KEYS.items()
    )
    file = tmp_path / "replay.toml"
    file.write_text(
        f'{keys}\n[log]\nlevel = "error"\n[workers]\nbatch_records = 7\n'
        "[mart]\nproject = 'stroke'\nurl = 'duckdb:///mart'\n"
        "[replay]\nname = 'one'\njournal = 'journal'\n"
        "[replay.source]\nurl = 'archive'\nkey_encoding = 'base64'\n"
        "[replay.target]\nkind = 'mart'\n"
    )
    killed = 0
    for _ in range(3):
        there = len(list((tmp_path / "journal").rglob("*.chunk")))
        process = processes.Started([SCRIPT, file, "0.01"])
        while process.poll() is None:
            if len(list((tmp_path / "journal").rglob("*.chunk"))) > there + 1:
                process.send_signal(signal.SIGKILL)
                process.wait()
        killed += process.returncode == -signal.SIGKILL
    assert 0 == processes.run([SCRIPT, file, "0"]).returncode
    assert (3, expected) == (killed, state(tmp_path))


def test_a_backfill_and_live_loading_are_one(tmp_path):
    """A replay of older messages and live loading, in either order, give the fully live mart."""
    records = list(feed(tombstone=False))
    logs = live(settled(tmp_path), records)
    whole = load(f"duckdb:///{tmp_path / 'live'}", logs)
    late = {lane: log[len(log) // 3 :] for lane, log in logs.items()}
    for name, replayed_first in (("before", True), ("after", False)):
        folder = tmp_path / name
        folder.mkdir()
        url = f"duckdb:///{folder / 'mart'}"
        worlds.columns_jsonl(folder / "archive", records[: COUNT * 2 // 3])
        if replayed_first:
            run(settled(folder))
        found = load(url, late)
        if not replayed_first:
            run(settled(folder))
            found = state(folder)
        assert whole == found, name


def test_a_replays_folder_loaded_is_the_same(tmp_path, expected):
    """A replay's folder loaded by `mart load` gives the same mart, and counts once."""
    archived(tmp_path)
    run(settings(tmp_path, {"key_encoding": "base64"}))
    config = tmp_path / "mart.toml"
    config.write_text("[mart]\nurl = 'duckdb:///mart'\nbatch_records = 9\n")
    command = ["mart", "load", "-c", str(config), "--from", str(tmp_path / "out")]
    command += ["--audit", str(tmp_path / "journal" / "audit.jsonl")]
    count = len(worlds.released(tmp_path))
    for new in (count, 0):
        said = CliRunner().invoke(app, command).output
        assert f"{new} records read, {new} of them new" in said.splitlines()[0]
    assert expected == state(tmp_path)


def test_a_replay_again_brings_nothing(tmp_path):
    """A second replay under another name changes nothing: messages are recognised by id."""
    loaded = archived(tmp_path)
    run(loaded)
    before = state(tmp_path)
    again = {"name": "two", "journal": str(tmp_path / "second")}
    run(settled(tmp_path, replay=again))
    assert before == state(tmp_path)


def test_the_erased_do_not_come_back(tmp_path):
    """A replay does not bring back persons erased from the mart."""
    loaded = archived(tmp_path, tombstone=False)
    store = open_store(loaded.mart.url)
    store.erase([number_key("X5")], "asked", DAY)
    store.close()
    run(loaded)
    store = open_store(loaded.mart.url)
    bodies = [version.body for versions in store.resources() for version in versions]
    store.close()
    assert (0, True) == (sum("X5" in body for body in bodies), any("X4" in b for b in bodies))
    files = [path.read_bytes() for path in tmp_path.glob("mart*") if path.is_file()]
    assert 0 == sum(b"X5" in raw for raw in files)


def test_a_tombstone_of_the_archive_erases(tmp_path, expected):
    """A tombstone in the archive erases the person that it names."""
    run(archived(tmp_path))
    assert number_key("X3") in state(tmp_path)[2]
    assert expected[2] == state(tmp_path)[2]


def test_held_messages_are_counted_and_do_not_land(tmp_path):
    """Held messages are sealed in the journal; the mart only counts them by source and code."""
    done = run(archived(tmp_path))
    held = done.manifest["totals"]["held"]
    assert held == COUNT // 10
    assert held == len((tmp_path / "journal" / "held.jsonl").read_bytes().splitlines())
    counts = state(tmp_path)[1]
    assert (held, COUNT) == (counts[Outcome.HELD], sum(counts.values()))
    store = open_store(f"duckdb:///{tmp_path / 'mart'}")
    days = days_of(store)
    store.close()
    sources = {day.source for day in days}
    assert {f"{BACKFILL}one/{worlds.TOPIC}"} == sources
    holds = {day.reason: day.messages for day in days if day.outcome == Outcome.HELD}
    assert done.manifest["totals"]["holds"] == holds
    assert b"Quillfeather" not in (tmp_path / "mart").read_bytes()


def test_another_key_is_refused(tmp_path):
    """A mart with messages under one key refuses a replay under another before it begins."""
    run(archived(tmp_path))
    before = state(tmp_path)
    keys = worlds.KEYS | {
        "surrogates": {"id": "s2", "value": worlds.SECRET[::-1].lstrip("=") + "="}
    }
    other = {"name": "two", "journal": str(tmp_path / "second")}
    with pytest.raises(
        RuleError, match=r"^replay\.key: is under the key s2, .* under s1: one proj"
    ):
        run(settled(tmp_path, keys=keys, replay=other))
    assert (before, False) == (state(tmp_path), (tmp_path / "second").exists())


def test_another_run_ends_this_one(tmp_path, monkeypatch):
    """A run whose lane was taken commits nothing more, and does not take it back."""
    loaded, commit = archived(tmp_path), SqlStore.commit

    def overtaken(self, entries, taken, *rest):
        self.take([taken.lane])
        return commit(self, entries, taken, *rest)

    monkeypatch.setattr(SqlStore, "commit", overtaken)
    with pytest.raises(ReplayError, match="another run of this replay has taken over"):
        run(loaded)
    assert {} == state(tmp_path)[1]


def test_lanes_are_the_replays_own_and_older_than_live(tmp_path):
    """Messages and lanes have a backfill's names, which no output topic can have."""
    loaded = archived(tmp_path)
    run(loaded)
    store = open_store(loaded.mart.url)
    lanes, topics = list(store.progress()), {count.topic for count in store.counts()}
    store.close()
    assert {f"{BACKFILL}one/{worlds.TOPIC}"} == topics
    assert [0, 1] == [lane.partition for lane in lanes]
    assert all(lane.topic.startswith(f"{BACKFILL}one@") for lane in lanes)


def test_a_mart_that_cannot_be_used_is_told_of(tmp_path):
    """An unusable mart, an address in the wrong setting and a folder's journal are refused."""
    loaded = archived(tmp_path)
    with pytest.raises(RuleError, match=r"replay\.target\.url: must not be set"):
        run(settings(tmp_path, target={"kind": "mart", "url": "x"}))
    (tmp_path / "mart").mkdir()
    with pytest.raises(ReplayError, match=r"mart\.url: cannot be used"):
        run(loaded)
    (tmp_path / "mart").rmdir()
    run(settings(tmp_path, {"key_encoding": "base64"}))
    with pytest.raises(ReplayError, match="begun with another target"):
        run(loaded, resume=True)


def test_a_journal_that_lost_a_transaction_is_refused(tmp_path):
    """A journal that lacks a transaction is refused, because counts and memory would be wrong."""
    loaded = archived(tmp_path)
    with pytest.raises(KeyError):
        run(loaded, watch=stopped_after(40))
    first, *later = sorted((tmp_path / "journal").rglob("*.chunk"))
    assert later  # the last one may be of a transaction that the mart did not commit
    first.unlink()
    with pytest.raises(ReplayError, match="lacks a transaction"):
        run(loaded, resume=True)
