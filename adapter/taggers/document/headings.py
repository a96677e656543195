"""Values of headings and attributes, ``Name: value``, whether the name is known or not.

Some headings are trusted: mentions under them become trusted phrases, which are searched for in
the rest of the text (Szarvas 2006, section 3.2).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import regex

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from adapter.taggers.document.document import Document

    Extent = tuple[int, int, str]
    """Start, end and label of a mention."""

LONGEST = 5
"""Maximum number of words in a heading."""

_LEAD = regex.compile(
    r"^[ \t]*+[-*#>•]?+[ \t]*+([^\W\d_](?:[^:\n\t]{0,38}[^\W_])?+[º°ª.)]?)"
    r"[ \t]*+(?:(?<!\d):|:(?!\d))[ \t]*+(?:\n[ \t]*+(?=\S))?([^\n]*+)",
    regex.MULTILINE,
)
_WORD = regex.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Value:
    """The extent of a heading's value; ``name`` is the heading in folded words."""

    name: str = field(repr=False)
    start: int
    end: int


def values(document: Document) -> list[Value]:
    """Return the values of known attributes, and of headings that begin a line, in order."""
    found = [Value(a.name, a.start, a.end) for a in document.attributes]
    keys = sorted(attribute.key_start for attribute in document.attributes)
    for match in _LEAD.finditer(document.folded):
        words = _WORD.findall(match[1])
        if len(words) > LONGEST or any(match.start(1) <= key < match.end(1) for key in keys):
            continue
        start, end = match.span(2)
        stop = min((key for key in keys if start <= key < end), default=end)
        found.append(Value(" ".join(words), start, stop))
    return sorted(found, key=lambda value: value.start)


def under(value: Value, mentions: Iterable[Extent]) -> list[Extent]:
    """Return the mentions within a value."""
    return [one for one in mentions if value.start <= one[0] and one[1] <= value.end]


def confirmed(
    document: Document, mentions: Iterable[Extent], headings: Mapping[str, str]
) -> list[Extent]:
    """Return the mentions under one of ``headings`` (name -> label) that have that label."""
    mentions = tuple(mentions)
    return [
        one
        for value in values(document)
        if value.name in headings
        for one in under(value, mentions)
        if one[2] == headings[value.name]
    ]
