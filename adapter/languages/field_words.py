r"""Words of names, organisations and addresses, for reading fields and writing surrogates.

The tables ``[names]``, ``[organisations]`` and ``[addresses]`` of a language's file::

    [names]
    placeholders = "unknown baby"    # written in place of a name; name nobody
    namesakes = "child friend"       # placeholders that are also family names
    newborns = "baby newborn twin"   # mark a patient as newborn
    elided = "d o t"                 # letters that begin a family name ("O Brien"); no initials
    glued = "mc van"                 # beginnings of a family name before a capital ("McCoy")
    apostrophes = "d o"              # letters before the apostrophe of a family name ("O'Brien")
    joining = "and"                  # between two names, part of neither
    functions = "mother nurse staff" # what a person beside a name is; no family names
    qualifiers = "home night of"     # words that belong to such a function, and name none
    labels = "mrn dob born am"       # words beside a number or date that stands beside a name

    [organisations]
    words = "hospital clinic"        # words that no person's name contains
    legal = "inc ltd"                # legal forms after a name; from 3 letters also `words`
    generic = "of general care"      # further words that do not distinguish organisations
    tails = ["medical center"]       # ends that short forms of a name omit
    kinds = "regional general"       # words before such an end, omitted with it
    small = "of and the"             # words that give no letter to an acronym
    joints = "and"                   # also written as "&"
    connectives = "of the near"      # uninformative words, which stay in a surrogate's name
    departments = "radiology icu"    # words for departments, which every hospital has
    rooms = "room bed"               # words before the number or letter of a room or bed

    [addresses]
    short = { street = "st" }        # words of streets and their abbreviations
    long = { av = "avenue" }         # further abbreviations, which are read but not written
    units = "apt suite"              # words before the number of a flat or room
    boxes = "po p.o."                # beginnings of a post box
    kinds = "st strasse"             # words for a kind of street, which stay in a surrogate
    kept = "north attn of"           # further words of a street line that stay
    endings = ["strasse str", "weg"] # ends of a street's name in one word: spellings of each
    spellings = ["calle c/ cl"]      # further spellings of a kind of street before or behind a name
    written = ["ridge rdg"]          # other words of a street line, and their abbreviations
    sure = "rd blvd"                 # kinds behind a common word that make it a street in any text
    routes = ["county road, cr"]     # numbered roads, and their abbreviations
    numbers = "no nr"                # words before the number of a house
    care = ["c/o", "care of"]        # before the person that somebody lives with
    mailboxes = "info office"        # names of mailboxes that belong to no person
    extensions = "ext x"             # before the extension of a telephone number
    digits = ["zero oh", "one", ...] # ten, as numbers are dictated: words of each, the usual first
    postcodes_before = ['\d{5}']     # patterns of postal codes before a town
    postcodes_behind = ['\d{5}']     # and behind a town and its state

Fields are read before the language of a message's texts is known, so the words of all languages
apply.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any

import regex

from adapter.errors import RuleError
from adapter.languages.reading import either, folded, patterns_of, place, spaced, table_of, words_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from adapter.languages.titles import Titles

_NAMES = (
    *("placeholders", "namesakes", "newborns", "elided"),
    *("glued", "apostrophes", "joining"),
    *("functions", "qualifiers", "labels"),
)
_ORGANISATIONS = (
    *("words", "legal", "generic", "tails", "kinds", "small", "joints"),
    *("connectives", "departments", "rooms"),
)
_PLAIN = ("small", "connectives", "departments", "rooms")
_ADDRESSES = (
    *("units", "boxes", "kinds", "kept", "endings", "spellings"),
    *("numbers", "care", "mailboxes", "written", "sure", "routes"),
)
_TABLES = ("short", "long")
_POSTCODES = ("postcodes_before", "postcodes_behind")
_EXTENSIONS, _DIGITS = "extensions", "digits"
_OTHERS = (*_TABLES, *_POSTCODES, _EXTENSIONS, _DIGITS)
_SHORTEST_KIND = 3
"""Minimum number of letters in a spelling by which a kind of street is recognised in a field."""
_FEWEST_LETTERS = 3
"""Minimum number of letters in a legal form that no person's name contains."""


