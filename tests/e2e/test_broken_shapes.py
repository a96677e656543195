"""No identifier survives a lost line end or separator: it is replaced, dropped, or all is held."""

from __future__ import annotations

import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.corpus.runs import ruleset
from tests.e2e import broken_shapes

pytestmark = pytest.mark.corpus

SOME = settings(max_examples=60, suppress_health_check=list(HealthCheck), deadline=None)
MANY = settings(max_examples=2500, suppress_health_check=list(HealthCheck), deadline=None)


@pytest.fixture(scope="module")
def rules():
    """The shipped rules under a fixed key."""
    return ruleset()


@pytest.fixture(scope="module")
def pool(shared_data, rules):
    """The sample messages that name somebody, of every sixth."""
    found = broken_shapes.samples(shared_data / "messages" / "hl7v2", rules, 6)
    assert len(found) > 160
    return found


@pytest.fixture(scope="module")
def whole_pool(shared_data, rules):
    """All sample messages that name somebody."""
    found = broken_shapes.samples(shared_data / "messages" / "hl7v2", rules)
    assert len(found) > 1000
    return found


def check_line_ends(pool, rules, seed):
    """Assert that no identifier survives a lost line end."""
    chance = random.Random(seed)
    sample = chance.choice(pool)
    broken = broken_shapes.line_end_lost(sample.text, chance)
    assert broken_shapes.survivors(sample, broken, rules, strict=True) == [], sample.name


def check_signs(pool, rules, seed):
    """Assert that no identifier survives a changed delimiter, in whatever place."""
    chance = random.Random(seed)
    sample = chance.choice(pool)
    broken = broken_shapes.sign_changed(sample.text, chance)
    assert broken_shapes.survivors(sample, broken, rules, strict=True) == [], sample.name


def check_runs(pool, rules, seed):
    """Assert that no identifier survives many delimiters at once outside its own segment.

    What a whole run of them moves farther within it is for that place's datatype to refuse.
    """
    chance = random.Random(seed)
    sample = chance.choice(pool)
    broken = broken_shapes.run_changed(sample.text, chance)
    assert broken_shapes.survivors(sample, broken, rules, strict=False) == [], sample.name


@given(st.integers(0, 2**32))
@SOME
def test_a_lost_line_end_lets_nothing_out(pool, rules, seed):
    """Any line end, or all, removed or sent as something else."""
    check_line_ends(pool, rules, seed)


@given(st.integers(0, 2**32))
@SOME
def test_a_changed_delimiter_lets_nothing_out(pool, rules, seed):
    """Any delimiter removed, replaced, or put in."""
    check_signs(pool, rules, seed)


@given(st.integers(0, 2**32))
@SOME
def test_a_changed_run_of_delimiters_lets_nothing_into_another_segment(pool, rules, seed):
    """Any run of delimiters replaced."""
    check_runs(pool, rules, seed)


@pytest.mark.slow
@given(st.integers(0, 2**32))
@MANY
def test_many_lost_line_ends_let_nothing_out(whole_pool, rules, seed):
    """The same for thousands."""
    check_line_ends(whole_pool, rules, seed)


@pytest.mark.slow
@given(st.integers(0, 2**32))
@MANY
def test_many_changed_delimiters_let_nothing_out(whole_pool, rules, seed):
    """The same for thousands."""
    check_signs(whole_pool, rules, seed)
