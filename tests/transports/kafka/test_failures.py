"""The code that each failure of the Kafka client gets, by which operators tell causes apart."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace

import pytest
from aiokafka import errors

from adapter.errors import CODES
from adapter.transports.kafka.failures import bounded, failure, missing_topic, quietly
from adapter.transports.protocol import Cause, RefusedError, TransportError

CANARY = "Quillfeather"


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (errors.ProducerFenced(CANARY), "fenced"),
        (errors.InvalidProducerEpoch(CANARY), "fenced"),
        (errors.UnknownTopicOrPartitionError(CANARY), "no-topic"),
        (errors.TransactionalIdAuthorizationFailed(CANARY), "forbidden"),
        (errors.TopicAuthorizationFailedError(CANARY), "forbidden"),
        (errors.KafkaTimeoutError(CANARY), "timed-out"),
        (TimeoutError(CANARY), "timed-out"),
        (errors.NodeNotReadyError(CANARY), "unreachable"),
        (ConnectionResetError(CANARY), "unreachable"),
        (errors.MessageSizeTooLargeError(CANARY), "too-large"),
        (KeyError(CANARY), "send-failed"),
    ],
)
def test_every_kind_has_its_code(error, code):
    """Each kind of failure has its code, type and topic, and quotes nothing of its text."""
    found = failure(error, "hl7.in.deid")
    assert (code, type(error).__name__) == (found.code, found.cause.error)
    assert ("hl7.in.deid", True) == (found.cause.topic, code in CODES["transport"])
    assert (code == "too-large") == isinstance(found, RefusedError)
    assert CANARY not in f"{found!r}{found.cause}"


def test_what_the_client_wraps_is_told():
    """The broker's error that ended a producer is told, not the one that the client puts on it."""
    outer = errors.KafkaError(CANARY)
    outer.__cause__ = errors.TopicAuthorizationFailedError(CANARY)
    found = failure(outer, "ward.audit", "group ward-access")
    assert "transport/forbidden, TOPIC_AUTHORIZATION_FAILED, topic ward.audit" == found.described


@pytest.mark.parametrize(
    ("error", "resource"),
    [
        (errors.GroupAuthorizationFailedError(CANARY), "group ward"),
        (errors.TransactionalIdAuthorizationFailed(CANARY), "transactional id ward-in-0"),
    ],
)
def test_a_refused_group_or_id_is_named(error, resource):
    """A refusal of a group or transactional id names it, and no topic."""
    found = failure(error, "hl7.in", resource)
    assert ("", resource) == (found.cause.topic, found.cause.resource)
    assert f"transport/forbidden, {found.cause.reason}, {resource}" == found.described


def test_a_failure_stays_what_it_is():
    """A failure that was already converted is returned unchanged."""
    first = TransportError("fenced", Cause("ProducerFenced"))
    assert failure(first) is first


def test_waiting_ends():
    """A call that exceeds its time limit fails the transaction as "timed-out"."""
    with pytest.raises(TransportError) as raised:
        asyncio.run(bounded(asyncio.sleep(60), 0.01, "a"))
    assert ("timed-out", "TimeoutError", "a") == (
        raised.value.code,
        raised.value.cause.error,
        raised.value.cause.topic,
    )


def test_a_clients_own_cancellation_ends_nothing():
    """A clean-up goes on when the client raises the cancellation of one of its own tasks."""

    async def stop():
        raise asyncio.CancelledError

    async def go():
        await quietly(stop())
        return "went on"

    assert "went on" == asyncio.run(go())


def test_a_clean_up_can_be_cancelled():
    """The cancellation of the task that cleans up ends the client's call, and is not swallowed."""
    ended = []

    async def stop():
        try:
            await asyncio.sleep(60)
        finally:
            ended.append(True)

    async def go():
        task = asyncio.create_task(quietly(stop()))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait((task,), timeout=5)
        return task.cancelled(), [*ended]

    assert (True, [True]) == asyncio.run(go())


@pytest.mark.parametrize(("wanted", "lost"), [(["a", "b"], "b"), (["a"], "")])
def test_a_missing_topic_is_named(wanted, lost):
    """The first topic that the cluster lacks is returned, or ""."""

    async def fetch_all_metadata():
        return SimpleNamespace(topics=lambda: {"a"})

    client = SimpleNamespace(fetch_all_metadata=fetch_all_metadata)
    assert lost == asyncio.run(missing_topic(client, wanted))


def test_nobody_knows_what_is_missing_where_nobody_answers():
    """If the cluster does not answer, no topic counts as missing."""

    async def fetch_all_metadata():
        raise errors.KafkaError(CANARY)

    client = SimpleNamespace(fetch_all_metadata=fetch_all_metadata)
    assert "" == asyncio.run(missing_topic(client, ["a"]))