@dataclass(frozen=True, eq=False, repr=False)
class FieldWords:
    """The folded words of all languages by their meaning in a field.

    Compared by identity, so that memos of pure functions may be keyed by it.
    """

    titles: Titles
    particles: frozenset[str]
    """Small words and single letters at the beginning of a family name."""
    placeholders: frozenset[str]
    namesakes: frozenset[str]
    """Placeholders that are also family names, and count as names beside a given name."""
    newborns: frozenset[str]
    glued: frozenset[str]
    apostrophes: frozenset[str]
    joining: frozenset[str]
    functions: frozenset[str]
    """What a person is: relations, professions and functions that are no family names."""
    qualifiers: frozenset[str]
    """Words that stand beside `functions`."""
    labels: frozenset[str]
    """Words beside a number or date that stands beside a name."""
    months: frozenset[str]
    """Names and abbreviations of months."""
    organisations: frozenset[str]
    """Words that no person's name contains."""
    generic: frozenset[str]
    """Words that do not distinguish organisations."""
    small: frozenset[str]
    connectives: frozenset[str]
    departments: frozenset[str]
    """Words for departments, which every hospital has."""
    rooms: frozenset[str]
    """Words before the number or letter of a room or bed."""
    mailboxes: frozenset[str]
    short: Mapping[str, str]
    """Word of a street -> its abbreviation."""
    long: Mapping[str, str]
    """Abbreviation -> word of a street."""
    street_kinds: frozenset[str]
    """Words for a kind of street, without a final dot."""
    street_kept: frozenset[str]
    """Words of a street line that stay in a surrogate, without a final dot."""
    street_endings: tuple[tuple[str, ...], ...]
    """Ends of a street's name that is one word ("Ravineweg"): the spellings of each."""
    street_spellings: tuple[tuple[str, ...], ...]
    """Kinds of street that are words of their own: the spellings of each, without a final dot."""
    street_written: tuple[tuple[str, ...], ...]
    """Other words of a street line: the word, and its abbreviations."""
    street_sure: frozenset[str]
    """Kinds of street behind a common word that make it a street in any text."""
    street_routes: tuple[tuple[str, ...], ...]
    """Names of numbered roads: as written out, and abbreviated."""
    street_numbers: frozenset[str]
    """Words before or behind the number of a house, without a final dot."""
    care: regex.Pattern[str]
    """The words before a person or home at the beginning of a part of an address."""
    unit: regex.Pattern[str]
    """A flat or room at the end of a street line."""
    unit_first: regex.Pattern[str]
    """A flat, room or post box at the beginning of a part of an address."""
    unit_led: regex.Pattern[str]
    """A flat or room with its number at the beginning of a part of an address."""
    legal: regex.Pattern[str]
    """A legal form at the end of a name."""
    tail: regex.Pattern[str]
    """The generic end of an organisation's name."""
    joint: regex.Pattern[str]
    """ "and" between two words."""
    extension: regex.Pattern[str]
    """The extension at the end of a telephone number; its digits are the group."""
    extended: regex.Pattern[str]
    """The marks and words between a telephone number and its extension."""
    locality: regex.Pattern[str]
    """A town with its postal code: ``first`` and ``behind``, or ``town``, ``state``, ``zip``."""
    digits: tuple[Mapping[str, int], ...]
    """The words with which each language dictates digits, the usual one of a digit first."""

    @classmethod
    def of(
        cls,
        titles: Titles,
        tables: Mapping[str, Mapping[str, Any]],
        months: Iterable[str] = (),
    ) -> FieldWords:
        """Compile the three tables of several languages, by code, as one.

        Raises:
            RuleError: a key is unknown, or a value is not a string or list of words.
        """
        names = _joined(tables, "names", _NAMES)
        groups = _joined(tables, "organisations", _ORGANISATIONS)
        places = _joined(tables, "addresses", _ADDRESSES, _OTHERS)
        short, long = _abbreviations(tables)
        words = frozenset(groups["words"])
        units, boxes = places["units"], places["boxes"]
        extension = either(chain.from_iterable(w for _, w in _own(tables, _EXTENSIONS, words_of)))
        return cls(
            **{key: frozenset(names[key]) for key in _NAMES if key != "elided"},
            titles=titles,
            months=frozenset(months),
            particles=titles.particles.union(names["elided"]),
            organisations=words.union(f for f in groups["legal"] if len(f) >= _FEWEST_LETTERS),
            generic=words.union(groups["generic"], groups["legal"]),
            **{key: frozenset(groups[key]) for key in _PLAIN},
            mailboxes=frozenset(places["mailboxes"]),
            short=short,
            long=long,
            street_kinds=_undotted(places["kinds"]),
            street_kept=_undotted((*units, *boxes, *places["kept"])),
            street_endings=_groups(places["endings"]),
            street_spellings=_groups(places["spellings"]),
            street_written=_groups(places["written"]),
            street_sure=_undotted(places["sure"]),
            street_routes=_groups(places["routes"], ", "),
            street_numbers=_undotted(places["numbers"]),
            care=_first(rf"{spaced(places['care'])}(?:(?<=[.:])|[.:]|(?=\s))\s*"),
            unit_led=_first(rf"(?:{spaced(units)}\b\.?|#)\s*(?:\w*\d[\w-]*|\p{{L}})(?:\s+|$)"),
            unit=_last(rf"(?:{spaced(units)}\b\.?|#)\s*[\w-]*"),
            unit_first=_first(rf"(?:{spaced((*units, *boxes))}|#)\b"),
            legal=_last(rf"{spaced(groups['legal'])}\b\.?"),
            tail=_last(rf"(?:{spaced(groups['kinds'])}\s+)?{spaced(groups['tails'])}"),
            joint=regex.compile(rf"\s+{spaced(groups['joints'])}\s+", regex.IGNORECASE),
            extension=_first(rf"\s*(?:[;,]|(?<!\p{{L}}){extension}\.?)\s*(\d{{2,6}})\s*$"),
            extended=_first(rf"(?<=[0-9)])[\s,;]*(?:{extension}|#|:)[\s.:#]*(?=[0-9]+[^0-9]*$)"),
            locality=_locality(tables),
            digits=tuple(_digits(tables)),
        )

    @cached_property
    def streets(self) -> frozenset[str]:
        """Words of streets and their abbreviations."""
        return frozenset(self.short.keys() | self.long.keys())

    @cached_property
    def kinds_of_street(self) -> frozenset[str]:
        """Words for a kind of street, written out and abbreviated."""
        long = {word for word, other in self.short.items() if other in self.street_kinds}
        spelt = {word for group in self.street_spellings for word in group}
        return self.street_kinds | long | {word for word in spelt if len(word) >= _SHORTEST_KIND}

    @cached_property
    def dotted_streets(self) -> frozenset[str]:
        """Short spellings of kinds of street, which a dot shows to be abbreviations ("ch.")."""
        spelt = {word for group in self.street_spellings for word in group}
        return frozenset(word for word in spelt if len(word) < _SHORTEST_KIND)

    @cached_property
    def street_words(self) -> frozenset[str]:
        """Kinds of street, and the other words of streets that have abbreviations."""
        return self.kinds_of_street | self.streets

    @cached_property
    def unclear_streets(self) -> frozenset[str]:
        """Kinds of street whose abbreviation is also that of another word ("st" of "saint")."""
        others = {short for word, short in self.short.items() if self.long[short] != word}
        return self.street_kinds & others

    @cached_property
    def directions(self) -> frozenset[str]:
        """Words for the part of a street ("north"), which texts omit."""
        return (self.streets & self.street_kept) - self.kinds_of_street


