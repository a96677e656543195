"""Facts about staff: whom a message names in its fields, and whom its fields and texts may mean.

A surname counts only where a text writes it with a capital, and only if no configured language has
it as an ordinary or medical word: doctors are called Long, Wells and Fieber too.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

import regex

from adapter.phrases.groups import (
    PRIVATE,
    STAFF,
    Group,
    first,
    kind_of,
    referred,
    significant,
    squeeze,
)
from adapter.phrases.memory.entries import StaffFacts, pack_facts
from adapter.phrases.memory.staff import STAFF_SUBJECT
from adapter.phrases.names import meaningful
from adapter.types import PatientFacts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from adapter.languages.field_words import FieldWords
    from adapter.phrases.common_words import WordList
    from adapter.phrases.groups import Value

    Lists = tuple[WordList, ...]
    Hide = Callable[[str], str]

PRACTITIONERS = frozenset({"Practitioner", "PractitionerRole", ""})
"""Types of FHIR resources about staff, and of references that name no type."""
ROLES = STAFF - {"insurer-contact"}
"""Roles of those who are remembered: a contact of an insurer belongs to one patient's policy."""
SHORTEST = 4
"""Minimum number of characters of a number, and of letters of a surname's word."""
_KNOWN_BY = frozenset({"family", "given", "middle", "id"})
"""Parts that are remembered: what identifies a member of staff, no telephones and addresses."""
_RESOURCE, _NUMBER, _SURNAME = "practitioner", "staff", "surname"
"""Kinds of what staff are found by; equal values of two kinds are different."""
_RELATED = PRIVATE | {"patient"}
_WORD = regex.compile(r"\p{L}[\p{L}\p{M}'’]*")
_CAPITALISED = regex.compile(r"(?<![\p{L}\p{M}])\p{Lu}[\p{L}\p{M}'’]*")
_GENITIVE = regex.compile(r"['’][sS]$")
_LOCAL, _CONTAINED = "#", "/contained/"
"""Beginning of a reference to a resource inside another, and a part of the path of its values."""


def staff_facts(
    groups: Sequence[Group], texts: Iterable[str], lists: Lists, hide: Hide
) -> StaffFacts:
    """Return what a message says about staff, and the numbers and words to look up.

    ``groups`` are the people of its fields, ``texts`` its free texts, ``lists`` the words of the
    configured languages; ``hide`` returns the name of a number in records of state.
    """
    fields = lists[0].fields
    related = (value for group in groups if group.role in _RELATED for value in group.values)
    patients = {squeeze(text) for part, text, _ in related if part == "family"}
    own = [_member(tuple(g.values), tuple(g.numbers), fields) for g in groups if g.role in ROLES]
    named = (each for each in own if each.name and each.family not in patients)
    numbers = dict.fromkeys(number for each in own for number in each.numbers)
    words = _possible_surnames(texts, lists)
    return StaffFacts(
        tuple(
            PatientFacts(
                STAFF_SUBJECT + hide(each.name), _hidden(each.keys, hide), packed=each.packed
            )
            for each in named
        ),
        _hidden(numbers, hide),
        _hidden((f"{_SURNAME}:{word}" for word in words), hide),
    )


def erasing_staff(raw: bytes, hide: Hide) -> StaffFacts | None:
    """Return the facts of a tombstone whose key refers to a Practitioner; None for another key."""
    text = raw.decode("utf-8", "replace")
    if kind_of(text) not in PRACTITIONERS - {""}:
        return None
    number = squeeze(referred(text))
    return StaffFacts(erased=_hidden((f"{_RESOURCE}:{number}", f"{_NUMBER}:{number}"), hide))


def _hidden(numbers: Iterable[str], hide: Hide) -> tuple[str, ...]:
    return tuple(map(hide, numbers))


@dataclass(frozen=True, slots=True)
class _Member:
    """What a group says about a member of staff: what it may be found by, and packed values.

    Whatever the role, it is the same person. Without a ``name`` there is nothing to remember.
    """

    numbers: tuple[str, ...] = field(default=(), repr=False)
    name: str = field(default="", repr=False)
    family: str = field(default="", repr=False)
    keys: tuple[str, ...] = field(default=(), repr=False)
    packed: bytes = field(default=b"", repr=False)


@lru_cache(maxsize=16384)
def _member(
    values: tuple[Value, ...], places: tuple[tuple[str, str], ...], fields: FieldWords
) -> _Member:
    """Return the member of staff with these values; memoised, as staff recur in every message.

    ``places`` are the (path, text) of ids.
    """
    if not _is_of_staff(values):
        return _Member()
    numbers = tuple(dict.fromkeys(_numbers(values, places, fields)))
    family, given = (squeeze(meaningful(first(values, p), fields)) for p in ("family", "given"))
    if not family:
        return _Member(numbers)
    names = (text for part, text, _ in values if part == "family")
    words = (squeeze(word) for text in names for word in _WORD.findall(text))
    surnames = dict.fromkeys(f"{_SURNAME}:{word}" for word in words if len(word) >= SHORTEST)
    known = Group("staff", [value for value in values if value[0] in _KNOWN_BY])
    name = f"staff-name:{family}|{given}"
    return _Member(numbers, name, family, (*numbers, *surnames), pack_facts("", [known]))


def _is_of_staff(values: Iterable[Value]) -> bool:
    """Whether values refer to nobody but staff: an author may be the patient or a device."""
    references = (text for part, text, _ in values if part == "reference")
    return all(kind_of(text) in PRACTITIONERS for text in references)


def _numbers(
    values: Iterable[Value], places: Iterable[tuple[str, str]], fields: FieldWords
) -> Iterator[str]:
    """Yield the numbers of a member of staff; ids of FHIR resources are of another kind.

    Ids that are valid only inside a resource identify nobody elsewhere.
    """
    paths = {text: path for path, text in places}
    for part, text, _ in values:
        path = paths.get(text, "")
        if part == "reference":
            local, resource, key = text.startswith(_LOCAL), True, squeeze(referred(text))
        elif part == "id":
            local, resource, key = _CONTAINED in path, path.endswith("/id"), squeeze(text)
        else:
            continue
        if key and not local:
            if resource:
                yield f"{_RESOURCE}:{key}"
            if len(key) >= SHORTEST and significant(key, fields):
                yield f"{_NUMBER}:{key}"


def _possible_surnames(texts: Iterable[str], lists: Lists) -> Iterator[str]:
    """Yield the squeezed words of texts that may be a surname by themselves, each once."""
    found = {word: None for text in texts for word in _CAPITALISED.findall(text)}
    plain = {squeeze(_GENITIVE.sub("", word)): None for word in found}
    return (word for word in plain if _is_distinctive(word, lists))


@lru_cache(maxsize=65536)
def _is_distinctive(word: str, lists: Lists) -> bool:
    return len(word) >= SHORTEST and not any(words.weak(word) for words in lists)
