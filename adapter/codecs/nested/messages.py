"""Opens the bodies in the texts of a decoded message, and maps edits back to the original texts."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from adapter.codecs.nested.opening import Nest, nest
from adapter.types import Edit, Message, TextSegment

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


@dataclass(frozen=True, slots=True)
class NestedBody:
    """The message as its codec read it, its nests by path, and inner path -> carrier's path."""

    message: Message = field(repr=False)
    nests: Mapping[str, Nest] = field(repr=False)
    carriers: Mapping[str, str] = field(repr=False)


def unfolded(message: Message, free: Sequence[bool]) -> Message:
    """Return the message with the bodies in its ``free`` segments opened; unchanged if it has none.

    ``free`` has one flag a segment: whether its text is scanned or kept. A text that is replaced or
    dropped as a whole is not searched.
    """
    nests: dict[str, Nest] = {}
    for segment, reads in zip(message.segments, free, strict=True):
        if reads and ":" not in segment.datatype:
            found = nest(segment.text)
            if found is not None:
                nests[segment.path] = found
    if not nests:
        return message
    segments: list[TextSegment] = []
    carriers: dict[str, str] = {}
    for segment in message.segments:
        if segment.path not in nests:
            segments.append(segment)
            continue
        inner = tuple(nests[segment.path].segments(segment))
        carriers |= {one.path: segment.path for one in inner}
        segments += inner
    body = NestedBody(message, nests, carriers)
    return Message(message.format, message.kind, tuple(segments), body)


def folded(message: Message, edits: Sequence[Edit]) -> tuple[Message, Sequence[Edit]]:
    """Return the message as its codec read it, with ``edits`` expressed as edits of that message.

    Raises:
        EncodeError: a body cannot hold a replacement.
    """
    body = message.body
    if not isinstance(body, NestedBody):
        return message, edits
    plain: list[Edit] = []
    wanted: dict[str, dict[str, list[Edit]]] = {}
    for edit in edits:
        carrier = body.carriers.get(edit.path)
        if carrier is None:
            plain.append(edit)
        else:
            wanted.setdefault(carrier, {}).setdefault(edit.path, []).append(edit)
    for path, group in wanted.items():
        plain += body.nests[path].edits(path, group, path)
    return body.message, plain
