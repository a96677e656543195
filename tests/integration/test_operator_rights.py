"""The rights that the page on operation lists for operators, each command with its own alone."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace

import pytest
from aiokafka import AIOKafkaProducer

from adapter.config.settings import load_settings
from adapter.runtime.quarantine.operations import listed
from adapter.runtime.service import sealer
from adapter.sealing.quarantine import Held
from adapter.transports.kafka.chaining import Progress, Settled
from adapter.transports.kafka.client import producer_options
from adapter.transports.kafka.transaction import KafkaTransaction
from adapter.transports.protocol import Channel, TransportError
from adapter.types import Position, Record
from tests import processes
from tests.chaos.load import CANARIES, hl7v2
from tests.integration.acls import (
    DESCRIBE,
    GROUP,
    ID,
    LITERAL,
    PREFIX,
    READ,
    TOPIC,
    WRITE,
    grant,
    rights_of_commands,
    security,
)
from tests.integration.cluster import make_topics, read_all, write

pytestmark = pytest.mark.slow

USER = "operator"
ACCESS = [
    (TOPIC, "{app}.audit", LITERAL, READ),
    (TOPIC, "{app}.audit", LITERAL, WRITE),
    (GROUP, "{app}-access", LITERAL, READ),
    (ID, "{app}-access", LITERAL, WRITE),
]
LOOK = [(TOPIC, "{app}.quarantine", LITERAL, READ), (GROUP, "{app}-retry", LITERAL, DESCRIBE)]
SETTLE = [
    (TOPIC, "{app}.quarantine", LITERAL, READ),
    (TOPIC, "{app}.quarantine", LITERAL, WRITE),
    (GROUP, "{app}-retry", LITERAL, READ),
    (ID, "{app}-retry-", PREFIX, WRITE),
]
RELEASE = [
    (TOPIC, "{app}.deid", LITERAL, WRITE),
    (TOPIC, "{app}.escrow", LITERAL, WRITE),
    (TOPIC, "{app}.state", LITERAL, READ),
    (TOPIC, "{app}", LITERAL, DESCRIBE),
]
NEEDS = {
    "list": LOOK,
    "show": LOOK + ACCESS,
    "retry": SETTLE + ACCESS + RELEASE,
    "review import": LOOK + ACCESS,
    "discard": [*SETTLE, (TOPIC, "{app}.audit", LITERAL, WRITE)],
    "reidentify": [*ACCESS, (TOPIC, "{app}.escrow", LITERAL, READ)],
}
PLACES = {
    (TOPIC, "{app}"): "topic, each input",
    (TOPIC, "{app}.deid"): "topic, each output",
    (TOPIC, "{app}.quarantine"): "topic, each quarantine",
    (TOPIC, "{app}.audit"): "topic, audit",
    (TOPIC, "{app}.escrow"): "topic, each escrow",
    (TOPIC, "{app}.state"): "topic, each state",
    (GROUP, "{app}-retry"): "group `<app>-retry`",
    (GROUP, "{app}-access"): "group `<app>-access`",
    (ID, "{app}-access"): "transactional id `<app>-access`",
    (ID, "{app}-retry-"): "transactional id, prefix `<app>-retry-`",
}
"""The names of the resources on the page."""
OPERATIONS = {READ: "READ", WRITE: "WRITE", DESCRIBE: "DESCRIBE"}
REFUSED = {
    TOPIC: b"TOPIC_AUTHORIZATION_FAILED",
    GROUP: b"GROUP_AUTHORIZATION_FAILED",
    ID: b"TRANSACTIONAL_ID_AUTHORIZATION_FAILED",
}


class Site:
    """A quarantine with held messages, its owner's settings, and those of an operator."""

    def __init__(self, folder, guarded, app):
        """Make keys, settings and topics of one partition; hold two messages."""
        self.owner, users = guarded
        self.folder, self.app, self.held = folder, app, 0
        self.officer = folder / "officer.json"
        self.run("keys", "ring", folder / "ring.json", ok=True)
        rotate = ("keys", "rotate", folder / "ring.json", "--purpose")
        self.run(*rotate, "escrow", "--private", self.officer, ok=True)
        self.run(*rotate, "review", ok=True)
        self.mine = self._settings("owner.toml", self.owner, "")
        self.theirs = self._settings("operator.toml", users, security(USER))
        self.sealer = sealer(load_settings(self.mine))
        asyncio.run(self._topics())
        self.hold()
        self.hold()

    def _settings(self, name, address, more):
        file = self.folder / name
        file.write_text(
            f"""
[kafka]
bootstrap_servers = "{address}"
app = "{self.app}"
topics = ["{self.app}"]
audit = "{self.app}.audit"
{more}
[workers]
processes = 1
[keys]
ring = "ring.json"
[escrow]
enabled = true
"""
        )
        return file

    async def _topics(self):
        names = [f"{self.app}.{kind}" for kind in ("deid", "quarantine", "audit", "escrow")]
        await make_topics(self.owner, self.app, *names, partitions=1)
        compact = {"cleanup.policy": "compact"}
        await make_topics(self.owner, f"{self.app}.state", partitions=1, configs=compact)

    def run(self, *words, ok=False):
        """What a command of the adapter ended with."""
        done = processes.run(["-m", "adapter", *words])
        assert not ok or 0 == done.returncode, done.stderr
        return done

    def hold(self, value=None):
        """Hold a message with its audit record, as the adapter does, and return its name."""
        number, self.held = self.held, self.held + 1
        record = Record(value or hl7v2(number, 1), Position(self.app, 0, number), b"MRN77001")
        why = Held("leak", "pattern", self.app, 0, number, time_ms=5, id=f"held-{number}")
        envelope = self.sealer.seal(record, why)
        asyncio.run(write(self.owner, f"{self.app}.quarantine", [(None, envelope, ())]))
        asyncio.run(write(self.owner, f"{self.app}.audit", [(None, why.id.encode(), ())]))
        return why.id

    def grant(self, rights):
        """Give the operator these rights alone."""
        named = [(kind, name.format(app=self.app), *more) for kind, name, *more in rights]
        asyncio.run(grant(self.owner, USER, named))

    def seen(self):
        """What the owner sees: held messages with their attempts, and released ones."""
        found = asyncio.run(listed(load_settings(self.mine)))
        released = asyncio.run(read_all(self.owner, f"{self.app}.deid"))
        held = {each.name: each.held.attempts for each in found if each.state == "held"}
        return held, [record.value for record in released]

    def told(self):
        """Which accesses and outcomes the audit has."""
        return [r.value for r in asyncio.run(read_all(self.owner, f"{self.app}.audit"))]


