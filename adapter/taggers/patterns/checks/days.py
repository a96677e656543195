"""Days of the Gregorian calendar."""

from __future__ import annotations

_LENGTHS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
"""Numbers of days of the months; February's in a leap year."""


def is_day(month: int, day: int) -> bool:
    """Whether a month, from 1, has a day in some year."""
    return 1 <= month <= len(_LENGTHS) and 1 <= day <= _LENGTHS[month - 1]
