"""The rights that the page on operation lists for a replay of topics into topics."""

from __future__ import annotations

import asyncio

import pytest

from adapter.config.settings import load_settings
from adapter.errors import RuleError
from adapter.replay import passes
from adapter.replay.errors import ReplayError
from adapter.replay.run import replay
from adapter.transports.protocol import TransportError
from tests.integration.acls import (
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
from tests.integration.test_replay import into_topics, of_kafka, settings_file
from tests.replay.conftest import InlinePool
from tests.replay.worlds import StandIn, message

pytestmark = pytest.mark.slow

USER = "operator"
NAME = "again"
NEEDS = [
    (TOPIC, "{app}.in", LITERAL, READ),
    (TOPIC, "{app}.in.again", LITERAL, WRITE),
    (TOPIC, "{app}.in.again.quarantine", LITERAL, WRITE),
    (TOPIC, "{app}.in.again.audit", LITERAL, WRITE),
    (TOPIC, "{app}.in.again.state", LITERAL, READ),
    (TOPIC, "{app}.in.again.state", LITERAL, WRITE),
    (TOPIC, "{app}.progress", LITERAL, READ),
    (TOPIC, "{app}.progress", LITERAL, WRITE),
    (ID, "{app}-replay-again-", PREFIX, WRITE),
]
PLACES = {
    "{app}.in": "topic, each of `replay.source.topics`",
    "{app}.in.again": "topic, each `replay.target.topic`, `quarantine`, `audit`",
    "{app}.in.again.quarantine": "topic, each `replay.target.topic`, `quarantine`, `audit`",
    "{app}.in.again.audit": "topic, each `replay.target.topic`, `quarantine`, `audit`",
    "{app}.in.again.state": "topic, each `replay.target.state`",
    "{app}.progress": "topic `replay.target.progress`",
    "{app}-replay-again-": "transactional id, prefix `<app>-replay-<name>-`",
}
"""The names of the resources on the page."""
TOTAL, RELEASED = 30, 27
"""One message in ten is invalid, and held."""


@pytest.fixture
def site(tmp_path, guarded, app, monkeypatch):
    """Settings of a replay whose topics are there."""
    monkeypatch.setattr(passes, "Pool", InlinePool)
    owner, users = guarded
    file = settings_file(tmp_path, users, app, NAME, source=of_kafka(app), target=into_topics(app))
    text = file.read_text().replace("[replay]\n", "[replay]\nattempts = 3\n")
    file.write_text(f"{text}\n{security(USER)}")
    made = {name.format(app=app) for kind, name, *_ in NEEDS if kind == TOPIC}

    async def fill():
        compact = {f"{app}.progress", f"{app}.in.again.state"}
        await make_topics(owner, *sorted(made - compact), partitions=1)
        await make_topics(
            owner, *sorted(compact), partitions=1, configs={"cleanup.policy": "compact"}
        )
        await write(owner, f"{app}.in", [(None, message(n), ()) for n in range(TOTAL)])

    asyncio.run(fill())
    return file


def worked(file, *, resume=False):
    """Whether a replay, or what is left of it, finished."""
    try:
        done = asyncio.run(replay(load_settings(file), resume=resume, factory=StandIn()))
    except RuleError as error:
        return "use --resume" in error.problem and worked(file, resume=True)
    except (ReplayError, TransportError):
        return False
    return done.status == 0 and bool(done.manifest)


def test_every_right_is_needed_and_no_other(site, guarded, app):
    """Without any one of its rights a replay fails; with all of them it works.

    Those to the state are left out: the stand-in for the rules learns nothing of patients, so that
    nothing is written to it or read from it.
    """
    owner, _ = guarded
    rights = [(kind, name.format(app=app), *more) for kind, name, *more in NEEDS]
    for right in rights:
        if right[1].endswith(".state"):
            continue
        asyncio.run(grant(owner, USER, [each for each in rights if each != right]))
        assert not worked(site), right
        assert not asyncio.run(read_all(owner, f"{app}.in.again")), right
    asyncio.run(grant(owner, USER, rights))
    assert worked(site)
    assert RELEASED == len(asyncio.run(read_all(owner, f"{app}.in.again")))


def test_the_page_lists_what_was_tried():
    """The table has the rights above."""
    operations = {READ: "READ", WRITE: "WRITE"}
    tried = {("replay", PLACES[name], operations[right]) for _, name, _, right in NEEDS}
    assert tried == rights_of_commands("replays")
