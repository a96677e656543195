r"""Reads words with escapes: percent-encoding, quoted-printable, ``\uXXXX``, ``\NNN``, ``&#NN;``.

Percent-encoding is RFC 3986, 2.1; quoted-printable RFC 2045, 6.7; the others are those of
programming languages and of HTML. A word is read with a map to its source, so that what an edit
does not cover is kept as written.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import regex

from adapter.codecs.nested.body import Body, is_textual
from adapter.codecs.sourcemap import Passage, Trail

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_PERCENT = regex.compile(
    r"(?<![^\s%&=?/#<>\"|])[^\s%&=?/#<>\"|]*+(?:%[0-9A-Fa-f]{2}[^\s%&=?/#<>\"|]*+)++"
)
_QUOTED = regex.compile(r"(?<!\S)[^\s=]*+(?:=(?:[0-9A-F]{2}|[ \t]*\r?\n)[^\s=]*+)++")
_SURELY_QUOTED = re.compile(
    r"(?:=[0-9A-F]{2}){3}|=[CDE][0-9A-F]=[89AB][0-9A-F]|[A-Za-z,.;:]=20[A-Za-z]|=3D|[a-z]=\r?\n[a-z]"
    r"|[A-Za-z]=[4-7][0-9A-F][A-Za-z]{0,40}=[4-7][0-9A-F]"
)
_ENCODED_WORD = re.compile(r"=\?[\w.-]{1,40}\?[Qq]\?(?P<quoted>[^\s?]{1,400})\?=")
"""An encoded word of a mail's header whose encoding is "Q" (RFC 2047, 2)."""
_PERCENTAGES = re.compile(r"\W{0,2}[0-9]{1,3}(?:[.,][0-9]{1,3})?(?:%[0-9]{2,3}){1,2}%?[^\w%]{0,3}")
"""Several percentages without a blank between."""
_NUMBERED = regex.compile(
    r"(?<![^\s\\&])[^\s\\&]*+(?:(?:\\+u[0-9A-Fa-f]{4}|\\+x[0-9A-Fa-f]{2}|&#[0-9]{2,6};"
    r"|&#[xX][0-9A-Fa-f]{2,5};)[^\s\\&]*+)++"
)
_OCTAL = regex.compile(r"(?<![\\0-9A-Za-z])(?:\\[0-3][0-7]{2}){4,}+(?![0-9])")
"""Four or more octal escapes of C; fewer may be a path, and hide little."""
_GROUPS = {
    "percent": re.compile(r"(?:%[0-9A-Fa-f]{2})+"),
    "quoted": re.compile(r"(?P<soft>=[ \t]*\r?\n)|(?:=[0-9A-F]{2})+"),
    "numbered": re.compile(
        r"\\+[ux](?P<hex>[0-9A-Fa-f]{4}|[0-9A-Fa-f]{2})"
        r"|&#(?P<decimal>[0-9]{2,6});|&#[xX](?P<code>[0-9A-Fa-f]{2,5});"
    ),
    "octal": re.compile(r"(?:\\[0-3][0-7]{2})+"),
}
_ESCAPED_BYTES = {"percent": "%", "quoted": "="}
_HIGHEST = 0x10FFFF
_URL_BEFORE = 2048


def words(text: str, low: int, high: int) -> Iterator[Body]:
    """Yield the words of ``text[low:high]`` that have escapes to decode."""
    if _HAS["percent"].search(text, low, high):
        for found in _PERCENT.finditer(text, low, high):
            if _is_significant(text, *found.span()):
                yield Body(*found.span(), "percent")
    if _HAS["quoted"].search(text, low, high):
        quoted = [f for f in _QUOTED.finditer(text, low, high) if "://" not in f[0]]
        if any(_SURELY_QUOTED.search(found[0]) for found in quoted):
            yield from (Body(*found.span(), "quoted") for found in quoted)
        encoded = _ENCODED_WORD.finditer(text, low, high)
        yield from (Body(*found.span("quoted"), "quoted") for found in encoded)
    if _HAS["numbered"].search(text, low, high):
        for found in _NUMBERED.finditer(text, low, high):
            yield Body(*found.span(), "numbered")
    octal = _OCTAL.finditer(text, low, high) if "\\" in text else ()
    yield from (Body(*f.span(), "octal") for f in octal if is_textual(_of_octal(f[0])))


