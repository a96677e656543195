"""Tokens as texts have them between blanks."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from adapter.methods.coarse_tokens import coarse
from adapter.taggers.crf.tokens import sequence_tokens
from adapter.taggers.document.document import read
from adapter.taggers.document.sections import SectionRules

NO_SECTIONS = SectionRules({})


def tokens_of(text):
    """The fine and coarse tokens of a text."""
    fine = sequence_tokens(read(text, "es", NO_SECTIONS))
    return fine, coarse(fine)


def test_what_stands_between_blanks_is_one_token():
    """Dates, addresses of mail and numbers are whole; parting marks and last stops are not."""
    text = "Alta: 10/10/1963, ana.d@yahoo.es. NHC:nhc-27..\n(Dr. Gil)"
    _, found = tokens_of(text)
    assert found.forms == [
        "Alta", ":", "10/10/1963", ",", "ana.d@yahoo.es", ".", "NHC", ":", "nhc-27", ".", ".",
        "<br>", "(", "Dr", ".", "Gil", ")",
    ]  # fmt: skip


@given(st.text(alphabet="aB1 .,:/-@\n(", max_size=40))
def test_coarse_tokens_cover_what_fine_ones_cover(text):
    """Coarse tokens begin and end where fine ones do, in order, without overlap or loss."""
    fine, found = tokens_of(text)
    assert set(found.starts) <= set(fine.starts)
    assert set(found.ends) <= set(fine.ends)
    assert all(end <= start for end, start in zip(found.ends, found.starts[1:], strict=False))
    assert "".join(found.forms) == "".join(fine.forms)
