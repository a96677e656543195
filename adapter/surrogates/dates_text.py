"""Dates as people write them: every layout is read, moved and written back the same way.

A mention is cut into tokens (numbers, months, weekdays, seasons, holidays, words for numbers); the
tokens that make one date form an atom, a range has two. Atoms borrow what they lack from their
neighbours and the message's own date. The moved values are put where the old ones stood, with
padding, ordinal suffix, abbreviation and letter case of the original.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING

import regex

from adapter.folding import fold
from adapter.surrogates import spelled
from adapter.surrogates.dates import Calendar, nearest_year
from adapter.surrogates.styles import like, ordinal_suffix, phrase_like
from adapter.surrogates.vocabulary import (
    FILLERS,
    HOLIDAYS,
    MONTH_FORMS,
    SEASON_NAMES,
    SEASONS,
    WEEKDAY_FORMS,
    holiday_name,
    sibling,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

_TOKEN = regex.compile(
    r"(?P<time>[@t]?\s*\b\d{1,2}:\d\d(?::\d\d)?(?:\s*[ap]\.?m\b\.?)?(?:\s*(?:z|hrs?|hours|[+-]\d\d:?\d\d))?"
    r"|(?<=\d\s)\d{4}\s*(?:hrs?|hours|h)\b)"
    r"|(?P<decade>'?\b\d{2}(?:\d\d)?'?s\b)"
    r"|(?P<week>\b(?:w|wk|week)\s?-?\d{1,2}\b)"
    r"|(?P<quarter>\bq[1-4]\b|\b[1-4]q(?=\d|\b))"
    r"|(?P<short>'\d\d\b)"
    r"|(?P<number>\d+)(?P<suffix>(?:st|nd|rd|th)\b)?"
    r"|(?P<holiday>\b(?:" + "|".join(sorted(HOLIDAYS, key=len, reverse=True)) + r")\b)"
    r"|(?P<word>\p{L}[\p{L}\p{M}]*)",
    regex.IGNORECASE,
)
_CLUSTER = frozenset("/.-")
_RANGE = regex.compile(r"\s*(?:-|to|through|thru|until|till|and|&|,|or)\s*", regex.IGNORECASE)
_BREAK = regex.compile(r"(?<=\d)[ \t]*\n[ \t]*(?=\d)")
_YEARS = range(1800, 2200)
_LAST_DAY, _LAST_MONTH, _LAST_YEAR = 31, 12, 9999
_PIVOT = 5
"""Years that a two-digit year may lie ahead of the message's own."""


class UnreadableDateError(ValueError):
    """A mention in no known layout; it carries no text."""


@dataclass(slots=True)
class Token:
    """A piece of a mention: ``[start, end)``, its kind, its value where it has one."""

    start: int
    end: int
    kind: str
    value: int = 0
    text: str = field(default="", repr=False)
    padded: bool = False


@dataclass(slots=True)
class Atom:
    """One date: token by slot ("year", "month", "day", "weekday", "season" ...)."""

    slots: dict[str, Token] = field(default_factory=dict)
    year: int = 0
    month: int = 0
    day: int = 0


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
    tokens = _tokens(fold(text))
    atoms = _atoms(tokens, fold(text), order)
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


def _tokens(folded: str) -> list[Token]:
    found: list[Token] = []
    for match in _TOKEN.finditer(folded):
        kind = match.lastgroup or ""
        if kind == "suffix":
            kind = "number"
        start, end = match.span()
        found.append(_READERS[kind](Token(start, end, kind, text=match[0])))
    return _spelled(found)


def _number(token: Token) -> Token:
    digits = token.text.rstrip("stndrh")
    token.value = int(digits[:9])
    token.padded = digits[0] == "0" and len(digits) > 1
    if len(digits) < len(token.text):
        token.kind = "ordinal"
    return token


def _digits(token: Token) -> Token:
    token.value = int("".join(c for c in token.text if c.isdigit()))
    return token


def _word(token: Token) -> Token:
    for kind, table in (("month", MONTH_FORMS), ("weekday", WEEKDAY_FORMS), ("season", SEASONS)):
        if token.text in table:
            token.kind, token.value = kind, table[token.text]
            return token
    if token.text in spelled.ORDINALS:
        token.kind, token.value = "spelled-day", spelled.ORDINALS[token.text]
    elif token.text in spelled.CARDINALS or token.text in spelled.SCALES:
        token.kind = "spelled"
    elif token.text not in FILLERS:
        raise UnreadableDateError
    return token


def _same(token: Token) -> Token:
    return token


_READERS = {
    "time": _same, "decade": _digits, "week": _digits, "quarter": _digits, "short": _digits,
    "number": _number, "holiday": _same, "word": _word,
}  # fmt: skip


def _spelled(tokens: list[Token]) -> list[Token]:
    """Tokens with runs of number words joined to one day or one year."""
    done: list[Token] = []
    for token in tokens:
        last = done[-1] if done else None
        if token.kind == "spelled-day" and last and last.kind == "spelled":
            tens = spelled.value(last.text.split())
            if tens == 20 and token.value < 10:  # noqa: PLR2004 ("twenty" "eighth")
                done[-1] = Token(last.start, token.end, "spelled-day", tens + token.value)
                continue
        joins = token.kind == "spelled" or token.text == "and"
        if joins and last and last.kind == "spelled":
            done[-1] = Token(last.start, token.end, "spelled", text=f"{last.text} {token.text}")
            continue
        done.append(token)
    for token in done:
        if token.kind == "spelled":
            token.value = spelled.value(token.text.split()) or 0
    return [token for token in done if token.kind != "word"]


