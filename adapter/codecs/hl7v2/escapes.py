r"""Escape sequences of HL7 v2 text (chapter 2.7): read with a map back to the sent characters.

A text with escapes is read as pieces, in order: runs of literal characters and sequences. A
sequence may stand for no character (``\H\``), one (``\T\``) or several (``\X4142\``). A malformed
sequence stays as text, character by character.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field
from functools import lru_cache
from operator import attrgetter
from typing import TYPE_CHECKING

from adapter.codecs.hl7v2.delimiters import ABSENT, Delimiters
from adapter.codecs.splice import rewritten
from adapter.errors import EncodeError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from adapter.types import Edit

MULTIBYTE = "iso2022_jp_2"
r"""Decodes the bytes of ``\Mxxyyzz\``: this codec knows the Japanese, Chinese and Korean sets."""

_SEQUENCE = r"""(?x)
    E(?P<letter>[FSTRPHN\x45])E
  | EX(?P<hex>(?:[0-9A-Fa-f]{2})+)E
  | E\.(?i:(?P<command>br|ce|fi|nf|sp|sk|in|ti))\ ?[+-]?(?P<count>\d{0,3})E
  | EC[0-9A-Fa-f]{4}(?:[0-9A-Fa-f]{2})?E
  | EM(?P<set>[0-9A-Fa-f]{4}(?:[0-9A-Fa-f]{2})?)E(?P<coded>[^E]*)(?=E[CM]|\Z)
"""
"""Sequences, with E in place of the escape character."""
_BREAKS = frozenset({"br", "ce"})
_HIGHLIGHTS = frozenset("HN")
_MOST_BLANKS = 99
_END = attrgetter("end")


@dataclass(frozen=True, slots=True)
class Piece:
    """Text ``[start, end)``, sent as characters ``[at, stop)`` of the leaf."""

    start: int
    end: int
    at: int
    stop: int
    literal: bool


@dataclass(frozen=True, slots=True, eq=False)
class Escapes:
    """Reads and writes the escapes of one set of delimiters in one character set."""

    delimiters: Delimiters
    charset: str = field(repr=False)
    pattern: re.Pattern[str] = field(repr=False)
    marks: re.Pattern[str] = field(repr=False)
    written: dict[int, str] = field(repr=False)

    def read(self, raw: str) -> tuple[str, tuple[Piece, ...]]:
        """Return the text of a leaf as sent, and the pieces it was read as."""
        texts: list[str] = []
        pieces: list[Piece] = []
        length = 0
        for at, stop, text in self._pieces(raw):
            literal = text is None
            shown = raw[at:stop] if text is None else text
            texts.append(shown)
            pieces.append(Piece(length, length + len(shown), at, stop, literal))
            length += len(shown)
        return "".join(texts), tuple(pieces)

    def _pieces(self, raw: str) -> Iterator[tuple[int, int, str | None]]:
        """Yield extents of the leaf with the text of a sequence, or None for literal characters."""
        done = 0
        for match in self.pattern.finditer(raw):
            text = self._meaning(match)
            if text is None:
                continue
            if match.start() > done:
                yield done, match.start(), None
            yield match.start(), match.end(), text
            done = match.end()
        if done < len(raw):
            yield done, len(raw), None

    def _meaning(self, match: re.Match[str]) -> str | None:
        kind = match.lastgroup
        if kind == "letter":
            return self._character(match["letter"])
        if kind == "hex":
            return self._hexadecimal(match["hex"])
        if kind == "coded":
            return _switched(match["set"], match["coded"])
        return _formatted(match["command"], match["count"]) if kind == "count" else ""

    def _character(self, letter: str) -> str | None:
        known = self.delimiters
        if letter == "P":
            return None if known.truncation == ABSENT else known.truncation
        if letter == "T" and known.subcomponent == ABSENT:
            return "&"
        return {
            "F": known.field,
            "S": known.component,
            "T": known.subcomponent,
            "R": known.repetition,
            "E": known.escape,
        }.get(letter, "")

    def _hexadecimal(self, digits: str) -> str:
        data = bytes.fromhex(digits)
        try:
            return data.decode(self.charset)
        except UnicodeError:
            return data.decode("latin-1")

    def write(self, text: str) -> str:
        """Return text as it is sent: delimiters, line ends and block characters escaped.

        Raises:
            EncodeError: "unencodable" if an escape is needed and the message declares none.
        """
        if text.isalnum():  # as most surrogates are
            return text
        sent = text.translate(self.written)
        if sent != text and self.delimiters.escape == ABSENT:
            raise EncodeError("unencodable")
        return sent

    def rewrite(self, raw: str, pieces: Sequence[Piece], text: str, edits: Sequence[Edit]) -> str:
        """Return a sent leaf with its text edited; escapes outside the edits stay as they are.

        If a replacement and an adjacent stray escape character would be read as a sequence, the
        whole leaf is escaped again.
        """
        wanted = rewritten(text, edits)
        sent = "".join(self._spliced(raw, pieces, text, edits))
        return sent if self.read(sent)[0] == wanted else self.write(wanted)

    def _spliced(
        self, raw: str, pieces: Sequence[Piece], text: str, edits: Sequence[Edit]
    ) -> Iterator[str]:
        done, leading = 0, True
        for edit in edits:
            yield from self._kept(raw, pieces, text, (done, edit.start, leading))
            yield self.write(edit.text or "")
            yield _highlight(raw, pieces, edit)
            done, leading = edit.end, edit.end > edit.start
        yield from self._kept(raw, pieces, text, (done, len(text), leading))

    def _kept(
        self, raw: str, pieces: Sequence[Piece], text: str, kept: tuple[int, int, bool]
    ) -> Iterator[str]:
        """Yield the sent form of text ``[low, high)``; a sequence that an edit cuts is spelt out.

        A sequence without characters belongs to the text before it, unless an edit covers that.
        """
        low, high, leading = kept
        first = bisect_left(pieces, low, key=_END)
        for index in range(first, len(pieces)):
            piece = pieces[index]
            if piece.start > high:
                return
            if piece.start == piece.end:
                if (low < piece.start or leading) and low <= piece.start <= high:
                    yield raw[piece.at : piece.stop]
                continue
            start, end = max(low, piece.start), min(high, piece.end)
            if start >= end:
                continue
            if piece.literal:
                yield raw[piece.at + start - piece.start : piece.at + end - piece.start]
            elif end - start == piece.end - piece.start:
                yield raw[piece.at : piece.stop]
            else:
                yield self.write(text[start:end])


def _highlight(raw: str, pieces: Sequence[Piece], edit: Edit) -> str:
    r"""Return the last sequence within an edit that turns highlighting on or off.

    Without it, what is behind the edit would be shown otherwise than it was sent.
    """
    low = bisect_right(pieces, edit.start, key=_END)
    high = bisect_left(pieces, edit.end, key=_END)
    covered = (raw[p.at : p.stop] for p in reversed(pieces[low:high]) if p.start == p.end)
    return next((sequence for sequence in covered if sequence[1:-1] in _HIGHLIGHTS), "")


def _formatted(command: str, count: str) -> str:
    """Return a formatting command's text: as many line breaks or blanks as it says, or ""."""
    name = command.lower()
    number = min(int(count or 1), _MOST_BLANKS)
    if name in _BREAKS:
        return "\n"
    if name == "sp":
        return "\n" * number
    return " " * number if name == "sk" else ""


