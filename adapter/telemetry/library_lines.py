"""Maps log lines of the Kafka client to events of our own, with their level and arguments.

A client's line has a fixed template and arguments. Only the arguments listed here are shown, each
checked to be of its kind; the text itself is never shown. Lines below the level of warnings are for
the client's developers and are omitted, as are lines that add nothing to our own events.
"""

from __future__ import annotations

import logging
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from adapter.telemetry.error_names import named

if TYPE_CHECKING:
    from collections.abc import Iterator

CLIENT = "aiokafka"
UNREACHED, REFUSED = "broker not reached", "broker refused a request"
NO_TOPIC, FORBIDDEN, LEFT = "topic not found", "not authorized", "group left"
IN_THE_CLEAR = "password sent without TLS"

_TOPIC = re.compile(r"[A-Za-z0-9._-]{1,249}")
_HOST = re.compile(r"[A-Za-z0-9._:%-]{1,255}")
_CLASS = re.compile(r"[A-Za-z]{1,60}")


@dataclass(frozen=True, slots=True)
class Line:
    """The event of one template; ``shows`` names its arguments in order, "" hides one."""

    event: str
    level: int
    shows: tuple[str, ...] = ()


_WARNING, _INFO, _DEBUG = logging.WARNING, logging.INFO, logging.DEBUG
_NODE_ERROR = "node", "error"

