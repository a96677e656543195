"""The mart over a real Kafka and PostgreSQL: killed, fenced and cut off, it ends the same."""

from __future__ import annotations

import asyncio
import hashlib
import importlib
import random
import sys
import time
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest
from aiokafka import AIOKafkaProducer

from tests import processes
from tests.mart.loading.outputs import oru, patient
from tests.postgres import postgres, restarted, stop

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE))
cluster = importlib.import_module("cluster")

pytest.importorskip("duckdb")
pytestmark = pytest.mark.kafka
GONE = b"MRN7"


def record(number, patients=40):
    """Key, value and headers of the number-th released message; every hundredth is a tombstone."""
    own = number % patients
    value = (oru(number, own, number) if number % 3 else patient(own)).encode()
    key = f"MRN{own}".encode()
    if number % 500 == 250:
        key, value = GONE, None
    message_id = hashlib.blake2b(str(number).encode(), digest_size=16).hexdigest().encode()
    return key, value, [("deid-id", message_id), ("deid-ruleset", b"r"), ("deid-key", b"k")]


async def write(address, topic, numbers, ending="commit"):
    """Records in one transaction, which is committed or aborted."""
    producer = AIOKafkaProducer(bootstrap_servers=address, transactional_id=f"{topic}-{ending}")
    async with producer:
        await producer.begin_transaction()
        for number in numbers:
            key, value, headers = record(number)
            await producer.send(topic, value, key=key, headers=headers)
        await producer.flush()
        await getattr(producer, f"{ending}_transaction")()


async def fill(address, app, numbers):
    """Released records in two topics: the second repeats some of the first; one part is aborted."""
    await write(address, app, numbers)
    await write(address, app, range(10**6, 10**6 + 20), "abort")
    await write(address, f"{app}.more", numbers[::5])


class Mart:
    """The commands of the mart for one database, each in a process of its own."""

    def __init__(self, folder, address, app, url):
        folder.mkdir()
        self.project = app
        self.config, self.log = folder / "mart.toml", (folder / "log").open("ab")
        self.config.write_text(
            f'[mart]\nurl = "{url}"\ntopics = ["{app}", "{app}.more"]\nbatch_records = 40\n'
            f'project = "{app}"\n[kafka]\nbootstrap_servers = "{address}"\n'
        )

    def start(self, command, *arguments, **more):
        """Start a command."""
        line = ["-m", "adapter", "mart", command, "-c", self.config]
        return processes.Started([*line, *arguments], stderr=self.log, **more)

    def started(self, url):
        """Start a loader, and wait until it has taken the lanes."""
        before = epochs(url, self.project)
        process = self.start("load", "--follow")
        end = time.monotonic() + 120
        while epochs(url, self.project) == before and time.monotonic() < end:
            assert process.poll() is None
            time.sleep(0.2)
        return process

    def say(self, command, *arguments):
        """Run a command to its end; what it printed."""
        done = processes.run(["-m", "adapter", "mart", command, "-c", self.config, *arguments])
        assert 0 == done.returncode
        return done.stdout.decode()

    def progress(self):
        """Messages there are, and the digest of the state."""
        lines = self.say("check", "--digest").splitlines()
        return [line for line in lines if not line.startswith("lane")]


@pytest.mark.parametrize(
    "trial",
    [
        pytest.param((1_000, 3, 1), id="short"),
        pytest.param((6_000, 20, 3), id="long", marks=pytest.mark.slow),
    ],
)
def test_kills_and_two_loaders_change_nothing(bootstrap, app, tmp_path, trial):
    """Loaders killed, fenced by one another and cut off leave the state of one clean load."""
    total, kills, restarts = trial
    asyncio.run(cluster.make_topics(bootstrap, app, f"{app}.more", partitions=2))
    with ExitStack() as stack:
        url, server = stack.enter_context(postgres())
        mart = Mart(tmp_path / "mart", bootstrap, app, url)
        running, dice = [], random.Random(3)
        for number in range(kills):
            part = range(total * number // kills, total * (number + 1) // kills)
            asyncio.run(fill(bootstrap, app, part))
            running.append(mart.started(url))
            time.sleep(dice.uniform(0, 1))
            if number % (kills // restarts) == 1:
                server = restarted(server)
                stack.callback(stop, server)
            if len(running) > 1:
                running.pop(dice.randrange(2)).kill()
        for process in running:
            process.terminate()
        assert {process.wait(120) for process in running} <= {0, 2}
        mart.say("load")
        found, rows = mart.progress(), everything(url, app)
    clean = Mart(tmp_path / "clean", bootstrap, app, f"duckdb:///{tmp_path / 'clean.duckdb'}")
    clean.say("load")
    assert clean.progress() == found
    gone = sum('"MRN7"' in row for row in rows)
    assert (True, 0) == (len(rows) > total, gone)
    assert "unexpected" not in (tmp_path / "mart" / "log").read_text()


def epochs(url, project):
    """The sum of all lanes' epochs."""
    import psycopg  # noqa: PLC0415 - an extra

    with psycopg.connect(url) as connection, suppress(psycopg.errors.UndefinedTable):
        sql = f"SELECT coalesce(sum(epoch), 0) FROM mart_{project}.lane"
        return int(connection.execute(sql).fetchone()[0])
    return 0


def everything(url, project):
    """Every row of every table, as text."""
    import psycopg  # noqa: PLC0415 - an extra

    with psycopg.connect(url) as connection:
        tables = connection.execute(
            "SELECT tablename FROM pg_tables WHERE schemaname = %s", (f"mart_{project}",)
        ).fetchall()
        return [
            repr(row)
            for (name,) in tables
            for row in connection.execute(f'SELECT * FROM mart_{project}."{name}"').fetchall()
        ]


def test_a_topic_that_is_not_there_is_told(bootstrap, app, tmp_path):
    """The error names the topic, with status 2."""
    mart = Mart(tmp_path / "mart", bootstrap, app, f"duckdb:///{tmp_path / 'm.duckdb'}")
    process = mart.start("load")
    assert 2 == process.wait(120)
    log = (tmp_path / "mart" / "log").read_text()
    assert f"error: mart.topics: no such topic: {app}" in log


def test_records_deleted_unread_stop_the_load(bootstrap, app, tmp_path):
    """What retention took before it was loaded is named, and passed over only if so told."""
    from aiokafka import TopicPartition  # noqa: PLC0415
    from aiokafka.admin import AIOKafkaAdminClient, RecordsToDelete  # noqa: PLC0415

    async def delete():
        admin = AIOKafkaAdminClient(bootstrap_servers=bootstrap)
        await admin.start()
        at = {TopicPartition(app, n): RecordsToDelete(before_offset=-1) for n in range(2)}
        await admin.delete_records(at)
        await admin.close()

    asyncio.run(cluster.make_topics(bootstrap, app, f"{app}.more", partitions=2))
    asyncio.run(write(bootstrap, app, range(100)))
    mart = Mart(tmp_path / "mart", bootstrap, app, f"duckdb:///{tmp_path / 'm.duckdb'}")
    mart.say("load")
    asyncio.run(write(bootstrap, app, range(100, 200)))
    asyncio.run(delete())
    asyncio.run(write(bootstrap, app, range(300, 400)))
    assert 2 == mart.start("load").wait(120)
    assert "were deleted before they were loaded" in (tmp_path / "mart" / "log").read_text()
    mart.say("load", "--accept-gap")
    assert any("200 released" in line for line in mart.progress())
