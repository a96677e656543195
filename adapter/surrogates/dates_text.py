"""Dates as people write them: every layout is read, moved and written back the same way.

A mention is cut into tokens; the tokens that make one date form an atom, a range has two. Atoms
borrow what they lack from their neighbours and the message's own date. The moved values are put
where the old ones stood, with padding, ordinal suffix, abbreviation and letter case kept.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import TYPE_CHECKING

import regex

from adapter.folding import fold
from adapter.surrogates import spelled
from adapter.surrogates.dates import Calendar, full_year, nearest_year
from adapter.surrogates.dates_atoms import LAST_DAY, LAST_MONTH, LAST_YEAR, Atom, atoms_of
from adapter.surrogates.dates_tokens import UnreadableDateError, tokens
from adapter.surrogates.festivals import HOLIDAYS, holiday_name, season_name
from adapter.surrogates.styles import like, ordinal_suffix, phrase_like
from adapter.surrogates.vocabulary import moved_set, sibling

if TYPE_CHECKING:
    from adapter.surrogates.dates_tokens import Token

_BREAK = regex.compile(r"(?<=\d)[ \t]*\n[ \t]*(?=\d)")
_ENGLISH_ORDINAL = frozenset(("st", "nd", "rd", "th"))


@dataclass(frozen=True, slots=True)
class Custom:
    """How a text writes dates: ``order`` reads 3/4/2024 where nothing tells.

    ``language`` goes first where a word is of several; ``accents`` may be written.
    """

    order: str = "mdy"
    language: str = "en"
    accents: bool = True


def rewrite(calendar: Calendar, text: str, custom: Custom) -> str:
    """The mention with its dates moved. A number that a line break cut in two is joined.

    Raises:
        UnreadableDateError: it is in no known layout.
    """
    whole = _BREAK.sub("", text)
    if whole != text:
        try:
            return _rewritten(calendar, whole, custom)
        except UnreadableDateError:
            return _rewritten(calendar, text, custom)
    return _rewritten(calendar, text, custom)


def _rewritten(calendar: Calendar, text: str, custom: Custom) -> str:
    atoms = [Atom(slots) for slots in _slots(text, custom.order, custom.language)]
    if not atoms:
        raise UnreadableDateError
    _complete(atoms, calendar)
    try:
        if calendar.shift is None:
            return _years_only(atoms, calendar)
        changes = [change for atom in atoms for change in _moved(atom, calendar, text, custom)]
    except ValueError as error:
        raise UnreadableDateError from error
    return _spliced(text, changes)


@lru_cache(maxsize=16384)
def _slots(text: str, order: str, language: str) -> tuple[dict[str, Token], ...]:
    """Tokens of each date by slot; a memo of a pure function, for days come again and again."""
    folded = fold(text)
    return tuple(atom.slots for atom in atoms_of(tokens(folded, language), folded, order))


def _complete(atoms: list[Atom], calendar: Calendar) -> None:
    """Numbers of each date; what is missing comes from the others, else from the reference."""
    for atom in atoms:
        slots = atom.slots
        atom.year = _full_year(slots["year"], calendar) if "year" in slots else 0
        atom.month = slots["month"].value if "month" in slots else 0
        atom.day = slots["day"].value if "day" in slots else 0
        if atom.month > LAST_MONTH or atom.day > LAST_DAY or atom.year > LAST_YEAR:
            raise UnreadableDateError
    now = calendar.now()
    for place, atom in enumerate(atoms):
        if atom.day and not atom.month:
            nearby = (*reversed(atoms[:place]), *atoms[place + 1 :])
            atom.lender = next((other for other in nearby if "month" in other.slots), None)
            atom.month = atom.lender.month if atom.lender else now.month
    for place, atom in enumerate(atoms):
        if "year" not in atom.slots:
            atom.year = _borrowed_year(place, atoms) or nearest_year(
                atom.month or 7, atom.day or 15, now
            )


def _borrowed_year(place: int, atoms: list[Atom]) -> int:
    """The year of a date behind or before, so that dates stand in their order; 0 if none has one.

    In "Dec 30 - Jan 2, 2023" the first is of 2022.
    """
    own = atoms[place].month, atoms[place].day
    for other in (*atoms[place + 1 :], *reversed(atoms[:place])):
        if "year" in other.slots:
            behind = other in atoms[place + 1 :]
            theirs = other.month, other.day
            if not (own[0] and theirs[0]):
                return other.year
            return other.year - (behind and own > theirs) + (not behind and own < theirs)
    return 0


def _full_year(token: Token, calendar: Calendar) -> int:
    if token.kind == "spelled" or token.end - token.start > 3:  # noqa: PLR2004 ("'08")
        return token.value
    return full_year(token.value, calendar)


def _moved(atom: Atom, calendar: Calendar, text: str, custom: Custom) -> list[tuple[int, int, str]]:
    """(start, end, new text) of every token of one date."""
    slots = atom.slots
    for kind, move in _WHOLE.items():
        if kind in slots:
            return move(atom, calendar, text, custom)
    weekday = slots.get("weekday")
    changes: list[tuple[int, int, str]] = []
    if weekday:
        turned = (weekday.value + (calendar.shift or 0)) % 7
        changes.append(_change(weekday, _named(weekday, turned, text, custom)))
    if not slots.keys() - {"weekday"}:
        return changes
    month = atom.month if slots.keys() & {"month", "day"} else 0
    year, month, day = calendar.moved(atom.year, month, atom.day)
    if (token := slots.get("month")) is not None:
        new = _named(token, month - 1, text, custom) if token.kind == "month" else ""
        changes.append(_change(token, new or _padded(month, slots)))
    if (token := slots.get("day")) is not None:
        changes.append(_change(token, _day(token, day, slots, text)))
        if atom.lender is not None:
            changes += _own_month(atom, month, calendar, text, custom)
    if (token := slots.get("year")) is not None:
        changes.append(_change(token, _year(token, year, text)))
    return changes


def _own_month(
    atom: Atom, month: int, calendar: Calendar, text: str, custom: Custom
) -> list[tuple[int, int, str]]:
    """The month of a day that was written without one, where it is no longer its neighbour's."""
    lender = atom.lender
    if lender is None or not lender.day:
        return []
    if calendar.moved(lender.year, lender.month, lender.day)[1] == month:
        return []
    token, day, own = lender.slots["month"], lender.slots["day"], atom.slots["day"]
    named = token.kind == "month"
    name = _named(token, month - 1, text, custom) if named else _padded(month, lender.slots)
    if token.start < day.start:
        return [(own.start, own.start, name + text[token.end : day.start])]
    end = own.end + (text[own.end : own.end + 1] == ".")
    return [(end, end, text[day.end + (end > own.end) : token.start] + name)]


