"""How numbers, times and texts are written in the pages."""

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
    """A time in UTC."""
    time = dt.datetime.fromtimestamp(milliseconds / 1000, dt.UTC)
    return time.strftime("%Y-%m-%d %H:%M:%S UTC")


def share(value: float) -> str:
    """A share with four places."""
    return f"{value:.4f}"


def interval(made: Interval) -> str:
    """The limits of an interval."""
    return f"{made.low:.4f} to {made.high:.4f}"


_COMMAND = regex.compile(r"`([^`]+)`")


def commands(text: str) -> Markup:
    """A text in which what stands between backticks is code."""
    marked = _COMMAND.sub(r"<code>\1</code>", str(escape(text)))
    return Markup(marked)  # noqa: S704 - escaped before


_RETURN = regex.compile(r"\r(?=\n)")


def exact(text: str) -> Markup:
    """A text of which a browser keeps every character, so that extents in it are the text's own.

    Parsers of HTML make one character of CR LF, and leave NUL out.
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
