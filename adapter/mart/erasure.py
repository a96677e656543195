"""Erasure of persons from a mart: their rows, the bytes on disk, and the releases to recall."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.errors import RuleError
from adapter.mart.versions import named_by

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Sequence

    from adapter.mart.store.protocol import Erasure, Store


def erase(store: Store, numbers: Sequence[str], reason: str, day: dt.date) -> Erasure:
    """Erase all persons with one of these surrogate numbers or ids, and purge the database's files.

    Raises:
        RuleError: a number has no letter or digit.
    """
    keys: list[str] = []
    for place, number in enumerate(numbers, start=1):
        named = named_by(number)
        if not named:
            raise RuleError(f"number {place}", "has no letter or digit")
        keys += named
    erasure = store.erase(keys, reason, day)
    store.compact()
    return erasure