def _joined(
    tables: Mapping[str, Mapping[str, Any]],
    name: str,
    keys: tuple[str, ...],
    others: tuple[str, ...] = (),
) -> dict[str, tuple[str, ...]]:
    """Return the folded words of all languages under each of ``keys``."""
    found = {code: table_of(code, each, name, (*keys, *others)) for code, each in tables.items()}
    return {
        key: tuple(
            chain.from_iterable(folded(code, row.get(key, "")) for code, row in found.items())
        )
        for key in keys
    }


def _groups(groups: Iterable[str], separator: str | None = None) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(group.split(separator)) for group in groups)


def _abbreviations(
    tables: Mapping[str, Mapping[str, Any]],
) -> tuple[dict[str, str], dict[str, str]]:
    """Return the abbreviation of each word of a street, and the word of each abbreviation."""
    short, long = (_table(tables, key) for key in _TABLES)
    for word, abbreviation in short.items():
        long.setdefault(abbreviation, word)
    return short, long


def _table(tables: Mapping[str, Mapping[str, Any]], key: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for code, each in tables.items():
        own = each.get("addresses", {}).get(key, {})
        if not isinstance(own, dict) or not all(isinstance(word, str) for word in own.values()):
            raise RuleError(place(code), f"[addresses] {key} must be a table of words")
        for word, other in own.items():
            found.setdefault(word, other)
    return found


def _own(
    tables: Mapping[str, Mapping[str, Any]],
    key: str,
    read: Callable[[str, object], tuple[str, ...]],
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield each language with what it gives for a key of ``[addresses]``."""
    for code, each in tables.items():
        yield code, read(code, each.get("addresses", {}).get(key, []))


def _locality(tables: Mapping[str, Mapping[str, Any]]) -> regex.Pattern[str]:
    """Return the pattern of a town with its postal code; a country's letters may lead the code."""
    before, behind = (
        "|".join(dict.fromkeys(chain.from_iterable(p for _, p in _own(tables, key, patterns_of))))
        or "(?!)"
        for key in _POSTCODES
    )
    return regex.compile(
        rf"(?:\p{{Lu}}{{1,3}}-)?(?P<first>{before})\s+(?P<behind>[^\d,]+)"
        rf"|(?P<town>[^\d,]*?)\s*(?P<state>\b\p{{Lu}}{{2,3}}\b)?\s*(?P<zip>{behind})?"
    )


def _digits(tables: Mapping[str, Mapping[str, Any]]) -> Iterator[dict[str, int]]:
    """Yield the words of digits of each language that gives them."""
    for code, rows in _own(tables, _DIGITS, folded):
        if len(rows) not in (0, 10):
            raise RuleError(place(code), f"[addresses] {_DIGITS} must have 10 rows of words")
        if rows:
            yield {word: digit for digit, row in enumerate(rows) for word in row.split()}


def _undotted(words: Iterable[str]) -> frozenset[str]:
    return frozenset(word.rstrip(".") for word in words)


def _first(pattern: str) -> regex.Pattern[str]:
    """Compile a pattern in any case, usually matched at the beginning of a text."""
    return regex.compile(pattern, regex.IGNORECASE)


def _last(pattern: str) -> regex.Pattern[str]:
    """Compile a pattern that matches at the end of a text, after a comma or a blank."""
    return regex.compile(rf"[,\s]+{pattern}\s*$", regex.IGNORECASE)
