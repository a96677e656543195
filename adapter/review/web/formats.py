"""How numbers and times are written in the pages."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

from adapter.review.web.shown import category

if TYPE_CHECKING:
    from collections.abc import Callable

    from adapter.review.figures.intervals import Interval


def moment(milliseconds: int) -> str:
    """A time in UTC."""
    time = dt.datetime.fromtimestamp(milliseconds / 1000, dt.UTC)
    return time.strftime("%Y-%m-%d %H:%M:%S UTC")


def share(value: float) -> str:
    """A share with four places."""
    return f"{value:.4f}"


def interval(made: Interval) -> str:
    """The limits of an interval."""
    return f"{made.low:.4f} to {made.high:.4f}"


FILTERS: dict[str, Callable[..., str]] = {
    "moment": moment,
    "share": share,
    "interval": interval,
    "category": category,
}
