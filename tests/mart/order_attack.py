"""An attacker who looks for patients' shifts of days in what surrounds their dates.

He sees rows of shifted dates by surrogate person, knows from when to when the feed ran, and takes
for the order of time whatever the rows come in: offsets, load times, sequential ids, the order of
insertion. He may also know between which two days a row appeared, by comparing releases. He knows
that rows of one person are shifted by the same days, and nothing else of the key.

A release is tested by `attacked`: its rows in the order in which readers get them, against the
true shifts. `simulated` makes a feed under the product's own shifts.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from adapter.surrogates import Key, SurrogateOptions

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    Days = NDArray[np.float64]
    Codes = NDArray[np.int64]

NEAR = 7
"""Days within which a shift counts as found."""
ROUNDS = 60
ROWS_NEAR, PERSONS_NEAR = 25, 101
"""Neighbours whose mean tells the time of a row, or of a person's first row."""
LONGEST = 365
"""Days of the longest shift; the documentation tells it."""
PERIOD = (738_000, 738_729)
"""Ordinals of the first and last day of the simulated feed."""
MONTH = 30
KEY, OPTIONS = Key("simulated", bytes(range(32))), SurrogateOptions()


@dataclass(frozen=True, slots=True)
class Rows:
    """What readers get: code of the person and shifted day (ordinal) of each row, in their order.

    ``person``: int64 (rows,), codes from 0 on; ``day``: float64 (rows,); ``period``: first and
    last day of the feed.
    """

    person: Codes = field(repr=False)
    day: Days = field(repr=False)
    period: tuple[float, float] = PERIOD

    @property
    def persons(self) -> int:
        """The number of persons."""
        return int(self.person.max()) + 1


@dataclass(frozen=True, slots=True)
class Finding:
    """How near the best of the attacks came: median error in days, and share within a week."""

    median: float
    near: float
    by: str


# ---- the attacks: rows -> shift of each person, float64 (persons,) ----


def by_bounds(rows: Rows, lower: Days | float, upper: Days | float) -> Days:
    """The middle of the shifts by which all rows of a person lie where they must.

    ``lower`` and ``upper`` are days between which each row happened: of the feed, or of the two
    releases between which the row appeared.
    """
    least, most = (np.full(rows.persons, float(bound)) for bound in (-LONGEST, LONGEST))
    np.maximum.at(least, rows.person, rows.day - upper)
    np.minimum.at(most, rows.person, rows.day - lower)
    return (least + most) / 2


def by_period(rows: Rows) -> Days:
    """The order is not looked at: only the first and last day of the feed."""
    return by_bounds(rows, *rows.period)


def by_row_order(rows: Rows) -> Days:
    """Each row was written at its time: neighbours in the table are neighbours in time."""
    time = np.linspace(*rows.period, len(rows.day))
    shift = _mean(rows.person, rows.day - time, rows.persons)
    for _ in range(ROUNDS):
        time = _monotone(_smooth(rows.day - shift[rows.person], ROWS_NEAR), rows.period)
        shift = _median(rows.person, rows.day - time, rows.persons)
    return shift


def by_person_order(rows: Rows) -> Days:
    """Persons come in the order in which they were first seen, as sequential ids have it."""
    first = np.full(rows.persons, np.inf)
    np.minimum.at(first, rows.person, rows.day)
    _, at = np.unique(rows.person, return_index=True)
    order = np.argsort(at)
    shift = np.empty(rows.persons)
    shift[order] = first[order] - _smooth(first[order], PERSONS_NEAR)
    return shift


ATTACKS = {"period": by_period, "rows": by_row_order, "persons": by_person_order}


def attacked(rows: Rows, truth: Days) -> dict[str, Finding]:
    """How near each attack comes to the true shifts, float64 (persons,)."""
    return {name: finding(attack(rows), truth, name) for name, attack in ATTACKS.items()}


def worst(rows: Rows, truth: Days) -> Finding:
    """The attack that finds most shifts; whoever releases the rows must expect it."""
    return max(attacked(rows, truth).values(), key=lambda found: found.near)


def finding(found: Days, truth: Days, by: str = "") -> Finding:
    """How far the shifts that were found are from the true ones."""
    error = np.abs(found - truth)
    return Finding(float(np.median(error)), float(np.mean(error <= NEAR)), by)


def table(
    persons: Sequence[object], days: Sequence[int], shifts: Mapping[object, int],
    period: tuple[float, float] = PERIOD,
) -> tuple[Rows, Days]:  # fmt: skip
    """Rows of a released table in its order, and the true shifts of its persons.

    ``days`` are ordinals of shifted dates, ``shifts`` by person as the table names them.
    """
    codes = {person: code for code, person in enumerate(dict.fromkeys(persons))}
    person = np.array([codes[each] for each in persons], np.int64)
    truth = np.array([shifts[each] for each in codes], np.float64)
    return Rows(person, np.array(days, np.float64), period), truth


