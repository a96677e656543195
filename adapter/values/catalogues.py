"""Local codes that are long numbers: several of one catalogue in one place vouch for one another.

A person's number stands in a message once, or again as it is; the numbers of a catalogue of tests
are many in the place for tests, as long as one another and different in their last digits only.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

import regex

from adapter.values.days import day_of

if TYPE_CHECKING:
    from collections.abc import Iterable

CATALOGUED = regex.compile(r"[1-9]\d{6,7}")
"""Numbers of seven or eight digits: nine are a social security number's, ten a telephone's."""
LEAST = 3
"""Different numbers that are a catalogue."""
OWN = 3
"""Last digits in which they differ."""


class Entry(NamedTuple):
    """A number, its place and the code system that is named beside it, if any."""

    element: str
    system: str
    code: str


def catalogued(entries: Iterable[tuple[int, Entry]]) -> frozenset[int]:
    """Return the numbers of segments whose entries are of one catalogue; days are of none."""
    series: dict[tuple[str, str, int, str], dict[int, str]] = defaultdict(dict)
    for number, (element, system, code) in entries:
        if not day_of(code):
            series[element, system, len(code), code[:-OWN]][number] = code
    return frozenset(
        number for codes in series.values() if len(set(codes.values())) >= LEAST for number in codes
    )
