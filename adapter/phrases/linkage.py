"""Record linkage: decide whether two records under one number belong to one patient.

An equal number is weak evidence: visits, accounts, plans and social security numbers are sent for
mother and child alike, a newborn's list may contain a relative's number, and numbers are reissued.
Birth date and names decide. A name may change at marriage, a birth date may be corrected, a newborn
or an unknown patient may be named later; records that differ in more belong to two patients.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from enum import Enum
from typing import TYPE_CHECKING

from rapidfuzz.distance import OSA

from adapter.phrases.groups import squeeze, squeezed_words
from adapter.phrases.names import meaningful, pieces

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from adapter.languages.field_words import FieldWords

NEAR_DAYS = 370
"""Birth dates fewer days apart may be one date, corrected."""
GENERATION_DAYS = 12 * 365
"""Birth dates more days apart, with one family name, are a parent's and a child's."""
NAMES = ("family", "given")
_NO_YEARS = range(1905)
"""Years of birth that senders use for an unknown year (1753, 1800, 1900)."""
_COMPACT = 8
_BEGINNING, _CUT = 2, 2
"""Letters with which a pet name begins like the name, and fewest letters that it is shorter."""
_SPELT = str.maketrans("cqyzw", "kkisv")
"""Letters that stand for the sound of another at the beginning of a name."""
_FEWEST_LETTERS = 4
"""Minimum number of letters of a name that may be misspelt in one."""


class Match(Enum):
    """The result of comparing one attribute; the value is its contribution to the score.

    LABEL: one side has a name, the other only a label that distinguishes newborns of one mother
    ("BABY GIRL B").
    """

    SAME = 2
    UNKNOWN = 0
    NEAR = 1
    LABEL = -1
    OTHER = -2
    FAR = -4


@dataclass(frozen=True, slots=True)
class Person:
    """The attributes that linkage compares; births are YYYYMMDD, names are first words."""

    births: tuple[str, ...] = field(default=(), repr=False)
    family: tuple[str, ...] = field(default=(), repr=False)
    given: tuple[str, ...] = field(default=(), repr=False)
    newborn: bool = False


def person(
    values: Iterable[tuple[str, str]],
    words: FieldWords,
    names: Mapping[str, tuple[str, ...]] | None = None,
) -> Person:
    """Return the attributes to compare from (part, text) values; ``names``: former first words.

    For a new record only the first name of each kind counts; for a known patient, every name that
    was ever first.
    """
    births: list[str] = []
    found: dict[str, tuple[str, ...]] = dict(names or {})
    newborn = False
    for part, text in values:
        if part == "birthdate" and (born := born_digits(text)):
            births.append(born)
        elif part in NAMES:
            newborn = newborn or not words.newborns.isdisjoint(squeezed_words(text))
            if part not in found:
                found[part] = (first_word(text, words),)
    family, given = (
        tuple(word for word in found.get(part, ()) if word not in words.placeholders)
        for part in NAMES
    )
    return Person(tuple(births), family, given, newborn)


def first_word(name: str, words: FieldWords) -> str:
    """Return the squeezed first word of a name, skipping particles if more follows.

    A placeholder ("BABY GIRL", "UNKNOWN") gives its own first word, so that a later name can be
    compared with it. "" if there is no word.
    """
    meant = meaningful(name, words) or name
    each = [word for piece in pieces(meant) or (meant,) if (word := squeeze(piece))]
    return next((word for word in each if word not in words.particles), each[0] if each else "")


def born_digits(text: str) -> str:
    """Return a birth date as at most eight digits (YYYYMMDD); "" for a placeholder date."""
    digits = squeeze(text)[:_COMPACT]
    if not digits[:4].isdigit() or int(digits[:4]) in _NO_YEARS:
        return ""
    return digits


def compatible(one: Person, other: Person, *, strong: bool) -> int | None:
    """Return a score of how well two records agree, or None if they belong to two patients.

    Under a ``strong`` number they are one patient's unless birth date and names contradict; under
    a number that others share, they are two patients' unless birth date and names agree.
    """
    born, given = _births(one, other), _given(one, other)
    family = _names(one.family, other.family)
    apart = _strongly_apart if strong else _weakly_apart
    if apart(born, given, family, newborn=one.newborn != other.newborn):
        return None
    return born.value + given.value + family.value


def certain(one: Person, other: Person) -> bool:
    """Whether birth date, given and family name are all present and equal."""
    births = Match.SAME is _births(one, other)
    return births and all(
        Match.SAME is _names(mine, theirs)
        for mine, theirs in ((one.given, other.given), (one.family, other.family))
    )


def has_other_name(one: Person, other: Person) -> bool:
    """Whether both records have a given name, and neither is short or a misspelling of the other.

    With one birth date and family name it may be a pet name, too.

    Systems link the records of twins, or of a mother and her newborn (HL7 v2, A24), as they link
    those of one person.
    """
    if _given(one, other) is not Match.OTHER:
        return False
    pairs = [(mine, theirs) for mine in one.given for theirs in other.given]
    if any(_is_variant(*sorted(pair, key=len)) for pair in pairs):
        return False
    alike = Match.SAME is _births(one, other) is _names(one.family, other.family)
    return not (alike and any(_is_diminutive(*sorted(pair, key=len)) for pair in pairs))


def _is_variant(short: str, long: str) -> bool:
    """Whether one name begins with the other, or they differ in one letter of at least four.

    Labels of twins ("A", "B") are never variants.
    """
    if _is_label(short) and _is_label(long):
        return False
    if long.startswith(short):
        return True
    return len(short) >= _FEWEST_LETTERS and OSA.distance(short, long, score_cutoff=1) <= 1


def _is_diminutive(short: str, long: str) -> bool:
    """Whether a clearly shorter name begins like the other, as "Kazia" does for "Casimira"."""
    begins = {name[:_BEGINNING].translate(_SPELT) for name in (short, long)}
    shorter = len(long) - len(short) >= _CUT
    return shorter and len(short) >= _FEWEST_LETTERS and len(begins) == 1


def is_parent(one: Person, other: Person) -> bool:
    """Whether one record is a newborn's, and the other person was born a generation earlier."""
    return one.newborn != other.newborn and _births(one, other) is Match.FAR