@pytest.fixture
def site(tmp_path, guarded, app):
    """A site of its own for each test."""
    return Site(tmp_path, guarded, app)


def quarantine(site, command, *words):
    """Run a command on the quarantine as the operator."""
    return site.run("quarantine", command, *words, "--config", site.theirs)


def command_of(site, command):
    """What to run, and what shows in the streams and in `seen` that it has done its work."""
    name = "held-0"
    if command == "list":
        return lambda: quarantine(site, "list"), b"held-0"
    if command == "show":
        return lambda: quarantine(site, "show", name, "--reason", "test"), b"QUILLFEATHER"
    if command == "review import":
        return lambda: _imported(site), b"already present"
    if command == "retry":
        return lambda: quarantine(site, "retry", _some(site), "--reason", "test"), b"1 released"
    if command == "discard":
        words = ("--reason", "test", "--yes")
        return lambda: quarantine(site, "discard", _some(site), *words), b"1 discarded"
    return _reidentify(site), b"1 of 1 message"


def _imported(site):
    """Import the quarantine into a console's new database."""
    for made in site.folder.glob("review.sqlite*"):
        made.unlink()
    run = site.run("review", "import", "--quarantine", "--config", site.theirs)
    assert b"0 messages added" not in run.stderr
    return run


def _some(site):
    """The name of the last held message: others are written again before it is settled."""
    return list(site.seen()[0])[-1]


def _reidentify(site):
    """Release a message as the owner; the command that restores it, each time into a new folder."""
    site.run("quarantine", "retry", _some(site), "--config", site.mine, ok=True)
    (site.folder / "clean").mkdir()
    (site.folder / "clean" / "message.hl7").write_bytes(site.seen()[1][0])
    number = iter(range(99))

    def go():
        words = ("--escrow", "kafka", "--key", site.officer, "--reason", "test")
        out = site.folder / f"back-{next(number)}"
        return site.run(
            "reidentify", site.folder / "clean", *words, "--config", site.theirs, "-o", out
        )

    return go


