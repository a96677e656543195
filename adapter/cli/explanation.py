"""Renders the decisions about a message as JSON, for a terminal, and as an HTML page."""

from __future__ import annotations

import html
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rich.markup import escape

from adapter.errors import AdapterError
from adapter.normalize.printable import visible
from adapter.pipeline.examining import Examined, examine, written
from adapter.pipeline.opening import codec_for
from adapter.types import Handling

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from adapter.codecs.protocol import Codec
    from adapter.pipeline.ruleset import Ruleset
    from adapter.types import Action, Span, TextSegment

COLOURS = {
    "NAME": "red",
    "LOCATION": "green",
    "DATE": "cyan",
    "AGE": "cyan",
    "CONTACT": "magenta",
    "ID": "yellow",
    "PROFESSION": "blue",
    "OTHER": "white",
}
"""Main category -> colour in the terminal and on the page."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A span with the replacement of its text (None: removed)."""

    span: Span
    surrogate: str | None = field(repr=False)


@dataclass(frozen=True, slots=True)
class Place:
    """One segment, the field policy's action on it, and its mentions."""

    segment: TextSegment
    action: Action
    mentions: tuple[Mention, ...]

    @property
    def is_shown(self) -> bool:
        """Whether the explanation shows the place: it has mentions, or is scanned or dropped."""
        return bool(self.mentions) or self.action.handling in {Handling.SCAN, Handling.DROP}


@dataclass(frozen=True, slots=True)
class Explanation:
    """One message of a file; ``outcome`` is "release" or "hold:stage/code"."""

    file: str = field(repr=False)
    format: str
    kind: str
    outcome: str
    places: tuple[Place, ...] = field(repr=False)

    def as_json(self) -> dict[str, Any]:
        """Return the JSON object of one line of `explain --json`."""
        return {
            "file": self.file,
            "format": self.format,
            "kind": self.kind,
            "outcome": self.outcome,
            "segments": [_place_json(place) for place in self.places],
        }


def explanations(file: str, raw: bytes, ruleset: Ruleset) -> Iterator[Explanation]:
    """Yield the explanation of each message of a file; a held one has its reason."""
    try:
        payloads = ruleset.envelope.unwrap(raw).payloads
        read = [(codec_for(payload, ruleset), payload) for payload in payloads]
    except AdapterError as error:
        yield Explanation(file, "", "", _hold(error), ())
        return
    for codec, payload in read:
        for frame in codec.split(payload):
            yield _explained(file, codec, frame.value, ruleset)


def _explained(file: str, codec: Codec, raw: bytes, ruleset: Ruleset) -> Explanation:
    try:
        examined = examine(codec, raw, ruleset)
    except AdapterError as error:
        return Explanation(file, codec.name, "", _hold(error), ())
    outcome = "release"
    try:
        written(codec, examined)
    except AdapterError as error:
        outcome = _hold(error)
    message = examined.message
    return Explanation(file, message.format, message.kind, outcome, tuple(_places(examined)))


def _hold(error: AdapterError) -> str:
    return f"hold:{error}"


def _places(examined: Examined) -> Iterator[Place]:
    edits = {(edit.path, edit.start, edit.end): edit.text for edit in examined.edits}
    for segment, action in zip(examined.message.segments, examined.actions, strict=True):
        mentions = tuple(
            Mention(span, edits.get((segment.path, span.start, span.end), _text(segment, span)))
            for span in examined.spans.get(segment.path, ())
        )
        yield Place(segment, action, mentions)


def _text(segment: TextSegment, span: Span) -> str:
    return segment.text[span.start : span.end]


def _place_json(place: Place) -> dict[str, Any]:
    return {
        "path": place.segment.path,
        "datatype": place.segment.datatype,
        "handling": str(place.action.handling),
        "text": place.segment.text,
        "spans": [
            {
                "start": mention.span.start,
                "end": mention.span.end,
                "label": str(mention.span.label),
                "source": mention.span.source,
                "score": mention.span.score,
                "entity": mention.span.entity,
                "surrogate": mention.surrogate,
            }
            for mention in place.mentions
        ],
    }


def shown(explanation: Explanation) -> str:
    """Return the message in rich's markup for a terminal; control characters are escaped."""
    return visible(_marked(explanation))


