"""The pattern engine: where patterns are tried, what conditions they hold, how they fail."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapter.errors import RuleError, TagError
from adapter.taggers.document.document import read
from adapter.taggers.document.resources import Resources
from adapter.taggers.document.sections import SectionRules
from adapter.taggers.patterns import tagger as patterns
from adapter.taggers.patterns.rule_tests import marked, settle
from adapter.taggers.patterns.tagger import PatternTagger
from adapter.types import Label, Span, Veto

RULES = Path(__file__).resolve().parents[3] / "rules"
NONE = SectionRules({})
OWN = ("ages", "contacts", "dates", "devices", "identifiers", "postcodes", "usernames")


def _find(toml, text, lexicons=None, sections=NONE):
    family = tomllib.loads('family = "test"\n' + toml)
    tagger = PatternTagger(Resources("en", (family,), lexicons or {}, sections))
    return tagger.find(read(text, "en", sections))


def _texts(toml, text, **more):
    return [text[s.start : s.end] for s in _find(toml, text, **more)]


PATTERN = '[[pattern]]\nname = "p"\nlabel = "DATE"\n'


def test_the_group_phi_marks_the_mention():
    """The named group phi is the extent, the whole match without one."""
    assert _texts(PATTERN + "regex = 'on[ ](?P<phi>\\d+)'", "on 12") == ["12"]
    assert _texts(PATTERN + "regex = 'on[ ]\\d+'", "on 12") == ["on 12"]


def test_folded_text_unless_case_counts():
    """A pattern reads folded text; with case = true the text as it stands."""
    assert _texts(PATTERN + "regex = 'marz'", "MÄRZ") == ["MÄRZ"]
    assert _texts(PATTERN + "case = true\nregex = 'marz'", "MÄRZ marz") == ["marz"]


@pytest.mark.parametrize(
    ("start", "text", "expected"),
    [
        ("<number/>", "3/14 and 3-14", ["3/1"]),
        ("<number+letter>", "57yo or 57", ["57y"]),
        ("<number>", "a 12 b3", ["12 ", "3"]),
        ("<code>", "AB-12 12AB", ["AB-"]),
        ("<capital>", "may May", ["May"]),
        ("winter", "lastwinter winterHx winter", ["win", "win"]),
    ],
)
def test_anchored_patterns_are_tried_at_their_starts_only(start, text, expected):
    """``starts`` names the tokens at which a pattern is tried."""
    assert _texts(PATTERN + f"starts = ['{start}']\nregex = '.{{1,3}}'", text) == expected


def test_needs_skips_the_pattern():
    """Without any of the needed tokens the pattern is not tried."""
    toml = PATTERN + "needs = ['mrn']\nregex = '\\d+'"
    assert _texts(toml, "no 12") == []
    assert _texts(toml, "MRN 12") == ["12"]


@pytest.mark.parametrize("text", ["key ab12 12", "clé ab12 12"])
def test_a_probe_skips_the_pattern(text):
    """Without a match of the probe anywhere in the text the pattern is not tried."""
    assert _texts(PATTERN + "probe = '[a-z]12'\nregex = '12\\b'", text) == ["12", "12"]
    assert _texts(PATTERN + "probe = '[a-z]13'\nregex = '12\\b'", text) == []


@pytest.mark.parametrize(("probe", "expected"), [("b[0-9]", ["12", "12"]), ("B[0-9]", [])])
def test_a_probe_may_stand_beside_starts(probe, expected):
    """It reads the text that the regex reads: the folded one here."""
    toml = PATTERN + f"starts = ['<number>']\nprobe = '{probe}'\nregex = '12\\b'"
    assert _texts(toml, "a12 B12") == expected


def test_patterns_of_one_probe_differ_by_the_text_they_read():
    """One is found in the folded text only."""
    both = "probe = 'b1'\nregex = '(?i:b)12'\n"
    other = PATTERN.replace("'p'", "'q'").replace('"p"', '"q"')
    assert _texts(PATTERN + both + other + both + "case = true", "a12 B12") == ["B12"]


def test_contexts_of_any_width():
    """before, not_before, after and not_after are look-arounds at the edges of the match."""
    toml = PATTERN + "regex = '\\d+'\nbefore = 'seen[ ]\\w*[ ]?'\nnot_after = '[ ]?mg'"
    assert _texts(toml, "seen on 12 and 13, seen 14 mg") == ["12", "1"]


def test_membership_of_lexicons():
    """Inside and outside test a group's folded text against lexicons."""
    toml = (
        '[[pattern]]\nname = "p"\nlabel = "PATIENT"\ncase = true\n'
        "regex = '(?P<phi>[A-Z][a-z]+)'\ninside = {phi = 'names'}\noutside = {phi = 'words'}"
    )
    lexicons = {"names": frozenset({"ana", "rose"}), "words": frozenset({"rose"})}
    assert _texts(toml, "Ana Rose Bo", lexicons=lexicons) == ["Ana"]


@pytest.mark.parametrize("text", ["Hoehn-Yahr", "Hoehn - Yahr", "HOEHN-YAHR"])
def test_items_of_several_words_are_members(text):
    """Inside compares the tokens too, and a pattern may start at the first word of an item."""
    toml = (
        '[[pattern]]\nname = "p"\nlabel = "PATIENT"\nstarts = ["{{first:names}}"]\n'
        "regex = '(?P<phi>\\w+\\s?-\\s?\\w+)'\ninside = {phi = 'names'}"
    )
    lexicons = {"names": frozenset({"hoehn - yahr", "adson"})}
    assert _texts(toml, f"Adson-Yahr, {text} 3", lexicons=lexicons) == [text]


