"""Words that are in no dictionary are names until something proves them codes."""

from __future__ import annotations

import pytest

from adapter.values.vocabulary import Vocabulary

KNOWN = Vocabulary(
    frozenset(
        {"final", "donor", "test", "refill", "remaining", "days", "supply", "glucose", "fitz"}
    ),
    {"thaddeus": 8, "fitz": 6},
    frozenset({"warren"}),
    cues=frozenset({"for"}),
)


@pytest.mark.parametrize("text", ["final", "FINAL", "refills", "tested", "F", "XQ1", "dayssupply"])
def test_listed_words(text):
    """Words, their plurals and compounds, and abbreviations may be of a list of codes."""
    assert KNOWN.listed(text)


@pytest.mark.parametrize(
    "text", ["quib", "Quibble", "QUIBBLE", "final Quibble", "fitzwarren", "陳大文"]
)
def test_words_that_no_list_has(text):
    """A word that is none, or two names run together, is of no list."""
    assert not KNOWN.listed(text)


@pytest.mark.parametrize("text", ["MPOSBC", "vergpco", "final", "12A", "GLUCOSE-Quibble"])
def test_local_codes(text):
    """Abbreviations and what has a word beside are codes."""
    assert KNOWN.names_nobody(text)


@pytest.mark.parametrize(
    "text",
    [
        "Quibble",
        "quibblew",
        "QUIBBLEWO",
        "O'QUIB",
        "Quib-Wuble",
        "\u041f\u0430\u0432\u043b\u043e\u0432",
    ],
)
def test_lone_names(text):
    """A value that is an unknown word and nothing else is no code."""
    assert not KNOWN.names_nobody(text)


@pytest.mark.parametrize("text", ["Donor test", "Quibble test", "Glucose Donor", "thaddeus quib"])
def test_descriptions(text):
    """One unknown word in a description may be a term."""
    assert KNOWN.describes(text)


@pytest.mark.parametrize(
    "text",
    ["Test Ulgrim Quibble", "Thaddeus Quibble", "Quibble, Thaddeus", "Ulg-Quib", "ULGRIM QUIBBLE"],
)
def test_full_names(text):
    """Two unknown words, or one beside a given name, are a full name."""
    assert not KNOWN.describes(text)


@pytest.mark.parametrize(
    "text",
    [
        "Quibble",
        "Quibble R",
        "test for Quibble",
        "For Quibble test",
        "test x='Quibble'",
        "Donor O'Quibble",
    ],
)
def test_names_of_local_codes(text):
    """An unknown word alone, cued or quoted is no name of a local code."""
    assert not KNOWN.labels(text)
    assert KNOWN.labels("Quibble test")


MISSPELT = Vocabulary(frozenset({"steroids", "factor", "risk"}), people=frozenset({"stephens"}))


def test_a_word_with_two_letters_exchanged_is_no_name():
    """A long known word with neighbouring letters exchanged labels a local code."""
    assert MISSPELT.labels("Risk Factor Steriods")


@pytest.mark.parametrize("word", ["Steroyds", "Sterroids", "Sterods", "Quibbleworth"])
def test_other_unknown_words_may_be_names(word):
    """Another letter, one more or one less makes a word that may be somebody's name."""
    assert not MISSPELT.labels(f"Risk Factor {word}")


@pytest.mark.parametrize("text", ["Final", "FINAL", "finalTest"])
def test_known_words_alone(text):
    """One known word, or several run together, is known."""
    assert KNOWN.knows(text)


@pytest.mark.parametrize("text", ["final test", "final2", "fi", "Quibble", "finalQuibble", ""])
def test_what_is_no_known_word(text):
    """Words apart, digits, short words, unknown ones and nothing are not."""
    assert not KNOWN.knows(text)


@pytest.mark.parametrize("text", ["test d'glucose", "l'donor test", "donor qu'final"])
def test_an_elided_word_is_no_part_of_the_next(text):
    """French joins its articles to words, which count by themselves: "l'urgence"."""
    assert KNOWN.labels(text)


@pytest.mark.parametrize("text", ["test d'quibble", "test d'Amico", "test l'Quib"])
def test_a_name_behind_an_elided_word_is_one(text):
    """What no vocabulary has is a name there as elsewhere."""
    assert not KNOWN.labels(text)
