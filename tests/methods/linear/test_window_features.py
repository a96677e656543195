"""Features of tokens in a window."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("sklearn")

from adapter.methods.linear.window_features import EDGE, WINDOW, Gazetteers, Hashed, shown
from adapter.taggers.crf.tokens import SequenceTokens
from adapter.taggers.wordlists import Lexicon


def tokens_of(*words):
    """Tokens of words, one blank between them."""
    places = list(range(len(words)))
    return SequenceTokens(
        places, places, list(words), [w.lower() for w in words], [""] * len(words)
    )


def test_a_token_shows_its_word_and_look():
    """The word, its length and digits, and the look of its letters are features."""
    assert shown(("O'Neill", ())) == ["w=o'neill", "length=7", "digits=0", "capital", "apostrophe"]
    assert shown(("XIV", ())) == ["w=xiv", "length=3", "digits=0", "capital", "upper", "roman"]
    assert shown(("12-b", ("city",))) == [
        "w=12-b",
        "length=4",
        "digits=2",
        "lower",
        "dash",
        "in=city",
    ]
    assert shown(EDGE) == ["w="]


def test_gazetteers_mark_all_tokens_of_an_item():
    """The longest item is marked on each of its tokens, with its strength on the first alone."""
    lexicons = {"es-city": Lexicon.parse("ciudad real\t3\nreal"), "es-job": Lexicon.parse("real")}
    lists = Gazetteers.of(lexicons, "es")
    found = [listed for _, listed in lists.keys(tokens_of("Ciudad", "Real", "y"))]
    assert found == [("city0", "city"), ("city", "city0"), ()]


def test_a_row_sums_the_tokens_of_the_window():
    """Rows are those of each token at its offset; beyond the ends stands the edge."""
    hashed = Hashed()
    keys = [(form, ()) for form in ("uno", "dos", "tres")]
    rows = hashed.matrix([keys, keys[:1]]).toarray()
    alone = hashed.matrix([keys[:1]]).toarray()
    assert rows.shape[0] == len(keys) + 1
    assert np.array_equal(rows[3], alone[0])
    assert np.abs(rows).sum(axis=1) == pytest.approx(
        [
            _shown(EDGE, *keys),
            _shown(*keys, EDGE),
            _shown(keys[1], keys[2], EDGE, EDGE),
            _shown(EDGE, keys[0], EDGE, EDGE),
        ]
    )


def _shown(*window):
    """How many features the tokens of a window show."""
    assert len(window) == len(WINDOW)
    return sum(len(shown(key)) for key in window)


def test_distance_matters():
    """The same word before and behind a token gives other features."""
    one, other = ("uno", ()), ("dos", ())
    rows = Hashed().matrix([[one, other], [other, one]]).toarray()
    assert not np.array_equal(rows[0], rows[3])


def test_no_tokens_have_no_rows():
    """A text without tokens gives a matrix without rows."""
    assert Hashed().matrix([[]]).shape[0] == 0
