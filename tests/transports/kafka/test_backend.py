"""The Kafka backend's settings: which topic stores the patient memory."""

from __future__ import annotations

import base64

import pytest

from adapter.config.settings import load_settings
from adapter.transports.kafka.backend import KafkaBackend
from adapter.transports.protocol import Channel

SECRET = {"id": "k", "value": base64.b64encode(bytes(32)).decode()}


def settings(scope, **kafka):
    """Return settings over two topics."""
    named = {"app": "ward", "topics": ["hl7.in", "fhir.in"], **kafka}
    return load_settings(None, kafka=named, known={"scope": scope}, keys={"quarantine": SECRET})


@pytest.mark.parametrize(
    ("scope", "state", "topics", "place"),
    [
        ("partition", {}, ["hl7.in.state", "fhir.in.state"], "in {topic}.state"),
        ("domain", {}, ["ward.state"], "in ward.state, for all topics together"),
        ("domain", {"state": "known"}, ["known"], "in known, for all topics together"),
    ],
)
def test_topics_have_a_memory_each_or_one(scope, state, topics, place):
    """Each topic has its own state topic, or all share one, by default named after the app."""
    told = settings(scope, **state)
    made = KafkaBackend().transport(told, lambda _raw: (), sealed=True)
    found = [made.topic(Channel.STATE, source) for source in told.kafka.topics]

    assert topics == list(dict.fromkeys(found))
    assert place == KafkaBackend().memory_place(told)
    assert (scope == "domain") == made.joined
