"""Checks before a run whether the topics exist and are suitable, and the adapter may use them."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from aiokafka.admin import NewTopic
from aiokafka.admin.config_resource import ConfigResource, ConfigResourceType
from aiokafka.errors import KafkaError, TopicAlreadyExistsError, for_code

from adapter.errors import RuleError
from adapter.telemetry.error_names import named
from adapter.transports.backend import Findings
from adapter.transports.kafka.admin import input_topics, open_admin
from adapter.transports.kafka.preflight.rights import Use, refused
from adapter.transports.kafka.preflight.topics import (
    ASKED,
    BROKERS_CHOICE,
    Output,
    Topic,
    command,
    creation,
    findings,
    outputs,
)
from adapter.transports.kafka.tokens import refuse_without_token
from adapter.transports.kafka.transport import DOMAIN
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
    joined: bool = False
    """Whether all input topics share a patient memory."""
    listener: Topic | None = None
    """What stands for the input topic, if messages come from a listener."""


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
            prepare = _made if wish.create else _later
            made = await prepare(admin, kafka, wanted, there)
            if made.fine:
                there = await _visible(admin, kafka, wish, len(there) + len(made.fine))
        lost = _missing(kafka, wish, inputs, wanted, there)
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
    there = {
        each["topic"]: Topic(
            each["topic"],
            len(each["partitions"]),
            max((len(part["replicas"]) for part in each["partitions"]), default=1),
            configs.get(each["topic"], {}),
        )
        for each in described
    }
    if wish.listener is not None:
        there[wish.listener.name] = _like_output(kafka, wish.listener, there)
    return inputs, there


def _like_output(kafka: Kafka, listener: Topic, there: Mapping[str, Topic]) -> Topic:
    """Return what stands for the input, with the partitions of the output, as of the others."""
    output = there.get(kafka.released_to(listener.name))
    if output is None:
        return listener
    return replace(listener, partitions=output.partitions, replicas=output.replicas)


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
    reasons = await _created(admin, new)
    return Findings(
        fine=tuple(f"{name} created" for name, reason in reasons.items() if not reason),
        wrong=tuple(
            (name, f"cannot be created ({reason})") for name, reason in reasons.items() if reason
        ),
    )


async def _later(
    admin: AIOKafkaAdminClient, kafka: Kafka, wanted: Sequence[Output], there: Mapping[str, Topic]
) -> Findings:
    """Return the missing state topics that a service would create at its start, and may not."""
    absent = [each for each in _absent(wanted, there) if each.channel is Channel.STATE]
    new = [creation(kafka, each, there) for each in absent]
    reasons = await _created(admin, new, only_asked=True) if new else {}
    wrong = (
        (name, f"{ABSENT}, nor create it ({reason})") for name, reason in reasons.items() if reason
    )
    return Findings(wrong=tuple(wrong))


async def _created(
    admin: AIOKafkaAdminClient, topics: Sequence[Topic], *, only_asked: bool = False
) -> dict[str, str]:
    """Create topics, or only ask whether that is possible; return Kafka's reason why not, or ""."""
    answer = await admin.create_topics(list(map(_new, topics)), validate_only=only_asked)
    codes = {name: code for name, code, *_ in answer.topic_errors}
    fine = {0, TopicAlreadyExistsError.errno}
    return {
        name: "" if code in fine else named(for_code(code)).get("reason", "?")
        for name, code in codes.items()
    }


def _new(topic: Topic) -> NewTopic:
    # the client accepts the broker's own number of replicas only beside a list of replicas
    placed: dict[int, list[int]] | None = {} if topic.replicas == BROKERS_CHOICE else None
    configs = dict(topic.configs)
    return NewTopic(topic.name, topic.partitions, topic.replicas, placed, topic_configs=configs)


def _absent(wanted: Sequence[Output], there: Mapping[str, Topic]) -> list[Output]:
    return [
        each
        for each in wanted
        if each.name not in there and any(name in there for name in each.inputs)
    ]


def _missing(
    kafka: Kafka,
    wish: Wish,
    inputs: Sequence[str],
    wanted: Sequence[Output],
    there: Mapping[str, Topic],
) -> Findings:
    """Return the missing topics, and the commands that create the outputs."""
    if not inputs and kafka.pattern:
        problem = "matches no topic that the adapter may describe"
        return Findings(wrong=(("kafka.pattern", problem),))
    lost = [name for name in inputs if name not in there]
    absent = [each for each in wanted if each.name not in there]
    lost += [each.name for each in absent if each.channel is not Channel.STATE]
    notes = [
        f"create it with:  {command(kafka, creation(kafka, e, there))}"
        for e in _absent(wanted, there)
    ]
    notes += [
        f"{each.name} is created at the start" for each in absent if each.channel is Channel.STATE
    ]
    hidden = [name for name, topic in there.items() if not topic.configs]
    if hidden:
        notes.append(f"configuration not checked, no right DESCRIBE_CONFIGS: {', '.join(hidden)}")
    fine = (f"{len(there) - (wish.listener is not None)} there",) if not lost else ()
    return Findings(fine, tuple(notes), tuple((name, ABSENT) for name in lost))


async def _rights(
    kafka: Kafka,
    wish: Wish,
    inputs: Sequence[str],
    wanted: Sequence[Output],
    there: Mapping[str, Topic],
) -> Findings:
    """Return the rights that the adapter lacks on the existing topics."""
    once = kafka.guarantee == "exactly-once"
    read = {Channel.STATE}
    if wish.listener is not None and once:
        read.add(Channel.RELEASED)  # the offset of the last message is one of this topic
    sources = [name for name in inputs if name in there and wish.listener is None]
    use = Use(
        read=(*sources, *(e.name for e in wanted if e.channel in read and e.name in there)),
        written=tuple(each.name for each in wanted if each.name in there),
        group=_group(kafka, wish, once=once),
        ids=tuple(f"{kafka.app}-{lane}" for lane in _lanes(wish, inputs, there) if once),
    )
    wrong = [found async for found in refused(kafka, use)]
    asked = [
        *(["read"] if use.read else []),
        *(["group"] if use.group else []),
        *(["write"] if use.written else []),
        *(["transactions"] if use.ids else []),
    ]
    fine = (f"rights: {', '.join(asked)}",) if asked and not wrong else ()
    return Findings(fine=fine, wrong=tuple(wrong))


def _group(kafka: Kafka, wish: Wish, *, once: bool) -> str:
    """Return the group of the offsets; a listener has offsets only in transactions."""
    if wish.listener is None:
        return kafka.consumer_group
    return f"{kafka.app}-{wish.listener.name}" if once else ""


def _lanes(wish: Wish, inputs: Sequence[str], there: Mapping[str, Topic]) -> list[str]:
    """Return the names of all lanes, each of which has a transactional id of its own."""
    if wish.listener is not None:
        return [wish.listener.name]
    sizes = {name: there[name].partitions for name in inputs if name in there}
    if wish.joined:
        return [f"{DOMAIN}-{number}" for number in range(max(sizes.values(), default=0))]
    return [f"{name}-{number}" for name, size in sizes.items() for number in range(size)]
