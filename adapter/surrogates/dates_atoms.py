"""Which tokens of a mention make one date: layouts, orders and ranges."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import regex

from adapter.surrogates.dates_tokens import Token, UnreadableDateError

if TYPE_CHECKING:
    from collections.abc import Sequence

LAST_DAY, LAST_MONTH, LAST_YEAR = 31, 12, 9999
_CLUSTER = frozenset("/.-")
_RANGE = regex.compile(r"\s*(?:-|to|through|thru|until|till|and|&|,|or)\s*", regex.IGNORECASE)
_YEARS = range(1800, 2200)


@dataclass(slots=True)
class Atom:
    """One date: token by slot ("year", "month", "day", "weekday", "season" ...)."""

    slots: dict[str, Token] = field(default_factory=dict)
    year: int = 0
    month: int = 0
    day: int = 0


def atoms_of(tokens: list[Token], text: str, order: str) -> list[Atom]:
    """Dates of the tokens in order; a slot that is taken begins the next date.

    Raises:
        UnreadableDateError: a number has no place in a date.
    """
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
    if len(run) == 2 and mark == "-" and min(t.value for t in run) > LAST_DAY:  # noqa: PLR2004
        return run[:1]
    return run


def _numeric(run: list[Token], order: str) -> dict[str, Token]:
    """Slots of 2023-03-14, 3/14/23, 14.03.2023, 3/14, 3/2023, 2023-03."""
    values = [t.value for t in run]
    if values[0] in _YEARS:
        return dict(zip(("year", "month", "day"), run, strict=False))
    if len(run) == 2:  # noqa: PLR2004
        if values[1] > LAST_DAY or run[1].kind == "short":
            return {"month": run[0], "year": run[1]}
        return dict(zip(_day_first(values, order), run, strict=True))
    return {**dict(zip(_day_first(values, order), run[:2], strict=True)), "year": run[2]}


def _day_first(values: Sequence[int], order: str) -> tuple[str, str]:
    first = values[0] > LAST_MONTH or (order == "dmy" and values[1] <= LAST_MONTH)
    return ("day", "month") if first else ("month", "day")


def _slot(  # noqa: PLR0911 (one return for each thing a token may be)
    token: Token, atoms: list[Atom], follower: Token | None, text: str
) -> str:
    """What a token that stands alone is; "" for a time of day, which stays."""
    if token.kind == "time":
        return ""
    if token.kind in ("ordinal", "spelled-day"):
        return "day"
    if token.kind == "short" or (token.kind == "spelled" and token.value > LAST_DAY):
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
    if token.value > LAST_DAY:
        return "year"
    return "day" if before_month or last or _is_day(token, text) else "year"


def _is_day(token: Token, text: str) -> bool:
    """Whether a number alone is a day: "3", "12." (German); not "08"."""
    return token.end - token.start == 1 or text[token.end : token.end + 1] == "."


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
