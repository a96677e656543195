"""Recognition of long numbers that are local codes: several of one catalogue in the same place.

A person's number occurs in a message once, or several times unchanged. The numbers of a catalogue
of tests occur together in the place for tests, have one length and differ in their last digits.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

import regex

from adapter.values.proof.days import day_of

if TYPE_CHECKING:
    from collections.abc import Iterable

CATALOGUED = regex.compile(r"[1-9]\d{6,7}")
"""Seven or eight digits: nine may be a social security number, ten a telephone number."""
LEAST = 3
"""Minimum number of different numbers that form a catalogue."""
OWN = 3
"""Number of last digits in which the numbers of a catalogue may differ."""


class Entry(NamedTuple):
    """A number, its element, and the code system named beside it ("" if none is)."""

    element: str
    system: str
    code: str

    def __repr__(self) -> str:
        """Show no text."""
        return "Entry()"


def catalogued(entries: Iterable[tuple[int, Entry]]) -> frozenset[int]:
    """Return the indices of segments whose codes form a catalogue; dates are not counted."""
    series: dict[tuple[str, str, int, str], dict[int, str]] = defaultdict(dict)
    for number, (element, system, code) in entries:
        if not day_of(code):
            series[element, system, len(code), code[:-OWN]][number] = code
    return frozenset(
        number for codes in series.values() if len(set(codes.values())) >= LEAST for number in codes
    )