def _switched(digits: str, coded: str) -> str | None:
    """Decode text in another character set (ISO 2022 switching); None if it cannot be decoded."""
    data = b"\x1b" + bytes.fromhex(digits) + coded.encode("latin-1", "replace")
    try:
        return data.decode(MULTIBYTE)
    except UnicodeError:
        return None


@lru_cache(maxsize=256)
def escapes_for(delimiters: Delimiters, charset: str) -> Escapes:
    """Return the reader and writer for a message's delimiters and character set."""
    pattern = re.compile(_SEQUENCE.replace("E", re.escape(delimiters.escape)))
    return Escapes(delimiters, charset, pattern, _marks(delimiters), _written(delimiters))


def _marks(known: Delimiters) -> re.Pattern[str]:
    """Return a pattern of all characters that make a field more than one plain leaf."""
    marks = known.component + known.repetition + known.subcomponent + known.escape
    return re.compile(f"[{re.escape(marks)}]")


def _written(delimiters: Delimiters) -> dict[int, str]:
    mark = delimiters.escape
    letters = {
        delimiters.field: "F",
        delimiters.component: "S",
        delimiters.subcomponent: "T",
        delimiters.repetition: "R",
        delimiters.escape: "E",
        delimiters.truncation: "P",
        "\n": ".br",
        "\r": "X0D",
        "\x0b": "X0B",
        "\x1c": "X1C",
    }
    return {
        ord(sign): f"{mark}{letter}{mark}" for sign, letter in letters.items() if sign != ABSENT
    }
