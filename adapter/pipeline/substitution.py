"""Substitution: from the spans of a message to the edits of its text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from adapter.normalize.canonical import displayed, outside_tags, together
from adapter.normalize.folding import fold, squeeze
from adapter.types import OTHER_PERSON, Edit, Handling

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from adapter.normalize.numerals import Numerals
    from adapter.surrogates import Renderer
    from adapter.types import Action, Extraction, Message, Span

_WORD_BEFORE = re.compile(r"(?P<word>[^\W\d_]{3,})\.? (?=\d)")
_APART = 6
"""Longest text, in characters, whose spaced letters are read as initials and not as a name."""
_COUNTED = frozenset({"ID", "CONTACT"})
"""Categories of labels whose mentions are numbers."""
SYSTEM = "{uri}"
"""Form of a field that names a system, a profile or a definition."""
SHORTEST_REAL = 3
"""Real values with fewer letters and digits than this may reappear by chance."""


def real_values(
    message: Message, spans: Mapping[str, tuple[Span, ...]], extraction: Extraction
) -> frozenset[str]:
    """Return the values that no surrogate of this message may equal, squeezed."""
    values = {text for entity in extraction.entities for _, text in entity.parts}
    for segment in message.segments:
        for span in spans.get(segment.path, ()):
            if span.form != SYSTEM:
                values.add(displayed(segment.text[span.start : span.end]))
    squeezed = {squeeze(value) for value in values}
    return frozenset(value for value in squeezed if len(value) >= SHORTEST_REAL)


def other_people(message: Message, spans: Mapping[str, tuple[Span, ...]]) -> frozenset[str]:
    """Return the squeezed words of names that are like the patient's, but a relative's."""
    return frozenset(
        squeeze(word)
        for segment in message.segments
        for span in spans.get(segment.path, ())
        if span.form == OTHER_PERSON
        for word in displayed(segment.text[span.start : span.end]).split()
    )


def reaching(
    message: Message,
    actions: Sequence[Action],
    spans: Mapping[str, tuple[Span, ...]],
    renderer: Renderer,
) -> dict[str, tuple[Span, ...]]:
    """Return the spans by path, dates in scanned texts extended over text that belongs to them."""
    scan = Handling.SCAN
    found = dict(spans)
    for segment, action in zip(message.segments, actions, strict=True):
        if action.handling is scan:
            own = spans.get(segment.path, ())
            wide = renderer.reach(segment, own)
            if wide is not own and wide:
                found[segment.path] = wide
    return found


def edits_of(
    message: Message,
    actions: Sequence[Action],
    spans: Mapping[str, tuple[Span, ...]],
    renderer: Renderer,
    numerals: Numerals,
    *,
    is_plain: Callable[[str], bool],
) -> Iterable[Edit]:
    """Yield the replacement of each mention and the removal of each dropped place.

    ``is_plain`` says whether a folded word names nobody: one before a number in a text stays, if
    the number is also sent with it ("Doc 2024884412" for DOC-2024-884412).
    """
    dropped, scanned = Handling.DROP, Handling.SCAN  # reading a member of an enum is slow
    for segment, action in zip(message.segments, actions, strict=True):
        if action.handling is scanned and segment.path in spans:
            renderer.meet(segment, spans[segment.path])
    for segment, action in zip(message.segments, actions, strict=True):
        if action.handling is dropped:
            yield Edit(segment.path, 0, len(segment.text), None)
        elif segment.path in spans:
            own = spans[segment.path]
            beside = renderer.runs(segment.text, own) if len(own) > 1 else {}
            for span in own:
                text = segment.text[span.start : span.end]
                shown = _read(text, span, numerals)
                surrogate = renderer.render(shown, span, segment, beside.get(span.start))
                if surrogate == shown:
                    continue
                if shown is text or surrogate is None:
                    if surrogate and action.handling is scanned and span.label.category == "ID":
                        surrogate = _worded(text, surrogate, is_plain)
                    yield Edit(segment.path, span.start, span.end, surrogate)
                else:
                    yield from _around_tags(segment.path, text, span.start, surrogate)


def _worded(text: str, surrogate: str, is_plain: Callable[[str], bool]) -> str:
    """Return the surrogate of a number, with the plain word that the text has before it."""
    found = _WORD_BEFORE.match(text)
    if found is None or len(surrogate) != len(text) or not is_plain(fold(found["word"])):
        return surrogate
    return text[: found.end()] + surrogate[found.end() :]


def _read(text: str, span: Span, numerals: Numerals) -> str:
    """Return a mention as displayed: numbers in digits, names without gaps (which reveal length).

    A mention that looks like a tag (``<Okonjo>``) is displayed as nothing; it is returned as
    written.
    """
    shown = displayed(text)
    if not squeeze(shown):
        return text
    if span.label.category in _COUNTED and not any(map(str.isdigit, shown)):
        counted = numerals.read(shown)
        return shown if counted is None else counted.text
    if span.label.category != "NAME" or len(shown) <= _APART or "[0]" in (span.form or ""):
        return shown
    return together(shown)


def _around_tags(path: str, text: str, offset: int, surrogate: str) -> Iterable[Edit]:
    """Yield edits that replace the visible text with a surrogate; the tags in it stay."""
    new = surrogate
    for start, end in outside_tags(text):
        yield Edit(path, offset + start, offset + end, new)
        new = ""
