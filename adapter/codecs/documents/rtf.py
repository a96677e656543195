r"""Reads RTF (Rich Text Format Specification 1.9.1): the text a reader sees, and leaves.

The source is read as Latin-1, one character a byte. Control words that break lines or separate
cells become white space; ``\'hh`` is decoded with the code page of ``\ansicpg``; the fallback
after ``\uN`` is skipped. Destinations that are not text (document information, tables, pictures,
objects) are leaves, each of which is removed as a whole group.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from adapter.codecs.sourcemap import Passage, Trail, words
from adapter.errors import DocumentError
from adapter.types import TextSegment

_TOKEN = re.compile(
    r"\\(?P<word>[A-Za-z]{1,32})(?P<number>-?[0-9]{1,10})?(?P<delimiter> ?)"
    r"|\\'(?P<hex>[0-9A-Fa-f]{2})"
    r"|\\(?P<symbol>[^A-Za-z])"
    r"|(?P<brace>[{}])"
    r"|(?P<ends>[\r\n\x00]+)"
    r"|(?P<text>[^\\{}\r\n\x00]+)",
    re.DOTALL,
)
_FALLBACK = re.compile(r"\\'[0-9A-Fa-f]{2}|\\[^A-Za-z]|[^\\{}\r\n]")
_STARRED = re.compile(r"\s*\\\*\s*\\(?P<word>[A-Za-z]+)-?[0-9]* ?")
_DESTINATION = re.compile(r"\s*\\(?P<word>[A-Za-z]+)-?[0-9]* ?")
_BRACE = re.compile(r"\\bin(?P<binary>[0-9]{1,9}) ?|\\.|(?P<brace>[{}])", re.DOTALL)
_WORDS = {
    "par": "\n", "line": "\n", "sect": "\n", "page": "\n", "column": "\n", "row": "\n",
    "nestrow": "\n", "softline": "\n", "tab": "\t", "cell": "\t", "nestcell": "\t",
    "emdash": "\u2014", "endash": "\u2013", "bullet": "\u2022", "emspace": " ", "enspace": " ",
    "lquote": "\u2018", "rquote": "\u2019", "ldblquote": "\u201c", "rdblquote": "\u201d",
}  # fmt: skip
_SYMBOLS = {
    "\\": "\\",
    "{": "{",
    "}": "}",
    "~": "\u00a0",
    "_": "-",
    "\r": "\n",
    "\n": "\n",
    "\t": "\t",
}
_BINARY = frozenset({"pict", "objdata", "datastore", "themedata", "blipuid"})
_HIDDEN = (
    words(
        "fonttbl colortbl stylesheet listtable listoverridetable revtbl rsidtbl filetbl xmlnstbl "
        "fldinst bkmkstart bkmkend generator atnid atnauthor atntime atndate txe xe tc sn sv"
    )
    | _BINARY
)
_SHOWN = frozenset({"shptxt", "shpinst", "ftncn", "aftncn", "annotation", "shppict", "listtext"})
_OWN_LINES = words(
    "header headerl headerr headerf footer footerl footerr footerf footnote annotation shptxt"
)
_NAMES = {"65001": "utf-8", "10000": "mac_roman", "54936": "gb18030", "1361": "johab"}
_WIDTHS = {"932": 2, "936": 2, "949": 2, "950": 2, "1361": 2, "54936": 4, "65001": 4}
_SURROGATES = (0xD800, 0xDC00, 0xE000)
_WIDE = 0x10000


@dataclass(slots=True)
class _Group:
    """The settings of an open group; ``fallback`` characters follow each Unicode character."""

    fallback: int
    own_lines: bool = False


def in_text(text: str) -> str:
    """Escape new text as self-contained RTF in ASCII."""
    return "".join(_ESCAPES.get(c) or (c if " " <= c < "\x7f" else _unicode(c)) for c in text)


_ESCAPES = {"\\": "\\\\", "{": "\\{", "}": "\\}", "\n": "{\\line}", "\t": "{\\tab}", "\r": " "}


def _unicode(character: str) -> str:
    units = character.encode("utf-16-be", "surrogatepass")
    words = (int.from_bytes(units[i : i + 2], "big", signed=True) for i in range(0, len(units), 2))
    return "{\\uc1" + "".join(f"\\u{word}?" for word in words) + "}"


def _after_word(text: str) -> str:
    """Escape new text that directly follows a control word without delimiter: add one."""
    return " " + in_text(text)


def read_rtf(source: str) -> list[tuple[TextSegment, Passage]]:
    """Read an RTF document into its visible text and its leaves.

    Raises:
        DocumentError: "malformed", the source is not RTF or its groups do not nest.
    """
    if not source.lstrip("\r\n \x00\ufeff").startswith("{\\rtf"):
        raise DocumentError("malformed")
    reader = _Reader(source)
    reader.read()
    text = reader.trail.passage()
    parts = []
    if text.text.strip():
        parts.append((TextSegment("rtf", "rtf", "document.rtf", text.text), text))
    seen: dict[str, int] = {}
    for element, passage in reader.leaves:
        index = seen[element] = seen.get(element, -1) + 1
        segment = TextSegment(f"{element}[{index}]", element, "document.rtf", passage.text)
        parts.append((segment, passage))
    return parts


class _Reader:
    """Reads the source in one pass."""

    __slots__ = ("_bare", "_decoder", "_groups", "_high", "_pending", "_source", "leaves",
                 "trail")  # fmt: skip

    def __init__(self, source: str) -> None:
        self._source = source
        self._groups = [_Group(1)]
        self._bare = False
        self._pending: int | None = None
        self._high: tuple[int, int] | None = None
        self._decoder = _decoder("1252")
        self.trail = Trail()
        self.leaves: list[tuple[str, Passage]] = []

    def read(self) -> None:
        position = 0
        while position < len(self._source):
            found = _TOKEN.match(self._source, position)
            if found is None:
                raise DocumentError("malformed")
            position = self._token(found)
        if len(self._groups) != 1:
            raise DocumentError("malformed")

    def _token(self, found: re.Match[str]) -> int:
        kind = found.lastgroup
        bare, self._bare = self._bare, False
        if kind == "delimiter":
            return self._word(found)
        if kind == "brace":
            return self._brace(found)
        if kind == "text":
            self._text(found, bare=bare)
        elif kind == "hex":
            self._byte(int(found["hex"], 16), *found.span())
        elif kind == "symbol":
            self._show(_SYMBOLS.get(found["symbol"], ""), *found.span())
        return found.end()

    def _show(self, text: str, low: int, high: int) -> None:
        self.trail.add(text, low, high, in_text)

    def _text(self, found: re.Match[str], *, bare: bool) -> None:
        low, high = found.span()
        if bare:
            self.trail.add(self._shown(low, low + 1), low, low + 1, _after_word)
            low += 1
        self._show(self._shown(low, high), low, high)

    def _shown(self, low: int, high: int) -> str:
        text = self._source[low:high]
        return text if text.isascii() else self._decoder.decode(text)

    def _byte(self, value: int, low: int, high: int) -> None:
        start = low if self._pending is None else self._pending
        text = self._decoder.feed(value)
        self._pending = None if text else start
        self._show(text, start, high)

    def _word(self, found: re.Match[str]) -> int:
        word, number = found["word"], found["number"]
        self._bare = not found["delimiter"]
        if word == "bin" and number:
            return self._binary(found, int(number))
        if word == "u" and number:
            return self._unicode(int(number), found)
        if word == "uc" and number:
            self._groups[-1].fallback = min(max(int(number), 0), _WIDE)
        elif word == "ansicpg" and number:
            self._decoder = _decoder(number)
        elif word in _WORDS:
            self._show(_WORDS[word], *found.span())
        return found.end()

    def _binary(self, found: re.Match[str], length: int) -> int:
        end = found.end() + max(length, 0)
        if end > len(self._source):
            raise DocumentError("malformed")
        trail = Trail()
        trail.add(self._source[found.end() : end], found.end(), end, in_text)
        self._leaf("rtf-binary", trail.passage((found.start(), end, "")))
        return end

    def _unicode(self, number: int, found: re.Match[str]) -> int:
        low, high = found.start(), self._behind_fallback(found.end())
        self._bare = self._bare and high == found.end()
        unit = number % _WIDE
        first, second, end = _SURROGATES
        before, self._high = self._high, None
        if first <= unit < second:
            self._high = (unit, low)
        elif second <= unit < end:
            if before is not None:
                code = _WIDE + (before[0] - first) * 1024 + unit - second
                self._show(chr(code), before[1], high)
        else:
            self._show(chr(unit), low, high)
        return high

    def _behind_fallback(self, position: int) -> int:
        """Return the end of the fallback for readers without Unicode."""
        for _ in range(self._groups[-1].fallback):
            found = _FALLBACK.match(self._source, position)
            if found is None:
                break
            position = found.end()
        return position

    def _brace(self, found: re.Match[str]) -> int:
        if found["brace"] == "{":
            return self._open(found.start())
        if len(self._groups) == 1:
            raise DocumentError("malformed")
        if self._groups.pop().own_lines:
            self.trail.separate("\n", found.start())
        return found.end()

    def _open(self, low: int) -> int:
        starred = _STARRED.match(self._source, low + 1)
        found = starred or _DESTINATION.match(self._source, low + 1)
        word = found["word"] if found else ""
        if found and (word in _HIDDEN or word == "info" or (starred and word not in _SHOWN)):
            return self._hidden(low, found)
        own = word in _OWN_LINES
        if own:
            self.trail.separate("\n", low)
        self._groups.append(_Group(self._groups[-1].fallback, own))
        return low + 1

    def _hidden(self, low: int, found: re.Match[str]) -> int:
        high = self._end_of_group(low)
        if found["word"] == "info":
            self._information(found.end(), high - 1)
        else:
            word = found["word"]
            element = "rtf-binary" if word in _BINARY else f"rtf/{word}"
            self._group_leaf(element, found.end(), low, high)
        return high

    def _group_leaf(self, element: str, inner: int, low: int, high: int) -> None:
        trail = Trail()
        bare = self._source[inner - 1].isalnum() and inner < high - 1
        trail.add(self._source[inner : inner + bare], inner, inner + bare, _after_word)
        trail.add(self._source[inner + bare : high - 1], inner + bare, high - 1, in_text)
        self._leaf(element, trail.passage((low, high, "")))

    def _leaf(self, element: str, passage: Passage) -> None:
        if passage.text.strip():
            self.leaves.append((element, passage))

    def _information(self, position: int, high: int) -> None:
        while position < high:
            start = self._source.find("{", position, high)
            stray = self._source[position : start if start >= 0 else high]
            if stray.strip():
                trail = Trail()
                end = position + len(stray)
                trail.add(stray, position, end, in_text)
                self._leaf("rtf/info", trail.passage((position, end, "")))
            if start < 0:
                return
            found = _STARRED.match(self._source, start + 1) or _DESTINATION.match(
                self._source, start + 1
            )
            position = self._end_of_group(start)
            word, inner = (found["word"], found.end()) if found else ("?", start + 1)
            self._group_leaf(f"rtf/info/{word}", inner, start, position)

    def _end_of_group(self, low: int) -> int:
        depth, position = 0, low
        while found := _BRACE.search(self._source, position):
            position = found.end() + int(found["binary"] or 0)
            if found["brace"]:
                depth += 1 if found["brace"] == "{" else -1
                if depth == 0:
                    return position
        raise DocumentError("malformed")


class _Bytes:
    """Decodes a code page byte by byte, multi-byte ones included."""

    __slots__ = ("_name", "_pending", "_width")

    def __init__(self, name: str, width: int) -> None:
        self._name = name
        self._width = width
        self._pending = b""

    def feed(self, value: int) -> str:
        """Return the character that this byte completes, or "" if further bytes belong to it."""
        self._pending += bytes((value,))
        try:
            shown = self._pending.decode(self._name)
        except UnicodeDecodeError:
            if len(self._pending) < self._width:
                return ""
            shown = self._pending.decode(self._name, "replace")
        self._pending = b""
        return shown

    def decode(self, text: str) -> str:
        """Return Latin-1 text decoded with this code page; unchanged if its length would change."""
        shown = text.encode("latin-1").decode(self._name, "replace")
        return shown if len(shown) == len(text) else text


def _decoder(code_page: str) -> _Bytes:
    name = _NAMES.get(code_page, f"cp{code_page}")
    try:
        "".encode(name)
    except LookupError:
        return _Bytes("cp1252", 1)
    return _Bytes(name, _WIDTHS.get(code_page, 1))
