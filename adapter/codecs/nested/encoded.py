"""Runs of base64 (RFC 4648, 4 and 5) and hexadecimal digits (8) inside a text.

A run that decodes to text is open to reading; one that decodes to a well-known binary format, that
is a piece of such an encoding cut anywhere, or that is long and like nothing people write, is
closed. Runs may be wrapped into lines.
"""

from __future__ import annotations

import binascii
import re
from typing import TYPE_CHECKING

import regex

from adapter.codecs.nested.body import Body, is_binary, is_spoken, is_textual, is_wording

if TYPE_CHECKING:
    from collections.abc import Iterator

_LONE = 24
"""Characters of a run that may be a body whatever stands in it."""
_OPAQUE = 64
"""Characters of a run that is a body even when it decodes to nothing known."""
_SHORT = 12
"""Characters of a run that is a body when it decodes to nothing but words."""
DIGESTS = frozenset({32, 40, 48, 56, 64, 96, 128})
"""Hexadecimal digits of the usual digests: those are identifiers."""

_RUN = regex.compile(
    r"[A-Za-z0-9+/_-]{12,}+={0,2}+(?:\s{1,4}+[A-Za-z0-9+/_-]{12,}+={0,2}+)*+"
    r"(?:(?<!=)\s{1,4}+[A-Za-z0-9+/_-]{1,11}+={1,2}+(?![A-Za-z0-9+/_=-])"
    r"|(?<!=)[ \t]*+(?:\r\n?|\n)[ \t]*+[A-Za-z0-9+/_-]{1,11}+(?=[ \t]*+(?:[\r\n]|\Z)))?"
)
_PADDED = regex.compile(r"(?<![A-Za-z0-9+/_=-])[A-Za-z0-9+/_-]{6,11}+={1,2}+(?![A-Za-z0-9+/_=-])")
_COLUMN = regex.compile(
    r"(?:(?<![^\r\n])[ \t]*+[A-Za-z0-9+/_-]{2,72}+={0,2}+[ \t]*+(?:\r\n?|\n|\Z)){3,}+"
)
_URI = regex.compile(r"(?i:data:)[\w/.+-]{0,80}+(?:;[\w=.+-]{1,80}+){0,8};(?i:base64),\s*+")
_PAYLOAD = re.compile(r"[A-Za-z0-9+/_=\s-]*[A-Za-z0-9+/_=-]")
_SPACED = regex.compile(
    r"(?<![0-9A-Za-z])(?:(?:0x|\\x)?[0-9A-Fa-f]{2}(?:[ :,;-]{1,2}|(?=\\x)|(?=0x))){7,}+"
    r"(?:0x|\\x)?[0-9A-Fa-f]{2}(?![0-9A-Za-z])"
)
_HEX = re.compile(r"[0-9A-Fa-f]+")
_SEPARATORS = re.compile(r"[-_+/]")
_CHUNK = re.compile(r"\S+")
_TO_STANDARD = str.maketrans("-_", "+/", "=")
_LEAST_DIGITS = 3


def runs(text: str, low: int, high: int) -> Iterator[Body]:
    """The encoded bodies in ``text[low:high]``, in order of kind; they may overlap."""
    for found in _URI.finditer(text, low, high):
        if payload := _PAYLOAD.match(text, found.end(), high):
            yield _declared(text, *payload.span())
    for found in _SPACED.finditer(text, low, high):
        if is_spoken(_unhex(re.sub(r"0x|\\x|[^0-9A-Fa-f]", "", found[0]))) and (
            not found[0].replace(" ", "").isdigit()
        ):
            yield Body(*found.span(), "hex", closed=True)
    for found in _RUN.finditer(text, low, high):
        yield from _run(text, *found.span())
    for found in _COLUMN.finditer(text, low, high):
        kind = _kind("".join(found[0].split()))
        if kind is not None:
            yield Body(found.start(), low + len(text[low : found.end()].rstrip()), *kind)
    for found in _PADDED.finditer(text, low, high):
        if is_wording(unbase64(found[0])):
            yield Body(*found.span(), "base64")


def _declared(text: str, low: int, high: int) -> Body:
    """The payload of a data URI (RFC 2397), which is a body however short it is."""
    return Body(
        low, high, "base64", closed=not is_textual(unbase64("".join(text[low:high].split())))
    )


