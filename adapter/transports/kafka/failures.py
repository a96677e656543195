"""Converts failures of the Kafka client to those of a transaction: code, kind and topic.

After a refused request the client forgets what it has added to a transaction, and its abort tells
the broker nothing. Until the transaction's time limit no reader of committed records would get past
what was written. Other calls then fail too, with errors that say nothing about the refusal.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any

from aiokafka import errors
from aiokafka.client import ConnectionGroup, CoordinationType
from aiokafka.errors import KafkaError, TopicAuthorizationFailedError
from aiokafka.producer.transaction_manager import TransactionResult, TransactionState
from aiokafka.protocol.transaction import EndTxnRequest

from adapter.telemetry.error_names import named
from adapter.transports.protocol import Cause, RefusedError, TransportError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection

    from aiokafka import AIOKafkaProducer
    from aiokafka.client import AIOKafkaClient

STOP_SECONDS = 5.0
METADATA_SECONDS = 5.0
FORGETFUL = frozenset({TransactionState.ABORTABLE_ERROR, TransactionState.FATAL_ERROR})
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


_OF_A_RESOURCE = errors.GroupAuthorizationFailedError, errors.TransactionalIdAuthorizationFailed


def failure(error: BaseException, topic: str = "", resource: str = "") -> TransportError:
    """Return an exception of the client, or a timeout, as a failure of the transaction.

    ``topic`` and ``resource`` (a group or transactional id) are what the call was about.
    """
    if isinstance(error, TransportError):
        return error
    error = _first(error)
    names = named(error)
    about = ("", resource) if resource and isinstance(error, _OF_A_RESOURCE) else (topic, "")
    cause = Cause(names["error"], names.get("reason", ""), *about)
    for kinds, meant in _MEANINGS:
        if isinstance(error, kinds):
            return meant(cause)
    return TransportError("send-failed", cause)


def _first(error: BaseException) -> BaseException:
    """Return the broker's error that ended a producer, which the client wraps in one of no kind."""
    cause = error.__cause__
    return cause if type(error) is KafkaError and isinstance(cause, KafkaError) else error


async def bounded(call: Awaitable[Any], seconds: float, topic: str = "", resource: str = "") -> Any:
    """Await a call of the client with a time limit; any exception fails the transaction.

    The exception is not chained, because its text can quote keys.

    Raises:
        TransportError: the call failed or took too long.
    """
    try:
        async with asyncio.timeout(seconds):
            return await call
    except Exception as error:  # noqa: BLE001 - aiokafka raises KeyError and AssertionError too
        raise failure(error, topic, resource) from None


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


async def abort(producer: AIOKafkaProducer) -> None:
    """Abort the transaction; if that fails, the next producer of the id does, or the time limit."""
    forgotten = producer._txn_manager.state in FORGETFUL  # noqa: SLF001 - it has no public name
    await quietly(producer.abort_transaction())
    if forgotten:
        await quietly(_end(producer))


def refusal(producer: AIOKafkaProducer, error: TransportError) -> TransportError:
    """Return the refusal after which a transaction can only be aborted, else the error itself."""
    known = producer._txn_manager  # noqa: SLF001
    if known.state not in FORGETFUL or isinstance(error, RefusedError):
        return error
    first = known.wait_for_transaction_end().exception()
    found = failure(first, topics_of(first))
    return found if found.code == "forbidden" and found.cause.topic else error


def topics_of(error: BaseException) -> str:
    """Return the topics that an exception of the client is about, as far as it has them."""
    if not isinstance(error, TopicAuthorizationFailedError) or not error.args:
        return ""
    told = error.args[0]
    return told if isinstance(told, str) else ", ".join(sorted(told))


async def _end(producer: AIOKafkaProducer) -> None:
    """Ask the coordinator to abort; a producer that was fenced meanwhile is refused."""
    client, known = producer.client, producer._txn_manager  # noqa: SLF001
    own = known.transactional_id
    node = await client.coordinator_lookup(CoordinationType.TRANSACTION, own)
    await client.ready(node, group=ConnectionGroup.COORDINATION)
    ids = known.producer_id, known.producer_epoch
    request = EndTxnRequest(own, *ids, TransactionResult.ABORT)
    await client.send(node, request, group=ConnectionGroup.COORDINATION)