_HAS = {
    "percent": re.compile(r"%[0-9A-Fa-f]{2}"),
    "quoted": re.compile(r"=(?:[0-9A-F]{2}|[ \t]*\r?\n)"),
    "numbered": re.compile(r"\\[ux][0-9A-Fa-f]{2}|&#[0-9xX]"),
}


def _is_significant(text: str, low: int, high: int) -> bool:
    """Whether a percent-encoded word hides more than the punctuation of an address."""
    if _PERCENTAGES.fullmatch(text, low, high):
        return False
    sign = text.rfind("://", max(low - _URL_BEFORE, 0), high)
    in_address = sign >= 0 and not re.search(r"\s", text[sign:low])
    return not in_address or any(c.isalnum() or c.isspace() for c in _hidden(text[low:high]))


def _hidden(word: str) -> str:
    """Return those characters of a word that are written as escapes."""
    data = b"".join(bytes.fromhex(g[0].replace("%", "")) for g in _GROUPS["percent"].finditer(word))
    return data.decode("utf-8", "replace")


def passage(source: str, kind: str) -> Passage:
    """Return a word with its escapes decoded; a sequence for no character is kept as written."""
    trail = Trail()
    write = _WRITERS[kind]
    low = 0
    for found in _GROUPS[kind].finditer(source):
        trail.add(source[low : found.start()], low, found.start(), write)
        for shown, start, end in _characters(found, kind):
            trail.add(shown, start, end, write)
        low = found.end()
    trail.add(source[low:], low, len(source), write)
    return trail.passage()


def _characters(found: re.Match[str], kind: str) -> Iterator[tuple[str, int, int]]:
    """Yield the characters of one group of escapes, each with its extent in the source."""
    mark = _ESCAPED_BYTES.get(kind)
    if kind == "octal":
        yield from _octets(_of_octal(found[0]), found.start(), 4)
    elif mark is None:
        code = int(found["decimal"] or int(found["hex"] or found["code"], 16))
        yield chr(code) if _is_character(code) else found[0], *found.span()
    elif found[0].strip().startswith(mark) and not found[0].strip(mark + " \t\r\n"):
        return
    else:
        yield from _octets(bytes.fromhex(found[0].replace(mark, "")), found.start())


def _is_character(code: int) -> bool:
    return code <= _HIGHEST and not 0xD800 <= code <= 0xDFFF  # noqa: PLR2004 - UTF-16's halves


def _of_octal(word: str) -> bytes:
    """Return the bytes that octal escapes write."""
    return bytes(int(digits, 8) for digits in word.split("\\")[1:])


def _octets(data: bytes, at: int, width: int = 3) -> Iterator[tuple[str, int, int]]:
    """Decode octets (``width`` source characters each) as UTF-8, invalid ones as Windows-1252."""
    position = 0
    while position < len(data):
        for length in range(1, 5):
            try:
                shown = data[position : position + length].decode("utf-8")
                break
            except UnicodeDecodeError:
                continue
        else:
            length, shown = 1, data[position : position + 1].decode("cp1252", "replace")
        yield shown, at + width * position, at + width * (position + length)
        position += length


def _write_octets(mark: str) -> Callable[[str], str]:
    def write(text: str) -> str:
        return "".join(
            c
            if c.isascii() and c.isalnum()
            else "".join(f"{mark}{b:02X}" for b in c.encode("utf-8"))
            for c in text
        )

    return write


def _write_plain(text: str) -> str:
    return text.replace("\\", "/").replace("&#", "& #")


_WRITERS: dict[str, Callable[[str], str]] = {
    "percent": _write_octets("%"),
    "quoted": _write_octets("="),
    "numbered": _write_plain,
    "octal": _write_plain,
}
KINDS = frozenset(_WRITERS)
"""Kinds of bodies that are decoded character by character."""
