"""Occupations that surrogates have."""

from __future__ import annotations

import pytest

from adapter.errors import RuleError
from adapter.languages.articles import Articles
from adapter.surrogates.drawing.occupations import Occupations

FRENCH = Articles(("a", "e", "i", "o", "u", "h"), ("haut",))
LINES = (
    "agriculteur\tagricultrice",
    "boulanger\tboulangère",
    "couvreur\tcouvreuse",
    "fleuriste\tfleuriste",
    "ouvrier agricole\touvrière agricole",
)


@pytest.mark.parametrize(
    ("text", "alike"),
    [
        ("menuisier", ("boulanger", "couvreur", "fleuriste")),
        ("Pâtissière", ("boulangère", "couvreuse", "fleuriste")),
        ("électricien", ("agriculteur", "ouvrier agricole")),
        ("infirmière", ("agricultrice", "ouvrière agricole")),
        ("haut fonctionnaire", ("boulanger", "couvreur", "fleuriste")),
        ("retraitée boulangère", ("boulangère", "couvreuse", "fleuriste")),
    ],
)
def test_the_gender_and_the_article_stay(text, alike):
    """Words that end as feminine forms do get feminine ones; "d'" stays before a vowel."""
    assert Occupations.of("fr-occupation", LINES, FRENCH).like(text) == alike


def test_a_language_without_such_articles_needs_no_vowels():
    """Where no article changes, all occupations may follow one another."""
    table = Occupations.of("de-occupation", ("Bäcker\tBäckerin",), Articles())
    assert table.like("Installateurin") == ("Bäckerin",)
    assert table.like("Anstreicher") == ("Bäcker",)


def test_occupations_of_one_article_only_are_refused():
    """A surrogate must be possible behind both articles."""
    with pytest.raises(RuleError, match="surrogates/fr-occupation"):
        Occupations.of("fr-occupation", ("boulanger\tboulangère",), FRENCH)


@pytest.mark.parametrize("line", ["", "boulanger\t", "boulanger\tboulangère\tboulangers"])
def test_a_line_of_no_form_or_three_is_refused(line):
    """An empty surrogate would take the word away."""
    with pytest.raises(RuleError, match="one form or two"):
        Occupations.of("fr-occupation", (*LINES, line), FRENCH)
