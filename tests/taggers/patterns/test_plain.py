"""Patterns for ASCII text: the standard library's engine reads them as the full one does."""

from __future__ import annotations

import time

import pytest

from adapter.taggers.patterns.tagger import WINDOW
from tests.bench.messages import ORU
from tests.corpus.runs import ruleset

TEXTS = (
    ORU.decode("ascii"),
    "Seen 3/14 by Dr. A. Okafor-Smith, 47F, MRN 40-88-213.\n12 Elm Street, Springfield, IL 62704\n",
    "\x1cdob\x1f03 / 14 / 1950\x0b age 47 y/o  (217) 555-0142\tjune 5, 2019\r\n",
)
REPEATED = ("a", "A", "1", " ", "Aa ", "a ", "1 ", "1-", "1/", "12/12 ", "A. ", "one ", "o ", ", ")
LONGEST = 0.05
"""Seconds for a window of repeated characters: many times what it takes."""


@pytest.fixture(scope="module")
def patterns():
    """Every anchored pattern of the shipped rules that the standard library reads."""
    taggers = [t for language in ruleset().languages.values() for t in language.taggers]
    anchored = [tagger.anchored for tagger in taggers if hasattr(tagger, "anchored")]
    every = {id(p): p for by_start in anchored for ps in by_start.values() for p in ps}
    return [p for p in every.values() if p.plain is not p.matcher]


def test_most_patterns_are_plain(patterns):
    """Most patterns need nothing that only the full engine has."""
    assert len(patterns) > 100


@pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
def test_same_matches(patterns, text):
    """At every place both engines find the same extents, groups included."""
    for pattern in patterns:
        read = text.lower() if pattern.folded else text
        for start in range(len(read)):
            window = read, start, start + WINDOW
            assert _extents(pattern.matcher.match(*window)) == _extents(
                pattern.plain.match(*window)
            ), pattern.source


def _extents(match):
    return match and [match.span(group) for group in range(match.re.groups + 1)]


def test_repetition_takes_no_time(patterns):
    """No pattern is slow over a window of one thing repeated."""
    for pattern in patterns:
        for piece in REPEATED:
            text = (piece * WINDOW)[:WINDOW]
            start = time.process_time()
            pattern.plain.match(text)
            assert time.process_time() - start < LONGEST, pattern.source
