"""Patterns for ASCII text: the standard library's engine reads them as the full one does."""

from __future__ import annotations

import re
import time

import pytest
import regex

from adapter.taggers.patterns.plain import Deferred, plain
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
    return [p for p in every.values() if plain(p.matcher) is not p.matcher]


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
        pattern.plain.match("")  # compiles it
        for piece in REPEATED:
            text = (piece * WINDOW)[:WINDOW]
            start = time.process_time()
            pattern.plain.match(text)
            assert time.process_time() - start < LONGEST, pattern.source


@pytest.mark.parametrize(
    ("written", "text"),
    [
        (r"(?<!mr[ ]|dr\.[ ]|\|)smith", "mr smith dr. smith |smith a smith"),
        (r"(?<=no[ ]|(?<!x)number[ ])[0-9]+", "no 1 number 2 xnumber 3 4"),
        (r"(?<=\(|[)|][ ]|\#)a", "(a ) a | a #a a"),  # marks that are no groups
        ("(?<! # who signs | or not\n by[ ]|for[ ])ab", "by ab for ab in ab"),
        (r"[^\p{M}\p{N}]\p{L}\p{M}*", "1a-b c"),
    ],
)
def test_ascii_equivalents(written, text):
    """Look-behinds at alternatives, and properties of characters, become what `re` reads."""
    compiled = regex.compile(written, regex.VERBOSE | regex.MULTILINE)
    assert isinstance(plain(compiled), re.Pattern)
    found, expected = (
        [match.span() for match in each.finditer(text)] for each in (plain(compiled), compiled)
    )
    assert found == expected != []


@pytest.mark.parametrize("first", ["match", "search"])
def test_an_equivalent_is_compiled_when_it_is_used(first):
    """Its matches are those of the equivalent, at first and later."""
    compiled = regex.compile(r"(?<!dr\.[ ]|mr[ ])a(?P<b>b)", regex.VERBOSE)
    deferred = Deferred(compiled)
    for method in (first, "match", "search"):
        assert getattr(deferred, method)("ab", 0, 2)["b"] == "b"
        assert getattr(deferred, method)("xx") is None
    assert deferred.match == plain(compiled).match


def test_what_re_cannot_read_stays():
    """A look-behind of any width is left to the full engine."""
    compiled = regex.compile(r"(?<=no[ ]{1,3})[0-9]", regex.VERBOSE)
    assert plain(compiled) is compiled