def test_lexicon_alternation_reads_any_space_inside_items():
    """{{lexicon:NAME}} is the alternation of its items, longest first."""
    lexicons = {"places": frozenset({"new york", "new"})}
    toml = PATTERN + "regex = '{{lexicon:places}}'"
    assert _texts(toml, "New\nYork new", lexicons=lexicons) == ["New\nYork", "new"]


def test_echo_wants_the_same_value_elsewhere():
    """Echo accepts a match only where its group's value occurs in the other pattern."""
    toml = PATTERN + "regex = '(?P<m>\\d)/5\\b'\necho = {m = '(\\d)/1[0-9]'}"
    assert _texts(toml, "3/5 and 4/5; 3/14") == ["3/5"]


def test_within_limits_to_the_head():
    """Within keeps a pattern to the first characters of the text."""
    assert _texts(PATTERN + "regex = '\\d'\nwithin = 3", "1 2 3") == ["1", "2"]


def test_sections_restrict_a_pattern():
    """Sections and not_sections name where a pattern may stand."""
    rules = SectionRules({"section": [{"name": "fh", "headings": ["family history"]}]})
    text = "HPI: 51\nFamily history: 52"
    toml = PATTERN + "regex = '\\d+'\nsections = ['fh']"
    assert _texts(toml, text, sections=rules) == ["52"]
    toml = PATTERN + "regex = '\\d+'\nnot_sections = ['fh']"
    assert _texts(toml, text, sections=rules) == ["51"]


def test_several_labels():
    """Labels makes one mention of each named group that took part."""
    toml = (
        '[[pattern]]\nname = "p"\nlabels = {s = "STATE", z = "ZIP"}\n'
        "regex = '(?P<s>wi)(?:[ ](?P<z>\\d{5}))?'"
    )
    assert [s.label for s in _find(toml, "WI 53402 WI")] == [Label.STATE, Label.ZIP, Label.STATE]


def test_priorities():
    """A validated mention has priority 70, another 60, a veto 65, unless the rule says."""
    validated = _find(PATTERN + "regex = '\\d+/\\d+'\nvalidator = 'month-day'", "3/14 13/40")
    assert [s.priority for s in validated] == [70]
    assert [s.priority for s in _find(PATTERN + "regex = '\\d'", "1")] == [60]
    (veto,) = _find('[[veto]]\nname = "v"\nregex = "x"\nlabels = ["DATE"]', "x")
    assert veto == Veto(0, 1, "test.v", frozenset({Label.DATE}), 65)


@pytest.mark.parametrize(
    "toml",
    [
        PATTERN + "regex = '('",
        PATTERN + "regex = 'a'\nunknown = 1",
        PATTERN + "regex = 'a'\nprobe = '('",
        PATTERN + "regex = 'a'\nvalidator = 'none'",
        PATTERN + "regex = '{{nothing}}'",
        PATTERN + "regex = '(?P<g>a)'\ninside = {g = 'none'}",
        "[[pattern]]\nname = 'p'\nregex = 'a'",
        "[[pattern]]\nname = 'p'\nregex = 'a'\nlabel = 'NOBODY'",
        PATTERN + "labels = {g = 'DATE'}\nregex = '(?P<g>a)'",
    ],
)
def test_rules_that_cannot_be_honoured_are_refused(toml):
    """A faulty rule raises RuleError naming family and rule."""
    with pytest.raises(RuleError, match=r"^test\.p:"):
        _find(toml, "a")


def test_a_regex_that_takes_too_long_holds_the_text(monkeypatch):
    """A regex that reaches its time limit raises TagError("timeout")."""
    monkeypatch.setattr(patterns, "LIMIT", 0.01)
    with pytest.raises(TagError, match="tag/timeout"):
        _find(PATTERN + "regex = '(?:a|a|aa)+$'", "a" * 60 + "b")


def test_marks_and_settling():
    """Inline marks are parsed; overlapping spans settle to their union."""
    assert marked("on [[DATE:3/14]].") == ("on 3/14.", [(3, 7, Label.DATE)])
    spans = [Span(0, 4, Label.DATE, "a", 1.0, 60), Span(2, 6, Label.AGE, "b", 1.0, 70)]
    assert list(settle(spans)) == [(0, 6, Label.AGE)]


@pytest.fixture(scope="module")
def own():
    """The shipped families without lexicons, and the section rules."""
    sections = SectionRules(tomllib.loads((RULES / "sections" / "en.toml").read_text("utf-8")))
    families = [
        tomllib.loads((RULES / "patterns" / "en" / f"{name}.toml").read_text("utf-8"))
        for name in OWN
    ]
    empty = dict.fromkeys((path.name for path in (RULES / "lexicons").iterdir()), frozenset())
    return PatternTagger(Resources("en", tuple(families), empty, sections)), sections


@pytest.mark.parametrize(
    "unit",
    ["1/", "1/10 2/10 ", "4/5 ", "1-", "A1-", "(", "mrn ", "on 1/1 ", "one two ", "\n1930 ",
     "son Ana (1, ", "fax: a ", "policy # ", "page dr ", "of the ", "W1 ", "'99 ", "a@a.", "x"],
)  # fmt: skip
def test_time_stays_near_linear(own, unit):
    """No repeated unit makes 10,000 characters take the time limit of one regex."""
    tagger, sections = own
    tagger.find(read((unit * 10_000)[:10_000], "en", sections))


@settings(max_examples=100, deadline=None)
@given(st.text(alphabet="aAm1 29/-.:,#()'\n@x", max_size=200))
def test_any_text_gives_extents_within_it(own, text):
    """Whatever the text, spans are not empty and lie inside it."""
    tagger, sections = own
    found = tagger.find(read(text, "en", sections))
    assert all(0 <= item.start < item.end <= len(text) for item in found)
