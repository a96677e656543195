"""A broker with ACLs, and the rights of its users."""

from __future__ import annotations

import asyncio
import re
import time
from contextlib import asynccontextmanager

from aiokafka.admin import AIOKafkaAdminClient
from aiokafka.protocol.admin import CreateAclsRequest, DeleteAclsRequest, DescribeAclsRequest

from tests.conftest import ROOT

USERS = ("deid", "operator")
TOPIC, GROUP, ID = 2, 3, 5
LITERAL, PREFIX, ANY, ALLOW = 3, 4, 1, 3
READ, WRITE, CREATE, DESCRIBE = 3, 4, 5, 8
PATIENCE = 20.0


def properties(port):
    """Of a broker: a listener for its owner, who may do everything, and one for users at a port."""
    passwords = " ".join(f'user_{name}="{name}-secret"' for name in USERS)
    return f"""
listeners=PLAINTEXT://127.0.0.1:{{port}},USERS://127.0.0.1:{port},CONTROLLER://127.0.0.1:{{next}}
advertised.listeners=PLAINTEXT://127.0.0.1:{{port}},USERS://127.0.0.1:{port}
listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,USERS:SASL_PLAINTEXT
listener.name.users.sasl.enabled.mechanisms=PLAIN
listener.name.users.plain.sasl.jaas.config=\
org.apache.kafka.common.security.plain.PlainLoginModule required {passwords};
authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer
super.users=User:ANONYMOUS
group.initial.rebalance.delay.ms=0
"""


def security(user):
    """The settings with which a user connects."""
    return f"""
[kafka.security]
protocol = "SASL_PLAINTEXT"
username = "{user}"
password = "{user}-secret"
"""


def rights_of_commands(marker):
    """The rights (command, resource, operation) in a table of the page for operators."""
    page = (ROOT / "docs/operate.md").read_text("utf-8")
    lines = page.split(f"<!-- {marker}: ")[1].split("\n\n")[0].splitlines()[1:]
    (_, *commands), _, *rows = [[cell.strip() for cell in each.split("|")[1:-1]] for each in lines]
    return {
        (command.strip("`"), place, operation)
        for place, *cells in rows
        for command, cell in zip(commands, cells, strict=True)
        for operation in re.findall(r"[A-Z]+", cell)
    }


@asynccontextmanager
async def _admin(owner):
    admin = AIOKafkaAdminClient(bootstrap_servers=owner)
    await admin.start()
    try:
        yield admin
    finally:
        await admin.close()


async def grant(owner, user, rights):
    """Give a user these rights and no others, and wait until the broker acts on them."""
    whose = (ANY, None, ANY, f"User:{user}", None, ANY, ANY)
    async with _admin(owner) as admin:
        await admin._send_to_controller(DeleteAclsRequest(*whose))
        for kind, name, pattern, operation in rights:
            wish = CreateAclsRequest(kind, name, pattern, f"User:{user}", "*", operation, ALLOW)
            answer = await admin._send_to_controller(wish)
            assert 0 == answer.creation_responses[0][0]
        end = time.monotonic() + PATIENCE
        while set(rights) != await _known(admin, whose):
            assert time.monotonic() < end
            await asyncio.sleep(0.05)


async def _known(admin, whose):
    answer = await admin._send_request(DescribeAclsRequest(*whose))
    return {
        (kind, name, pattern, operation)
        for kind, name, pattern, acls in answer.resources
        for _principal, _host, operation, _permission in acls
    }
