"""Dates as people write them: every layout is read, moved and written back the same way.

A mention is cut into tokens; the tokens that make one date form an atom, a range has two. Atoms
borrow what they lack from their neighbours and the message's own date. The moved values are put
where the old ones stood, with padding, ordinal suffix, abbreviation and letter case kept.
"""

from __future__ import annotations

from datetime import date
from functools import lru_cache
from typing import TYPE_CHECKING

import regex

from adapter.folding import fold
from adapter.surrogates import spelled
from adapter.surrogates.dates import Calendar, nearest_year
from adapter.surrogates.dates_atoms import LAST_DAY, LAST_MONTH, LAST_YEAR, Atom, atoms_of
from adapter.surrogates.dates_tokens import UnreadableDateError, tokens
from adapter.surrogates.styles import like, ordinal_suffix, phrase_like
from adapter.surrogates.vocabulary import HOLIDAYS, SEASON_NAMES, holiday_name, sibling

if TYPE_CHECKING:
    from adapter.surrogates.dates_tokens import Token

_BREAK = regex.compile(r"(?<=\d)[ \t]*\n[ \t]*(?=\d)")
_PIVOT = 5
"""Years that a two-digit year may lie ahead of the message's own."""


def rewrite(calendar: Calendar, text: str, order: str) -> str:
    """The mention with its dates moved; ``order`` reads 3/4/2024 where nothing tells.

    A number that a line break cut in two is joined.

    Raises:
        UnreadableDateError: it is in no known layout.
    """
    whole = _BREAK.sub("", text)
    if whole != text:
        try:
            return _rewritten(calendar, whole, order)
        except UnreadableDateError:
            return _rewritten(calendar, text, order)
    return _rewritten(calendar, text, order)


def _rewritten(calendar: Calendar, text: str, order: str) -> str:
    atoms = [Atom(slots) for slots in _slots(text, order)]
    if not atoms:
        raise UnreadableDateError
    _complete(atoms, calendar)
    try:
        if calendar.shift is None:
            return _years_only(atoms, calendar)
        changes = [change for atom in atoms for change in _moved(atom, calendar, text)]
    except ValueError as error:
        raise UnreadableDateError from error
    return _spliced(text, changes)


@lru_cache(maxsize=16384)
def _slots(text: str, order: str) -> tuple[dict[str, Token], ...]:
    """Tokens of each date by slot; a memo of a pure function, for days come again and again."""
    folded = fold(text)
    return tuple(atom.slots for atom in atoms_of(tokens(folded), folded, order))


def _complete(atoms: list[Atom], calendar: Calendar) -> None:
    """Numbers of each date; what is missing comes from the others, else from the reference."""
    for atom in atoms:
        slots = atom.slots
        atom.year = _full_year(slots["year"], calendar) if "year" in slots else 0
        atom.month = slots["month"].value if "month" in slots else 0
        atom.day = slots["day"].value if "day" in slots else 0
        if atom.month > LAST_MONTH or atom.day > LAST_DAY or atom.year > LAST_YEAR:
            raise UnreadableDateError
    years = [atom.year for atom in atoms if atom.year]
    months = [atom.month for atom in atoms if atom.month]
    now = calendar.now()
    for atom in atoms:
        if atom.day and not atom.month:
            atom.month = months[0] if months else now.month
        if not atom.year:
            near = nearest_year(atom.month or 7, min(atom.day or 15, 28), now)
            atom.year = years[-1] if years else near


def _full_year(token: Token, calendar: Calendar) -> int:
    if token.kind == "spelled" or token.end - token.start > 3:  # noqa: PLR2004 ("'08")
        return token.value
    pivot = calendar.now().year + _PIVOT
    century = pivot - pivot % 100
    value = century + token.value
    return value if value <= pivot else value - 100


def _moved(atom: Atom, calendar: Calendar, text: str) -> list[tuple[int, int, str]]:
    """(start, end, new text) of every token of one date."""
    slots = atom.slots
    for kind, move in _WHOLE.items():
        if kind in slots:
            return move(atom, calendar, text)
    weekday = slots.get("weekday")
    changes: list[tuple[int, int, str]] = []
    if weekday:
        turned = (weekday.value + (calendar.shift or 0)) % 7
        changes.append(_change(weekday, _named(weekday, turned, text)))
    if not slots.keys() - {"weekday"}:
        return changes
    month = atom.month if slots.keys() & {"month", "day"} else 0
    year, month, day = calendar.moved(atom.year, month, atom.day)
    if (token := slots.get("month")) is not None:
        new = _named(token, month - 1, text) if token.kind == "month" else ""
        changes.append(_change(token, new or _padded(month, slots)))
    if (token := slots.get("day")) is not None:
        changes.append(_change(token, _day(token, day, slots, text)))
    if (token := slots.get("year")) is not None:
        changes.append(_change(token, _year(token, year, text)))
    return changes


def _change(token: Token, new: str) -> tuple[int, int, str]:
    return token.start, token.end, new


def _named(token: Token, index: int, text: str) -> str:
    """The month or weekday in the language and length of the token, in its letter case."""
    around = text[token.start - 1 : token.start] + text[token.end : token.end + 1]
    short = token.text == "may" and any(c == "-" or c.isdigit() for c in around)
    return like(sibling(token.text, token.kind, index, short), text[token.start : token.end])


