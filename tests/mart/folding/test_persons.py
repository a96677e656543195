"""Numbers become persons."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from adapter.mart.folding import persons_of
from adapter.mart.versions import Merge, person_id


def test_numbers_and_merges_make_one_person():
    """What a message lists together, and what is merged later, is one."""
    found = persons_of([("a", "b"), ("c",), ("x",)], [Merge("c", "b")])
    assert {"a", "b", "c", "x"} == found.keys()
    assert found["a"] == found["b"] == found["c"] == person_id(frozenset("abc"))
    assert found["x"] != found["a"]


GROUPS = st.lists(
    st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=3).map(tuple), max_size=8
)
MERGES = st.lists(
    st.builds(Merge, st.sampled_from("abcdefgh"), st.sampled_from("abcdefgh")), max_size=4
)


@given(GROUPS, MERGES, st.randoms(use_true_random=False))
def test_order_and_repetition_change_no_person(groups, merges, draw):
    """Loading in another order, or twice, gives the same persons."""
    expected = persons_of(groups, merges)
    again = [*groups, *groups, *[tuple(reversed(keys)) for keys in groups]]
    more = [*merges, *merges]
    draw.shuffle(again)
    draw.shuffle(more)
    assert expected == persons_of(again, more)


@given(GROUPS, MERGES)
def test_what_is_said_together_is_together(groups, merges):
    """Each group is one person, and each merge joins two."""
    found = persons_of(groups, merges)
    assert all(1 == len({found[key] for key in keys}) for keys in groups)
    assert all(found[merge.prior] == found[merge.number] for merge in merges)
