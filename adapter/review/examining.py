"""Turns messages into items: the machine's spans at each path, and their replacements."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from adapter.errors import AdapterError
from adapter.languages import spoken
from adapter.pipeline.examining import examine, written
from adapter.pipeline.opening import codec_for
from adapter.pipeline.process import UNEXPECTED
from adapter.review.judging.items import Content, Mark, ReviewText
from adapter.types import Handling

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from adapter.codecs.protocol import Codec
    from adapter.pipeline.examining import Examined
    from adapter.pipeline.ruleset import Ruleset
    from adapter.types import Action, Edit, Span, TextSegment

UNREAD = "unread"
"""The handling of the text of a message that no codec can read."""
MOST_TEXTS = 400
"""Maximum number of texts shown of a message; free texts come first."""


def contents(raw: bytes, ruleset: Ruleset, hold: str = "", topic: str = "") -> Iterator[Content]:
    """Yield the contents of a record's messages, read with the rules and envelope of its topic.

    An unreadable message is shown as plain text. ``hold`` is "stage/code" if the record is held;
    ``topic`` is the file name if the record came from a file.
    """
    own = ruleset.of(topic)
    try:
        payloads = own.envelope.unwrap(raw).payloads
        read = [(codec_for(payload, own), payload) for payload in payloads]
        frames = [(codec, f.value) for codec, payload in read for f in codec.split(payload)]
    except Exception as error:  # noqa: BLE001 - as the adapter does: any failure holds a message
        yield replace(_unreadable(raw, hold or reason(error)), topic=topic)
        return
    for codec, value in frames:
        yield replace(_content(codec, value, own, hold), topic=topic)


def reason(error: Exception) -> str:
    """Return the "stage/code" with which the adapter would hold a message for this error."""
    if isinstance(error, AdapterError):
        return f"{error.stage}/{error.code}"
    return f"{UNEXPECTED.stage}/{UNEXPECTED.code}"


def _unreadable(raw: bytes, hold: str) -> Content:
    text = ReviewText("", "", UNREAD, raw.decode("utf-8", "replace"))
    return Content("", "?", "", (text,), raw, hold)


def _content(codec: Codec, raw: bytes, ruleset: Ruleset, hold: str) -> Content:
    try:
        examined = examine(codec, raw, ruleset)
    except Exception as error:  # noqa: BLE001
        return _unreadable(raw, hold or reason(error))
    try:
        written(codec, examined)
    except Exception as error:  # noqa: BLE001
        hold = hold or reason(error)
    message = examined.message
    free = [s for s, a in _places(examined) if a.handling is Handling.SCAN]
    language = spoken(message.segments, free, ruleset.recognizer)
    texts = [_text(s, a, examined, language.at(s.path)) for s, a in _places(examined) if s.text]
    shown = [t for t in texts if t.is_free] + [t for t in texts if not t.is_free]
    return Content(
        message.format, message.kind, language.main, tuple(shown[:MOST_TEXTS]), raw, hold
    )


def _places(examined: Examined) -> Iterator[tuple[TextSegment, Action]]:
    return zip(examined.message.segments, examined.actions, strict=True)


def _text(segment: TextSegment, action: Action, examined: Examined, language: str) -> ReviewText:
    edits = [e for e in examined.edits if e.path == segment.path]
    marks = tuple(
        Mark(
            span.start,
            span.end,
            str(span.label),
            span.source,
            round(span.score, 4),
            span.entity or "",
            _written(segment.text, span, edits),
        )
        for span in examined.spans.get(segment.path, ())
    )
    handling = str(action.handling)
    return ReviewText(segment.path, segment.element, handling, segment.text, language, marks)


def _written(text: str, span: Span, edits: Sequence[Edit]) -> str | None:
    """Return what replaces a span: itself if kept, None if an edit covers more than the span."""
    for edit in edits:
        if (edit.start, edit.end) == (span.start, span.end):
            return edit.text
    around = any(edit.start <= span.start and span.end <= edit.end for edit in edits)
    return None if around else text[span.start : span.end]