LINES: dict[str, Line] = {
    'Unable connect to "%s:%s": %s': Line(UNREACHED, _WARNING, ("host", "port", "error")),
    'Unable to request metadata from "%s:%s": %s': Line(
        UNREACHED, _WARNING, ("host", "port", "error")
    ),
    "Unable connect to node with id %s: %s": Line(UNREACHED, _WARNING, _NODE_ERROR),
    "Unable to request metadata from node with id %s: %r": Line(UNREACHED, _WARNING, _NODE_ERROR),
    "Unable to update metadata from %s": Line(UNREACHED, _DEBUG),
    "Topic %s not found in cluster metadata": Line(NO_TOPIC, _WARNING, ("topic",)),
    "Topic %s is not available during auto-create initialization": Line(
        NO_TOPIC, _INFO, ("topic",)
    ),
    "Topic %s is not authorized for this client": Line(FORBIDDEN, _WARNING, ("topic",)),
    "Not authorized to read from topic %s.": Line(FORBIDDEN, _WARNING, ("topic",)),
    "Error fetching metadata for topic %s: %s": Line(REFUSED, _WARNING, ("topic", "error")),
    "Error sending %s to node %s [%s] -- marking coordinator dead": Line(
        UNREACHED, _WARNING, ("", "node", "error")
    ),
    "Marking the coordinator dead (node %s)for group %s.": Line(REFUSED, _DEBUG, ("node",)),
    "Group Coordinator Request failed: %s": Line(REFUSED, _INFO, ("error",)),
    "Heartbeat session expired - marking coordinator dead": Line(LEFT, _WARNING),
    "Heartbeat send request failed: %s. Will retry.": Line(UNREACHED, _WARNING, ("error",)),
    "Heartbeat failed for group %s because it is rebalancing": Line(LEFT, _DEBUG),
    "Heartbeat failed for group %s: coordinator (node %s) is either not started or not valid": Line(
        REFUSED, _INFO, ("", "node")
    ),
    "Heartbeat failed for group %s: generation id is not  current.": Line(LEFT, _WARNING),
    "Heartbeat failed: local member_id was not recognized; resetting and re-joining group": Line(
        LEFT, _WARNING
    ),
    "Heartbeat failed: %r": Line(REFUSED, _WARNING, ("error",)),
    "Failed fetch messages from %s: %s": Line(REFUSED, _WARNING, _NODE_ERROR),
    "Failed fetch offsets from %s: %s": Line(REFUSED, _INFO, _NODE_ERROR),
    "Attempt to fetch offsets for partition %s failed due to: %s": Line(
        REFUSED, _WARNING, ("partition", "error")
    ),
    "Received unknown topic or partition error in ListOffset request for partition %s. The "
    "topic/partition may not exist or the user may not have Describe access to it.": Line(
        NO_TOPIC, _WARNING, ("partition",)
    ),
    "Unexpected error while fetching data: %s": Line(REFUSED, _WARNING, ("error",)),
    "FindCoordinator Request failed: %s": Line(REFUSED, _WARNING, ("error",)),
    "Cannot send %r to %s: %r": Line(UNREACHED, _WARNING, ("", *_NODE_ERROR)),
    "Could not send %r: %r": Line(REFUSED, _WARNING, ("", "error")),
    "Unexpected error during InitProducerIdRequest: %s": Line(REFUSED, _WARNING, ("error",)),
    "Could not add partition %s due to unexpected error: %s": Line(
        REFUSED, _WARNING, ("partition", "error")
    ),
    "Could not add consumer group due to unexpected error: %s": Line(REFUSED, _WARNING, ("error",)),
    "Could not commit offset for partition %s due to unexpected error: %s": Line(
        REFUSED, _WARNING, ("partition", "error")
    ),
    "Could not end transaction due to unexpected error: %s": Line(REFUSED, _WARNING, ("error",)),
    "Got error produce response: %s": Line(REFUSED, _WARNING, ("error",)),
    "Got error produce response on topic-partition %s, retrying. Error: %s": Line(
        REFUSED, _WARNING, ("partition", "error")
    ),
    "No partition metadata for topic %s": Line(NO_TOPIC, _WARNING, ("topic",)),
    "OffsetFetchRequest -- unknown topic %s": Line(NO_TOPIC, _WARNING, ("topic",)),
    "Unknown error fetching offsets for %s: %s": Line(REFUSED, _WARNING, ("partition", "error")),
    "OffsetCommit failed for group %s - %s": Line(REFUSED, _WARNING, ("", "error")),
    "OffsetCommit failed for group %s due to group error (%s), will rejoin": Line(
        REFUSED, _WARNING, ("", "error")
    ),
    "OffsetCommit failed for group %s on partition %s with offset %s: %s": Line(
        REFUSED, _WARNING, ("", "partition", "", "error")
    ),
    "LeaveGroup request failed: %s": Line(REFUSED, _INFO, ("error",)),
    "Attempt to join group failed due to fatal error: %s": Line(REFUSED, _WARNING, ("error",)),
    "Unexpected error in join group '%s' response: %s": Line(REFUSED, _WARNING, ("", "error")),
    "Unexpected error from SyncGroup: %s": Line(REFUSED, _WARNING, ("error",)),
    "Sending username and password in the clear": Line(IN_THE_CLEAR, _WARNING),
}
"""The client's warnings and errors by template; a test looks for each in the client's source."""


def mapped(record: logging.LogRecord) -> tuple[str, int, dict[str, object]] | None:
    """Return event, level and keys of a line of the client, or None if its template is unknown."""
    line = LINES.get(str(record.msg)) if record.name.split(".")[0] == CLIENT else None
    if line is None:
        return None
    arguments = record.args if isinstance(record.args, tuple) else ()
    shown: dict[str, object] = {}
    for name, value in zip(line.shows, arguments, strict=False):
        shown |= dict(_shown(name, value))
    if "host" in shown:
        shown["address"] = f"{shown.pop('host')}:{shown.pop('port', '?')}"
    return line.event, line.level, shown


def _shown(name: str, value: object) -> Iterator[tuple[str, object]]:
    """Yield the keys of one argument if it is of its kind."""
    match name, value:
        case "error", BaseException() | type():
            yield from named(value).items()
        case "error", str() if _CLASS.fullmatch(value):
            yield "error", value
        case "topic", str() if _TOPIC.fullmatch(value):
            yield "topic", value
        case "partition", (str() as topic, int() as number) if _TOPIC.fullmatch(topic):
            yield from (("topic", topic), ("partition", number))
        case "host", str() if _HOST.fullmatch(value):
            yield "host", value
        case (("port" | "node"), int()):
            yield name, value
