"""Misspelt names and numbers."""

from __future__ import annotations

import pytest

from adapter.evaluate.headers import from_header
from adapter.taggers.document.document import read
from adapter.taggers.document.resources import Resources
from adapter.taggers.document.sections import SectionRules
from adapter.taggers.trusted.index import PhraseIndex
from adapter.taggers.trusted.variants.tagger import VariantTagger
from adapter.types import OTHER_PERSON, Label
from tests.wording import CUES, word_list

RULES = SectionRules({})
ORDINARY = frozenset({"pain", "reports", "brown", "given", "wife", "grand", "grey"})
WORDS = word_list(ordinary=ORDINARY)
TAGGER = VariantTagger(Resources("en", (), {}, RULES, ORDINARY))
HEADER = {
    "patient_family": "Wisniewski",
    "patient_given": "Stephen",
    "mrn": "00712345",
    "attending_family": "Paine",
    "kin_family": "Gray",
}


def find(text, header=HEADER):
    """(mention, label, form) of every variant in text."""
    index = PhraseIndex.build(from_header(header, WORDS).phrases, CUES)
    spans = TAGGER.tag(read(text, "en", RULES), index)
    return {(text[s.start : s.end], s.label, s.form) for s in spans}


@pytest.mark.parametrize("word", ["Wisnewski", "Wiśniewsky", "wisneiwski", "WISNIEWSKA"])
def test_a_misspelt_name_is_found_with_the_form_of_the_name(word):
    """A letter missing, wrong or swapped."""
    assert {(word, Label.PATIENT, "{family}")} == find(f"seen by {word} today")


def test_a_name_of_like_sound_is_found():
    """Steven is Stephen, though a third of the letters differ."""
    assert {("Steven", Label.PATIENT, "{given}")} == find("Steven came")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Euphem slept well", {("Euphem", Label.PATIENT, "{given}")}),
        ("euphem slept well", set()),
        ("Euph slept well", set()),
        ("Brown stool", set()),
        ("Leopold came", set()),
    ],
)
def test_the_beginning_of_a_given_name_is_found(text, expected):
    """With a capital, of five letters and more, and no word or other name."""
    header = {
        "patient_given": "Euphemiah",
        "kin_given": "Browning",
        "attending_given": "Leopoldine",
    }
    listed = {"en-given": frozenset({"leopold"})}
    tagger = VariantTagger(Resources("en", (), listed, RULES, ORDINARY))
    index = PhraseIndex.build(from_header(header, WORDS).phrases, CUES)
    spans = tagger.tag(read(text, "en", RULES), index)
    assert expected == {(text[s.start : s.end], s.label, s.form) for s in spans}


def test_a_name_with_digits_for_letters_is_found():
    """Optical recognition reads 0 for o, 1 for i or l, and 5 for s."""
    assert {("W15niewski", Label.PATIENT, "{family}")} == find("W15niewski notified")


def test_the_name_itself_is_no_variant():
    """What is spelt right is the exact tagger's."""
    assert set() == find("Stephen Wisniewski, Dr. Paine")


def test_words_of_the_language_are_no_variants_without_context():
    """Pain is not Dr. Paine, unless a title says so."""
    assert set() == find("Pain 8/10. Patient reports pain, given wife")
    assert {("Pain", Label.DOCTOR, "{family}")} == find("per Dr. Pain, discharged")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("MRN: 00712354", {"00712354"}),
        ("MRN 00712346", {"00712346"}),
        ("dose 00712346", set()),
        ("MRN 00812346", set()),
    ],
)
def test_a_number_with_one_digit_wrong_needs_words_that_announce_it(text, expected):
    """One digit wrong or two swapped, behind "MRN" and the like."""
    assert expected == {mention for mention, _, _ in find(text)}


def test_a_name_run_into_a_word_is_found():
    """A faulty export loses the blank; only the name is marked."""
    assert {("wisniewski", Label.PATIENT, "{family}")} == find(
        "mrwisniewski wisniewskireports"
    ) or {("wisniewski", Label.PATIENT, "{family}")} == find("wisniewskireports")


def test_an_eponym_that_holds_a_name_is_left_whole():
    """Babinbrown is an eponym, Babinreports a name and a word."""
    listed = {"any-inventor": frozenset({"babinbrown"})}
    tagger = VariantTagger(Resources("en", (), listed, RULES, ORDINARY))
    index = PhraseIndex.build(from_header({"patient_family": "Babin"}, WORDS).phrases, CUES)
    assert [] == list(tagger.tag(read("Babinbrown positive", "en", RULES), index))
    assert 1 == len(list(tagger.tag(read("Babinreports pain", "en", RULES), index)))


def test_initial_and_name_in_one_word_are_a_user_name():
    """Logins are made of names."""
    assert {("swisniewski", Label.USERNAME, "{given[0]}{family}")} == find("login swisniewski")


@pytest.mark.parametrize(
    ("text", "mention"),
    [
        ("Twin brother Stephan seen. Stephan well.", "Stephan"),
        ("wife Stephanie drove", "Stephanie"),
        ("hermano: Stephano", "Stephano"),
    ],
)
def test_a_relative_with_a_name_like_the_patients_is_somebody_else(text, mention):
    """The words before one place tell it for all; the mention has no entity."""
    index = PhraseIndex.build(from_header(HEADER, WORDS).phrases, CUES)
    spans = list(TAGGER.tag(read(text, "en", RULES), index))
    assert {mention} == {text[span.start : span.end] for span in spans}
    assert {(None, OTHER_PERSON)} == {(span.entity, span.form) for span in spans}


def test_a_listed_name_of_the_other_sex_is_somebody_elses():
    """Martina is not Martin misspelt; Martyn is, and so is a name that nobody bears."""
    listed = {"en-given": frozenset({"martina", "martyn"})}
    tagger = VariantTagger(Resources("en", (), listed, RULES, ORDINARY))
    index = PhraseIndex.build(from_header({"patient_given": "Martin"}, WORDS).phrases, CUES)
    text = "Martina came. Martyn slept. Martino slept."
    spans = tagger.tag(read(text, "en", RULES), index)
    found = {text[span.start : span.end]: span.form for span in spans}
    assert {"Martina": OTHER_PERSON, "Martyn": "{given}", "Martino": "{given}"} == found
