"""What dates of a mention leave out: borrowed from their neighbours and the message's own date."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.surrogates.dates.shift import full_year, nearest_year
from adapter.surrogates.dates.written.layouts import LAST_DAY, LAST_MONTH, LAST_YEAR
from adapter.surrogates.dates.written.tokens import UnreadableDateError

if TYPE_CHECKING:
    from adapter.surrogates.dates.shift import Calendar
    from adapter.surrogates.dates.written.layouts import WrittenDate
    from adapter.surrogates.dates.written.tokens import Token


def complete(atoms: list[WrittenDate], calendar: Calendar) -> None:
    """Numbers of each date; what is missing comes from the others, else from the reference.

    Raises:
        UnreadableDateError: a number is too large for its place.
    """
    for atom in atoms:
        slots = atom.slots
        atom.year = year_of(slots["year"], calendar) if "year" in slots else 0
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
            month, day = _usual(atom)
            atom.year = _borrowed_year(place, atoms) or nearest_year(month, day, now)


def _usual(atom: WrittenDate) -> tuple[int, int]:
    """A month and day about which a date without a year lies."""
    slots = atom.slots
    if "holiday" in slots:
        return divmod(slots["holiday"].value, 100)
    if "week" in slots:
        return min(slots["week"].value * 12 // 53 + 1, LAST_MONTH), 15
    if "season" in slots:
        return 1 + 3 * slots["season"].value, 15
    return atom.month or 7, atom.day or 15


def _borrowed_year(place: int, atoms: list[WrittenDate]) -> int:
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


def year_of(token: Token, calendar: Calendar) -> int:
    """The year a token says, in four digits."""
    if token.value > 99 or (token.kind != "spelled" and token.end - token.start > 3):  # noqa: PLR2004
        return token.value
    return full_year(token.value, calendar)
