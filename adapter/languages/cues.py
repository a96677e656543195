r"""Words beside a trusted phrase that decide whether it is a mention if it is also a common word.

The table ``[cues]`` of a language's file; ``_patterns`` are regular expressions::

    doctors = "dr prof"             # titles of staff, before a name
    persons = "mr mrs"              # other titles
    callings = "nurse aunt"         # other words before a name
    fields = "name patient"         # before a colon and a name
    actions = "states denies"       # after a name
    eponyms = "disease syndrome"    # after a word that is then an eponym
    places_behind = "street clinic" # after a word that is then a street or an organisation
    places_before = "in from"       # before a place
    facilities_before = "at from"   # before the code of a facility that is also a clinical word
    facilities_behind = "and since" # after such a code and one of these words
    facilities_named = "er campus"  # after such a code alone
    degrees = "MD PA"               # codes of states that may be degrees after a comma
    numbered = "mrn id"             # before a number, so that a short one is a person's
    called = "phone member"         # further words before a number that may be misspelt
    linking = "no is"               # between one of these words and its number
    last_patterns = ['last four']   # before the last digits of a number
    signed_patterns = ['dict\w*']   # before a signer's initials
    signers = "by per"              # the same; a signature always follows them
    users = "login entered"         # before a user name
    no_initials = "am pm"           # letters that are nobody's initials
    letter_patterns = ['\d\s?u']    # what ends with a letter that is no initial before a name
    title_patterns = ['M\. .* est'] # a title that looks like an initial, and what follows it
    name_ends = "md mrn"            # after the last letter of a name
    introducing = "by mother"       # before a full name
    relatives = "twin son"          # before the name of a relative, which may be like the patient's
    leading = "van der mc"          # particles that a name sent as one word begins with

The words of all languages count, as a text may quote any of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import regex

from adapter.languages.reading import either, folded, patterns_of, table_of, words_of

_WORDS = (
    *("doctors", "persons", "callings", "fields", "actions", "eponyms"),
    *("places_behind", "places_before", "numbered", "called", "linking", "signers"),
    *("users", "no_initials", "name_ends", "leading", "introducing", "relatives"),
    *("facilities_before", "facilities_behind", "facilities_named"),
)
_PATTERNS = ("last_patterns", "signed_patterns", "letter_patterns", "title_patterns")
_WRITTEN = "degrees"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Cues:
    """The cues of all languages; words are folded."""

    doctors: frozenset[str]
    persons: frozenset[str]
    titles: frozenset[str]
    """All words that may stand before a name."""
    actions: frozenset[str]
    eponyms: frozenset[str]
    places_behind: frozenset[str]
    degrees: frozenset[str]
    """Codes of states that may be degrees, as written."""
    no_initials: frozenset[str]
    signers: tuple[str, ...]
    field_before: regex.Pattern[str]
    """The name of a field of names, and its colon, at the end of a text."""
    number_before: regex.Pattern[str]
    """A word that announces a number, at the end of a text."""
    last_before: regex.Pattern[str]
    """A phrase that announces the last digits of a number, at the end of a text."""
    called_before: regex.Pattern[str]
    """A word that announces any number, folded, at the end of a text."""
    place_before: regex.Pattern[str]
    """A word before a place, or a comma, at the end of a text."""
    facility_before: regex.Pattern[str]
    """A word before a facility, at the end of a text."""
    facility_behind: regex.Pattern[str]
    """A word behind a facility, or the end of a clause, at the beginning of a text."""
    facility_named: regex.Pattern[str]
    """A word for a facility, at the beginning of a text."""
    signed_before: regex.Pattern[str]
    """Text that announces initials, at the end of a text."""
    letter_end: regex.Pattern[str]
    """A unit, or a kind of something, that ends with one letter, at the end of a text."""
    lettered_title: regex.Pattern[str]
    """A title of one letter with a name and a verb behind it, at the beginning of a text."""
    user_before: regex.Pattern[str]
    """A word that announces a user name, at the end of a text."""
    name_end: regex.Pattern[str]
    """Text that may follow the last letter of a name."""
    leading: regex.Pattern[str]
    """Up to three particles that run together, all of a text."""
    titled: regex.Pattern[str]
    """A title at the beginning of a name."""
    titled_before: regex.Pattern[str]
    """A title at the end of a text."""
    called_a_person: regex.Pattern[str]
    """One of the callings, at the end of a text."""
    introduced: regex.Pattern[str]
    """A word that introduces a full name, at the end of a text."""
    related: regex.Pattern[str]
    """A word for a relative, at the end of a text."""
    degree_behind: regex.Pattern[str]
    """A degree after a comma, at the beginning of a text."""

    @classmethod
    def of(cls, tables: Mapping[str, Mapping[str, Any]]) -> Cues:
        """Compile the tables ``[cues]`` of several languages, by code, as one.

        Raises:
            RuleError: a key is unknown, a value is malformed, or a pattern does not compile.
        """
        keys = (*_WORDS, *_PATTERNS, _WRITTEN)
        rows = {code: table_of(code, each, "cues", keys) for code, each in tables.items()}
        said = {key: _each(rows, key, folded) for key in _WORDS}
        last, signed, letter, title = ("|".join(_each(rows, key, patterns_of)) for key in _PATTERNS)
        degrees = _each(rows, _WRITTEN, words_of)
        sets = {key: frozenset(words) for key, words in said.items()}
        return cls(
            doctors=sets["doctors"],
            persons=sets["persons"],
            titles=sets["doctors"] | sets["persons"] | sets["callings"],
            actions=sets["actions"],
            eponyms=sets["eponyms"],
            places_behind=sets["places_behind"],
            degrees=frozenset(degrees),
            no_initials=sets["no_initials"],
            signers=said["signers"],
            **_of_names(said, degrees),
            **_of_numbers(said, last),
            **_of_signatures(said, signed),
            lettered_title=regex.compile(title or "(?!)"),
            letter_end=regex.compile(rf"(?i)(?:{letter or '(?!)'})\Z"),
        )


Patterns = dict[str, "regex.Pattern[str]"]
Said = Mapping[str, Sequence[str]]


def _of_names(said: Said, degrees: Sequence[str]) -> Patterns:
    """Return the patterns of text beside names and places."""
    title = rf"(?i:{either((*said['doctors'], *said['persons']))})\b\.?[ ]"
    return {
        "field_before": regex.compile(rf"(?i)\b{either(said['fields'])}\s*[:=]\s*\Z"),
        "place_before": regex.compile(rf"(?i)(?:\b{either(said['places_before'])}\s|,\s?)\Z"),
        "facility_before": regex.compile(
            rf"(?i)(?:\b{either(said['facilities_before'])}[\s:]+|@[ ]?)\Z"
        ),
        "facility_named": regex.compile(rf"(?i)\s{either(said['facilities_named'])}\b"),
        "facility_behind": regex.compile(
            rf"(?i)\s*(?:[.,;:)\]]|\Z|\n)|\s{either(said['facilities_behind'])}\b"
            rf"|\s\d{{1,2}}[/-]\d"
        ),
        "titled": regex.compile(title),
        "titled_before": regex.compile(rf"\b(?:{title}){{1,2}}\Z"),
        "called_a_person": regex.compile(rf"(?i)\b{either(said['callings'])}\b[ .:]{{1,2}}\Z"),
        "introduced": regex.compile(rf"(?i)\b{either(said['introducing'])}\b[ .:(,]{{1,2}}\Z"),
        "related": regex.compile(rf"(?i)\b{either(said['relatives'])}\b[ .:(,]{{1,2}}\Z"),
        "degree_behind": regex.compile(rf",[ ]?{either(degrees)}\b"),
        "leading": regex.compile(rf"{either(said['leading'])}{{1,3}}+"),
    }


def _of_numbers(said: Said, last: str) -> Patterns:
    """Return the patterns of text before numbers."""
    called = either((*said["numbered"], *said["called"]))
    linking = either(said["linking"])
    return {
        "number_before": regex.compile(rf"(?i)\b{either(said['numbered'])}[ .:#]{{1,4}}\Z"),
        "last_before": regex.compile(rf"(?i)(?:{last or '(?!)'}|[x*]{{2,}}[- ]?)[^\w]{{0,4}}\Z"),
        "called_before": regex.compile(rf"(?i)(?:\b{called}|#)\W{{0,3}}(?:{linking}\W{{0,3}})?\Z"),
    }


def _of_signatures(said: Said, signed: str) -> Patterns:
    """Return the patterns of text around a signer's initials or user name."""
    ends = either(said["name_ends"])
    return {
        "signed_before": regex.compile(
            rf"(?im)(?:^|[.!?)\]]|\b(?:{either(said['signers'])}|{signed or '(?!)'})\b"
            r"|(?:^|\s)[dt]:|/s/)(?:[^\w\n]|\d){0,20}\Z"
        ),
        "user_before": regex.compile(rf"(?i)\b{either(said['users'])}[ \t.:=#(]{{1,3}}\Z"),
        "name_end": regex.compile(rf"(?im)\.?(?:[ \t]{{2,}}|[ \t]*(?:$|[,;(|/]|{ends}\b))"),
    }


def _each(rows: Mapping[str, Mapping[str, Any]], key: str, read: Any) -> tuple[str, ...]:
    return tuple(chain.from_iterable(read(code, row.get(key, "")) for code, row in rows.items()))
