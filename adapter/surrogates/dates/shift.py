"""Shifting of dates by whole days per subject, or generalisation to the year.

Shifting keeps precision, layout, time of day, fraction and zone: months move by the nearest number
of whole months and years by whole years, so that differences are preserved in every precision.
Placeholders ("99991231", 1900-01-01) do not move: a moved placeholder would reveal the shift.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import date

from adapter.surrogates.dates import time_zones

_YEAR = 365.25
"""Mean length of a year in days."""
_PIVOT = 5
"""Most years by which a two-digit year may lie after the message's own."""
OLDEST = 89
"""Years of age above which a birth date is aggregated, 45 CFR 164.514(b)(2)(i)(C)."""

_COMPACT = re.compile(
    r"(\d{4})(?:(\d\d)(?:(\d\d)((?:\d\d){0,3}(?:\.\d+)?))?)?([+-]\d{4})?", re.ASCII
)
_ISO = re.compile(
    r"(\d{4})(?:-(\d\d)(?:-(\d\d)(?:([T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?)"
    r"(Z|[+-]\d\d:?\d\d)?)?)?)?",
    re.ASCII | re.IGNORECASE,
)
_TIME = re.compile(
    r"(?:[01]?\d|2[0-4])(?:[:.]?[0-5]\d){0,2}(?:\.\d+)?(?:[+-]\d{4}|Z| ?[ap]\.?m\.?)?"
    r"|(?:[01]\d|2[0-3])[0-5]\d(?:[0-5]\d(?:\.\d+)?)?(?:[+-]\d{4})?",
    re.ASCII | re.IGNORECASE,
)
_PLACEHOLDERS = frozenset(
    {(1753, 1, 1), (1800, 1, 1), (1900, 1, 1), (1899, 12, 30), (2099, 12, 31)}
)
_EDGES = (2, 9000)
"""Years before the first and from the second on are placeholders."""
_PRECISIONS = (4, 6, 8)
"""Numbers of digits of a year, a month and a day."""
_INSTANTS = frozenset({"", "instant", "Meta.lastUpdated", "Signature.when"})
"""Datatypes that require a full time; "" is an unknown datatype."""


@dataclass(frozen=True, slots=True)
class Calendar:
    """The shift of one subject's dates, in days; None where only years stay.

    ``births`` are birth dates of persons over 89; ``reference`` is the message's own date.
    """

    shift: int | None = field(repr=False)
    reference: date | None = field(default=None, repr=False)
    births: frozenset[date] = field(default=frozenset(), repr=False)
    era: int = 2026
    offsets: str = time_zones.KEEP
    """Treatment of offsets from UTC, see `adapter.surrogates.dates.time_zones`."""

    def moved(self, year: int, month: int = 0, day: int = 0) -> tuple[int, int, int]:
        """Return the surrogate of a date as (year, month, day); missing parts are 0 and stay 0.

        Raises:
            ValueError: the date does not exist.
        """
        known = date(year, month or 7, day or (15 if month else 2))
        if _is_placeholder(year, month, day):
            return (9999 if year >= _EDGES[1] else year), month, day
        new = self._aged(known, month, day)
        if new is None and not day:
            return self._coarse(year, month)
        new = new or self.later(known)
        return new.year, month and new.month, day and new.day

    def _coarse(self, year: int, month: int) -> tuple[int, int, int]:
        """Move a month by whole months or a year by whole years, which preserves differences."""
        shift = self.shift or 0
        if not month:
            return year + round(shift / _YEAR), 0, 0
        years, place = divmod(year * 12 + month - 1 + round(shift * 12 / _YEAR), 12)
        return years, place + 1, 0

    def later(self, day: date) -> date:
        """Return a day moved by the shift, within the years 1 to 9999."""
        number = day.toordinal() + (self.shift or 0)
        return date.fromordinal(min(max(number, 1), date.max.toordinal()))

    def now(self) -> date:
        """Return the message's own date, or the middle of the era's year."""
        return self.reference or date(self.era, 7, 1)

    def _aged(self, day: date, month: int, precise: int) -> date | None:
        """Return a birth date for age 90 if ``day`` is that of a person over 89, else None."""
        if not self.births or (month and precise and day not in self.births):
            return None
        for birth in self.births:
            if day.year == birth.year and month in (0, birth.month) and precise in (0, birth.day):
                return ninety(self.later(birth), self.later(self.now()))
        return None


