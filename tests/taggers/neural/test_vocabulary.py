"""Words, characters and labels as numbers."""

from __future__ import annotations

from adapter.taggers.neural.vocabulary import LONGEST, UNKNOWN, Vocabulary, vocabulary_of
from tests.methods.bilstm_crf.networks import tokens


def labelled(text):
    """The tokens of a text, the last one a name."""
    found = tokens(text)
    return found, ["O"] * (len(found) - 1) + ["B-PATIENT"]


def test_words_of_one_text_alone_are_unknown():
    """A name that one patient alone has is not in the model; words of several texts are."""
    found = vocabulary_of([labelled("seen by Quist Quist"), labelled("seen by Okafor")])
    assert {"seen", "by"} == set(found.words)
    assert "Q" not in found.characters
    assert ("O", "B-PATIENT") == found.labels


def test_numbers_share_a_word_and_keep_their_characters():
    """Digits of a word are 0, those of its spelling are as written."""
    found = Vocabulary.of(["00"], "12", ["O"]).encoded(tokens("12 21 12"))
    known = UNKNOWN + 1
    assert [known] * 3 == found.words.tolist()
    assert [0, 1, 0] == found.forms.tolist()
    assert [known, known + 1] == found.spellings[0, :2].tolist()
    assert [known + 1, known] == found.spellings[1, :2].tolist()


def test_case_is_in_the_characters():
    """Words are folded; their spellings tell capitals from small letters."""
    found = Vocabulary.of(["rose"], "Rose", ["O"]).encoded(tokens("Rose rose"))
    assert found.words[0] == found.words[1] > UNKNOWN
    assert found.spellings[0, 0] != found.spellings[1, 0] == UNKNOWN


def test_long_tokens_are_cut():
    """Of a token that is too long the first characters are read."""
    assert (1, LONGEST) == Vocabulary.of([], "a", ["O"]).encoded(tokens("a" * 99)).spellings.shape


def test_a_text_without_tokens_is_empty():
    """A text of blanks has no words and no spellings."""
    found = Vocabulary.of([], "", ["O"]).encoded(tokens("  "))
    assert (0,) == found.words.shape
    assert (0, LONGEST) == found.spellings.shape
