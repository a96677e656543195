"""Reads a group's committed offsets once no transaction on them is pending (KIP-447).

aiokafka uses OffsetFetch version 3, which can return the offset before a transaction whose commit
the group coordinator has not applied yet. A lane that started there would publish the same records
again. Version 7 can require stable offsets: the broker then returns an error until all is applied.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from aiokafka import errors
from aiokafka.client import ConnectionGroup, CoordinationType
from aiokafka.protocol.api import Request, RequestStruct, Response
from aiokafka.protocol.struct import Schema
from aiokafka.protocol.types import (
    Boolean,
    CompactArray,
    CompactString,
    Int16,
    Int32,
    Int64,
    TaggedFields,
)

from adapter.transports.kafka.failures import failure

if TYPE_CHECKING:
    from aiokafka.client import AIOKafkaClient

API_KEY = 9
UNSTABLE_OFFSET_COMMIT = 88
RETRY = frozenset({UNSTABLE_OFFSET_COMMIT, 14, 15, 16})
"""Codes to retry: unstable offset; coordinator loading, not available, moved."""


class _OffsetFetchResponse(Response):  # type: ignore[misc]
    API_KEY = API_KEY
    API_VERSION = 7
    SCHEMA = Schema(
        ("throttle_time_ms", Int32),
        (
            "topics",
            CompactArray(
                ("name", CompactString("utf-8")),
                (
                    "partitions",
                    CompactArray(
                        ("partition", Int32),
                        ("offset", Int64),
                        ("leader_epoch", Int32),
                        ("metadata", CompactString("utf-8")),
                        ("error_code", Int16),
                        ("tags", TaggedFields),
                    ),
                ),
                ("tags", TaggedFields),
            ),
        ),
        ("error_code", Int16),
        ("tags", TaggedFields),
    )


class _OffsetFetchRequestStruct(RequestStruct):  # type: ignore[misc]
    FLEXIBLE_VERSION = True
    API_KEY = API_KEY
    API_VERSION = 7
    RESPONSE_TYPE = _OffsetFetchResponse
    SCHEMA = Schema(
        ("group", CompactString("utf-8")),
        (
            "topics",
            CompactArray(
                ("name", CompactString("utf-8")),
                ("partitions", CompactArray(Int32)),
                ("tags", TaggedFields),
            ),
        ),
        ("require_stable", Boolean),
        ("tags", TaggedFields),
    )


class _OffsetFetchRequest(Request[_OffsetFetchRequestStruct]):  # type: ignore[misc]
    API_KEY = API_KEY

    def __init__(self, group: str, topic: str, partition: int) -> None:
        self._arguments: tuple[Any, ...] = group, [(topic, [partition], {})], True, {}

    def build(
        self, request_struct_class: type[_OffsetFetchRequestStruct]
    ) -> _OffsetFetchRequestStruct:
        return request_struct_class(*self._arguments)


async def stable_offset(
    client: AIOKafkaClient, group: str, topic: str, partition: int
) -> tuple[int, str] | None:
    """Return a group's committed offset of a partition with its metadata, or None without one.

    Waits until the offset is stable.

    Raises:
        TransportError: the broker refuses, or is older than Kafka 2.5.
    """
    while True:
        try:
            code, offset, metadata = await _ask(
                client, _OffsetFetchRequest(group, topic, partition), group
            )
        except NotImplementedError:
            raise failure(errors.UnsupportedVersionError()) from None
        except errors.GroupAuthorizationFailedError as error:
            raise failure(error, resource=f"group {group}") from None
        if code == 0:
            return (offset, metadata) if offset >= 0 else None
        if code not in RETRY:
            raise failure(errors.for_code(code)(), topic, f"group {group}")
        await asyncio.sleep(0.02)


async def _ask(client: AIOKafkaClient, request: Any, group: str) -> tuple[int, int, str]:
    """Return error code, offset and metadata from the group's current coordinator."""
    try:
        node = await client.coordinator_lookup(CoordinationType.GROUP, group)
        if not await client.ready(node, group=ConnectionGroup.COORDINATION):
            return 15, -1, ""
        answer = await client.send(node, request, group=ConnectionGroup.COORDINATION)
    except (errors.GroupCoordinatorNotAvailableError, errors.NodeNotReadyError):
        return 15, -1, ""
    if answer.error_code:
        return int(answer.error_code), -1, ""
    (_topic, partitions, _tags), *_ = answer.topics
    _partition, offset, _epoch, metadata, code, _more = partitions[0]
    return int(code), int(offset), metadata or ""
