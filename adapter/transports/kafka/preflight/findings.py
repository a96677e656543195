"""Checks before a run whether the topics exist and are suitable, and the adapter may use them."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from aiokafka.admin import NewTopic
from aiokafka.admin.config_resource import ConfigResource, ConfigResourceType
from aiokafka.errors import KafkaError, TopicAlreadyExistsError, for_code

from adapter.errors import RuleError
from adapter.telemetry.error_names import named
from adapter.transports.backend import Findings
from adapter.transports.kafka.admin import input_topics, open_admin
from adapter.transports.kafka.preflight.rights import refused
from adapter.transports.kafka.preflight.topics import (
    ASKED,
    Output,
    Topic,
    command,
    creation,
    findings,
    outputs,
)
from adapter.transports.kafka.tokens import refuse_without_token
from adapter.transports.protocol import Channel

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from aiokafka.admin import AIOKafkaAdminClient

    from adapter.config.kafka import Kafka


_LOOKS, _BETWEEN = 50, 0.2
"""Times to look for topics just created, and seconds between them."""
ABSENT = "does not exist, or the adapter may not describe it"


@dataclass(frozen=True, slots=True)
class Wish:
    """The needs of a service that decide what is checked."""

    escrow: bool = False
    state: bool = False
    create: bool = False
    """Whether to create missing outputs."""
    lane: str = ""
    """Name of a lane, if it is not named after a partition."""


async def preflight(kafka: Kafka, wish: Wish) -> Findings:
    """Return the findings of all checks of the cluster.

    Raises:
        RuleError: no broker answers, or there is no token to authenticate with.
    """
    await refuse_without_token(kafka.security)
    try:
        async with open_admin(kafka) as admin:
            inputs, there = await _described(admin, kafka, wish)
            wanted = outputs(kafka, inputs, escrow=wish.escrow, state=wish.state)
            made = await _made(admin, kafka, wanted, there) if wish.create else Findings()
            if made.fine:
                there = await _visible(admin, kafka, wish, len(there) + len(made.fine))
        lost = _missing(kafka, inputs, wanted, there)
        rights = await _rights(kafka, wish, inputs, wanted, there)
    except (KafkaError, OSError, TimeoutError) as error:
        why = named(error)
        problem = " ".join(("no broker answers:", *why.values()))
        raise RuleError("kafka.bootstrap_servers", problem) from None
    return made + lost + findings(kafka, wanted, there) + rights


async def _visible(
    admin: AIOKafkaAdminClient, kafka: Kafka, wish: Wish, count: int
) -> dict[str, Topic]:
    """Return the existing topics, once ``count`` of them are described or after 10 s.

    A broker may answer that it has created a topic before it describes it.
    """
    for _ in range(_LOOKS):
        _, there = await _described(admin, kafka, wish)
        if len(there) >= count:
            break
        await asyncio.sleep(_BETWEEN)
    return there


async def _described(
    admin: AIOKafkaAdminClient, kafka: Kafka, wish: Wish
) -> tuple[Sequence[str], dict[str, Topic]]:
    """Return the input topics, and by name those configured topics that exist."""
    listed = set(await admin.list_topics())
    inputs = input_topics(kafka, listed)
    wanted = outputs(kafka, inputs, escrow=wish.escrow, state=wish.state)
    names = sorted(listed & {*inputs, *(output.name for output in wanted)})
    configs = await _configs(admin, names)
    described = await admin.describe_topics(names) if names else []
    return inputs, {
        each["topic"]: Topic(
            each["topic"],
            len(each["partitions"]),
            max((len(part["replicas"]) for part in each["partitions"]), default=1),
            configs.get(each["topic"], {}),
        )
        for each in described
    }


async def _configs(admin: AIOKafkaAdminClient, names: Sequence[str]) -> dict[str, dict[str, str]]:
    """Return the configuration of each topic that the adapter may describe."""
    if not names:
        return {}
    asked = [ConfigResource(ConfigResourceType.TOPIC, n, dict.fromkeys(ASKED, "")) for n in names]
    return {
        name: {entry[0]: entry[1] for entry in entries if entry[1] is not None}
        for answer in await admin.describe_configs(asked)
        for code, _message, _type, name, entries in answer.resources
        if code == 0
    }


async def _made(
    admin: AIOKafkaAdminClient, kafka: Kafka, wanted: Sequence[Output], there: Mapping[str, Topic]
) -> Findings:
    """Create the missing outputs whose inputs exist."""
    new = [creation(kafka, each, there) for each in _absent(wanted, there)]
    if not new:
        return Findings()
    asked = [NewTopic(t.name, t.partitions, t.replicas, topic_configs=dict(t.configs)) for t in new]
    answer = await admin.create_topics(asked)
    codes = {name: code for name, code, *_ in answer.topic_errors}
    fine = {0, TopicAlreadyExistsError.errno}
    return Findings(
        fine=tuple(f"{t.name} created" for t in new if codes[t.name] in fine),
        wrong=tuple(
            (t.name, f"cannot be created ({named(for_code(codes[t.name])).get('reason', '?')})")
            for t in new
            if codes[t.name] not in fine
        ),
    )


def _absent(wanted: Sequence[Output], there: Mapping[str, Topic]) -> list[Output]:
    return [
        each
        for each in wanted
        if each.name not in there and any(name in there for name in each.inputs)
    ]


def _missing(
    kafka: Kafka, inputs: Sequence[str], wanted: Sequence[Output], there: Mapping[str, Topic]
) -> Findings:
    """Return the missing topics, and the commands that create the outputs."""
    lost = [name for name in inputs if name not in there]
    absent = [each for each in wanted if each.name not in there]
    lost += [each.name for each in absent if each.channel is not Channel.STATE]
    notes = [
        f"create it with:  {command(kafka, creation(kafka, e, there))}"
        for e in _absent(wanted, there)
    ]
    notes += [
        f"{each.name} is created at the start, if the adapter may create topics"
        for each in absent
        if each.channel is Channel.STATE
    ]
    hidden = [name for name, topic in there.items() if not topic.configs]
    if hidden:
        notes.append(f"configuration not checked, no right DESCRIBE_CONFIGS: {', '.join(hidden)}")
    fine = (f"{len(there)} there",) if not lost else ()
    return Findings(fine, tuple(notes), tuple((name, ABSENT) for name in lost))


async def _rights(
    kafka: Kafka,
    wish: Wish,
    inputs: Sequence[str],
    wanted: Sequence[Output],
    there: Mapping[str, Topic],
) -> Findings:
    """Return the rights that the adapter lacks on the existing topics."""
    read = [name for name in inputs if name in there]
    read += [e.name for e in wanted if e.channel is Channel.STATE and e.name in there]
    written = [each.name for each in wanted if each.name in there]
    lane = wish.lane or (f"{inputs[0]}-0" if inputs else "")
    wrong = [found async for found in refused(kafka, read, written, lane)]
    asked = "read, group" + (", write, transactions" if kafka.guarantee == "exactly-once" else "")
    return Findings(fine=() if wrong else (f"rights: {asked}",), wrong=tuple(wrong))
