"""The lines of a message: segments, and anything else between line ends.

A sender ends segments by CR (the standard), LF or CRLF. The end of the first segment decides: after
a CR, a LF is text unless a segment begins after it; after a LF, either character ends a line.
"""

from __future__ import annotations

import re
from functools import lru_cache

Line = tuple[int, str]
"""(offset of its first character in the message's text, the line without its end)."""

_ANY = re.compile(r"[^\r\n]+")
_END = re.compile(r"[\r\n]")


def lines_of(text: str, start: int, field: str) -> list[Line]:
    """Return the non-empty lines of ``text`` from ``start``; ``field`` is the field separator."""
    if "\n" not in text:
        return _split(text, start, "\r")
    end = _END.search(text, start)
    if end is None or end[0] == "\r":
        return _by_return(text, start, field)
    return [(match.start(), match[0]) for match in _ANY.finditer(text, start)]


def _split(text: str, start: int, end: str) -> list[Line]:
    lines = []
    at = start
    for line in (text[start:] if start else text).split(end):
        if line:
            lines.append((at, line))
        at += len(line) + 1
    return lines


def _by_return(text: str, start: int, field: str) -> list[Line]:
    lines = []
    for at, line in _split(text, start, "\r"):
        begun = line.lstrip("\n")
        if "\n" in begun:
            lines += _inside(at + len(line) - len(begun), begun, field)
        elif begun:
            lines.append((at + len(line) - len(begun), begun))
    return lines


def _inside(at: int, line: str, field: str) -> list[Line]:
    """Split a line that contains line feeds wherever a segment begins after one."""
    lines = []
    start = 0
    for match in _segment_start(field).finditer(line):
        lines.append((at + start, line[start : match.start()]))
        start = match.end()
    lines.append((at + start, line[start:]))
    return [(place, part) for place, part in lines if part]


@lru_cache(maxsize=64)
def _segment_start(field: str) -> re.Pattern[str]:
    return re.compile(rf"\n+(?=[A-Z][A-Z0-9]{{2}}{re.escape(field)})")
