"""Number keys of the patient in PID, and of the patients that MRG merges into it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.mart.landing.hl7v2.datatypes.leaves import NULL
from adapter.mart.versions import Merge

if TYPE_CHECKING:
    from collections.abc import Iterator

    from adapter.codecs.hl7v2.delimiters import Delimiters
    from adapter.mart.landing.numbers import Numbers

_LIST, _OLD, _ALTERNATE = 3, 2, 4
_PRIOR_LIST, _PRIOR_OLD, _PRIOR_ALTERNATE = 1, 4, 2
_TYPE = 4


def numbers_of(row: list[str], known: Delimiters, rules: Numbers) -> tuple[str, ...]:
    """Return the number keys of PID-3, else of PID-2 or PID-4, which older versions use."""
    return _first(row, (_LIST, _OLD, _ALTERNATE), known, rules)


def old_of(row: list[str], known: Delimiters, rules: Numbers) -> tuple[str, ...]:
    """Return the number keys of PID-2, which identifies the patient in older versions."""
    return _first(row, (_OLD,), known, rules)


def priors_of(row: list[str], known: Delimiters, rules: Numbers) -> tuple[str, ...]:
    """Return the number keys of MRG-1, else of MRG-4 or MRG-2."""
    return _first(row, (_PRIOR_LIST, _PRIOR_OLD, _PRIOR_ALTERNATE), known, rules)


def merges_of(priors: tuple[str, ...], subject: str) -> tuple[Merge, ...]:
    """Return the merges of the prior numbers into a person."""
    return tuple(Merge(prior, subject) for prior in priors if prior != subject)


def _first(
    row: list[str], fields: tuple[int, ...], known: Delimiters, rules: Numbers
) -> tuple[str, ...]:
    for number in fields:
        raw = row[number] if number < len(row) else ""
        if raw and (keys := rules.of_person(_typed(raw, known))):
            return keys
    return ()


def _typed(raw: str, known: Delimiters) -> Iterator[tuple[str, str]]:
    """Yield (type, number) of a field's repetitions (CX, HL7 v2.8.2, 2A.3.14)."""
    for sent in raw.split(known.repetition):
        parts = sent.split(known.component)
        kind = parts[_TYPE].strip() if len(parts) > _TYPE else ""
        if parts[0] != NULL:
            yield kind, parts[0]
