"""Samples: random within strata, and uncertain mentions one a phrase."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapter.review.figures.sampling import (
    Candidate,
    allocate,
    draw,
    entropy,
    margin,
    stratum,
    uncertain,
)

POOL = [(f"m{n:03}", "a" if n % 10 else "b") for n in range(200)]


def test_a_sample_is_drawn_in_proportion_and_can_be_drawn_again():
    """Strata get their share; the seed gives the same messages, whatever the order they come in."""
    frames = draw(POOL, 40, seed=5)
    assert {"a": (180, 36), "b": (20, 4)} == {f.stratum: (f.size, len(f.drawn)) for f in frames}
    assert frames == draw(reversed(POOL), 40, seed=5)
    assert frames != draw(POOL, 40, seed=6)


def test_every_message_is_as_likely_as_another():
    """Over many seeds no message of a stratum is preferred."""
    counts = Counter(
        name for seed in range(300) for frame in draw(POOL, 40, seed) for name in frame.drawn
    )
    assert len(counts) == 200
    assert max(counts.values()) < 2.2 * min(counts.values())


@given(st.dictionaries(st.sampled_from("abcdef"), st.integers(0, 500)), st.integers(1, 300))
def test_no_stratum_gives_more_than_it_has(sizes, wanted):
    """Two at least where there are two, never more than there are."""
    for name, number in allocate(sizes, wanted).items():
        assert min(2, sizes[name]) <= number <= sizes[name]


def test_uncertainty_is_greatest_at_one_half():
    """Both measures order scores alike."""
    assert (1, 0, 0) == (margin(0.5), margin(0), margin(1))
    assert (1, 0, 0) == (entropy(0.5), entropy(0), entropy(1))
    assert entropy(0.9) == pytest.approx(0.469, abs=1e-3)


def test_one_message_is_asked_about_a_phrase():
    """The least certain mention of each phrase comes; certain ones do not."""
    found = [
        Candidate("m1", 0, 3, 9, b"glasgow", 0.7),
        Candidate("m2", 0, 3, 9, b"glasgow", 0.52),
        Candidate("m3", 1, 0, 5, b"smith", 1.0),
        Candidate("m3", 1, 9, 12, b"may", 0.6),
    ]
    assert ["m2", "m3"] == [c.message for c in uncertain(found, 5, entropy)]
    assert ["m2"] == [c.message for c in uncertain(found, 1, margin)]


def test_strata_are_of_type_length_and_uncertainty():
    """What a stratum is called says what is in it."""
    assert stratum("ORU^R01", 1500, 0.9) == "ORU^R01 long unsure"
    assert stratum("Bundle", 80, 0.1) == "Bundle short sure"
    assert stratum("Bundle", 80, 0.1, samples=2) == "Bundle short sure since sample 2"


def test_strata_that_were_sampled_before_need_no_more_than_their_share():
    """However many samples there were, a new one is of the size that was asked for."""
    assert {"a": 0, "b": 40} == allocate({"a": 5, "b": 995}, 40, read={"a"})
    assert allocate({"a": 5, "b": 995}, 40) == {"a": 2, "b": 40}