def _padded(number: int, slots: dict[str, Token]) -> str:
    """A number with a leading zero where the date's numbers have or may have had one."""
    others = [t for s, t in slots.items() if s in ("month", "day") and t.kind == "number"]
    if any(t.padded for t in others):
        return f"{number:02d}"
    wide = all(t.end - t.start == 2 for t in others) and "year" in slots and len(others) > 1  # noqa: PLR2004
    return f"{number:02d}" if wide else str(number)


def _day(token: Token, day: int, slots: dict[str, Token], text: str) -> str:
    if token.kind == "spelled-day":
        return phrase_like(spelled.ordinal(day), text[token.start : token.end])
    if token.kind == "spelled":
        return phrase_like(spelled.cardinal(day), text[token.start : token.end])
    if token.kind == "ordinal":
        return f"{day}{like(ordinal_suffix(day), text[token.end - 2 : token.end])}"
    return _padded(day, slots)


def _year(token: Token, year: int, text: str) -> str:
    if token.kind == "spelled":
        return phrase_like(
            spelled.year(year, thousand="thousand" in token.text), text[token.start : token.end]
        )
    digits = token.end - token.start
    if token.kind == "short":
        return f"{text[token.start]}{year % 100:02d}"
    return f"{year % 100:02d}" if digits == 2 else f"{year:0{digits}d}"  # noqa: PLR2004


def _season(atom: Atom, calendar: Calendar, text: str) -> list[tuple[int, int, str]]:
    token = atom.slots["season"]
    year, month, _ = calendar.moved(atom.year, 1 + 3 * token.value, 15)
    if month == LAST_MONTH:
        year += 1
    name = SEASON_NAMES[month % 12 // 3]
    if name == "fall" and token.text == "autumn":
        name = "autumn"
    changes = [_change(token, phrase_like(name, text[token.start : token.end]))]
    return changes + _with_year(atom, year, text)


def _holiday(atom: Atom, calendar: Calendar, text: str) -> list[tuple[int, int, str]]:
    token = atom.slots["holiday"]
    month, day = HOLIDAYS[token.text]
    year, month, day = calendar.moved(atom.year, month, day)
    name = holiday_name(month, day, token.text)
    changes = [_change(token, like(name, text[token.start : token.end]))]
    return changes + _with_year(atom, year, text)


def _quarter(atom: Atom, calendar: Calendar, text: str) -> list[tuple[int, int, str]]:
    token = atom.slots["quarter"]
    year, month, _ = calendar.moved(atom.year, 3 * token.value - 1, 15)
    old = text[token.start : token.end]
    changes = [_change(token, old.replace(str(token.value), str((month + 2) // 3)))]
    return changes + _with_year(atom, year, text)


def _week(atom: Atom, calendar: Calendar, text: str) -> list[tuple[int, int, str]]:
    token = atom.slots["week"]
    thursday = date.fromisocalendar(atom.year, token.value, 4)
    year, week, _ = calendar.later(thursday).isocalendar()
    head = text[token.start : token.end].rstrip("0123456789")
    width = token.end - token.start - len(head)
    return [_change(token, f"{head}{week:0{width}d}"), *_with_year(atom, year, text)]


def _decade(atom: Atom, calendar: Calendar, text: str) -> list[tuple[int, int, str]]:
    token = atom.slots["decade"]
    full = token.value if token.value > 99 else 1900 + token.value  # noqa: PLR2004
    if token.value < 30:  # noqa: PLR2004 (the 20s are ours)
        full = 2000 + token.value
    year, _, _ = calendar.moved(full // 10 * 10 + 5)
    old = text[token.start : token.end]
    digits = sum(c.isdigit() for c in old)
    new = str(year // 10 * 10)[-digits:]
    first = next(at for at, c in enumerate(old) if c.isdigit())
    return [_change(token, old[:first] + new + old[first + digits :])]


def _with_year(atom: Atom, year: int, text: str) -> list[tuple[int, int, str]]:
    token = atom.slots.get("year")
    return [_change(token, _year(token, year, text))] if token else []


_WHOLE = {
    "season": _season, "holiday": _holiday, "quarter": _quarter, "week": _week, "decade": _decade,
}  # fmt: skip


def _years_only(atoms: list[Atom], calendar: Calendar) -> str:
    """The years of the dates, a range with a dash."""
    years: list[str] = []
    for atom in atoms:
        if "decade" in atom.slots:
            value = atom.slots["decade"].value
            years.append(f"{value if value > 99 else 1900 + value}s")  # noqa: PLR2004
            continue
        month = atom.month if atom.slots.keys() & {"month", "day"} else 0
        years.append(str(calendar.moved(atom.year, month, atom.day)[0]))
    return "-".join(dict.fromkeys(years))


def _spliced(text: str, changes: list[tuple[int, int, str]]) -> str:
    pieces: list[str] = []
    place = 0
    for start, end, new in sorted(changes):
        pieces += text[place:start], new
        place = end
    return "".join((*pieces, text[place:]))