def ninety(birth: date, now: date) -> date:
    """Return the birth date with the same month and day of a person aged 90 on the day ``now``."""
    year = now.year - OLDEST - 1 - ((birth.month, birth.day) > (now.month, now.day))
    return date(year, birth.month, min(birth.day, 28) if birth.month == 2 else birth.day)  # noqa: PLR2004


def age(birth: date, now: date) -> int:
    """Return the age in completed years."""
    return now.year - birth.year - ((birth.month, birth.day) > (now.month, now.day))


def parsed(text: str) -> date | None:
    """Parse an HL7 or FHIR date (HL7 v2.9 2A.3.21; FHIR R4 date); None if it gives no day."""
    digits = text[:10].replace("-", "")[:8]
    try:
        return date(int(digits[:4]), int(digits[4:6]), int(digits[6:8]))
    except ValueError:
        return None


def born(text: str) -> date | None:
    """Parse a date of birth in the same layouts; a missing month or day is the first.

    The age is then the highest that it may be, so that a year alone does not tell one over 89.
    """
    digits = text.strip()[:10].replace("-", "")[:8]
    if len(digits) not in _PRECISIONS:
        return None
    return parsed(f"{digits}0101"[:8] if len(digits) == len("YYYY") else f"{digits}01"[:8])


def typed(calendar: Calendar, text: str, datatype: str = "") -> str | None:
    """Return the surrogate of an HL7 v2 or FHIR date in its layout, or None if it is neither."""
    if found := _COMPACT.fullmatch(text):
        return _compact(calendar, found)
    if found := _ISO.fullmatch(text):
        return _iso(calendar, found, datatype)
    return None


def is_time(text: str) -> bool:
    """Whether a text is only a time of day ("14:20", "143000")."""
    return _TIME.fullmatch(text.strip()) is not None


def _compact(calendar: Calendar, found: re.Match[str]) -> str | None:
    year, month, day, time, zone = found.groups("")
    numbers = int(year), int(month or 0), int(day or 0)
    new = _moved(calendar, numbers)
    if new is None:
        return None
    if calendar.shift is None:
        return f"{new[0]:04d}"
    return (
        f"{new[0]:04d}" + (f"{new[1]:02d}" if month else "") + (f"{new[2]:02d}" if day else "")
    ) + f"{time}{time_zones.field(zone, calendar.offsets)}"


def _iso(calendar: Calendar, found: re.Match[str], datatype: str) -> str | None:
    year, month, day, time, zone = found.groups("")
    new = _moved(calendar, (int(year), int(month or 0), int(day or 0)))
    if new is None:
        return None
    if calendar.shift is None:
        full = time and (datatype in _INSTANTS or datatype.endswith("Instant"))
        return f"{new[0]:04d}-01-01T00:00:00Z" if full else f"{new[0]:04d}"
    month, day = month and f"-{new[1]:02d}", day and f"-{new[2]:02d}"
    zone = time_zones.field(zone, calendar.offsets, required=bool(datatype))
    return f"{new[0]:04d}{month}{day}{time}{zone}"


def _moved(calendar: Calendar, numbers: tuple[int, int, int]) -> tuple[int, int, int] | None:
    """Return a moved (year, month, day), or None if none exists; without a month, the day is 0."""
    year, month, day = numbers
    try:
        return calendar.moved(year or 1, month, day if month else 0)
    except ValueError:
        return None


def _is_placeholder(year: int, month: int, day: int) -> bool:
    return not _EDGES[0] <= year < _EDGES[1] or (year, month, day) in _PLACEHOLDERS


def full_year(short: int, calendar: Calendar) -> int:
    """Return the full year of two digits, at most five years after the message's own year."""
    pivot = calendar.now().year + _PIVOT
    value = pivot - pivot % 100 + short
    return value if value <= pivot else value - 100


def nearest_year(month: int, day: int, now: date) -> int:
    """Return the year in which a month and day are nearest to ``now`` (29 February: a leap year).

    For a day that exists in no year, return the year of ``now``.
    """
    years = sorted(range(max(now.year - 7, 1), min(now.year + 8, 10_000)))
    real = [year for year in years if _exists(year, month, day)]
    return min(real, key=lambda year: abs(date(year, month, day) - now), default=now.year)


def _exists(year: int, month: int, day: int) -> bool:
    try:
        date(year, month, day)
    except ValueError:
        return False
    return True
