"""The fixed tables of ``rules/surrogates``, compiled for look-up."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from adapter.errors import RuleError
from adapter.normalize.folding import squeeze
from adapter.surrogates.drawing.occupations import compile_occupations

if TYPE_CHECKING:
    from collections.abc import Mapping

    from adapter.languages import Words
    from adapter.surrogates.drawing.occupations import Occupations

FAMILY = "en-family"
GIVEN = {"F": "en-given-female", "M": "en-given-male", "": "en-given-unisex"}
KNOWN = "en-given-known"
FIRST, SECOND, HEADS = "en-word-first", "en-word-second", "en-head"
CITIES, STATES, RESTRICTED = "us-city", "us-state", "us-zip3-restricted"
STREETS, OCCUPATIONS = "en-street-suffix", "en-occupation"
COUNTRIES, KNOWN_COUNTRIES, KNOWN_REGIONS = "country", "country-known", "region-known"
DATE_ORDERS = "date-order"
RESOURCES, NUMBER_WORDS = "fhir-resource", "number-word"
HOME = "US"
"""Alpha-2 code of the country of `CITIES`."""
NAMED = (FAMILY, *GIVEN.values())
"""Tables of surrogate names."""
_SHARE = 100
"""A letter may be a surrogate's initial if one in this many names of each table begins with it."""
_FEWEST_LETTERS = 4
NAMES = (
    *(FAMILY, *GIVEN.values(), KNOWN, FIRST, SECOND, HEADS, CITIES, STATES, RESTRICTED),
    *(STREETS, OCCUPATIONS, COUNTRIES, KNOWN_COUNTRIES, KNOWN_REGIONS, RESOURCES, NUMBER_WORDS),
    DATE_ORDERS,
)
"""Tables that must exist."""


def localised(lines: Mapping[str, tuple[str, ...]], language: str) -> dict[str, tuple[str, ...]]:
    """Return the tables, with a language's own tables of names if it has them.

    The language is the site's, not the message's: a person has one name in all messages.
    """
    own = {name: f"{language}{name[2:]}" for name in (*NAMED, KNOWN)}
    return {**lines, **{name: lines[other] for name, other in own.items() if other in lines}}


@dataclass(frozen=True, slots=True)
class City:
    """A surrogate city: ``state`` is a postal abbreviation, ``zip3`` three digits."""

    name: str
    state: str
    zip3: str


@dataclass(frozen=True, slots=True, eq=False)
class Tables:
    """Compiled tables: names by kind, consistent rows of places, closed vocabularies.

    Instances compare by identity, so that memoised functions can take them as arguments.
    """

    families: tuple[str, ...] = field(repr=False)
    given: Mapping[str, tuple[str, ...]] = field(repr=False)
    """Sex ("F", "M" or "") -> given names."""
    lettered: Mapping[tuple[str, str], tuple[str, ...]] = field(repr=False)
    """(table, first letter) -> names, for the letters that all tables of names share."""
    initials: str = field(repr=False)
    """The letters that all tables of names share."""
    known: Mapping[str, str] = field(repr=False)
    """Folded common given name -> sex ("F", "M" or "")."""
    first: tuple[str, ...] = field(repr=False)
    second: tuple[str, ...] = field(repr=False)
    heads: frozenset[str] = field(repr=False)
    cities: tuple[City, ...] = field(repr=False)
    city_states: Mapping[str, frozenset[str]] = field(repr=False)
    """Squeezed city name -> states that have a city of that name."""
    states: Mapping[str, str] = field(repr=False)
    """Postal abbreviation -> name."""
    state_codes: Mapping[str, str] = field(repr=False)
    """Squeezed name or abbreviation -> postal abbreviation."""
    restricted: frozenset[str] = field(repr=False)
    streets: frozenset[str] = field(repr=False)
    countries: tuple[tuple[str, ...], ...] = field(repr=False)
    """(alpha-2, alpha-3, name) of each country that surrogates come from."""
    known_regions: frozenset[str] = field(repr=False)
    """Squeezed names and codes of states, provinces and regions of all countries."""
    known_countries: frozenset[str] = field(repr=False)
    """Squeezed codes and names of all countries."""
    date_orders: Mapping[str, str] = field(repr=False)
    """Squeezed code or name of a country -> order of its dates, "mdy", "dmy", or "any"."""
    home: frozenset[str] = field(repr=False)
    """Squeezed codes and names of the country where all surrogate cities are."""
    occupations: Mapping[str, Occupations] = field(repr=False)
    """Language -> its occupations; English at least."""
    resources: frozenset[str] = field(repr=False)
    number_words: frozenset[str] = field(repr=False)
    """Words that name the kind of number beside them."""
    words: Words = field(repr=False)
    """The words of the languages."""