def _mean(person: Codes, value: Days, persons: int) -> Days:
    counts = np.bincount(person, minlength=persons)
    return np.bincount(person, value, persons) / np.maximum(counts, 1)


def _median(person: Codes, value: Days, persons: int) -> Days:
    order = np.lexsort((value, person))
    ends = np.cumsum(np.bincount(person, minlength=persons))
    counts = np.diff(ends, prepend=0)
    starts = ends - counts
    low, high = starts + (counts - 1) // 2, starts + counts // 2
    return (value[order][low] + value[order][high]) / 2


def _smooth(value: Days, width: int) -> Days:
    """The mean of each value's neighbours, fewer at the ends."""
    sums = np.cumsum(np.concatenate(([0.0], value)))
    at = np.arange(len(value))
    low, high = np.maximum(at - width // 2, 0), np.minimum(at + width // 2 + 1, len(value))
    return (sums[high] - sums[low]) / (high - low)


def _monotone(time: Days, period: tuple[float, float]) -> Days:
    """Times that never fall, from the first to the last day of the feed."""
    rising = (np.maximum.accumulate(time) + np.minimum.accumulate(time[::-1])[::-1]) / 2
    first, last = rising[0], rising[-1]
    start, end = period
    return start + (rising - first) * (end - start) / max(last - first, 1.0)


# ---- a feed ----


@dataclass(frozen=True, slots=True)
class Feed:
    """Rows in order of time, their true days, and what their persons are called and shifted by.

    ``true``: float64 (rows,); ``shift``: float64 (persons,).
    """

    rows: Rows
    true: Days = field(repr=False)
    shift: Days = field(repr=False)
    names: tuple[str, ...] = field(repr=False)

    def ordered(self, order: Codes) -> tuple[Rows, Days]:
        """The rows in another order, int64 (rows,), and the true shifts."""
        rows = self.rows
        return Rows(rows.person[order], rows.day[order], rows.period), self.shift

    def by_surrogate(self) -> Codes:
        """The order by surrogate person, and within each by date."""
        rank = np.argsort(np.argsort(np.array(self.names)))
        return np.lexsort((self.rows.day, rank[self.rows.person]))

    def by_sequence(self) -> Codes:
        """The order by persons as they were first seen, and within each by date."""
        _, first = np.unique(self.rows.person, return_index=True)
        return np.lexsort((self.rows.day, first[self.rows.person]))


def simulated(
    patients: int = 2_000,
    key: Key = KEY,
    options: SurrogateOptions = OPTIONS,
    seed: int = 12,
) -> Feed:
    """A feed of two years: patients come, return after some weeks, and stay away.

    About six rows a patient, none at weekends; shifts are those of the product.
    """
    draw = np.random.default_rng(seed)
    start, end = PERIOD
    rows = [_visits(draw, start, end) for _ in range(patients)]
    person = np.repeat(np.arange(patients), [len(days) for days in rows])
    true = np.concatenate(rows)
    order = np.argsort(true, kind="stable")
    person, true = person[order], true[order]
    shift = np.array([options.shift(key, f"id:{code}") or 0 for code in range(patients)], float)
    names = tuple(key.mac("person", str(code)).hex() for code in range(patients))
    day = np.floor(true) + shift[person]
    return Feed(Rows(person, day), np.floor(true), shift, names)


def figures(feed: Feed) -> dict[str, Finding]:
    """What the best attack finds in the same rows, by what they come in."""
    surrogate, time = feed.by_surrogate(), np.arange(len(feed.true))
    return {
        "order of time": worst(*feed.ordered(time)),
        "weekly releases compared": _compared(feed, 7),
        "monthly releases compared": _compared(feed, MONTH),
        "persons numbered as they came": worst(*feed.ordered(feed.by_sequence())),
        "order by surrogate": worst(*feed.ordered(surrogate)),
    }


def _compared(feed: Feed, days: int) -> Finding:
    lower = PERIOD[0] + np.floor((feed.true - PERIOD[0]) / days) * days
    return finding(by_bounds(feed.rows, lower, lower + days - 1), feed.shift)


def _visits(draw: np.random.Generator, start: float, end: float) -> Days:
    """Times of one patient's rows: at least one, with gaps of a mean of sixty days."""
    first = draw.uniform(start, end + 1)
    times = first + np.cumsum(draw.exponential(60.0, draw.geometric(1 / 10) - 1))
    times = np.concatenate(([first], times[times < end + 1]))
    weekend = (np.floor(times) % 7) >= 5
    return np.sort(np.where(weekend & (times > start + 2), times - 2, times))


if __name__ == "__main__":
    for name, found in figures(simulated()).items():
        print(f"{name}: {found.median:.1f} days, {found.near:.1%} within {NEAR}")