def _run(text: str, low: int, high: int) -> Iterator[Body]:
    """A run as a whole, or without a last short word, or else its chunks each by itself."""
    chunks = list(_CHUNK.finditer(text, low, high))
    for last in (len(chunks), len(chunks) - 1):
        kind = _kind("".join(chunk[0] for chunk in chunks[:last]))
        if kind is not None:
            yield Body(low, chunks[last - 1].end(), *kind)
            return
        if len(chunks) == 1:
            break
    for chunk in chunks if len(chunks) > 1 else ():
        kind = _kind(chunk[0])
        if kind is not None:
            yield Body(*chunk.span(), *kind)


def _kind(run: str) -> tuple[str, bool] | None:
    """(kind, closed) of a run without white space; None where it is no body."""
    bare = run.rstrip("=")
    if _HEX.fullmatch(bare) and bare == run:
        return _hexadecimal(bare)
    data = unbase64(run)
    if _is_word(bare):
        return None
    if len(bare) < _LONE:
        return ("base64", False) if len(bare) >= _SHORT and is_wording(data) else None
    binary = is_binary(data)
    if not binary and is_textual(data):
        return "base64", False
    if binary or _is_cut(bare) or _is_opaque(bare):
        return "base64", True
    return None


def _is_word(run: str) -> bool:
    """Whether a run may be a long word: letters of one case, or with a capital first."""
    return run.isalpha() and (run[1:].islower() or run.isupper())


def _hexadecimal(digits: str) -> tuple[str, bool] | None:
    if len(digits) < _LONE:
        return None
    even = len(digits) % 2 == 0
    data = _unhex(digits if even else digits[:-1])
    if is_spoken(data) or (is_textual(data) and not digits.isdigit()):
        return "hex", not even or digits.isdigit()
    if is_textual(data) and (len(data) >= _LONE or _HEX.fullmatch(data.decode("ascii"))):
        return "hex", True
    if is_spoken(_unhex(digits[1:] if not even else digits[1:-1])) and not digits.isdigit():
        return "hex", True
    opaque = len(digits) >= _OPAQUE and len(digits) not in DIGESTS and not digits.isdigit()
    if not set(digits.upper()) <= set("ACGTN") and (opaque or is_binary(data)):
        return "hex", True
    return None


def _is_cut(run: str) -> bool:
    """Whether a run, or a part of it, is text whose encoding was cut in the middle."""
    parts = {run, *(part for part in _SEPARATORS.split(run) if len(part) >= _LONE)}
    return any(
        is_spoken(unbase64(part[shift:])) for part in parts for shift in range(part is run, 4)
    )


def _is_opaque(run: str) -> bool:
    """Whether a long run is like no word, path, sequence or list of names."""
    if len(run) < _OPAQUE:
        return False
    longest = max(_SEPARATORS.split(run), key=len)
    return (
        len(longest) >= _LONE
        and sum(c.isdigit() for c in longest) >= _LEAST_DIGITS
        and not longest.isupper()
        and not longest.islower()
    )


def unbase64(run: str) -> bytes:
    """Decode either alphabet, padded or not; what is left of a cut last group is lost."""
    compact = run.translate(_TO_STANDARD)
    compact = compact[: len(compact) - (len(compact) % 4 == 1)]
    try:
        return binascii.a2b_base64(compact + "=" * (-len(compact) % 4))
    except ValueError:
        return b""


def _unhex(digits: str) -> bytes:
    return bytes.fromhex(digits[: len(digits) - len(digits) % 2])


def decoded(raw: str, kind: str) -> bytes:
    """The bytes of an open body as it stands in its text."""
    compact = "".join(raw.split())
    return _unhex(compact) if kind == "hex" else unbase64(compact)


def encoded(data: bytes, raw: str, kind: str) -> str:
    """Bytes in the encoding of ``raw``: its alphabet, padding, case and line lengths."""
    if kind == "hex":
        plain = data.hex().upper() if raw != raw.lower() else data.hex()
    else:
        plain = binascii.b2a_base64(data, newline=False).decode("ascii")
        if "-" in raw or "_" in raw:
            plain = plain.translate(str.maketrans("+/", "-_"))
        if len("".join(raw.split())) % 4:
            plain = plain.rstrip("=")
    found = re.search(r"\s+", raw)
    if found is None or not found.start():
        return plain
    width = found.start()
    return found[0].join(plain[low : low + width] for low in range(0, len(plain), width))