@pytest.mark.parametrize("command", NEEDS)
def test_every_right_is_needed_and_no_other(site, command):
    """With its rights alone a command works; without any one of them it names what it lacks.

    It ends, opens nothing, loses nothing and leaves nothing in the way of other readers; with the
    right given back it works.
    """
    go, done = command_of(site, command)
    for right in NEEDS[command]:
        before, told = site.seen(), site.told()
        site.grant([each for each in NEEDS[command] if each != right])
        failed = go()
        said = failed.stdout + failed.stderr
        assert 0 != failed.returncode, right
        assert b"transport/forbidden" in failed.stderr, (right, failed.stderr)
        assert REFUSED[right[0]] in failed.stderr, (right, failed.stderr)
        assert right[1].format(app=site.app).encode() in failed.stderr, (right, failed.stderr)
        assert not CANARIES.search(said), right
        assert not list(site.folder.glob("back-*/*")), right
        name = site.hold()  # behind what the failed command may have written
        assert (before[0] | {name: 1}, before[1]) == site.seen(), right
        *accesses, last = site.told()[len(told) :]
        assert name.encode() == last, right
        assert all(command == "retry" and b'"quarantine retry"' in each for each in accesses), right
        site.grant(NEEDS[command])
        again = go()
        assert (0, True) == (again.returncode, done in again.stdout + again.stderr), right
        for made in site.folder.glob("back-*/*"):
            assert CANARIES.search(made.read_bytes())
            made.unlink()
    held, released = site.seen()
    count = len(NEEDS[command])
    settled = {"retry": count, "discard": count, "reidentify": 1}.get(command, 0)
    assert 2 + count - settled == len(held)
    assert {"retry": count, "reidentify": 1}.get(command, 0) == len(set(released)) == len(released)


def test_each_message_is_settled_once(site):
    """With the rights of `retry` alone one message is released and one is held again, once each."""
    poor = site.hold(b"MSH|")
    site.grant(NEEDS["retry"])
    done = quarantine(site, "retry", "held-0", poor)
    assert 0 == done.returncode, done.stderr
    held, released = site.seen()
    assert ({"held-1": 1, poor: 2}, 1) == (held, len(released))
    assert not CANARIES.search(b"".join(released))


def test_a_refused_transaction_stands_in_nobodys_way(site):
    """A refusal after the first record is told as such, and the transaction ends at the broker."""
    site.grant([*SETTLE, (TOPIC, "{app}.audit", LITERAL, READ)])
    kafka = load_settings(site.theirs).kafka
    names = {Channel.HELD: f"{site.app}.quarantine", Channel.AUDIT: f"{site.app}.audit"}
    transport = SimpleNamespace(
        kafka=kafka, exactly_once=True, topic=lambda channel, _source: names[channel]
    )
    record = Record(b"nothing", Position(site.app, 0, 0))

    async def go():
        async with AIOKafkaProducer(**producer_options(kafka, f"{site.app}-retry-0")) as producer:
            transaction = KafkaTransaction(transport, producer, Progress(Settled(), None))
            await transaction.begin()
            await transaction.send(Channel.HELD, record)
            await transaction.sends[0][1]
            await transaction.send(Channel.AUDIT, record)
            with pytest.raises(TransportError) as raised:
                await transaction.commit()
            told = transaction.cause(raised.value)
            later = transaction.cause(TransportError("send-failed"))
            await transaction.abort()
            return told, later

    told, later = asyncio.run(go())
    refused = f"transport/forbidden, TOPIC_AUTHORIZATION_FAILED, topic {site.app}.audit"
    assert [refused] * 2 == [told.described, later.described]
    name = site.hold()
    assert {"held-0", "held-1", name} == site.seen()[0].keys()


def test_the_page_lists_what_was_tried():
    """The table of operators' rights has the rights above, command by command."""
    tried = {
        (command, PLACES[kind, name], OPERATIONS[operation])
        for command, rights in NEEDS.items()
        for kind, name, _, operation in rights
    }
    assert tried == rights_of_commands("operators")
