"""Words of names, organisations and addresses, for reading fields and writing surrogates.

The tables ``[names]``, ``[organisations]`` and ``[addresses]`` of a language's file::

    [names]
    placeholders = "unknown baby"    # written in place of a name; name nobody
    namesakes = "child friend"       # placeholders that are also family names
    newborns = "baby newborn twin"   # mark a patient as newborn
    elided = "d o t"                 # letters that begin a family name ("O Brien"); no initials
    glued = "mc van"                 # beginnings of a family name before a capital ("McCoy")
    apostrophes = "d o"              # letters before the apostrophe of a family name ("O'Brien")
    joining = "and"                  # between two names, part of neither

    [organisations]
    words = "hospital clinic"        # words that no person's name contains
    legal = "inc ltd"                # legal forms after a name; from 3 letters also `words`
    generic = "of general care"      # further words that do not distinguish organisations
    tails = ["medical center"]       # ends that short forms of a name omit
    kinds = "regional general"       # words before such an end, omitted with it
    small = "of and the"             # words that give no letter to an acronym
    joints = "and"                   # also written as "&"
    connectives = "of the near"      # uninformative words, which stay in a surrogate's name

    [addresses]
    short = { street = "st" }        # words of streets and their abbreviations
    long = { av = "avenue" }         # further abbreviations, which are read but not written
    units = "apt suite"              # words before the number of a flat or room
    boxes = "po p.o."                # beginnings of a post box
    kinds = "st strasse"             # words for a kind of street, which stay in a surrogate
    kept = "north attn of"           # further words of a street line that stay
    mailboxes = "info office"        # names of mailboxes that belong to no person

Fields are read before the language of a message's texts is known, so the words of all languages
apply.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any

import regex

from adapter.errors import RuleError
from adapter.languages.reading import folded, place, spaced, table_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from adapter.languages.titles import Titles

_NAMES = (
    *("placeholders", "namesakes", "newborns", "elided"),
    *("glued", "apostrophes", "joining"),
)
_ORGANISATIONS = (
    *("words", "legal", "generic", "tails", "kinds", "small", "joints"),
    "connectives",
)
_ADDRESSES = ("units", "boxes", "kinds", "kept", "mailboxes")
_TABLES = ("short", "long")
_FEWEST_LETTERS = 3
"""Minimum number of letters in a legal form that no person's name contains."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
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
    organisations: frozenset[str]
    """Words that no person's name contains."""
    generic: frozenset[str]
    """Words that do not distinguish organisations."""
    small: frozenset[str]
    connectives: frozenset[str]
    mailboxes: frozenset[str]
    short: Mapping[str, str]
    """Word of a street -> its abbreviation."""
    long: Mapping[str, str]
    """Abbreviation -> word of a street."""
    street_kinds: frozenset[str]
    """Words for a kind of street, without a final dot."""
    street_kept: frozenset[str]
    """Words of a street line that stay in a surrogate, without a final dot."""
    unit: regex.Pattern[str]
    """A flat or room at the end of a street line."""
    unit_first: regex.Pattern[str]
    """A flat, room or post box at the beginning of a part of an address."""
    legal: regex.Pattern[str]
    """A legal form at the end of a name."""
    tail: regex.Pattern[str]
    """The generic end of an organisation's name."""
    joint: regex.Pattern[str]
    """ "and" between two words."""

    @classmethod
    def of(cls, titles: Titles, tables: Mapping[str, Mapping[str, Any]]) -> FieldWords:
        """Compile the three tables of several languages, by code, as one.

        Raises:
            RuleError: a key is unknown, or a value is not a string or list of words.
        """
        names = _joined(tables, "names", _NAMES)
        groups = _joined(tables, "organisations", _ORGANISATIONS)
        places = _joined(tables, "addresses", _ADDRESSES, _TABLES)
        short, long = (_table(tables, key) for key in _TABLES)
        for word, abbreviation in short.items():
            long.setdefault(abbreviation, word)
        words = frozenset(groups["words"])
        sets = {key: frozenset(names[key]) for key in _NAMES if key != "elided"}
        units, boxes = places["units"], places["boxes"]
        return cls(
            **sets,
            titles=titles,
            particles=titles.particles.union(names["elided"]),
            organisations=words.union(f for f in groups["legal"] if len(f) >= _FEWEST_LETTERS),
            generic=words.union(groups["generic"], groups["legal"]),
            small=frozenset(groups["small"]),
            connectives=frozenset(groups["connectives"]),
            mailboxes=frozenset(places["mailboxes"]),
            short=short,
            long=long,
            street_kinds=_undotted(places["kinds"]),
            street_kept=_undotted((*units, *boxes, *places["kept"])),
            unit=_last(rf"(?:{spaced(units)}\b\.?|#)\s*[\w-]*"),
            unit_first=regex.compile(rf"(?:{spaced((*units, *boxes))}|#)\b", regex.IGNORECASE),
            legal=_last(rf"{spaced(groups['legal'])}\b\.?"),
            tail=_last(rf"(?:{spaced(groups['kinds'])}\s+)?{spaced(groups['tails'])}"),
            joint=regex.compile(rf"\s+{spaced(groups['joints'])}\s+", regex.IGNORECASE),
        )

    @property
    def streets(self) -> frozenset[str]:
        """Words of streets and their abbreviations."""
        return frozenset(self.short.keys() | self.long.keys())


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


def _table(tables: Mapping[str, Mapping[str, Any]], key: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for code, each in tables.items():
        own = each.get("addresses", {}).get(key, {})
        if not isinstance(own, dict) or not all(isinstance(word, str) for word in own.values()):
            raise RuleError(place(code), f"[addresses] {key} must be a table of words")
        for word, other in own.items():
            found.setdefault(word, other)
    return found


def _undotted(words: Iterable[str]) -> frozenset[str]:
    return frozenset(word.rstrip(".") for word in words)


def _last(pattern: str) -> regex.Pattern[str]:
    """Compile a pattern that matches at the end of a text, after a comma or a blank."""
    return regex.compile(rf"[,\s]+{pattern}\s*$", regex.IGNORECASE)
