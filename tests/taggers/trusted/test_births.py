"""Known dates of birth are found with months and numbers in words of any language."""

from __future__ import annotations

from pathlib import Path

import pytest

from adapter.rules.folder import Folder
from adapter.taggers.document.tokens import tokenize
from adapter.taggers.trusted.births import births_in
from adapter.taggers.trusted.mentions import bare
from adapter.types import Label, TrustedPhrase

WRITTEN = Folder(Path(__file__).resolve().parents[3] / "rules").written_days
PHRASE = TrustedPhrase("19740303", Label.DATE, "patient", "{birthdate}")
BIRTHS = {(1974, 3, 3): PHRASE, (1962, 9, 16): PHRASE, (2001, 12, 21): PHRASE, (1971, 3, 1): PHRASE}


def mentions(text):
    """The dates of birth in a text."""
    spans = births_in(bare(tokenize(text), text), BIRTHS, WRITTEN)
    return [text[span.start : span.end] for span in spans]


@pytest.mark.parametrize(
    "written",
    [
        "3/III/1974", "16-IX-1962", "16.IX.62", "3 III 1974", "21/xii/2001",
        "16 sett. 1962", "3-mar-74", "16 de set. de 1962", "16 sept '62", "16. září 1962",
        "1er mars 1971", "March 3rd, 1974", "1974. március 3", "3 mars \u201974",
        "trois mars mil neuf cent soixante-quatorze", "seize septembre 1962",
        "vingt et un décembre deux mille un", "trois mars soixante-quatorze",
        "tre marzo millenovecentosettantaquattro", "tre marzo mille novecento settantaquattro",
        "três de março de mil novecentos e setenta e quatro", "vinte e um de dezembro de 2001",
        "veintiuno de diciembre de dos mil uno", "tres de marzo de 1974",
        "dritter März neunzehnhundertvierundsiebzig", "16. sep. zweiundsechzig",
        "third of March, nineteen seventy-four", "drie maart negentienhonderdvierenzeventig",
        "16 września 1962", "3 MAART 1974", "16 szept. 1962", "16. syyskuuta 1962",
    ],
)  # fmt: skip
def test_a_birth_date_is_found_in_words_of_any_language(written):
    """Roman numerals, abbreviations, apostrophes, and numbers in words."""
    assert [written] == mentions(f"née le {written}, asthme")


@pytest.mark.parametrize(
    "text",
    [
        "3 mars 1975", "4/III/1974", "III/1974", "3/III", "grade III 1974", "marzo 1974",
        "tre marzo millenovecentosettantacinque", "16 sett", "seize septembre",
        "3 and III of 1974 cases", "13 mars 1974", "March 1974, 4 units",
    ],
)  # fmt: skip
def test_other_dates_and_words_are_not(text):
    """Another day, a month without its day or year, and numerals of stages."""
    assert [] == mentions(text)


def test_the_span_is_the_birth_date_of_its_entity():
    """It has the form of the field, so that it gets the surrogate of a date of birth."""
    text = "nata il 3 marzo 1974"
    (span,) = births_in(tokenize(text), BIRTHS, WRITTEN)
    assert (span.label, span.entity, span.form) == (Label.DATE, "patient", "{birthdate}")
