"""The Kafka client's lines as events of our own."""

from __future__ import annotations

import ast
import io
import json
import logging
from pathlib import Path

import aiokafka
import pytest
from aiokafka import TopicPartition
from aiokafka.errors import NotLeaderForPartitionError, SaslAuthenticationFailed

from adapter.audit import Event, configure_logs
from adapter.telemetry.library_lines import LINES

CANARY = "Mr Quillfeather"
CLIENT = logging.getLogger("aiokafka.conn")


@pytest.fixture
def lines():
    """Gives what was logged at info level, as parsed lines."""
    stream = io.StringIO()
    configure_logs("info", stream)
    yield lambda: [json.loads(line) for line in stream.getvalue().splitlines()]
    configure_logs("warning")


def templates():
    """Every template that the client logs with."""
    for file in Path(aiokafka.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                first = node.args[0] if node.args else None
                if isinstance(first, ast.Constant) and isinstance(first.value, str):
                    yield first.value


def test_every_line_is_one_of_the_clients():
    """A template that the client no longer has would hide nothing and say nothing."""
    assert set() == LINES.keys() - set(templates())


def test_every_event_is_one_of_ours():
    """Lines of the client add nothing to the closed set."""
    assert {line.event for line in LINES.values()} <= {event.value for event in Event}


def test_arguments_are_as_many_as_the_template_has():
    """No name stands for an argument that is not there."""
    assert [] == [t for t, line in LINES.items() if len(line.shows) > t.count("%")]


def test_a_wrong_password_says_where_and_what(lines):
    """Address, type and Kafka's name of the error are told; the error's text is not."""
    error = SaslAuthenticationFailed(CANARY)
    CLIENT.error('Unable connect to "%s:%s": %s', "kafka-1", 9093, error)
    (line,) = lines()
    assert ("broker not reached", "warning", "kafka-1:9093", "SASL_AUTHENTICATION_FAILED") == (
        line["event"], line["level"], line["address"], line["reason"],
    )  # fmt: skip
    assert CANARY not in str(line)


def test_a_partition_and_a_class_are_told(lines):
    """An error given as a class has its name, a partition its topic and number."""
    template = "Attempt to fetch offsets for partition %s failed due to: %s"
    CLIENT.warning(template, TopicPartition("hl7.in", 2), NotLeaderForPartitionError)
    (line,) = lines()
    assert ("hl7.in", 2, "NOT_LEADER_FOR_PARTITION") == (
        line["topic"], line["partition"], line["reason"],
    )  # fmt: skip


@pytest.mark.parametrize("argument", [CANARY, 7, None, b"x", ("a", "b")])
def test_what_is_not_what_its_name_says_is_left_out(lines, argument):
    """A topic's place holds a topic's name, or nothing is shown of it."""
    CLIENT.error("Topic %s not found in cluster metadata", argument)
    (line,) = lines()
    assert {"event", "level", "timestamp"} == set(line)


def test_what_nobody_mapped_is_no_error(lines):
    """An unknown line of the client says where it stands, as a warning at most."""
    CLIENT.error("Sending %s", CANARY)
    CLIENT.info("(Re-)joining group %s", CANARY)
    (line,) = lines()
    assert ("library", "warning", "aiokafka.conn") == (line["event"], line["level"], line["logger"])
    assert CANARY not in str(line)


def test_what_repeats_is_counted(lines, monkeypatch):
    """The same line again within 30 s is left out, and the next one says how often."""
    now = 100.0
    monkeypatch.setattr("adapter.telemetry.repeats.time.monotonic", lambda: now)
    for _ in range(4):
        CLIENT.error("Topic %s not found in cluster metadata", "a")
    CLIENT.error("Topic %s not found in cluster metadata", "b")
    now = 131.0
    CLIENT.error("Topic %s not found in cluster metadata", "a")
    assert [("a", None), ("b", None), ("a", 3)] == [
        (line["topic"], line.get("repeated")) for line in lines()
    ]
