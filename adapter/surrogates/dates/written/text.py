"""Dates as people write them: every layout is read, moved and written back the same way.

A mention is cut into tokens; the tokens that make one date form an atom, a range has two. Atoms
borrow what they lack from their neighbours and the message's own date. The moved values are put
where the old ones stood, with padding, ordinal suffix, abbreviation and letter case kept.

What was written is read again: a mention in which a date is not where its shift puts it, because
something of it was not understood, has no surrogate.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import regex

from adapter.normalize.folding import fold
from adapter.surrogates.dates.written.completion import complete
from adapter.surrogates.dates.written.layouts import WrittenDate, written_dates
from adapter.surrogates.dates.written.periods import MOVES
from adapter.surrogates.dates.written.rewrite import Change, Custom, changes_of
from adapter.surrogates.dates.written.second_reading import agrees
from adapter.surrogates.dates.written.tokens import RemainingDateError, UnreadableDateError, tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adapter.languages import Words
    from adapter.surrogates.dates.shift import Calendar
    from adapter.surrogates.dates.written.tokens import Token

__all__ = ["LONGEST", "Custom", "rewrite"]

LONGEST = 240
"""Characters of a mention; nobody writes a longer one."""
_BREAK = regex.compile(r"(?<=\d)[ \t]*\n[ \t]*(?=\d)")


def rewrite(
    calendar: Calendar, text: str, custom: Custom, part: tuple[int, int] | None = None
) -> str:
    """The mention with its dates moved. A number that a line break cut in two is joined.

    ``part`` is the mention, where text is it with what stands beside it and lends it a month.

    Raises:
        RemainingDateError: what was written does not read as the moved dates.
        UnreadableDateError: it is in no known layout.
    """
    if len(text) > LONGEST:
        raise UnreadableDateError
    if part is not None:
        return _rewritten(calendar, text, custom, part)
    whole = _BREAK.sub("", text)
    if whole != text:
        try:
            return _rewritten(calendar, whole, custom, (0, len(whole)))
        except UnreadableDateError:
            pass
    return _rewritten(calendar, text, custom, (0, len(text)))


def _rewritten(calendar: Calendar, text: str, custom: Custom, part: tuple[int, int]) -> str:
    atoms = _read(text, custom.order, custom)
    if not atoms:
        raise UnreadableDateError
    complete(atoms, calendar)
    try:
        if calendar.shift is None:
            return _years_only([atom for atom in atoms if _is_within(atom, part)], calendar)
        changes = [c for atom in atoms for c in _changes(atom, calendar, text, custom)]
        new = _spliced(text, changes)
        again = _read(new, _order(atoms, custom.order), custom)
        if not agrees(atoms, again, calendar):
            raise RemainingDateError
    except ValueError as error:
        raise error if isinstance(error, UnreadableDateError) else UnreadableDateError from error
    if part == (0, len(text)):
        return new
    own = [c for c in changes if part[0] <= c.start and c.end <= part[1]]
    return _spliced(text[: part[1]], own)[part[0] :]


def _read(text: str, order: str, custom: Custom) -> list[WrittenDate]:
    return [WrittenDate(slots) for slots in _slots(text, order, custom.language, custom.words)]


@lru_cache(maxsize=16384)
def _slots(text: str, order: str, language: str, words: Words) -> tuple[dict[str, Token], ...]:
    """Tokens of each date by slot; a memo of a pure function, for days come again and again."""
    folded = fold(text)
    found = tokens(folded, words, language)
    return tuple(atom.slots for atom in written_dates(found, folded, order, words))


def _changes(atom: WrittenDate, calendar: Calendar, text: str, custom: Custom) -> list[Change]:
    """New text for every token of one date."""
    for kind, moves in MOVES.items():
        if kind in atom.slots:
            return moves(atom, calendar, text, custom)
    return changes_of(atom, calendar, text, custom)


def _order(atoms: Sequence[WrittenDate], order: str) -> str:
    """How the dates were read, for what is written must be read the same way."""
    for atom in atoms:
        month, day = atom.slots.get("month"), atom.slots.get("day")
        if month and day and month.kind == day.kind == "number":
            return "dmy" if day.start < month.start else "mdy"
    return order


def _is_within(atom: WrittenDate, part: tuple[int, int]) -> bool:
    return any(part[0] <= t.start and t.end <= part[1] for t in atom.slots.values())


def _years_only(atoms: list[WrittenDate], calendar: Calendar) -> str:
    """The years of the dates, a range with a dash."""
    years: list[str] = []
    for atom in atoms:
        if "decade" in atom.slots:
            value = atom.slots["decade"].value
            years.append(f"{value if value > 99 else 1900 + value}s")  # noqa: PLR2004
            continue
        month = atom.month if atom.slots.keys() & {"month", "day"} else 0
        years.append(f"{calendar.moved(atom.year, month, atom.day)[0]:04d}")
    if not years:
        raise UnreadableDateError
    return "-".join(dict.fromkeys(years))


def _spliced(text: str, changes: Sequence[Change]) -> str:
    pieces: list[str] = []
    place = 0
    for start, end, new in sorted(changes):
        pieces += text[place:start], new
        place = end
    return "".join((*pieces, text[place:]))
