"""Converts failures of the Kafka client to those of a transaction: code, kind and topic."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any

from aiokafka import errors
from aiokafka.errors import KafkaError

from adapter.telemetry.error_names import named
from adapter.transports.protocol import Cause, RefusedError, TransportError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection

    from aiokafka.client import AIOKafkaClient

STOP_SECONDS = 5.0
METADATA_SECONDS = 5.0
_MEANINGS: tuple[tuple[tuple[type[BaseException], ...], Callable[[Cause], TransportError]], ...] = (
    (
        (errors.MessageSizeTooLargeError, errors.RecordListTooLargeError),
        lambda cause: RefusedError("too-large", cause),
    ),
    (
        (errors.ProducerFenced, errors.InvalidProducerEpoch),
        lambda cause: TransportError("fenced", cause),
    ),
    (
        (
            errors.TopicAuthorizationFailedError,
            errors.GroupAuthorizationFailedError,
            errors.ClusterAuthorizationFailedError,
            errors.TransactionalIdAuthorizationFailed,
        ),
        lambda cause: TransportError("forbidden", cause),
    ),
    ((errors.UnknownTopicOrPartitionError,), lambda cause: TransportError("no-topic", cause)),
    (
        (TimeoutError, errors.KafkaTimeoutError),
        lambda cause: TransportError("timed-out", cause),
    ),
    (
        (
            errors.KafkaConnectionError,
            errors.NodeNotReadyError,
            errors.RequestTimedOutError,
            errors.BrokerNotAvailableError,
            OSError,
        ),
        lambda cause: TransportError("unreachable", cause),
    ),
)
"""The first matching row applies; any other exception is "send-failed"."""


def failure(error: BaseException, topic: str = "") -> TransportError:
    """Return an exception of the client, or a timeout, as a failure of the transaction."""
    if isinstance(error, TransportError):
        return error
    names = named(error)
    cause = Cause(names["error"], names.get("reason", ""), topic)
    for kinds, meant in _MEANINGS:
        if isinstance(error, kinds):
            return meant(cause)
    return TransportError("send-failed", cause)


async def bounded(call: Awaitable[Any], seconds: float, topic: str = "") -> Any:
    """Await a call of the client with a time limit; any exception fails the transaction.

    The exception is not chained, because its text can quote keys.

    Raises:
        TransportError: the call failed or took too long.
    """
    try:
        async with asyncio.timeout(seconds):
            return await call
    except Exception as error:  # noqa: BLE001 - aiokafka raises KeyError and AssertionError too
        raise failure(error, topic) from None


async def quietly(call: Awaitable[Any]) -> None:
    """Await a call and ignore failures: the next producer of the id cleans up after this one.

    A consumer that stops while no broker answers raises the cancellation of a task of its own.
    """
    await asyncio.gather(bounded(call, STOP_SECONDS), return_exceptions=True)


async def missing_topic(client: AIOKafkaClient, topics: Collection[str]) -> str:
    """Return the first topic that the cluster lacks; "" if it lacks none or does not answer.

    A producer retries a deleted topic until its time limit, and then reports only the time-out.
    """
    with contextlib.suppress(KafkaError, TimeoutError):
        async with asyncio.timeout(METADATA_SECONDS):
            cluster = await client.fetch_all_metadata()
        return next((name for name in topics if name not in cluster.topics()), "")
    return ""
