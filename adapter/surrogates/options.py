"""A profile's options for surrogates; options that cannot be honoured are refused at start."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from adapter.errors import RuleError
from adapter.types import Label

if TYPE_CHECKING:
    from collections.abc import Mapping

    from adapter.surrogates.drawing.keys import Key

_CHOICES: dict[str, frozenset[str]] = {
    "dates": frozenset({"shift", "year", "keep"}),
    "direction": frozenset({"both", "earlier", "later"}),
    "offsets": frozenset({"keep", "normalise", "drop"}),
    "date_order": frozenset({"mdy", "dmy"}),
    "zip": frozenset({"surrogate", "zip3", "keep"}),
    "ages": frozenset({"cap90", "keep"}),
    "places": frozenset({"surrogate", "state", "town"}),
    "unknown_subject": frozenset({"generalise", "hold"}),
}
_LONGEST_SHIFT = 3650


@dataclass(frozen=True, slots=True)
class SurrogateOptions:
    """Profile options; shifts are in whole days.

    ``dates``: "shift" by a number of days per subject, keep only the "year" (Safe Harbor), or
    "keep" (a limited data set). The shift lies within ``min_days``..``max_days`` and is a multiple
    of ``multiple`` (7 keeps weekdays); ``direction`` may restrict it to "earlier" or "later".
    ``offsets``: UTC offsets and time zone names reveal summer or winter, so they all become UTC
    beside the same local time of day ("normalise"), are dropped if the format allows it ("drop")
    or stay ("keep"). ``date_order`` decides 3/4/2024 if the text does not. ``zip``:
    "surrogate", "zip3" (first three digits, restricted areas 000) or "keep". ``ages``: "cap90"
    (over 89 as 90) or "keep". ``places``: "surrogate", "state" (states and countries stay, towns
    and streets are replaced) or "town" (towns stay too). ``unknown_subject``: dates of an unknown
    subject are generalised to the year, or hold the message. ``era`` is the year assumed to be now
    where a message has no date.
    """

    dates: str = "shift"
    min_days: int = 1
    max_days: int = 365
    multiple: int = 1
    direction: str = "both"
    offsets: str = "normalise"
    date_order: str = "mdy"
    zip: str = "surrogate"
    ages: str = "cap90"
    places: str = "surrogate"
    unknown_subject: str = "generalise"
    era: int = 2026

    def __post_init__(self) -> None:
        for name, choices in _CHOICES.items():
            if getattr(self, name) not in choices:
                raise RuleError(
                    f"surrogates.{name}", f"must be one of {', '.join(sorted(choices))}"
                )
        if not 0 < self.multiple <= self.max_days <= _LONGEST_SHIFT or self.min_days < 1:
            raise RuleError("surrogates.shift_days", "no shift satisfies these bounds")
        if not self.shifts:
            raise RuleError("surrogates.shift_days", "no shift satisfies these bounds")

    @property
    def stays(self) -> frozenset[Label]:
        """Labels whose values the options keep; the leak check does not search for these values."""
        dates = {Label.DATE} if self.dates == "keep" else set()
        towns = {Label.CITY, Label.STATE, Label.COUNTRY} if self.places == "town" else set()
        return frozenset(dates | towns | ({Label.ZIP} if self.zip == "keep" else set()))

    @property
    def shifts(self) -> tuple[int, ...]:
        """All shifts in days that the options allow; 0 is never one of them."""
        return _shifts(self)

    def shift(self, key: Key, subject: str) -> int | None:
        """Return the shift of a subject's dates in days, or None if the subject has none."""
        if not subject or self.dates != "shift":
            return None
        return self.shifts[key.draw("shift", subject) % len(self.shifts)]


@lru_cache(maxsize=16)
def _shifts(options: SurrogateOptions) -> tuple[int, ...]:
    days = range(options.multiple, options.max_days + 1, options.multiple)
    sizes = [size for size in days if size >= options.min_days]
    earlier = [-size for size in sizes] if options.direction != "later" else []
    return (*reversed(earlier), *(sizes if options.direction != "earlier" else []))


def options_of(table: Mapping[str, Any]) -> SurrogateOptions:
    """Read a profile's ``[surrogates]`` table, with ``shift_days = {min, max, multiple}``.

    Raises:
        RuleError: a name is unknown, or a value cannot be honoured.
    """
    flat = dict(table)
    days = flat.pop("shift_days", {})
    names = {"min": "min_days", "max": "max_days", "multiple": "multiple", "direction": "direction"}
    unknown = (set(flat) - set(SurrogateOptions.__slots__)) | (set(days) - set(names))
    if unknown:
        raise RuleError(f"surrogates.{min(unknown)}", "no such option")
    return SurrogateOptions(**flat, **{names[name]: value for name, value in days.items()})
