"""Finds runs of base64, base32 and hexadecimal digits in a text, wrapped or not."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import regex

from adapter.codecs.nested.alphabets import kind_of, unbase64, unhex
from adapter.codecs.nested.body import Body, is_spoken, is_textual, is_wording

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


_CHUNK = re.compile(r"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{12,}={0,2}")
_LAST = re.compile(
    r"\s{1,4}[A-Za-z0-9+/_-]{1,11}={1,2}(?![A-Za-z0-9+/_=-])"
    r"|[ \t]*(?:\r\n?|\n)[ \t]*[A-Za-z0-9+/_-]{1,11}(?=[ \t]*(?:[\r\n]|\Z))"
)
"""The last line of a wrapped run, which may be short."""
_GAP = 4
_PADDED = re.compile(r"(?<![A-Za-z0-9+/_=-])[A-Za-z0-9+/_-]{6,11}={1,2}(?![A-Za-z0-9+/_=-])")
_LINE = re.compile(r"[A-Za-z0-9+/_-]{2,72}={0,2}")
_LEAST_LINES = 3
_ENDS = re.compile(r"[^\r\n]+")
_URI = re.compile(r"(?i:data:)[\w/.+-]{0,80}(?:;[\w=.+-]{1,80}){0,8};base64,\s{0,80}")
_PAYLOAD = re.compile(r"[A-Za-z0-9+/_=\s-]*[A-Za-z0-9+/_=-]")
_SPACED = regex.compile(
    r"(?<![0-9A-Za-z])(?:(?:0x|\\x)?[0-9A-Fa-f]{2}(?:[ :,;-]{1,2}|(?=\\x)|(?=0x))){7,}+"
    r"(?:0x|\\x)?[0-9A-Fa-f]{2}(?![0-9A-Za-z])"
)
_PAIRS = re.compile(r"[ :,;-][0-9A-Fa-f]{2}[ :,;-]{1,2}[0-9A-Fa-f]{2}[ :,;-]|\\x|0x[0-9A-Fa-f]{2}")
_PADDING = re.compile(r"=(?![A-Za-z0-9+/_])")


def runs(text: str, low: int, high: int) -> Iterator[Body]:
    """Yield the encoded bodies in ``text[low:high]``, in order of kind; they may overlap."""
    for found in _URI.finditer(text, low, high) if "base64," in text else ():
        if payload := _PAYLOAD.match(text, found.end(), high):
            yield _declared(text, *payload.span())
    if _PAIRS.search(text, low, high):
        yield from _pairs(text, low, high)
    for chunks in _groups(text, low, high):
        yield from _run(text, chunks)
    if text.find("\n", low, high) >= 0 or text.find("\r", low, high) >= 0:
        yield from _columns(text, low, high)
    for found in _PADDED.finditer(text, low, high) if _PADDING.search(text) else ():
        if is_wording(unbase64(found[0])):
            yield Body(*found.span(), "base64")


def _pairs(text: str, low: int, high: int) -> Iterator[Body]:
    """Yield bodies of hexadecimal bytes that are written one by one."""
    for found in _SPACED.finditer(text, low, high):
        data = unhex(re.sub(r"0x|\\x|[^0-9A-Fa-f]", "", found[0]))
        if is_spoken(data) and not found[0].replace(" ", "").isdigit():
            yield Body(*found.span(), "hex", closed=True)


def _groups(text: str, low: int, high: int) -> Iterator[list[tuple[int, int]]]:
    """Yield groups of long chunks separated only by white space, with a short last chunk."""
    group: list[tuple[int, int]] = []
    for found in _CHUNK.finditer(text, low, high):
        start, end = found.span()
        if group and (start - group[-1][1] > _GAP or not text[group[-1][1] : start].isspace()):
            yield _ended(text, group, high)
            group = []
        group.append((start, end))
    if group:
        yield _ended(text, group, high)


def _ended(text: str, group: list[tuple[int, int]], high: int) -> list[tuple[int, int]]:
    end = group[-1][1]
    last = None if text[end - 1] == "=" else _LAST.match(text, end, high)
    if last is None:
        return group
    word = last[0].lstrip()
    return [*group, (last.end() - len(word), last.end())]


def _columns(text: str, low: int, high: int) -> Iterator[Body]:
    """Yield bodies of consecutive lines that are one narrow chunk each."""
    lines: list[tuple[int, int]] = []
    for found in _ENDS.finditer(text, low, high):
        if _LINE.fullmatch(found[0].strip()):
            lines.append(found.span())
            continue
        yield from _column(text, lines)
        lines = []
    yield from _column(text, lines)


def _column(text: str, lines: list[tuple[int, int]]) -> Iterator[Body]:
    if len(lines) < _LEAST_LINES:
        return
    start, end = lines[0][0], lines[-1][1]
    kind = kind_of("".join(text[start:end].split()))
    if kind is not None:
        yield Body(start, end, *kind)


def _declared(text: str, low: int, high: int) -> Body:
    """Return the payload of a data URI (RFC 2397), which is a body of any length."""
    return Body(
        low, high, "base64", closed=not is_textual(unbase64("".join(text[low:high].split())))
    )


def _run(text: str, chunks: Sequence[tuple[int, int]]) -> Iterator[Body]:
    """Yield a run whole or without its last chunk, else each chunk that is a body by itself."""
    for last in sorted({len(chunks), max(len(chunks) - 1, 1)}, reverse=True):
        kind = kind_of("".join(text[low:high] for low, high in chunks[:last]))
        if kind is not None:
            yield Body(chunks[0][0], chunks[last - 1][1], *kind)
            return
    for low, high in chunks if len(chunks) > 1 else ():
        kind = kind_of(text[low:high])
        if kind is not None:
            yield Body(low, high, *kind)
