"""A simulated attack on the shift of a patient's dates, as its trade-off stands in the docs.

The attacker has the shifted dates of twenty visits, knows that they were on business days and,
where offsets from UTC were released, by what rule clocks are changed there (15 USC 260a). Each
shift that the profile allows is tried; those that put every visit on a business day, in summer or
winter as its offset says, remain.
"""

from __future__ import annotations

import random
from datetime import date, timedelta
from functools import cache
from statistics import median

import pytest

from adapter.surrogates import SurrogateOptions
from adapter.surrogates.dates.shift import Calendar, typed

PATIENTS, VISITS, PERIOD = 60, 20, 730
FRIDAY = 4
SUMMER, WINTER = "-0400", "-0500"
CLINIC = date(2022, 1, 3)


@cache
def changes(year):
    """The Sundays of a year on which clocks go forward and back in the United States."""
    march, november = date(year, 3, 8), date(year, 11, 1)
    return tuple(day + timedelta((6 - day.weekday()) % 7) for day in (march, november))


def offset(day):
    """The offset from UTC of US Eastern time on a day."""
    first, last = changes(day.year)
    return SUMMER if first <= day < last else WINTER


def visits(dice):
    """Twenty business days in two years."""
    days = (CLINIC + timedelta(n) for n in range(PERIOD))
    return dice.sample([day for day in days if day.weekday() <= FRIDAY], VISITS)


def released(days, shift, offsets):
    """(day, offset) of each visit as a profile releases its time stamp."""
    calendar = Calendar(shift, offsets=offsets)
    stamps = [typed(calendar, f"{day:%Y%m%d}1015{offset(day)}") for day in days]
    return [(date.fromisoformat(stamp[:8]), stamp[12:]) for stamp in stamps]


def remaining(stamps, shifts):
    """How many shifts explain all visits."""
    told = {zone for _, zone in stamps} <= {SUMMER, WINTER}
    return sum(all(_fits(day, zone, shift, told) for day, zone in stamps) for shift in shifts)


def _fits(day, zone, shift, told):
    true = day - timedelta(shift)
    return true.weekday() <= FRIDAY and (not told or offset(true) == zone)


def left(options):
    """The median of remaining shifts over patients, and of how many there are."""
    dice = random.Random(10)
    counts = []
    for _ in range(PATIENTS):
        shift = dice.choice(options.shifts)
        stamps = released(visits(dice), shift, options.offsets)
        counts.append(remaining(stamps, options.shifts))
    return median(counts), len(options.shifts)


YEAR, TEN_YEARS = {"max_days": 365}, {"max_days": 3650}


@pytest.mark.parametrize(
    ("wish", "offsets", "least", "most", "of"),
    [
        (YEAR | {"multiple": 1}, "keep", 1, 6, 730),
        (YEAR | {"multiple": 7}, "keep", 1, 6, 104),
        (YEAR | {"multiple": 1}, "normalise", 104, 110, 730),
        (YEAR | {"multiple": 7}, "normalise", 104, 104, 104),
        (YEAR | {"multiple": 7}, "drop", 104, 104, 104),
        (TEN_YEARS | {"multiple": 364}, "keep", 6, 12, 20),
        (TEN_YEARS | {"multiple": 364}, "normalise", 20, 20, 20),
        (TEN_YEARS | {"multiple": 365}, "normalise", 1, 5, 20),
        (TEN_YEARS | {"multiple": 7}, "normalise", 1042, 1042, 1042),
    ],
)
def test_shifts_that_remain_after_twenty_visits(wish, offsets, least, most, of):
    """Released offsets leave a handful of shifts; without them each whole week stays possible."""
    remain, all_of_them = left(SurrogateOptions(**wish, offsets=offsets))
    assert of == all_of_them
    assert least <= remain <= most
