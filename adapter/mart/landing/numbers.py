"""Which of a patient's numbers are the person's own, whatever the format they come in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.mart.versions import number_key
from adapter.normalize.folding import squeeze

if TYPE_CHECKING:
    from collections.abc import Iterable

CHART = {"MR": 0, "MRN": 0, "PI": 1, "PT": 2}
"""Types of chart numbers (table 0203), which name a patient best."""
SHARED = frozenset("AM AN ANC BA BC DN GN HC MA MB MC MCD MCR SB SN SS VN WC".split())
"""Types of numbers that a family or several visits share, or that are typed wrong: accounts, cards,
health plans, social security, visits. They name a patient only where nothing else does."""
PLACEHOLDERS = frozenset("na nil none null notassigned pending tbd temp test unk unknown".split())
_OTHER = 3


def person_numbers(sent: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """Return the keys of (type, number), the best first; placeholders ("0000") are no numbers."""
    found = [(kind, number) for kind, number in sent if _significant(number)]
    own = [item for item in found if item[0] not in SHARED] or found[:1]
    ranked = sorted(own, key=lambda item: CHART.get(item[0], _OTHER))
    return tuple(dict.fromkeys(key for _, number in ranked if (key := number_key(number))))


def _significant(number: str) -> bool:
    """Whether a text is a number, no word for none and not one character repeated."""
    key = squeeze(number)
    return len(set(key)) > 1 and key not in PLACEHOLDERS