def _change(token: Token, new: str) -> tuple[int, int, str]:
    return token.start, token.end, new


def _named(token: Token, index: int, text: str, custom: Custom) -> str:
    """The month or weekday in the language and length of the token, in its letter case."""
    around = text[token.start - 1 : token.start] + text[token.end : token.end + 1]
    short = token.text == "may" and any(c == "-" or c.isdigit() for c in around)
    name = sibling(token.text, token.kind, index, custom.language, short=short)
    old = text[token.start : token.end]
    new = like(_written(name, custom), old)
    return new.capitalize() if old[:1].isupper() and new.islower() else new


def _written(name: str, custom: Custom) -> str:
    """A word without accents where the text may have none; German umlauts as two letters."""
    if custom.accents or name.isascii():
        return name
    return fold(name.replace("ä", "ae").replace("ü", "ue").replace("ö", "oe"))


def _padded(number: int, slots: dict[str, Token]) -> str:
    """A number with a leading zero where the date's numbers have or may have had one."""
    others = [t for s, t in slots.items() if s in ("month", "day") and t.kind == "number"]
    if any(t.padded for t in others):
        return f"{number:02d}"
    wide = all(t.end - t.start == 2 for t in others) and "year" in slots and len(others) > 1  # noqa: PLR2004
    return f"{number:02d}" if wide or _abuts(slots) else str(number)


