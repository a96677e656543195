"""Envelopes that are trees: the settings name the places of messages and of kept values."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from adapter.codecs.envelopes.json import JsonBody
from adapter.codecs.envelopes.payloads import Payload, payload_of
from adapter.codecs.envelopes.pointers import MISSING, Pointer, at, wanting, written
from adapter.codecs.envelopes.protocol import Beside, Nature, Spec, Unwrapped
from adapter.codecs.fhir.json import Number
from adapter.errors import EnvelopeError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from adapter.codecs.envelopes.protocol import Body, Schemas

JSON = JsonBody()


@dataclass(frozen=True, slots=True)
class Rest:
    """The source of a rewritten tree: its payloads and kept values by place, in order."""

    body: Body
    tree: Any = field(repr=False)
    payloads: Mapping[Pointer, Payload] = field(repr=False)
    beside: tuple[tuple[Pointer, Beside], ...] = field(default=(), repr=False)
    plain: Mapping[Pointer, Any] = field(default_factory=dict, repr=False)
    """Values that identify nobody: true, false, null and constants."""


@dataclass(frozen=True, slots=True)
class JsonEnvelope:
    """A JSON document with messages at some pointers."""

    spec: Spec

    @classmethod
    def of(cls, spec: Spec, _schemas: Schemas | None) -> JsonEnvelope:
        """Return the envelope with these settings."""
        return cls(spec)

    def unwrap(self, value: bytes) -> Unwrapped:
        """Return the messages at those pointers that have a value.

        Raises:
            EnvelopeError: the value is not such a document.
        """
        return unwrapped(value, JSON, self.spec)

    def wrap(
        self, unwrapped: Unwrapped, payloads: Sequence[bytes], beside: Sequence[str | None]
    ) -> bytes:
        """Return a document that has only these messages and values.

        Raises:
            EnvelopeError: "unwritable".
        """
        return wrapped(unwrapped.rest, payloads, beside)


def unwrapped(value: bytes, body: Body, spec: Spec) -> Unwrapped:
    """Return the messages and kept values at the places that ``spec`` names.

    Raises:
        EnvelopeError: the value is not such a tree, or has no message.
    """
    if len(value) > spec.max_bytes:
        raise EnvelopeError("too-large")
    tree = body.read(value)
    payloads = found(tree, spec.payload, in_base64=spec.base64)
    rest = Rest(body, tree, payloads, *kept(tree, spec.keep))
    return Unwrapped(_bytes(payloads), tuple(beside for _, beside in rest.beside), rest)


def found(tree: Any, places: Sequence[Pointer], *, in_base64: bool) -> dict[Pointer, Payload]:
    """Return the messages at those places that have a value other than null.

    Raises:
        EnvelopeError: "no-payload", "encoding".
    """
    values = {place: at(tree, place) for place in places}
    there = {place: v for place, v in values.items() if v is not MISSING and v is not None}
    if not there:
        raise EnvelopeError("no-payload")
    return {place: payload_of(value, in_base64=in_base64) for place, value in there.items()}


def _bytes(payloads: Mapping[Pointer, Payload]) -> tuple[bytes, ...]:
    return tuple(payload.raw for payload in payloads.values())


def kept(
    tree: Any, places: Sequence[Pointer]
) -> tuple[tuple[tuple[Pointer, Beside], ...], dict[Pointer, Any]]:
    """Return the values at kept places: those to be processed, and those to write unchanged.

    Objects, lists and bytes are not kept.
    """
    beside: list[tuple[Pointer, Beside]] = []
    plain: dict[Pointer, Any] = {}
    for place in places:
        value = at(tree, place)
        if value is None or isinstance(value, bool):
            plain[place] = value
        elif isinstance(value, (Number, int, float)):
            beside.append((place, Beside(written(place), str(value), Nature.NUMBER)))
        elif isinstance(value, str):
            beside.append((place, Beside(written(place), value)))
    return tuple(beside), plain


def wrapped(rest: Rest, payloads: Sequence[bytes], beside: Sequence[str | None]) -> bytes:
    """Return the bytes of a tree that has only the new messages and values.

    Raises:
        EnvelopeError: the tree cannot be written.
    """
    new: dict[Pointer, Any] = dict(rest.plain)
    for (place, payload), raw in zip(rest.payloads.items(), payloads, strict=True):
        new[place] = payload.value(raw)
    for (place, was), text in zip(rest.beside, beside, strict=True):
        if text is not None:
            same = was.nature is Nature.NUMBER and text == was.text
            new[place] = at(rest.tree, place) if same else text
    return rest.body.write(rest.tree, wanting(new))
