r"""Equivalents of regexes for ASCII text, in the standard library's engine, twice as fast.

In ASCII text ``\p{L}`` means the same as ``A-Za-z``, marks and other scripts do not occur, and a
look-behind at one of several things is several look-behinds, each of a fixed width.
"""

from __future__ import annotations

import re
import sys
import warnings
from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import regex

    Match = regex.Match[str] | re.Match[str]

_ATOMIC_SINCE = (3, 11, 5)
_ATOMIC = re.compile(r"\)(?:[*+?]|\{[0-9,]+\})\+|\(\?>")
_ATOM = re.compile(r"\\p\{(\w+)\}|\\.|\[(?:\\.|[^\]\\])*\]", re.DOTALL)
_PROPERTY = re.compile(r"\\p\{(\w+)\}")
_NEVER = r"\x80"
"""A character that is not in ASCII text."""
_ASCII_ONLY = {
    "L": "A-Za-z", "Lu": "A-Z", "Ll": "a-z", "N": "0-9",
    "M": _NEVER, "Arabic": _NEVER, "Cyrillic": _NEVER, "Greek": _NEVER, "Hebrew": _NEVER,
}  # fmt: skip
_PIECE = re.compile(
    r"\\.|\[(?:\\.|[^\]\\])*\]|\#[^\n]*|(?P<behind>\(\?<[=!])|(?P<open>\()|(?P<close>\))|(?P<or>\|)",
    re.DOTALL,
)


@lru_cache(maxsize=4096)
def plain(compiled: regex.Pattern[str]) -> regex.Pattern[str] | re.Pattern[str]:
    """Compile a verbose regex for ASCII text with `re`, or return it unchanged if `re` cannot.

    Before Python 3.11.5 `re` fails too early in possessive and atomic groups, which keep `regex`.
    """
    if sys.version_info < _ATOMIC_SINCE and _ATOMIC.search(compiled.pattern):
        return compiled
    source = _ATOM.sub(_ascii, compiled.pattern)
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # `re` warns of sets that it would read differently
        try:
            return re.compile("".join(_parted(source)), re.VERBOSE | re.MULTILINE | re.ASCII)
        except (re.error, Warning):
            return compiled


class Deferred:
    """The equivalent of a regex for ASCII text (`plain`), compiled when it is first used.

    ``match`` and ``search`` are those of the equivalent. Many texts use few of the patterns, and
    compiling all of them would take a quarter of the time in which rules are loaded.
    """

    __slots__ = ("_compiled", "match", "search")

    def __init__(self, compiled: regex.Pattern[str]) -> None:
        """Take a regex that has been compiled in the full engine, and so is known to be valid."""
        self._compiled = compiled
        self.match: Callable[..., Match | None] = self._match
        self.search: Callable[..., Match | None] = self._search

    def _match(self, *window: Any) -> Match | None:
        return self._ready().match(*window)

    def _search(self, *window: Any) -> Match | None:
        return self._ready().search(*window)

    def _ready(self) -> regex.Pattern[str] | re.Pattern[str]:
        known = plain(self._compiled)
        self.match, self.search = known.match, known.search
        return known


def _ascii(found: re.Match[str]) -> str:
    r"""Replace ``\p{Lu}`` and the like, alone or in a set, with ASCII; keep all else."""
    if found[1] in _ASCII_ONLY:
        return f"[{_ASCII_ONLY[found[1]]}]"
    if found[0][0] != "[":
        return found[0]
    return _PROPERTY.sub(lambda inner: _ASCII_ONLY.get(inner[1], inner[0]), found[0])


def _parted(source: str) -> Iterator[str]:
    """Yield the parts of a regex, with each look-behind at alternatives as several."""
    end = 0
    for begin, alternatives, close in _look_behinds(source):
        yield source[end:begin]
        inner = ["".join(_parted(each)) for each in alternatives]
        opening = source[begin : begin + len("(?<=")]
        negative = opening.endswith("!")
        parts = [f"{opening}{each}\n)" for each in inner]
        yield "".join(parts) if negative else f"(?:{'|'.join(parts)})"
        end = close
    yield source[end:]


def _look_behinds(source: str) -> Iterator[tuple[int, list[str], int]]:
    """Yield begin, alternatives and end of the outermost look-behinds."""
    depth, begin, cuts = 0, 0, [0]
    inside: int | None = None  # the depth at which the look-behind stands
    for piece in _PIECE.finditer(source):
        if piece["behind"] and inside is None:
            inside, begin, cuts = depth, piece.start(), [piece.end()]
        if piece["behind"] or piece["open"]:
            depth += 1
        elif piece["or"] and inside is not None and depth == inside + 1:
            cuts += [piece.start(), piece.end()]
        elif piece["close"]:
            depth -= 1
            if depth == inside:
                cuts.append(piece.start())
                alternatives = [source[a:b] for a, b in zip(cuts[::2], cuts[1::2], strict=True)]
                yield begin, alternatives, piece.end()
                inside = None