def _atoms(tokens: list[Token], text: str, order: str) -> list[Atom]:
    """Dates of the tokens in order; a slot that is taken begins the next date."""
    atoms: list[Atom] = []
    place = 0
    while place < len(tokens):
        token = tokens[place]
        cluster = _cluster(tokens, place, text)
        if len(cluster) > 1 and not _awaits_day(atoms):
            _put(atoms, _numeric(cluster, order))
            place += len(cluster)
            continue
        follower = tokens[place + 1] if place + 1 < len(tokens) else None
        slot = _slot(token, atoms, follower, text)
        if slot:
            _put(atoms, {slot: token})
        place += 1
    return atoms


def _awaits_day(atoms: list[Atom]) -> bool:
    """Whether a month by name is without its day, so that 3-5 behind it are days."""
    last = atoms[-1].slots if atoms else {}
    return "month" in last and last["month"].kind == "month" and "day" not in last


def _cluster(tokens: list[Token], place: int, text: str) -> list[Token]:
    """Two or three numbers with one kind of mark between them ("3/14/23")."""
    run = [tokens[place]]
    mark = ""
    for token in tokens[place + 1 : place + 3]:
        between = text[run[-1].end : token.start].strip()
        plain = token.kind in ("number", "short") and run[-1].kind == "number"
        if not plain or between not in _CLUSTER or (mark and between != mark):
            break
        mark = between
        run.append(token)
    if len(run) == 2 and mark == "-" and min(t.value for t in run) > _LAST_DAY:  # noqa: PLR2004
        return run[:1]
    return run


def _numeric(run: list[Token], order: str) -> dict[str, Token]:
    """Slots of 2023-03-14, 3/14/23, 14.03.2023, 3/14, 3/2023, 2023-03."""
    values = [t.value for t in run]
    if values[0] in _YEARS:
        return dict(zip(("year", "month", "day"), run, strict=False))
    if len(run) == 2:  # noqa: PLR2004
        if values[1] > _LAST_DAY or run[1].kind == "short":
            return {"month": run[0], "year": run[1]}
        return dict(zip(_day_first(values, order), run, strict=True))
    return {**dict(zip(_day_first(values, order), run[:2], strict=True)), "year": run[2]}


def _day_first(values: Sequence[int], order: str) -> tuple[str, str]:
    first = values[0] > _LAST_MONTH or (order == "dmy" and values[1] <= _LAST_MONTH)
    return ("day", "month") if first else ("month", "day")


def _slot(  # noqa: PLR0911 (one return for each thing a token may be)
    token: Token, atoms: list[Atom], follower: Token | None, text: str
) -> str:
    """What a token that stands alone is; "" for a time of day, which stays."""
    if token.kind == "time":
        return ""
    if token.kind in ("ordinal", "spelled-day"):
        return "day"
    if token.kind == "short" or (token.kind == "spelled" and token.value > _LAST_DAY):
        return "year"
    if token.kind not in ("number", "spelled"):
        return token.kind
    last = atoms[-1].slots if atoms else {}
    if token.value in _YEARS and token.end - token.start > 2:  # noqa: PLR2004
        return "" if "year" in last and "day" in last else "year"
    if token.end - token.start > 2 or token.value > 99:  # noqa: PLR2004
        return _clock(token, last)
    before_month = follower is not None and follower.kind == "month"
    if "month" in last and "day" in last and "year" not in last and not before_month:
        return "day" if _is_range(atoms[-1], token, text) else "year"
    if token.value > _LAST_DAY or not (before_month or last):
        return "year"
    return "day"


def _clock(token: Token, last: dict[str, Token]) -> str:
    """A time of day written as four digits behind a date; anything else is no date."""
    hours, minutes = divmod(token.value, 100)
    if last and token.end - token.start in (3, 4) and hours < 25 and minutes < 60:  # noqa: PLR2004
        return ""
    raise UnreadableDateError


def _is_range(atom: Atom, token: Token, text: str) -> bool:
    end = max(t.end for t in atom.slots.values())
    return (
        _RANGE.fullmatch(text, end, token.start) is not None and "," not in text[end : token.start]
    )


def _put(atoms: list[Atom], slots: dict[str, Token]) -> None:
    """Add slots to the last date, or to a new one where they are taken."""
    known = atoms[-1].slots if atoms else {}
    mixed = "month" in slots and ("month" in known or "season" in known)
    alone = "year" in slots and len(slots) == 1 and "decade" in known
    if not atoms or known.keys() & slots.keys() or mixed or alone:
        atoms.append(Atom())
    atoms[-1].slots.update(slots)


def _complete(atoms: list[Atom], calendar: Calendar) -> None:
    """Numbers of each date; what is missing comes from the others, else from the reference."""
    for atom in atoms:
        slots = atom.slots
        atom.year = _full_year(slots["year"], calendar) if "year" in slots else 0
        atom.month = slots["month"].value if "month" in slots else 0
        atom.day = slots["day"].value if "day" in slots else 0
        if atom.month > _LAST_MONTH or atom.day > _LAST_DAY or atom.year > _LAST_YEAR:
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
    if month == _LAST_MONTH:
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
