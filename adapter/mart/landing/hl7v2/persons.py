"""Whose message it is: number keys of the patient in PID, and of those that MRG merges into it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.mart.landing.hl7v2.datatypes.leaves import NULL
from adapter.mart.versions import Merge, number_key

if TYPE_CHECKING:
    from adapter.codecs.hl7v2.delimiters import Delimiters

_LIST, _OLD, _ALTERNATE = 3, 2, 4
_PRIOR_LIST, _PRIOR_OLD, _PRIOR_ALTERNATE = 1, 4, 2


def numbers_of(row: list[str], known: Delimiters) -> tuple[str, ...]:
    """Return the number keys of a PID: its list, else what older versions have in its place."""
    return _first(row, (_LIST, _OLD, _ALTERNATE), known)


def priors_of(row: list[str], known: Delimiters) -> tuple[str, ...]:
    """Return the number keys of a MRG."""
    return _first(row, (_PRIOR_LIST, _PRIOR_OLD, _PRIOR_ALTERNATE), known)


def merges_of(priors: tuple[str, ...], subject: str) -> tuple[Merge, ...]:
    """Return the merges of the prior numbers into a person."""
    return tuple(Merge(prior, subject) for prior in priors if prior != subject)


def _first(row: list[str], fields: tuple[int, ...], known: Delimiters) -> tuple[str, ...]:
    for number in fields:
        raw = row[number] if number < len(row) else ""
        sent = (part.partition(known.component)[0] for part in raw.split(known.repetition))
        keys = dict.fromkeys(number_key(text) for text in sent if text and text != NULL)
        if found := tuple(key for key in keys if key):
            return found
    return ()
