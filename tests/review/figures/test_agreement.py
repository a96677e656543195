"""Agreement of readers: kappa as scikit-learn has it, F1 of spans."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from adapter.review.figures.agreement import Read, between, compared, kappa

LABELS = st.sampled_from(["", "PATIENT", "DATE", "CITY"])


@given(st.lists(st.tuples(LABELS, LABELS), min_size=2, max_size=60))
def test_kappa_is_scikit_learns(pairs):
    """The same number for any two readers, but where theirs is undefined."""
    one, other = zip(*pairs, strict=True)
    if len({*one, *other}) > 1:
        assert kappa(one, other) == pytest.approx(cohen_kappa_score(one, other))


def test_one_label_throughout_is_full_agreement():
    """Two who see nothing anywhere agree."""
    assert kappa(["", ""], ["", ""]) == 1


def test_tokens_bear_the_label_of_the_span_they_touch():
    """All tokens count, those outside of every span too."""
    texts = ("Mr John Smith .",)
    reads = [Read("m", "ann", texts, ((0, 3, 13, "PATIENT"),)), Read("m", "ben", texts, ())]
    (made,) = compared(reads)
    assert {("", ""): 2, ("PATIENT", ""): 2} == made.tokens


def test_spans_agree_when_extent_and_label_are_the_same():
    """Half right is not right; two empty readings agree."""
    text, date, city = ("2014 Rome",), (0, 0, 4, "DATE"), (0, 5, 9, "CITY")

    def f1(*readings):
        reads = [Read("m", name, text, spans) for name, spans in zip("ab", readings, strict=True)]
        return between(reads)["a", "b"].f1

    assert f1((date,), (date, city)) == 2 / 3
    assert f1((date,), ((*date[:3], "CITY"),)) == 0
    assert f1((), ()) == 1


def test_every_two_readers_of_a_message_are_compared():
    """Readers are paired over the messages that both have read, and no others."""
    text = ("Seen in Boston by Ann",)
    reads = [
        Read("m1", "ann", text, ((0, 8, 14, "CITY"), (0, 18, 21, "DOCTOR"))),
        Read("m1", "ben", text, ((0, 8, 14, "CITY"),)),
        Read("m2", "ann", text, ()),
    ]
    ((names, made),) = between(reads).items()
    assert ("ann", "ben") == names
    assert (1, 5) == (made.messages, made.tokens)
    assert made.f1 == 2 / 3
    assert made.kappa == pytest.approx(
        cohen_kappa_score(["", "", "C", "", "D"], ["", "", "C", "", ""])
    )


def test_a_read_shows_no_text():
    """Nothing of a message is in its repr."""
    assert "Boston" not in repr(Read("m1", "ann", ("Boston",), ()))
