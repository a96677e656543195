"""Connected components over numbers: the same as by walking from number to number."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapter.phrases.memory import StaffFacts
from adapter.spark.components import components, nodes
from adapter.types import PatientFacts

PAIRS = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), min_size=1, max_size=40)


def walked(pairs):
    """The least number that each number leads to."""
    near = {n: {n} for pair in pairs for n in pair}
    for a, b in pairs:
        near[a].add(b)
        near[b].add(a)
    for _ in near:
        near = {n: set().union(*(near[m] for m in found)) for n, found in near.items()}
    return {n: min(found) for n, found in near.items()}


def check(pairs):
    """Compare."""
    first, second = (np.array(side, dtype=np.int64) for side in zip(*pairs, strict=True))
    numbers, labels = components(first, second)
    assert walked(pairs) == dict(zip(numbers.tolist(), labels.tolist(), strict=True))


@settings(max_examples=60)
@given(PAIRS)
def test_components_are_those_of_a_walk(pairs):
    """Each number has the least number of its component."""
    check(pairs)


@pytest.mark.slow
@settings(max_examples=2_000)
@given(PAIRS)
def test_components_are_those_of_a_walk_for_many(pairs):
    """The same for many more."""
    check(pairs)


def test_a_long_chain_is_one_component():
    """Numbers that follow one another by the hundred thousand end in one component, soon."""
    chain = np.random.default_rng(1).permutation(100_000)
    _, labels = components(chain[:-1], chain[1:])
    assert {0} == set(labels.tolist())


def test_nodes_are_macs_alone():
    """All numbers of a record's patients count, each once, and nothing of what was said."""
    facts = PatientFacts("f" * 32, ("0" * 31 + "1", "a" * 32), ("a" * 32,), ("b" * 32,), b"Quell")
    assert [(1 << 63) - 1, 0, 0xAAAAAAAAAAAAAAAA >> 1, 0xBBBBBBBBBBBBBBBB >> 1] == nodes((facts,))


def test_staff_join_no_patients():
    """A doctor of many patients does not bring their records into one task."""
    facts = PatientFacts("f" * 32, ("a" * 32,), packed=b"Quell")
    staff = StaffFacts((PatientFacts("staff:" + "b" * 32, ("c" * 32,), packed=b"Dr"),), ("d" * 32,))
    assert nodes((facts,)) == nodes((facts, staff))