def compile_tables(lines: Mapping[str, tuple[str, ...]], words: Words) -> Tables:
    """Compile the lines of every table's ``items.txt``, by the name of its folder.

    Raises:
        RuleError: a table is missing or empty, the tables of names share too few initials, or
        all occupations take the same article.
    """
    for name in NAMES:
        if not lines.get(name):
            raise RuleError(f"surrogates/{name}", "is missing or empty")
    cities = tuple(City(*line.split("\t")) for line in lines[CITIES])
    countries = [line.split("\t") for line in lines[KNOWN_COUNTRIES]]
    orders = dict(line.split("\t") for line in lines[DATE_ORDERS])
    pairs = [line.split("\t") for line in lines[STATES]]
    codes = {squeeze(text): pair[0] for pair in pairs for text in pair}
    lettered = _lettered(lines)
    return Tables(
        families=lines[FAMILY],
        given={sex: lines[name] for sex, name in GIVEN.items()},
        lettered=lettered,
        initials="".join(sorted({letter for _, letter in lettered})),
        known=_known(lines[KNOWN]),
        first=lines[FIRST],
        second=lines[SECOND],
        heads=frozenset(lines[HEADS]),
        cities=cities,
        city_states=_city_states(cities),
        states={pair[0]: pair[1] for pair in pairs},
        state_codes=codes,
        restricted=frozenset(lines[RESTRICTED]),
        streets=frozenset(lines[STREETS]),
        countries=tuple(tuple(line.split("\t")) for line in lines[COUNTRIES]),
        known_regions=frozenset(map(squeeze, lines[KNOWN_REGIONS])),
        known_countries=frozenset(squeeze(text) for names in countries for text in names),
        date_orders={
            squeeze(text): orders.get(names[0], "dmy") for names in countries for text in names
        },
        home=frozenset(squeeze(text) for names in countries if HOME in names for text in names),
        occupations=compile_occupations(lines, words),
        resources=frozenset(lines[RESOURCES]),
        number_words=frozenset(lines[NUMBER_WORDS]),
        words=words,
    )


def _lettered(lines: Mapping[str, tuple[str, ...]]) -> dict[tuple[str, str], tuple[str, ...]]:
    found: dict[tuple[str, str], list[str]] = {}
    for table in NAMED:
        for name in lines[table]:
            found.setdefault((table, squeeze(name)[:1]), []).append(name)
    common = {
        letter
        for _, letter in found
        if all(len(found.get((t, letter), ())) >= max(2, len(lines[t]) // _SHARE) for t in NAMED)
    }
    if len(common) < _FEWEST_LETTERS:
        raise RuleError("surrogates", "the tables of names have too few initials in common")
    return {place: tuple(names) for place, names in found.items() if place[1] in common}


def _known(lines: tuple[str, ...]) -> dict[str, str]:
    pairs = (line.split("\t") for line in lines)
    return {name: "" if sex == "U" else sex for name, sex in pairs}


def _city_states(cities: tuple[City, ...]) -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for city in cities:
        name = squeeze(city.name)
        found[name] = found.get(name, frozenset()) | {city.state}
    return found
