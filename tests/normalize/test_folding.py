"""The comparable form of text, and many keys looked for at once."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from adapter.normalize import folding
from adapter.normalize.folding import contained, fold

WORDS = st.text("ab1", max_size=12)


@given(st.lists(WORDS, max_size=8), st.text("ab1", max_size=60), st.booleans())
def test_keys_are_contained_as_one_by_one(keys, text, many):
    """Many keys and much text give what each key by itself gives."""
    before, folding._FEW = folding._FEW, -1 if many else 2_000_000
    try:
        assert {key for key in keys if key in text} == contained(keys, text)
    finally:
        folding._FEW = before


def test_kana_of_both_alphabets_compare_alike():
    """A name in hiragana is that in katakana; a Greek sigma is one wherever it stands."""
    assert fold("くろいわだ") == fold("クロイワダ")
    assert fold("Παπαδημητράκης") == fold("Παπαδημητράκησ")
