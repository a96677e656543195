"""Cities, states and ZIPs from one row of a table, so that they agree; streets in their layout.

A real city has one surrogate in the whole domain, with its state and ZIP area. Streets and house
numbers are invented. Countries other than the USA become other countries; the USA stay, because all
surrogate cities are there.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from adapter.checkdigits import digits_of
from adapter.normalize.folding import fold, squeeze
from adapter.surrogates.case import fill_digits, like
from adapter.surrogates.drawing.tables import City
from adapter.surrogates.numbers.identifiers import plain
from adapter.surrogates.places.organisations import numbered, word

if TYPE_CHECKING:
    from adapter.surrogates.drawing.keys import Key
    from adapter.surrogates.drawing.tables import Tables

_ZIP = re.compile(r"\s*([0-9]{5})(?:[- ]?[0-9]{4})?\s*")
_AREA = re.compile(r"\s*([0-9]{3})(?:\*\*|00)?\s*")
_STREET_WORD = re.compile(r"[^\W_]+(?:['’.][^\W_]+)*\.?")
_COUNTED = frozenset({"number", "ordinal"})


def city_row(key: Key, tables: Tables, name: str, attempt: int = 0) -> City:
    """Return the row for a squeezed city name, in a state without a city of that name."""
    states = tables.city_states.get(name, frozenset())
    for turn in range(attempt, attempt + 8):
        row = tables.cities[key.draw("city", name, str(turn)) % len(tables.cities)]
        if row.state not in states:
            break
    return row


FEWEST = 6
"""Fewest towns of a state to choose from; with fewer, the town could be guessed."""


def row_within(key: Key, tables: Tables, name: str, state: str, attempt: int = 0) -> City:
    """Return the row for a squeezed city name in a state, with a ZIP area of the state.

    A state of few towns gives only the ZIP area; the town's name is from another state.
    """
    own = rows_by_state(tables)[state]
    row = own[key.draw("city", name, str(attempt)) % len(own)]
    if len(own) >= FEWEST:
        return row
    return City(city_row(key, tables, name, attempt).name, state, row.zip3)


@lru_cache(maxsize=8)
def rows_by_state(tables: Tables) -> dict[str, tuple[City, ...]]:
    """Return the rows of each state in the table, by postal abbreviation."""
    states = dict.fromkeys(row.state for row in tables.cities)
    return {state: tuple(r for r in tables.cities if r.state == state) for state in states}


@lru_cache(maxsize=4096)
def state_of_zip(tables: Tables, digits: str) -> str:
    """Return the state of a ZIP: the state of the nearest three-digit area in the table.

    With few exceptions the areas of a state are consecutive.
    """
    area = int(digits[:3])
    return min(tables.cities, key=lambda row: (abs(int(row.zip3) - area), row.zip3)).state


def state_row(key: Key, tables: Tables, state: str) -> City:
    """Return a row in a state other than the one of the squeezed name or abbreviation."""
    own = tables.state_codes.get(squeeze(state))
    value = own or state
    for turn in range(8):
        row = tables.cities[key.draw("state", value, str(turn)) % len(tables.cities)]
        if row.state != own:
            break
    return row


def state_like(tables: Tables, row: City, text: str) -> str:
    """Return the row's state, abbreviated if text is, in its letter case."""
    value = squeeze(text)
    short = value.upper() in tables.states or len(value) < 4  # noqa: PLR2004 (QLD, NSW)
    new = row.state if short else tables.states[row.state]
    return like(new, text) if not short or text.islower() else new


def zip_code(key: Key, row: City, text: str, attempt: int = 0) -> str:
    """Return a ZIP in the row's area, as ZIP+4 if the text is; other codes keep their format."""
    found = _ZIP.fullmatch(text)
    if found is None:
        return plain(key, text, attempt)
    drawn = key.draw("zip", digits_of(text), str(attempt))
    first = key.draw("zip-area", found[1], str(attempt)) % 100
    return fill_digits(text, f"{row.zip3}{first:02d}{drawn // 100 % 10000:04d}")


def zip_area(key: Key, tables: Tables, text: str) -> str:
    """Return a ZIP's first three digits and 00; 00000 if restricted (45 CFR 164.514(b)(2)(i)(B)).

    Postal codes other than ZIPs get surrogates.
    """
    found = _ZIP.fullmatch(text) or _AREA.fullmatch(text)
    if found is None:
        return plain(key, text)
    area = found[1][:3]
    return ("000" if area in tables.restricted else area) + "00"


@lru_cache(maxsize=1024)
def country(key: Key, tables: Tables, text: str) -> str:
    """Return another country in the same form (alpha-2, alpha-3, name); the USA stay. Memoised."""
    value = squeeze(text)
    if value in tables.home:
        return text
    own = next((row for row in tables.countries if value in map(squeeze, row)), ())
    others = [row for row in tables.countries if row != own]
    row = others[key.draw("country", squeeze(own[0]) if own else value) % len(others)]
    form = len(value) - 2 if text.isupper() and len(value) in (2, 3) and text.isalpha() else 2
    return row[form] if form < 2 else like(row[form], text)  # noqa: PLR2004


@lru_cache(maxsize=8192)
def street(key: Key, tables: Tables, text: str, attempt: int = 0) -> str:
    """Return a street line with other numbers and an invented name; kind, unit and layout stay.

    Memoised.
    """
    words = [(m.start(), m.end(), m[0]) for m in _STREET_WORD.finditer(text)]
    kinds = [_kind(word, tables) for *_, word in words]
    _settle(kinds)
    own = "".join(w for (*_, w), kind in zip(words, kinds, strict=True) if kind == "name")
    name = word(key, tables, "street", squeeze(own or text), str(attempt))
    pieces: list[str] = []
    place, named = 0, False
    for (start, end, item), kind in zip(words, kinds, strict=True):
        if kind != "name":
            new = numbered(key, item, tables.words, attempt) if kind in _COUNTED else item
            pieces += text[place:start], new
        elif not named:
            pieces += text[place:start], like(name, item)
            named = True
        place = end
    done = "".join((*pieces, text[place:]))
    return done if named or _COUNTED & set(kinds) else f"{like(name, text)} {text}"


@lru_cache(maxsize=4096)
def _kind(item: str, tables: Tables) -> str:
    """Return the kind of a word of a street line by itself.

    The kinds are "number", "ordinal", "unit" (also direction words), "suffix" and "name".
    """
    folded = fold(item).rstrip(".")
    if any(c.isdigit() for c in folded):
        return "ordinal" if folded.endswith(("st", "nd", "rd", "th")) else "number"
    words = tables.words.fields
    if folded in words.street_kept:
        return "unit"
    return "suffix" if folded in words.street_kinds or folded in tables.streets else "name"


def _settle(kinds: list[str]) -> None:
    """Turn suffixes into names, except at the end of a name or before a number ("Road 12")."""
    named = False
    for at, kind in enumerate(kinds):
        behind = kinds[at + 1] if at + 1 < len(kinds) else "unit"
        route = behind == "number" or (named and behind == "unit")
        if kind == "suffix" and not route:
            kinds[at] = "name"
        named = named or kinds[at] in ("name", "ordinal")