def _strongly_apart(born: Match, given: Match, family: Match, *, newborn: bool) -> bool:
    if born in {Match.SAME, Match.UNKNOWN} or given is Match.SAME:
        return False
    if born is Match.FAR:
        return newborn or given is Match.OTHER or family is Match.OTHER
    return given is Match.OTHER and (born is Match.OTHER or family is Match.OTHER)


def _weakly_apart(born: Match, given: Match, family: Match, *, newborn: bool) -> bool:
    if born in {Match.FAR, Match.OTHER}:
        return True
    if given is Match.SAME:
        return False
    if given in {Match.OTHER, Match.LABEL}:
        return True
    return born is not Match.SAME and (newborn or family is Match.OTHER)


def _names(one: tuple[str, ...], other: tuple[str, ...]) -> Match:
    if not one or not other:
        return Match.UNKNOWN
    if not set(one).isdisjoint(other):
        return Match.SAME
    if all(map(_is_label, other)) != all(map(_is_label, one)):
        return Match.LABEL
    return Match.OTHER


def _is_label(word: str) -> bool:
    """Whether a word is an initial or a label of an unnamed twin ("A", "2", "II")."""
    return len(word) == 1 or word.isdigit() or set(word) == {"i"}


def _given(one: Person, other: Person) -> Match:
    found = _names(one.given, other.given)
    newborn = one.newborn or other.newborn
    return Match.UNKNOWN if found is Match.LABEL and not newborn else found


def _births(one: Person, other: Person) -> Match:
    pairs = [(mine, theirs) for mine in one.births[:1] for theirs in other.births]
    return max((_birth(*pair) for pair in pairs), key=_rank, default=Match.UNKNOWN)


def _rank(match: Match) -> int:
    return match.value


def _birth(one: str, other: str) -> Match:
    """Compare birth dates: SAME to their common precision, NEAR if one may correct the other."""
    length = min(len(one), len(other))
    if one[:length] == other[:length]:
        return Match.SAME
    first, second = _day(one), _day(other)
    if first is None or second is None:
        return Match.NEAR
    apart = abs((first - second).days)
    if apart < NEAR_DAYS or _is_mistyped(one, other):
        return Match.NEAR
    return Match.FAR if apart > GENERATION_DAYS else Match.OTHER


def _is_mistyped(one: str, other: str) -> bool:
    """Whether one digit differs, or the digits are the same in another order."""
    return len(one) == len(other) and (
        sum(a != b for a, b in zip(one, other, strict=True)) == 1 or sorted(one) == sorted(other)
    )


def _day(digits: str) -> date | None:
    try:
        year, month, day = int(digits[:4]), int(digits[4:6] or 7), int(digits[6:8] or 1)
        return date(year, month, day)
    except ValueError:
        return None
