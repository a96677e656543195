"""Order gives away the shift: what an attacker finds in a feed of two years, by order of rows."""

from __future__ import annotations

import numpy as np
import pytest

from adapter.surrogates import SurrogateOptions
from tests.mart.order_attack import (
    LONGEST,
    NEAR,
    PERIOD,
    Feed,
    attacked,
    by_bounds,
    finding,
    simulated,
    table,
    worst,
)


@pytest.fixture(scope="module")
def feed() -> Feed:
    """Two thousand patients, with shifts of up to a year."""
    return simulated()


def test_order_of_time_gives_away_every_shift(feed):
    """Whoever sees offsets, load times or the order of insertion finds all shifts to the day."""
    found = worst(feed.rows, feed.shift)

    assert ("rows", 1.0) == (found.by, found.near)
    assert found.median <= 1.0


def test_order_by_surrogate_gives_away_few(feed):
    """Sorted by surrogate person, no more is told than by the first and last day of the feed."""
    found = attacked(*feed.ordered(feed.by_surrogate()))

    assert all(one.median > 80 for one in found.values())
    assert all(one.near <= 0.1 for one in found.values())


def test_sequential_numbers_of_persons_give_away_shifts(feed):
    """Rows sorted by a number that counts persons as they come tell every fifth shift."""
    found = attacked(*feed.ordered(feed.by_sequence()))

    assert found["persons"].near > 0.15
    assert found["persons"].median < 25


@pytest.mark.parametrize(("days", "near"), [(7, 0.95), (30, 0.75), (91, 0.4)])
def test_differences_of_releases_give_away_shifts(feed, days, near):
    """Whoever compares two releases knows between which days a new row happened."""
    lower = np.floor((feed.true - PERIOD[0]) / days) * days + PERIOD[0]
    found = finding(by_bounds(feed.rows, lower, lower + days), feed.shift)

    assert found.near > near


@pytest.mark.parametrize(("days", "near"), [(7, 0.95), (30, 0.3)])
def test_publishing_later_and_in_bulk_is_no_answer(feed, days, near):
    """Bulks that follow one another tell the shift, however late, and sorted by surrogate each."""
    bulk = np.floor((feed.true - PERIOD[0]) / days)
    order = feed.by_surrogate()
    found = worst(*feed.ordered(order[np.argsort(bulk[order], kind="stable")]))

    assert found.near > near


def test_whole_weeks_are_found_as_days_are():
    """Coarser shifts are no answer to order."""
    feed = simulated(500, options=SurrogateOptions(multiple=7))
    assert worst(feed.rows, feed.shift).near > 0.95


def test_shifts_are_the_products_own(feed):
    """The simulation draws what the adapter would."""
    assert set(feed.shift) <= set(map(float, SurrogateOptions().shifts))
    assert np.abs(feed.shift).max() > LONGEST - NEAR


def test_a_released_table_is_attacked_by_the_names_it_bears(feed):
    """A table of names and days leads to the same finding as the feed it was made of."""
    names = [feed.names[code] for code in feed.rows.person]
    shifts = dict(zip(feed.names, feed.shift, strict=True))
    made, truth = table(names, feed.rows.day.tolist(), shifts)

    assert worst(made, truth) == worst(feed.rows, feed.shift)
