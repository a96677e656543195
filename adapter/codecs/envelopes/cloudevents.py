"""CloudEvents 1.0 in structured mode, JSON event format: the message is the event's data.

Of the required attributes, ``id`` becomes a surrogate, ``source`` a constant, and ``type`` is kept
if it passes as safe text, else replaced by a constant. Other attributes are removed unless the
settings keep them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from adapter.codecs.envelopes.pointers import MISSING, Pointer, at
from adapter.codecs.envelopes.protocol import Beside, Nature, Spec, Unwrapped
from adapter.codecs.envelopes.tree import JSON, Rest, found, kept, wrapped
from adapter.errors import EnvelopeError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adapter.codecs.envelopes.protocol import Schemas

VERSION = "1.0"
SOURCE = "/deid"
TYPE = "deid.message"
DATA, DATA_BASE64 = ("data",), ("data_base64",)
_OWN = frozenset({("id",), ("source",), ("type",), ("specversion",), ("datacontenttype",)})
_CONTENT_TYPES = frozenset(
    {
        "application/fhir+json",
        "application/hl7-v2",
        "application/hl7-v2+er7",
        "application/json",
        "application/octet-stream",
        "application/x-ndjson",
        "text/plain",
        "x-application/hl7-v2+er7",
    }
)


@dataclass(frozen=True, slots=True)
class CloudEvent:
    """An event whose data is a message: a string, an object, or base64."""

    spec: Spec

    @classmethod
    def of(cls, spec: Spec, _schemas: Schemas | None) -> CloudEvent:
        """Return the envelope with these settings."""
        return cls(spec)

    def unwrap(self, value: bytes) -> Unwrapped:
        """Return the message in an event's data.

        Raises:
            EnvelopeError: the value is not an event of version 1.0, or has no data, or both kinds.
        """
        if len(value) > self.spec.max_bytes:
            raise EnvelopeError("too-large")
        tree = JSON.read(value)
        if at(tree, ("specversion",)) != VERSION or not _named(tree):
            raise EnvelopeError("not-an-event")
        if at(tree, DATA) is not MISSING and at(tree, DATA_BASE64) is not MISSING:
            raise EnvelopeError("several-payloads")
        binary = at(tree, DATA_BASE64) is not MISSING
        payloads = found(tree, [DATA_BASE64 if binary else DATA], in_base64=binary)
        identifier = ("id",), Beside("/id", tree["id"], Nature.IDENTIFIER)
        wanted = [("type",), *(place for place in self.spec.keep if place not in _OWN)]
        beside, plain = kept(tree, wanted)
        rest = Rest(JSON, tree, payloads, (identifier, *beside), {**plain, **_constants(tree)})
        own = tuple(each for _, each in rest.beside)
        return Unwrapped(tuple(payload.raw for payload in payloads.values()), own, rest)

    def wrap(
        self, unwrapped: Unwrapped, payloads: Sequence[bytes], beside: Sequence[str | None]
    ) -> bytes:
        """Return an event with this data.

        Raises:
            EnvelopeError: "unwritable".
        """
        rest: Rest = unwrapped.rest
        texts = [
            TYPE if place == ("type",) and text is None else text
            for (place, _), text in zip(rest.beside, beside, strict=True)
        ]
        return wrapped(rest, payloads, texts)


def _named(tree: Any) -> bool:
    """Whether the required attributes are present, as strings that are not empty."""
    return all(type(at(tree, (name,))) is str and tree[name] for name in ("id", "source", "type"))


def _constants(tree: dict[str, Any]) -> dict[Pointer, str]:
    constants: dict[Pointer, str] = {("specversion",): VERSION, ("source",): SOURCE}
    content = tree.get("datacontenttype")
    if isinstance(content, str) and content.partition(";")[0].strip().lower() in _CONTENT_TYPES:
        constants["datacontenttype",] = content.partition(";")[0].strip().lower()
    return constants
