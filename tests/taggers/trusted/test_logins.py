"""User names made of the beginnings of a person's names."""

from __future__ import annotations

import pytest

from adapter.evaluate.headers import from_header
from adapter.taggers.document.document import read
from adapter.taggers.document.resources import Resources
from adapter.taggers.document.sections import SectionRules
from adapter.taggers.trusted.index import PhraseIndex
from adapter.taggers.trusted.variants.tagger import VariantTagger
from adapter.types import Label
from tests.wording import CUES, word_list

RULES = SectionRules({})
ORDINARY = frozenset({"park", "oblong", "long"})
WORDS = word_list(ordinary=ORDINARY)
TAGGER = VariantTagger(Resources("en", (), {}, RULES, ORDINARY))
HEADER = {
    "patient_family": "Thibodeaux",
    "patient_given": "Marisol",
    "patient_middle": "Eugenia",
    "attending_family": "Haverkamp",
    "attending_given": "Wendeline",
    "kin_family": "Park",
    "kin_given": "Jihye",
}


def find(text, header=HEADER):
    """(mention, form) of every user name in text."""
    index = PhraseIndex.build(from_header(header, WORDS).phrases, CUES)
    spans = TAGGER.tag(read(text, "en", RULES), index)
    return {(text[s.start : s.end], s.form) for s in spans if s.label is Label.USERNAME}


@pytest.mark.parametrize(
    "user",
    ["whaverk", "methibo", "MTHIBOD", "mthibo", "thiboma", "thibodem", "marithi"],
)
def test_beginnings_of_both_names_are_a_user_name(user):
    """At least four letters of one name, and one of the other, in either order."""
    assert {user} == {mention for mention, _ in find(f"seen by team, {user} on call")}


def test_a_domain_stays_before_a_user_name():
    """Windows writes the domain before the name of a user."""
    assert {("mthibod", None)} == find("MERCY\\mthibod")


@pytest.mark.parametrize("before", ["login ", "user id ", "DICT: ", "TR: ", "Entered by ", "user="])
def test_shorter_user_names_need_an_announcement(before):
    """Three letters of both names, and names that are common words."""
    assert {("thimar", None)} == find(f"{before}thimar 3")
    assert {("jpark", "{given[0]}{family}")} == find(f"{before}jpark reset")
    assert set() == find("thimar and jpark reset")


def test_a_time_of_day_behind_announces_a_user_name():
    """Staff sign with their user name and the time."""
    assert {("jpark", "{given[0]}{family}")} == find("pt resting. jpark 0244; scribe: none")
    assert set() == find("jpark 24000 steps, jpark 2.5, jpark 2590")


@pytest.mark.parametrize("word", ["mhaverk", "thibo", "wendthibo", "mariso", "thibodmx"])
def test_letters_of_two_people_or_of_one_name_are_no_user_name(word):
    """Both names are one person's, and each gives a part."""
    assert set() == find(f"login {word}")


def test_a_word_of_the_language_is_no_user_name():
    """Obi Long is not "oblong"."""
    assert set() == find("login oblong", HEADER | {"kin_family": "Long", "kin_given": "Obi"})
