"""The cost of hostile dates: it grows no faster than the text."""

from __future__ import annotations

import time
from contextlib import suppress

import pytest

from adapter.surrogates.dates import time_zones
from adapter.surrogates.dates.extent import reach, runs
from adapter.surrogates.dates.shift import Calendar
from adapter.surrogates.dates.written.text import rewrite
from adapter.surrogates.dates.written.tokens import UnreadableDateError
from adapter.types import Label, Span
from tests.wording import WORDS, custom

PIECES = (
    "3/", "3/14/", "1-", "20240314", "20240314-", "10:15", "10:15 ", "T10:15:00-", "14.III.",
    "'24 ",
    "week 1 ", "March ", "Tuesday, ", "9", "9 ", "de mar ", "mar ", "twenty ", "(", "2024-", "EST ",
)  # fmt: skip
TIMES = 8
SMALL = 1_000
"""Characters of the smaller text."""


def seconds(work):
    """The least of three measurements."""
    found = []
    for _ in range(3):
        start = time.process_time()
        work()
        found.append(time.process_time() - start)
    return min(found)


def growth(work, small, large):
    """How many times longer the larger text takes for each character; short times are noise."""
    once = max(seconds(lambda: work(small)), 1e-3)
    return seconds(lambda: work(large)) / once / TIMES


def spread(text):
    """Everything that is done to a scanned text with a date in every tenth place."""
    spans = tuple(Span(at, at + 4, Label.DATE, "x") for at in range(0, len(text) - 4, 10))
    for language in ("en", "es", "de"):
        runs(text, reach(text, spans, custom("mdy", language), years=True, offsets="drop"), WORDS)


@pytest.mark.parametrize("piece", PIECES)
@pytest.mark.parametrize("work", [lambda t: time_zones.zoned(t, "normalise", WORDS), spread])
def test_texts_cost_as_much_as_they_are_long(work, piece):
    """Eight times the text takes at most three times as long for each character."""
    small = piece * (SMALL // len(piece))
    assert growth(work, small, small * TIMES) < 3


@pytest.mark.parametrize("piece", PIECES)
def test_a_mention_is_bounded(piece):
    """A mention of any length is read or refused within a tenth of a second."""
    for length in (200, 240, 100_000):
        text = (piece * length)[:length]
        start = time.process_time()
        with suppress(UnreadableDateError):
            rewrite(Calendar(40), text, custom())
        assert time.process_time() - start < 0.1
