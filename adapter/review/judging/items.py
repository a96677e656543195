"""The content of a message as reviewers see it, and its serialized form for sealing."""

from __future__ import annotations

import base64
import json
import zlib
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Mark:
    """A mention that the machine found: extent, label, and why; ``surrogate`` None: removed."""

    start: int
    end: int
    label: str
    source: str
    score: float = 1.0
    entity: str = ""
    surrogate: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class ReviewText:
    """The text at one path of a message, with the mentions that the machine found in it."""

    path: str = field(repr=False)
    element: str = field(repr=False)
    handling: str
    text: str = field(repr=False)
    language: str = ""
    marks: tuple[Mark, ...] = ()

    @property
    def is_free(self) -> bool:
        """Whether the text is free text, which is searched for mentions."""
        return self.handling == "scan"


@dataclass(frozen=True, slots=True)
class Content:
    """A message as reviewers see it; ``hold`` is "stage/code" if it is held.

    ``topic`` selects the rules: the topic of its record, or a file name.
    """

    format: str
    kind: str
    language: str
    texts: tuple[ReviewText, ...]
    raw: bytes = field(repr=False)
    hold: str = ""
    topic: str = field(default="", repr=False)

    @property
    def free(self) -> tuple[int, ...]:
        """Return the indexes of its free texts."""
        return tuple(n for n, text in enumerate(self.texts) if text.is_free)


def packed(content: Content) -> bytes:
    """Return a content as bytes, to be sealed."""
    fields = asdict(content) | {"raw": base64.b64encode(content.raw).decode()}
    return zlib.compress(json.dumps(fields, separators=(",", ":")).encode(), level=1)


def unpacked(plain: bytes) -> Content:
    """Return the content from the bytes of `packed`."""
    fields: Any = json.loads(zlib.decompress(plain))
    texts = tuple(_text(text) for text in fields["texts"])
    return Content(**fields | {"texts": texts, "raw": base64.b64decode(fields["raw"])})


def _text(fields: Mapping[str, Any]) -> ReviewText:
    return ReviewText(**{**fields, "marks": tuple(Mark(**mark) for mark in fields["marks"])})
