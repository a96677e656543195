"""Text that senders split into rows: which OBX, NTE, DSP rows are one comment (chapter 7.4.2)."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from adapter.codecs.hl7v2.places import Escaped, Inner, Place, Rows
from adapter.codecs.hl7v2.schema import WHOLE
from adapter.normalize.tables import are_rows
from adapter.types import TextSegment

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from adapter.codecs.hl7v2.embedded import Carrier
    from adapter.codecs.hl7v2.escapes import Escapes
    from adapter.codecs.hl7v2.schema import FieldSchema

NULL = '""'
"""The explicit null, "delete what you have" (chapter 2.5.3.2)."""

NUMBERS = {"OBX": 5, "NTE": 3, "DSP": 3}
"""Segments whose consecutive rows may be one text, and the field that holds it."""

SPACES = 3
"""Minimum number of blanks in a row of words: shorter ones with numbers in OBX-4 are answers."""
WIDE = "   "
"""Blanks between the columns of a table."""
_COUNT = re.compile(r"[0-9]{1,4}")
_ENDED = re.compile(r"(?:[^\W\d_]{5}|[\d)\]])[.!?:]\s*\Z")
"""The end of a sentence; after a shorter word a full stop may be that of "Dr"."""

SOFT = "\u00ad"
"""The soft hyphen: joins rows that are cut inside a word."""
FULL_ROWS, BLANKS, SLACK, NARROWEST = 2, 2, 2, 30
"""Rows cut at one column: minimum number of full rows, and of blanks in each; maximum number of
characters that a trimmed row lacks; minimum number of characters of a full row."""
_MARKUP = frozenset("<>{}\\=")
"""Signs of markup and encodings, whose rows are no words."""
_COMPOUND = re.compile(r"[^\W_][-/]\Z")

COMMENT = ("comment",)
"""The key of NTE and DSP rows: consecutive ones belong together."""


class Run:
    """Rows of one text while it is read; ``rows`` are (row as sent, its offset)."""

    __slots__ = ("first", "index", "key", "last", "name", "open", "plan", "rows")

    def __init__(
        self, key: tuple[str, ...], name: str, plan: FieldSchema, count: int, index: int
    ) -> None:
        self.key = key
        self.name = name
        self.plan = plan
        self.first = self.last = count
        self.index = index
        self.rows: list[tuple[str, int]] = []
        self.open = False

    def add(self, rows: Iterable[str], at: int) -> None:
        """Add rows as sent, separated by one delimiter, the first at offset ``at``."""
        for row in rows:
            self.rows.append((row, at))
            at += len(row) + 1

    @property
    def path(self) -> str:
        """The path of the joined text: "OBX-5", "OBX[3]-5", "NTE[2..4]-3"."""
        number = NUMBERS[self.name]
        if self.first != self.last:
            return f"{self.name}[{self.first}..{self.last}]-{number}"
        return f"{self.name}-{number}" if self.first == 1 else f"{self.name}[{self.first}]-{number}"


def observation_key(
    fields: Sequence[str], datatype: str, run: Run | None
) -> tuple[str, ...] | None:
    """Return the key that the rows of an observation's text share; None if OBX-5 is not text.

    Rows of one OBX-3 and OBX-4 continue one another, as do rows of one OBX-3 that OBX-4 counts like
    lines; a TX or FT row without an OBX-3 continues the text before it. ST rows must also have been
    observed at the same time (OBX-14), else they are separate results.
    """
    code, subject, time = (fields[i] if len(fields) > i else "" for i in (3, 4, 14))
    if not code and run is not None and run.key[0] == "TX" and datatype in WHOLE | {""}:
        return run.key
    if datatype in WHOLE:
        key: tuple[str, ...] = ("TX", code, subject)
    elif datatype == "ST":
        key = ("ST", code, subject, time)
    else:
        return None
    row = fields[NUMBERS["OBX"]] if len(fields) > NUMBERS["OBX"] else ""
    return run.key if run is not None and _is_next_line(run, key, row) else key


def _is_next_line(run: Run, key: tuple[str, ...], row: str) -> bool:
    """Whether OBX-4 counts a row on from the first one of a run, and no sentence ends between.

    The next row of a table is a line of it, too.
    """
    if (*run.key[:2], *run.key[3:]) != (*key[:2], *key[3:]):
        return False
    (outer, _, first), (own, _, number) = run.key[2].rpartition("."), key[2].rpartition(".")
    if outer != own or not (_COUNT.fullmatch(first) and _COUNT.fullmatch(number)):
        return False
    counted = int(first) + run.last - run.first + 1
    last = run.rows[-1][0]
    return int(number) == counted and (_is_open(last) or are_rows(last, row))


def _is_open(row: str) -> bool:
    """Whether a row is part of a sentence rather than an answer, a whole sentence or a table's."""
    if _COMPOUND.search(row) is not None:
        return True
    return row.count(" ") >= SPACES and WIDE not in row and _ENDED.search(row) is None


