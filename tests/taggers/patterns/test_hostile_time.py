"""What a pattern may cost where its first word stands before text that was written to delay it."""

from __future__ import annotations

from time import process_time

import pytest

from adapter.rules.compile import compile_language
from adapter.rules.folder import rules_folder
from adapter.taggers.document.document import beginning
from adapter.taggers.patterns.tagger import WINDOW, PatternTagger
from tests.corpus.runs import settings

FILLINGS = (
    "a", "a ", "1", "1-", "1 ", "a1", "a-", "Ab ", "Ab, ", ". ", " ", ", ", "a.", "á ", "de la ",
    "Ab. ", "(", "10:15 ",
)  # fmt: skip
BEGUN = beginning("")[1:]
"""How keys end that are the beginnings of words."""
LONG, PROBED = 20_000, 0.25
"""Characters of a long text, and seconds in which a probe must have read it."""
LONGEST = 0.02
"""Seconds of one attempt, in which a whole note is read; most take microseconds."""


def cost(match, text):
    """The processor time of one attempt, of two the shorter."""
    found = []
    for _ in range(2):
        begun = process_time()
        match(text, 0, WINDOW)
        found.append(process_time() - begun)
        if found[-1] < LONGEST:
            break
    return min(found)


def texts(start):
    """A pattern's first word before each filling."""
    word = {"<capital>": "Ab", "<code>": "ab12"}.get(
        start, "12" if start.startswith("<") else start
    )
    if start.endswith(BEGUN):
        word = start[1 : -len(BEGUN)].capitalize()
    for filling in FILLINGS:
        for between in ("", " ", ": "):
            yield word + between + filling * (WINDOW // len(filling) + 1)


@pytest.mark.parametrize("code", ["en", "es", "de", "fr"])
def test_no_pattern_is_slow_on_hostile_text(code):
    """Any pattern gives up on any text in milliseconds: none tries all ways to part it."""
    said = settings()
    language = compile_language(rules_folder(said), code, said)
    (tagger,) = (each for each in language.taggers if isinstance(each, PatternTagger))
    tried, slow = set(), set()
    for start, patterns in tagger.anchored.items():
        fresh = [each for each in patterns if each.source not in tried]
        tried.update(each.source for each in fresh)
        for text in texts(start) if fresh else ():
            for each in fresh:
                written = text.lower() if each.folded else text
                match = (each.plain if written.isascii() else each.matcher).match
                if cost(match, written) > LONGEST:
                    slow.add(each.source)
    assert len(tried) > 10
    assert not slow


@pytest.mark.parametrize("code", ["en", "es", "de", "fr"])
def test_no_probe_is_slow_on_a_long_hostile_text(code):
    """A probe has no time limit of its own: it must read any text once."""
    said = settings()
    language = compile_language(rules_folder(said), code, said)
    (tagger,) = (each for each in language.taggers if isinstance(each, PatternTagger))
    every = [*tagger._free, *(each for some in tagger.anchored.values() for each in some)]
    probes = {each.probe.source: each.probe for each in every if each.probe is not None}
    slow = set()
    for filling in FILLINGS:
        text = filling * (LONG // len(filling))
        for probe in probes.values():
            search = (probe.plain if text.isascii() else probe.matcher).search
            begun = process_time()
            search(text)
            if process_time() - begun > PROBED:
                slow.add((probe.source[:60], filling))
    assert len(probes) > 3
    assert not slow
