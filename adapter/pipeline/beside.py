"""Values beside a message in its envelope, which are scanned with it and kept if harmless.

Such values become texts of the message. They may name people whom no field of the message names,
so whatever the taggers leave of a value must be words that codes use, or the value is left out.
The leak check covers them together with the message.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from adapter.codecs.envelopes import Nature
from adapter.codecs.splice import rewritten
from adapter.types import Action, Handling, Message, TextSegment

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from adapter.codecs.envelopes import Beside
    from adapter.types import Edit
    from adapter.values.proof.proved import Proved

ELEMENT = "envelope"
"""Element, and first part of the path, of a value beside a message."""
LONGEST = 200
"""Maximum number of characters in a text that may stay."""
FIGURES = 5
"""Maximum number of digits in a number that may stay; more may be a date, phone or chart number."""

_SCAN, _KEEP = Action(Handling.SCAN), Action(Handling.KEEP)


def joined(message: Message, proved: Proved, beside: Sequence[Beside]) -> tuple[Message, Proved]:
    """Return the message with the values beside it added as texts, and its verdicts with theirs."""
    read = [each for each in beside if _read(each)]
    if not read:
        return message, proved
    segments = (TextSegment(_path(each), ELEMENT, "string", each.text) for each in read)
    actions = (_SCAN if each.nature is Nature.TEXT else _KEEP for each in read)
    strict = {_path(each) for each in read if each.nature is Nature.TEXT}
    return (
        replace(message, segments=(*message.segments, *segments)),
        replace(proved, actions=(*proved.actions, *actions), strict=proved.strict | strict),
    )


def parted(message: Message, edits: Iterable[Edit]) -> tuple[Message, tuple[Edit, ...]]:
    """Return the message and its edits without the values beside it, as its codec decoded it."""
    if not message.segments or message.segments[-1].element != ELEMENT:  # they are the last
        return message, tuple(edits)
    own = tuple(segment for segment in message.segments if segment.element != ELEMENT)
    left = tuple(edit for edit in edits if not edit.path.startswith(f"{ELEMENT}:"))
    return replace(message, segments=own), left


def settled(
    beside: Beside, edits: Iterable[Edit] | None, replaced: Callable[[str], str]
) -> str | None:
    """Return a value beside a message after the message's edits, or None if it must be left out.

    ``edits`` is None if the value was not scanned with any message. An identifier is always
    ``replaced``.
    """
    if beside.nature is Nature.IDENTIFIER:
        return replaced(beside.text)
    if edits is None or not _read(beside):
        return None
    own = [edit for edit in edits if edit.path == _path(beside)]
    if beside.nature is Nature.NUMBER:
        return None if own else beside.text
    return None if any(edit.text is None for edit in own) else rewritten(beside.text, own)


def _read(beside: Beside) -> bool:
    match beside.nature:
        case Nature.TEXT:
            return len(beside.text) <= LONGEST
        case Nature.NUMBER:
            return sum(c.isdigit() for c in beside.text) <= FIGURES
    return False


def _path(beside: Beside) -> str:
    return f"{ELEMENT}:{beside.pointer}"