def run_segments(run: Run, escapes: Escapes) -> Iterator[tuple[TextSegment, Place]]:
    """Yield the text of a run's rows, joined by newlines, if there is any.

    Rows that are cut inside a word, a number or a compound are joined by a soft hyphen, which the
    canonical form of a text omits.
    """
    read = [_row(row, at, escapes) for row, at in run.rows]
    text = _joined([text for text, _ in read])
    if not text.strip("\n") or text == NULL:
        return
    place = read[0][1] if len(read) == 1 else _rows(read)
    yield TextSegment(run.path, run.plan.element, run.plan.datatype, text), place


def _row(row: str, at: int, escapes: Escapes) -> tuple[str, int | Escaped]:
    if escapes.delimiters.escape not in row:
        return row, at
    text, pieces = escapes.read(row)
    return text, Escaped(at, at + len(row), pieces)


def _joined(rows: Sequence[str]) -> str:
    if not any(map(str.strip, rows)):
        return "\n".join(rows)
    cut, width = _is_cut(rows), max(map(len, rows))
    parts = [rows[0]]
    for row, following in pairwise(rows):
        inside = (cut and len(row) == width) or _is_broken(row, following)
        parts += (SOFT if inside else "\n"), following
    return "".join(parts)


def _is_broken(row: str, following: str) -> bool:
    """Whether a row of words ends inside a compound, a date or a number: "Schwarzen-", "02/"."""
    ended = _COMPOUND.search(row) is None or not following[:1].isalnum()
    return not ended and " " in row and _MARKUP.isdisjoint(row)


def _is_cut(rows: Sequence[str]) -> bool:
    """Whether rows of words are cut at one column: most have one length, and some end in a word."""
    width = max(map(len, rows))
    body = rows[:-1]
    full = [place for place, row in enumerate(body) if len(row) == width]
    if width < NARROWEST or len(full) < FULL_ROWS or any(len(row) < width - SLACK for row in body):
        return False
    if any(row.count(" ") < BLANKS or not _MARKUP.isdisjoint(row) for row in body):
        return False
    sure = len(full) > FULL_ROWS
    return any(
        rows[at][-1].isalpha() and (following.islower() or (sure and following.isupper()))
        for at in full
        for following in (rows[at + 1][:1],)
    )


def _rows(read: Sequence[tuple[str, int | Escaped]]) -> Rows:
    starts = []
    start = 0
    for text, _ in read:
        starts.append(start)
        start += len(text) + 1
    return Rows(tuple(starts), tuple(text for text, _ in read), tuple(place for _, place in read))


def inner_segments(carrier: Carrier, path: str) -> Iterator[tuple[TextSegment, Place]]:
    """Yield the segments of an embedded document; their paths follow the leaf's path and a "!"."""
    for inner in carrier.document.segments:
        outer = f"{path}!{inner.path}"
        segment = TextSegment(outer, inner.element, inner.datatype, inner.text)
        yield segment, Inner(carrier, inner.path)
