"""The topics that the settings need, and problems of the existing ones."""

from __future__ import annotations

import pytest

from adapter.config.kafka import Kafka
from adapter.transports.kafka.preflight.topics import Topic, command, creation, findings, outputs
from adapter.transports.protocol import Channel

KAFKA = Kafka(bootstrap_servers="b:9092", topics=("in",), max_message_bytes=3_000_000)
INPUT = Topic("in", 3, 2, {"max.message.bytes": "1500000"})


def found(name, *, partitions=3, source=INPUT, **configs):
    """Return the problems and notes of an output with that name and configuration."""
    wanted = outputs(KAFKA, ["in"], escrow=True, state=True)
    configs = {key.replace("_", "."): value for key, value in configs.items()}
    there = {"in": source, name: Topic(name, partitions, 2, configs)}
    seen = findings(KAFKA, wanted, there)
    return [problem for _, problem in seen.wrong], list(seen.notes)


def test_what_is_written_to():
    """Each configured channel has its output topics, which several inputs may share."""
    kafka = Kafka(topics=("a", "b"), state="known", audit="")
    wanted = outputs(kafka, kafka.topics, escrow=False, state=True)
    assert [
        ("a.deid", Channel.RELEASED, ("a",)),
        ("b.deid", Channel.RELEASED, ("b",)),
        ("a.quarantine", Channel.HELD, ("a",)),
        ("b.quarantine", Channel.HELD, ("b",)),
        ("known", Channel.STATE, ("a", "b")),
    ] == [(each.name, each.channel, each.inputs) for each in wanted]


@pytest.mark.parametrize(
    ("name", "configs", "wrong"),
    [
        ("in.state", {"cleanup_policy": "compact"}, 0),
        ("in.state", {"cleanup_policy": "delete"}, 1),
        ("in.state", {"cleanup_policy": "compact,delete"}, 1),
        ("in.state", {"partitions": 4, "cleanup_policy": "compact"}, 1),
        ("in.state", {"partitions": 2}, 1),
        ("in.deid", {"cleanup_policy": "delete"}, 0),
        ("in.deid", {"cleanup_policy": "compact"}, 1),
        ("in.quarantine", {"cleanup_policy": "compact,delete"}, 1),
        ("deid.audit", {}, 0),
    ],
)
def test_what_would_lose_records_is_wrong(name, configs, wrong):
    """The state topic must be compacted with its input's partitions; no other may be compacted."""
    assert wrong == len(found(name, **configs)[0])


@pytest.mark.parametrize(
    ("name", "configs", "notes"),
    [
        ("in.deid", {"partitions": 2}, ["in.deid has 2 partitions, its input has 3"]),
        ("in.deid", {"partitions": 4}, []),
        ("in.deid", {"max_message_bytes": "1565536"}, []),
        (
            "in.deid",
            {"max_message_bytes": "1565535"},
            [
                (
                    "in.deid accepts 1565535 bytes (max.message.bytes); "
                    "records of its input may need 1565536"
                )
            ],
        ),
        (
            "in.quarantine",
            {"max_message_bytes": "1565536"},
            [
                (
                    "in.quarantine accepts 1565536 bytes (max.message.bytes); "
                    "records of its input may need 2065536"
                )
            ],
        ),
        (
            "in.quarantine",
            {"retention_ms": "604800000"},
            [
                (
                    "in.quarantine keeps held messages for 7 days (retention.ms): "
                    "retry them within that time"
                )
            ],
        ),
        ("in.quarantine", {"retention_ms": "-1"}, []),
        (
            "in.escrow",
            {"retention_ms": "604800000"},
            [
                (
                    "in.escrow keeps originals for 7 days (retention.ms): "
                    "later nobody can restore them"
                )
            ],
        ),
        (
            "deid.audit",
            {"retention_ms": "86400000"},
            [
                (
                    "deid.audit keeps audit records for 1 days (retention.ms): "
                    "later `audit verify` needs --pruned"
                )
            ],
        ),
        ("deid.audit", {"partitions": 1, "max_message_bytes": "100"}, []),
    ],
)
def test_what_an_operator_should_know(name, configs, notes):
    """Notes warn of too few partitions, too small records, and the retention of held messages."""
    assert notes == found(name, **configs)[1]


def test_a_missing_topic_is_made_as_its_input():
    """A missing topic gets its input's partitions and replicas, and room for sealed records."""
    wanted = {e.channel: e for e in outputs(KAFKA, ["in"], escrow=False, state=True)}
    made = {c: creation(KAFKA, e, {"in": INPUT}) for c, e in wanted.items()}
    assert {(3, 2)} == {(topic.partitions, topic.replicas) for topic in made.values()}
    assert {
        Channel.RELEASED: {"max.message.bytes": "1565536"},
        Channel.HELD: {"max.message.bytes": "2065536"},
        Channel.AUDIT: {},
        Channel.STATE: {"cleanup.policy": "compact", "max.message.bytes": "1565536"},
    } == {channel: topic.configs for channel, topic in made.items()}
    assert (
        "kafka-topics.sh --bootstrap-server b:9092 --create --topic in.state --partitions 3 "
        "--replication-factor 2 --config cleanup.policy=compact --config max.message.bytes=1565536"
    ) == command(KAFKA, made[Channel.STATE])