def _marked(explanation: Explanation) -> str:
    head = f"[bold]{escape(explanation.file)}[/]  {explanation.format} {explanation.kind}"
    lines = [f"{head}  [bold]{explanation.outcome}[/]"]
    for place in explanation.places:
        if place.is_shown:
            where = f"[dim]{escape(place.segment.path)}  {place.segment.datatype}[/]"
            lines.append(f"  {where}  {_line(place)}")
            lines += [f"      {_why(mention, place)}" for mention in place.mentions]
    return "\n".join(lines) + "\n"


def _line(place: Place) -> str:
    if place.action.handling is Handling.DROP:
        return f"[strike dim]{escape(place.segment.text)}[/]"
    return "".join(
        escape(text) if mention is None else f"[{_colour(mention)} bold]{escape(text)}[/]"
        for text, mention in pieces(place)
    )


def _why(mention: Mention, place: Place) -> str:
    span = mention.span
    surrogate = "(removed)" if mention.surrogate is None else mention.surrogate
    entity = f" {span.entity}" if span.entity else ""
    original = escape(_text(place.segment, span))
    return (
        f"[{_colour(mention)}]{span.start}-{span.end} {span.label}[/] {original}"
        f" -> [bold]{escape(surrogate)}[/]  [dim]{span.source} {span.score:.2f}{entity}[/]"
    )


def _colour(mention: Mention) -> str:
    return COLOURS[mention.span.label.category]


def pieces(place: Place) -> Iterator[tuple[str, Mention | None]]:
    """Yield the text of a place, split at its mentions."""
    at = 0
    for mention in place.mentions:
        yield place.segment.text[at : mention.span.start], None
        yield _text(place.segment, mention.span), mention
        at = mention.span.end
    yield place.segment.text[at:], None


STYLE = """body{font:15px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem}
h2{font-size:1rem;margin:2rem 0 .5rem;border-bottom:1px solid #ccc}
td{vertical-align:top;padding:.2rem .8rem .2rem 0;white-space:pre-wrap;overflow-wrap:anywhere}
td:first-child{color:#666;font:12px monospace;width:14rem}
mark{padding:0 .15em;border-radius:.2em}mark b{font-weight:600;margin-left:.3em}del{color:#999}
.NAME{background:#fbd5d5}.LOCATION{background:#d5f2d8}.DATE,.AGE{background:#cfeef5}.CONTACT{background:#f2d5f2}
.ID{background:#f7ecc0}.PROFESSION{background:#d8e0fb}.OTHER{background:#e5e5e5}
"""


def html_page(found: Iterable[Explanation]) -> str:
    """Return an HTML page with every mention marked, and its surrogate beside it."""
    body = "".join(_section(explanation) for explanation in found)
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>Decisions by message</title>'
        f"<style>{STYLE}</style><h1>Decisions by message</h1>"
        "<p>This page contains original text: share it only with people who may see it.</p>"
        f"{body}</html>\n"
    )


def _section(explanation: Explanation) -> str:
    head = f"{explanation.file} · {explanation.format} {explanation.kind} · {explanation.outcome}"
    rows = "".join(_row(place) for place in explanation.places if place.is_shown)
    return f"<h2>{html.escape(head)}</h2><table>{rows}</table>"


def _row(place: Place) -> str:
    path = html.escape(f"{place.segment.path} {place.segment.datatype}")
    if place.action.handling is Handling.DROP:
        return f"<tr><td>{path}<td><del>{html.escape(place.segment.text)}</del></tr>"
    cells = "".join(_cell(text, mention) for text, mention in pieces(place))
    return f"<tr><td>{path}<td>{cells}</tr>"


def _cell(text: str, mention: Mention | None) -> str:
    if mention is None:
        return html.escape(text)
    span = mention.span
    title = html.escape(f"{span.label} {span.source} {span.score:.2f} {span.entity or ''}")
    surrogate = "(removed)" if mention.surrogate is None else mention.surrogate
    return (
        f'<mark class="{span.label.category}" title="{title}">{html.escape(text)}'
        f"<b>→ {html.escape(surrogate)}</b></mark>"
    )
