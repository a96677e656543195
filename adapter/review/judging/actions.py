"""The actions of a reader on the spans of an item, and the resulting state.

A state is the fold of the actions over the initial state of a reading. Spans keep their numbers:
added spans are appended, and no span is removed from the list.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from adapter.review.judging.editing import resized, snapped
from adapter.review.judging.reasons import Addition, Rejection
from adapter.types import Label

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from adapter.review.judging.items import Content


class ActionError(Exception):
    """An action is not possible on these spans; the error text quotes no message."""


class Kind(StrEnum):
    """The kind of an action."""

    ACCEPT = "accept"
    REJECT = "reject"
    RELABEL = "relabel"
    RESIZE = "resize"
    ADD = "add"


class Status(StrEnum):
    """The status of a span."""

    OPEN = "open"
    ACCEPTED = "accepted"
    REJECTED = "rejected"


@dataclass(frozen=True, slots=True)
class Action:
    """One action on the span numbered ``span``; an addition has a text and an extent instead.

    ``left`` and ``right`` are the numbers of tokens by which the borders move.
    """

    kind: Kind
    span: int = -1
    text: int = -1
    start: int = 0
    end: int = 0
    label: str = ""
    reason: str = ""
    left: int = 0
    right: int = 0

    def packed(self) -> bytes:
        """Return the action as bytes, to be sealed."""
        return json.dumps(asdict(self), separators=(",", ":")).encode()

    @classmethod
    def unpacked(cls, plain: bytes) -> Action:
        """Return the action from the bytes of `packed`."""
        fields = json.loads(plain)
        return cls(**fields | {"kind": Kind(fields["kind"])})


@dataclass(frozen=True, slots=True)
class Judged:
    """A span of a reading.

    ``source``, ``score`` and ``entity`` are the machine's; in a disagreement, ``source`` names the
    readers who marked the span. ``before`` is the original (start, end, label), None for an
    addition.
    """

    text: int
    start: int
    end: int
    label: str
    status: Status = Status.OPEN
    source: str = ""
    score: float = 1.0
    entity: str = ""
    surrogate: str | None = field(default=None, repr=False)
    reason: str = ""
    before: tuple[int, int, str] | None = None

    @property
    def stands(self) -> bool:
        """Whether the span is a mention, according to the reader so far."""
        return self.status is Status.ACCEPTED

    @property
    def is_changed(self) -> bool:
        """Whether the span differs from the machine's."""
        return self.before is not None and self.before != (self.start, self.end, self.label)


State = tuple[Judged, ...]


def initial(content: Content) -> State:
    """Return the machine's spans of all texts, none of them judged."""
    return tuple(
        Judged(
            number,
            mark.start,
            mark.end,
            mark.label,
            source=mark.source,
            score=mark.score,
            entity=mark.entity,
            surrogate=mark.surrogate,
            before=(mark.start, mark.end, mark.label),
        )
        for number, text in enumerate(content.texts)
        for mark in text.marks
    )


def joined(readings: Mapping[str, State]) -> State:
    """Return the spans of two readers: accepted if both agree, otherwise open."""
    found: dict[tuple[int, int, int, str], list[str]] = {}
    for reader, state in sorted(readings.items()):
        for span in state:
            if span.stands:
                found.setdefault((span.text, span.start, span.end, span.label), []).append(reader)
    return tuple(
        Judged(
            *extent,
            status=Status.ACCEPTED if len(readers) == len(readings) else Status.OPEN,
            source=" and ".join(readers),
            before=extent[1:],
        )
        for extent, readers in sorted(found.items())
    )


def folded(content: Content, state: State, actions: Iterable[Action]) -> State:
    """Return the state after several actions.

    Raises:
        ActionError: one of them is not possible.
    """
    for action in actions:
        state = applied(content, state, action)
    return state


def applied(content: Content, state: State, action: Action) -> State:
    """Return the state after one action.

    Raises:
        ActionError: the action is not possible.
    """
    if action.kind is Kind.ADD:
        return (*state, _added(content, state, action))
    if not 0 <= action.span < len(state):
        raise ActionError("there is no such span")
    changed = _STEPS[action.kind](content, state[action.span], action)
    return (*state[: action.span], changed, *state[action.span + 1 :])


def _added(content: Content, state: State, action: Action) -> Judged:
    if not 0 <= action.text < len(content.texts):
        raise ActionError("there is no such text")
    text = content.texts[action.text].text
    if not 0 <= action.start <= action.end <= len(text):
        raise ActionError("this is no extent of the text")
    extent = snapped(text, action.start, action.end)
    if extent is None:
        raise ActionError("there is no word here")
    standing = [s for s in state if s.text == action.text and s.status is not Status.REJECTED]
    if any(s.start < extent[1] and extent[0] < s.end for s in standing):
        raise ActionError("there is a span already: resize or relabel it")
    reason = _of(Addition, action.reason or Addition.TERM)
    label = _label(action.label)
    return Judged(action.text, *extent, label, Status.ACCEPTED, "reader", reason=reason)


def _accept(_content: Content, span: Judged, _action: Action) -> Judged:
    return replace(span, status=Status.ACCEPTED, reason="" if span.before else span.reason)


def _reject(_content: Content, span: Judged, action: Action) -> Judged:
    return replace(span, status=Status.REJECTED, reason=_of(Rejection, action.reason))


def _relabel(_content: Content, span: Judged, action: Action) -> Judged:
    reason = Rejection.LABEL.value if span.before else span.reason
    return replace(span, label=_label(action.label), status=Status.ACCEPTED, reason=reason)


def _resize(content: Content, span: Judged, action: Action) -> Judged:
    text = content.texts[span.text].text
    start, end = resized(text, span.start, span.end, left=action.left, right=action.right)
    reason = Rejection.BOUNDARY.value if span.before else span.reason
    return replace(span, start=start, end=end, status=Status.ACCEPTED, reason=reason)


_STEPS: dict[Kind, Callable[[Content, Judged, Action], Judged]] = {
    Kind.ACCEPT: _accept,
    Kind.REJECT: _reject,
    Kind.RELABEL: _relabel,
    Kind.RESIZE: _resize,
}


def _of(kind: type[StrEnum], value: str) -> str:
    if value not in set(kind):
        raise ActionError("there is no such reason")
    return str(value)


def _label(value: str) -> str:
    if value not in set(Label):
        raise ActionError("there is no such label")
    return str(value)


def ordered(state: Sequence[Judged]) -> list[int]:
    """Return the numbers of the spans in the order of the texts."""
    return sorted(range(len(state)), key=lambda n: (state[n].text, state[n].start, n))
