"""Features: pure, by group, and the same whether kept by form or not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapter.taggers.crf.features import GROUPS, Featurizer
from adapter.taggers.crf.word_features import REACH, long_shape, shape
from adapter.taggers.crf.word_stats import WordStats
from adapter.taggers.wordlists import Lexicon
from adapter.types import Label, Span
from tests.taggers.texts import document

BOOK = WordStats({"Ana": "1010", "slept": "0011"}, {"Ana": 5, "slept": 9})
LISTS = {"city": Lexicon.parse("rome\nst mary\n"), "given": Lexicon.parse("ana\t7\n")}
TEXT = 'Seen: Ana Okafor, St Mary\nRome 12/3 said "MRN 5"'
TEXTS = st.text(alphabet=st.sampled_from("aAbB1. \n\t:é"), min_size=1, max_size=60)


def rows(text=TEXT, found=(), groups=GROUPS):
    """All features of each token, by a featurizer that has seen nothing."""
    return Featurizer(LISTS, BOOK, groups).rows(document(text), found).strings()


@given(TEXTS, TEXTS)
def test_features_are_a_pure_function(first, second):
    """What a featurizer has read before changes nothing."""
    used = Featurizer(LISTS, BOOK)
    used.rows(document(first))
    assert rows(second) == used.rows(document(second)).strings()


@given(TEXTS)
def test_each_unit_has_a_row(text):
    """Rows and the keys of each layer are as many as tokens."""
    made = Featurizer(LISTS, BOOK).rows(document(text))
    assert {len(made.tokens)} == {len(made.strings()), *(len(one.keys) for one in made.layers)}


@given(TEXTS)
def test_a_row_sees_the_words_around_it(text):
    """The words from three before to three after, and no others."""
    made = Featurizer({}, BOOK, ("word",)).rows(document(text))
    words = made.tokens.words
    for place, row in enumerate(made.strings()):
        expected = {
            f"w{other - place}={words[other]}"
            for other in range(max(0, place - REACH), min(len(words), place + REACH + 1))
        }
        assert expected == {feature for feature in row if feature.startswith("w")}


def seen(form, groups, text=TEXT, found=()):
    """The features of the first token with a form."""
    made = Featurizer(LISTS, BOOK, groups).rows(document(text), found)
    return set(made.strings()[made.tokens.forms.index(form)])


@pytest.mark.parametrize(
    ("form", "group", "expected"),
    [
        ("Okafor", "shape", {"0s=Xx", "0sl=Xxxxxx", "-1s=Xx"}),
        ("12", "class", {"0c=dd", "0c=digits"}),
        ("Okafor", "affix", {"0p1=o", "0p4=okaf", "0s4=afor", "0s3=for"}),
        ("Ana", "cluster", {"0k=1010", "0k4=1010"}),
        ("Ana", "frequency", {"0f=5", "0fl=-1"}),
        ("Ana", "lexicon", {"0x=given++"}),
        ("Mary", "lexicon", {"x=city:I", "-1x=city:B"}),
        ("Okafor", "ngram", {"aw=ana|okafor", "st=Xx|,"}),
        ("MRN", "quotes", {"quoted"}),
        ("Rome", "word", {"w0=rome", "w-2=mary"}),
    ],
)
def test_what_a_group_shows(form, group, expected):
    """Features of each group, on and off."""
    assert expected <= seen(form, (group,))
    others = seen(form, [each for each in GROUPS if each != group])
    assert not expected & others


def test_evidence_is_seen_by_neighbours():
    """A token sees what is said of the tokens beside it."""
    found = [Span(6, 9, Label.PATIENT, "rule", priority=70)]
    assert "r7=PATIENT:B" in seen("Ana", ("rules",), found=found)
    assert "-1r7=PATIENT:B" in seen("Okafor", ("rules",), found=found)
    assert "+1r7=PATIENT:B" in seen(":", ("rules",), found=found)


@pytest.mark.parametrize(
    ("form", "long", "short"),
    [("McKay1", "XxXxx0", "XxXx0"), ("2021", "0000", "0"), ("élan", "xxxx", "x"), ("-", "-", "-")],
)
def test_shapes(form, long, short):
    """Letters by case, digits as 0; repetitions once."""
    assert (long, short) == (long_shape(form), shape(form))