def _abuts(slots: dict[str, Token]) -> bool:
    """Whether a day of two digits stands at its month without a gap ("14MAR2023")."""
    day, month = slots.get("day"), slots.get("month")
    return bool(day and month and day.end == month.start and day.end - day.start == 2)  # noqa: PLR2004


def _day(token: Token, day: int, slots: dict[str, Token], text: str) -> str:
    if token.kind == "spelled-day":
        return phrase_like(spelled.ordinal(day), text[token.start : token.end])
    if token.kind == "spelled":
        return phrase_like(spelled.cardinal(day), text[token.start : token.end])
    if token.kind == "ordinal":
        suffix = token.text[-2:] in _ENGLISH_ORDINAL
        return (
            f"{day}{like(ordinal_suffix(day), text[token.end - 2 : token.end])}"
            if suffix
            else str(day)
        )
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


def _season(
    atom: Atom, calendar: Calendar, text: str, custom: Custom
) -> list[tuple[int, int, str]]:
    token = atom.slots["season"]
    year, month, _ = calendar.moved(atom.year, 1 + 3 * token.value, 15)
    if month == LAST_MONTH:
        year += 1
    quarter = month % 12 // 3
    changes = []
    if quarter != token.value:
        name = _written(season_name(token.text, quarter, custom.language), custom)
        changes.append(_change(token, phrase_like(name, text[token.start : token.end])))
    if (until := atom.slots.get("until")) is not None:
        last = _full_year(until, calendar) + year - atom.year
        changes.append(_change(until, _year(until, last, text)))
    return changes + _with_year(atom, year, text)


def _holiday(
    atom: Atom, calendar: Calendar, text: str, custom: Custom
) -> list[tuple[int, int, str]]:
    token = atom.slots["holiday"]
    month, day = HOLIDAYS[token.text]
    year, month, day = calendar.moved(atom.year, month, day)
    name = _written(holiday_name(month, day, token.text), custom)
    changes = [_change(token, like(name, text[token.start : token.end]))]
    return changes + _with_year(atom, year, text)


def _quarter(atom: Atom, calendar: Calendar, text: str, _: Custom) -> list[tuple[int, int, str]]:
    token = atom.slots["quarter"]
    year, month, _day = calendar.moved(atom.year, 3 * token.value - 1, 15)
    new, old = (month + 2) // 3, text[token.start : token.end]
    suffixed = old.replace(
        f"{token.value}{ordinal_suffix(token.value)}", f"{new}{ordinal_suffix(new)}"
    )
    written = suffixed if suffixed != old else old.replace(str(token.value), str(new))
    return [_change(token, written), *_with_year(atom, year, text)]


def _week(atom: Atom, calendar: Calendar, text: str, _: Custom) -> list[tuple[int, int, str]]:
    """A week by its Thursday, or a day of it ("2023-W11-2", ISO 8601)."""
    token = atom.slots["week"]
    old = text[token.start : token.end]
    exact = old[-2:-1] == "-" and "".join(c for c in old if c.isdigit()) != str(token.value)
    weekday = int(old[-1]) if exact else 4
    year, week, weekday = calendar.later(
        date.fromisocalendar(atom.year, token.value, weekday)
    ).isocalendar()
    body = old[:-2] if exact else old
    head = body.rstrip("0123456789")
    width = len(body) - len(head)
    tail = f"-{weekday}" if exact else ""
    return [_change(token, f"{head}{week:0{width}d}{tail}"), *_with_year(atom, year, text)]


def _set(atom: Atom, calendar: Calendar, text: str, _: Custom) -> list[tuple[int, int, str]]:
    token = atom.slots["set"]
    return [_change(token, moved_set(text[token.start : token.end], calendar.shift or 0))]


def _decade(atom: Atom, calendar: Calendar, text: str, _: Custom) -> list[tuple[int, int, str]]:
    token = atom.slots["decade"]
    full = token.value if token.value > 99 else 1900 + token.value  # noqa: PLR2004
    if token.value < 30:  # noqa: PLR2004 (the 20s are ours)
        full = 2000 + token.value
    year = calendar.moved(full // 10 * 10 + 5)[0]
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
    "set": _set,
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
