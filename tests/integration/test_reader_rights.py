"""The rights that the page on operation lists for commands that only read topics."""

from __future__ import annotations

import asyncio
import base64

import pytest

from adapter.cli.send import sent
from adapter.config.settings import load_settings
from adapter.sealing.chain import Signer
from adapter.transports.protocol import TransportError
from tests import processes
from tests.chaos.load import message
from tests.integration.acls import (
    DESCRIBE,
    GROUP,
    LITERAL,
    READ,
    TOPIC,
    grant,
    rights_of_commands,
    security,
)
from tests.integration.cluster import KEY, make_topics, settings_file, write
from tests.send.receiving import oru, receiving

pytestmark = pytest.mark.slow

USER = "operator"
NEEDS = {
    "run --dry-run": [(TOPIC, "{app}", LITERAL, READ)],
    "audit verify": [(TOPIC, "{app}.audit", LITERAL, READ)],
    "send": [(TOPIC, "{app}.deid", LITERAL, READ), (GROUP, "{app}-send", LITERAL, READ)],
    "mart load": [(TOPIC, "{app}.deid", LITERAL, READ), (TOPIC, "{app}.audit", LITERAL, READ)],
    "review import --topic": [(TOPIC, "{app}", LITERAL, READ)],
}
PLACES = {
    "{app}": "topic, each input",
    "{app}.audit": "topic, audit",
    "{app}.deid": "topic, each output",
    "{app}-send": "group `<app>-<send.name>`",
}
"""The names of the resources on the page."""
TOTAL = 20
SECRET = base64.b64encode(KEY).decode()


@pytest.fixture
def site(tmp_path, guarded, app):
    """Settings of an operator, over an input, an output and a chained audit."""
    owner, users = guarded
    file = settings_file(tmp_path, users, app)
    own = file.read_text().replace(
        "[keys]", f'[keys]\nreview = {{ id = "r1", value = "{SECRET}" }}'
    )
    file.write_text(
        f'{own}\n{security(USER)}\n[rules]\nlanguages = ["en"]\n'
        f'[mart]\naudit = "{app}.audit"\n[review]\n'
    )
    chain, audit = Signer.of("a1", KEY).begin(f"{app}-access"), []
    for number in range(TOTAL):
        value, chain = chain.add(b'{"time_ms":%d}' % number)
        audit.append((None, value, ()))

    async def fill():
        await make_topics(owner, app, f"{app}.deid", f"{app}.audit", partitions=1)
        await write(owner, app, [message(number) for number in range(TOTAL)])
        await write(owner, f"{app}.deid", [(None, oru(number), ()) for number in range(TOTAL)])
        await write(owner, f"{app}.audit", audit)

    asyncio.run(fill())
    return file


def done(command, file):
    """Whether a command did its work, and what it said."""
    if command == "send":
        return asyncio.run(_sent(file))
    for made in (*file.parent.glob("*.duckdb"), *file.parent.glob("review.sqlite*")):
        made.unlink()
    run = processes.run(["-m", "adapter", *command.split(), "--config", file])
    told = {
        "run --dry-run": f"of {TOTAL} records",
        "audit verify": f"{TOTAL} records, 1 chain",
        "mart load": f"{2 * TOTAL} records read",
        "review import --topic": f"{TOTAL} messages added",
    }
    said = (run.stdout + run.stderr).decode()
    return run.returncode == 0 and told[command] in said, said


async def _sent(file):
    async with receiving([]) as receiver:
        settings = load_settings(file, send={"host": "127.0.0.1", "port": receiver.port})
        try:
            code = await sent(settings, follow=False)
        except TransportError as error:
            return False, error.described
        return (code, TOTAL) == (0, len(receiver.got)), ""


@pytest.mark.parametrize("command", NEEDS)
def test_every_right_is_needed_and_no_other(site, guarded, app, command):
    """Without a right, or with that to describe alone, what it lacks is named; then it works."""
    owner, _ = guarded
    rights = [(kind, name.format(app=app), *more) for kind, name, *more in NEEDS[command]]
    for right in rights:
        kind, name, pattern, _ = right
        left = [each for each in rights if each != right]
        for instead in ([], [(kind, name, pattern, DESCRIBE)]):
            asyncio.run(grant(owner, USER, left + instead))
            worked, said = done(command, site)
            assert (False, True) == (worked, name in said), (right, instead, said)
    asyncio.run(grant(owner, USER, rights))
    worked, said = done(command, site)
    assert worked, said


def test_the_page_lists_what_was_tried():
    """The table has the rights above, command by command."""
    tried = {
        (command, PLACES[name], "READ")
        for command, rights in NEEDS.items()
        for _, name, *_ in rights
    }
    assert tried == rights_of_commands("readers")
