"""Copies of texts in small letters and in capitals: where mentions are does not change."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapter.evaluate.annotations import Annotated, Mention
from adapter.train.augment.casing import AS_WRITTEN, Recasing, recased

TEXT = Annotated(
    "n1", "Frau Groß, 4 B, ist da", "de", (Mention(5, 9, "PATIENT"),), meta={"patient_family": "G"}
)


def test_a_copy_is_written_in_one_case():
    """Letters that have one other form have it; "ß" stays, so that no offset moves."""
    (small,) = recased([TEXT], Recasing(lower=1), 7)
    (large,) = recased([TEXT], Recasing(upper=1), 7)
    assert (small.id, small.text) == ("n1#lower", "frau groß, 4 b, ist da")
    assert (large.id, large.text) == ("n1#upper", "FRAU GROß, 4 B, IST DA")
    assert small.mentions == large.mentions == TEXT.mentions
    assert small.meta == TEXT.meta


def test_a_text_that_is_written_so_has_no_copy():
    """A copy of a note in capitals would be the note itself."""
    note = Annotated("n2", "BP 120/80", "en", ())
    assert not list(recased([note], Recasing(upper=1), 7))


def test_the_shares_are_those_of_the_texts():
    """Of many texts about so many have a copy of each kind; which ones, the seed says."""
    texts = [Annotated(str(number), f"Note {number}", "en", ()) for number in range(2000)]
    shares = Recasing(lower=0.2, upper=0.1)
    copies = list(recased(texts, shares, 7))
    small = sum(copy.id.endswith("#lower") for copy in copies)
    assert 300 < small < 500
    assert 120 < len(copies) - small < 280
    assert copies == list(recased(texts, shares, 7))
    assert [copy.id for copy in copies] != [copy.id for copy in recased(texts, shares, 8)]
    assert not list(recased(texts, AS_WRITTEN, 7))


@pytest.mark.parametrize("shares", [(-0.1, 0), (0.6, 0.5)])
def test_shares_that_are_none_are_refused(shares):
    """A text has at most one copy."""
    with pytest.raises(ValueError, match="recased"):
        Recasing(*shares)


@given(st.text(max_size=40))
def test_every_text_keeps_its_length(text):
    """Letters whose other form is longer, such as a ligature, stay."""
    note = Annotated("n", text, "en", ())
    for shares in (Recasing(lower=1), Recasing(upper=1)):
        assert all(len(copy.text) == len(text) for copy in recased([note], shares, 7))
