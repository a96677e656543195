"""The topics that the settings need, and the problems of the existing ones."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from adapter.transports.backend import Findings
from adapter.transports.kafka.client import ENVELOPE_BYTES
from adapter.transports.protocol import Channel

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from adapter.config.kafka import Kafka

CLEANUP, LARGEST, RETENTION = "cleanup.policy", "max.message.bytes", "retention.ms"
ASKED = (CLEANUP, LARGEST, RETENTION)
"""Names of the topic configuration that is checked."""
BROKERS_CHOICE = -1
"""Number of replicas that leaves it to the broker."""
_DAY_MS = 86_400_000
_SHORT_DAYS = 30
_KEPT = {
    Channel.HELD: ("held messages", ": retry them within that time"),
    Channel.ESCROW: ("originals", ": later nobody can restore them"),
    Channel.AUDIT: ("audit records", ": later `audit verify` needs --pruned"),
}
"""What is in topics of which a short retention is noted, and what follows from it."""
_SEALED = frozenset({Channel.HELD, Channel.ESCROW})


@dataclass(frozen=True, slots=True)
class Topic:
    """A topic as the cluster describes it; ``configs`` is empty if the adapter may not see it."""

    name: str
    partitions: int
    replicas: int
    configs: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Output:
    """A topic that the adapter writes to, and the input topics whose records go there."""

    name: str
    channel: Channel
    inputs: tuple[str, ...]


def outputs(kafka: Kafka, inputs: Sequence[str], *, escrow: bool, state: bool) -> list[Output]:
    """Return the output topics for these input topics."""
    patterns = {
        Channel.RELEASED: "",
        Channel.HELD: kafka.quarantine,
        Channel.AUDIT: kafka.audit,
        Channel.ESCROW: kafka.escrow if escrow else None,
        Channel.STATE: kafka.state if state else None,
    }
    found: dict[tuple[str, Channel], list[str]] = {}
    for channel, pattern in patterns.items():
        for topic in inputs if pattern is not None else ():
            name = kafka.released_to(topic) if channel is Channel.RELEASED else pattern
            found.setdefault(((name or "").replace("{topic}", topic), channel), []).append(topic)
    return [Output(name, channel, tuple(of)) for (name, channel), of in found.items()]


def creation(kafka: Kafka, output: Output, there: Mapping[str, Topic]) -> Topic:
    """Return a missing output to create like its inputs, of which at least one exists."""
    sources = [there[name] for name in output.inputs if name in there]
    configs = {}
    if output.channel is Channel.STATE:
        configs[CLEANUP] = "compact"
    if output.channel is not Channel.AUDIT:
        configs[LARGEST] = str(_needed(kafka, output, sources))
    return Topic(
        output.name,
        max(source.partitions for source in sources),
        max(source.replicas for source in sources),
        configs,
    )


def command(kafka: Kafka, topic: Topic) -> str:
    """Return the command of Kafka's own tools that creates a topic."""
    configs = "".join(f" --config {name}={value}" for name, value in topic.configs.items())
    chosen = topic.replicas != BROKERS_CHOICE
    replicas = f" --replication-factor {topic.replicas}" if chosen else ""
    return (
        f"kafka-topics.sh --bootstrap-server {kafka.bootstrap_servers} --create"
        f" --topic {topic.name} --partitions {topic.partitions}{replicas}{configs}"
    )


def findings(kafka: Kafka, wanted: Sequence[Output], there: Mapping[str, Topic]) -> Findings:
    """Return the problems of the existing outputs, and notes for the operator."""
    wrong: list[tuple[str, str]] = []
    notes: list[str] = []
    for output in wanted:
        topic = there.get(output.name)
        sources = [there[name] for name in output.inputs if name in there]
        if topic is None or not sources:
            continue
        wrong += [(topic.name, problem) for problem in _problems(output, topic, sources)]
        notes += [f"{topic.name} {note}" for note in _notes(kafka, output, topic, sources)]
    return Findings(notes=tuple(notes), wrong=tuple(wrong))


def _problems(output: Output, topic: Topic, sources: Sequence[Topic]) -> Iterator[str]:
    """Yield the problems that would lose records or stop lanes."""
    most = max(source.partitions for source in sources)
    if output.channel is Channel.STATE and topic.partitions != most:
        yield f"has {topic.partitions} partitions; patient memory needs {most}, as the input has"
    policy = topic.configs.get(CLEANUP)
    if policy is None:
        return
    if output.channel is Channel.STATE and policy != "compact":
        yield f"has {CLEANUP}={policy}; patient memory would be lost: set it to compact"
    if output.channel is not Channel.STATE and "compact" in policy:
        yield f"has {CLEANUP}={policy}; earlier records of a key would be lost: set it to delete"


def _notes(kafka: Kafka, output: Output, topic: Topic, sources: Sequence[Topic]) -> Iterator[str]:
    most = max(source.partitions for source in sources)
    alike = output.channel in {Channel.RELEASED, Channel.ESCROW}
    if alike and topic.partitions < most:
        yield f"has {topic.partitions} partitions, its input has {most}"
    largest, needed = topic.configs.get(LARGEST), _needed(kafka, output, sources)
    if largest is not None and output.channel is not Channel.AUDIT and int(largest) < needed:
        yield f"accepts {largest} bytes ({LARGEST}); records of its input may need {needed}"
    kept = int(topic.configs.get(RETENTION, -1))
    if output.channel in _KEPT and 0 <= kept < _SHORT_DAYS * _DAY_MS:
        what, advice = _KEPT[output.channel]
        yield f"keeps {what} for {kept / _DAY_MS:.3g} days ({RETENTION}){advice}"


def _needed(kafka: Kafka, output: Output, sources: Sequence[Topic]) -> int:
    """Return the bytes that an output needs for the largest record of its inputs.

    Sealed records are base64: 4 bytes for 3.
    """
    largest = max(int(each.configs.get(LARGEST, kafka.max_message_bytes)) for each in sources)
    largest = min(largest, kafka.max_message_bytes)
    grown = -(-largest * 4 // 3) if output.channel in _SEALED else largest
    return grown + ENVELOPE_BYTES
