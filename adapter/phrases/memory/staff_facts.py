"""Facts about staff: whom a message names in its fields, and whom its fields and texts may mean.

A surname counts only where a text writes it with a capital, and only if no configured language has
it as an ordinary or medical word: doctors are called Long, Wells and Fieber too.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import regex

from adapter.phrases.groups import PRIVATE, STAFF, Group, kind_of, referred, significant, squeeze
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
    patients = {squeeze(g.first("family")) for g in groups if g.role in _RELATED}
    own = [group for group in groups if group.role in ROLES and _is_of_staff(group)]
    numbers = [(group, tuple(_numbers(group, fields))) for group in own]
    return StaffFacts(
        tuple(
            _told(group, known, fields, hide)
            for group, known in numbers
            if meaningful(group.first("family"), fields)
            and squeeze(group.first("family")) not in patients
        ),
        tuple(map(hide, dict.fromkeys(number for _, known in numbers for number in known))),
        tuple(hide(f"surname:{word}") for word in _possible_surnames(texts, lists)),
    )


def erasing_staff(raw: bytes, hide: Hide) -> StaffFacts | None:
    """Return the facts of a tombstone whose key refers to a Practitioner; None for another key."""
    text = raw.decode("utf-8", "replace")
    if kind_of(text) not in PRACTITIONERS - {""}:
        return None
    number = squeeze(referred(text))
    return StaffFacts(erased=(hide(f"practitioner:{number}"), hide(f"staff:{number}")))


def _told(group: Group, numbers: Iterable[str], fields: FieldWords, hide: Hide) -> PatientFacts:
    """Return the facts about one member of staff; whatever the role, it is the same person."""
    family, given = (squeeze(meaningful(group.first(p), fields)) for p in ("family", "given"))
    names = (text for part, text, _ in group.values if part == "family")
    words = (squeeze(word) for text in names for word in _WORD.findall(text))
    surnames = (f"surname:{word}" for word in words if len(word) >= SHORTEST)
    return PatientFacts(
        STAFF_SUBJECT + hide(f"staff-name:{family}|{given}"),
        tuple(map(hide, dict.fromkeys((*numbers, *surnames)))),
        packed=_packed(tuple(group.values)),
    )


@lru_cache(maxsize=16384)
def _packed(values: tuple[Value, ...]) -> bytes:
    """Return the packed values of a member of staff; memoised, as staff recur in every message."""
    return pack_facts("", [Group("staff", list(values))])


def _is_of_staff(group: Group) -> bool:
    """Whether a group refers to nobody but staff: an author may be the patient or a device."""
    references = (text for part, text, _ in group.values if part == "reference")
    return all(kind_of(text) in PRACTITIONERS for text in references)


def _numbers(group: Group, fields: FieldWords) -> Iterator[str]:
    """Yield the numbers of a member of staff; ids of FHIR resources are of another kind.

    Ids that are valid only inside a resource identify nobody elsewhere.
    """
    paths = {text: path for path, text in group.numbers}
    for part, text, _ in group.values:
        path = paths.get(text, "")
        if part == "reference":
            local, resource, key = text.startswith(_LOCAL), True, squeeze(referred(text))
        elif part == "id":
            local, resource, key = _CONTAINED in path, path.endswith("/id"), squeeze(text)
        else:
            continue
        if key and not local:
            if resource:
                yield f"practitioner:{key}"
            if len(key) >= SHORTEST and significant(key, fields):
                yield f"staff:{key}"


def _possible_surnames(texts: Iterable[str], lists: Lists) -> Iterator[str]:
    """Yield the squeezed words of texts that may be a surname by themselves, each once."""
    found = {word: None for text in texts for word in _CAPITALISED.findall(text)}
    plain = {squeeze(_GENITIVE.sub("", word)): None for word in found}
    return (word for word in plain if _is_distinctive(word, lists))


@lru_cache(maxsize=65536)
def _is_distinctive(word: str, lists: Lists) -> bool:
    return len(word) >= SHORTEST and not any(words.weak(word) for words in lists)
