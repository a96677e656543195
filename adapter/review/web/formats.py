"""Template filters that format numbers, times and texts."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

import regex
from markupsafe import Markup, escape

from adapter.review.web.holds import explained
from adapter.review.web.shown import category

if TYPE_CHECKING:
    from collections.abc import Callable

    from adapter.review.figures.intervals import Interval


def moment(milliseconds: int) -> str:
    """Format a time, in ms since the epoch, in UTC."""
    time = dt.datetime.fromtimestamp(milliseconds / 1000, dt.UTC)
    return time.strftime("%Y-%m-%d %H:%M:%S UTC")


def share(value: float) -> str:
    """Format a share with four decimals."""
    return f"{value:.4f}"


def interval(made: Interval) -> str:
    """Format the limits of an interval with four decimals."""
    return f"{made.low:.4f} to {made.high:.4f}"


_COMMAND = regex.compile(r"`([^`]+)`")


def commands(text: str) -> Markup:
    """Return HTML of a text, with the parts between backticks as ``<code>``."""
    marked = _COMMAND.sub(r"<code>\1</code>", str(escape(text)))
    return Markup(marked)  # noqa: S704 - escaped before


_RETURN = regex.compile(r"\r(?=\n)")


def exact(text: str) -> Markup:
    """Return HTML of a text that keeps its length in a browser, so that offsets in it are valid.

    HTML parsers turn CR LF into one character and drop NUL.
    """
    shown = str(escape(text)).replace("\x00", "\ufffd")
    return Markup(_RETURN.sub("&#13;", shown))  # noqa: S704 - escaped above


FILTERS: dict[str, Callable[..., object]] = {
    "commands": commands,
    "moment": moment,
    "share": share,
    "interval": interval,
    "category": category,
    "exact": exact,
    "explained": explained,
}
