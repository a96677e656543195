"""Numbers that are parted are so from then on, for what was said before."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from adapter.mart.folding import IdentityStatement, persons_of, together
from adapter.mart.versions import Parting

GROUPS = st.lists(st.sets(st.sampled_from("abcdefg"), min_size=1).map(sorted).map(tuple))
SIDES = st.sets(st.sampled_from("abcdefg"), min_size=2).map(sorted)


def persons(*said):
    """Sets of numbers of one person each, after what was said, oldest first."""
    of = persons_of(together(reversed(said)), ())
    found = {}
    for number, person in of.items():
        found.setdefault(person, set()).add(number)
    return sorted(map(sorted, found.values()))


def test_patients_that_were_linked_are_unlinked():
    """What else is one of the two patients' stays so, and a later link counts again."""
    link, unlink = (
        IdentityStatement((("a", "b"),)),
        IdentityStatement((), (Parting(("a",), ("b",)),)),
    )
    lists = IdentityStatement((("a", "x"), ("b", "y")))
    assert [["a", "b", "x", "y"]] == persons(lists, link)
    assert [["a", "x"], ["b", "y"]] == persons(lists, link, unlink)
    assert [["a", "b", "x", "y"]] == persons(lists, link, unlink, link)


def test_a_group_of_both_falls_in_two():
    """A message that named all numbers of the two patients says no more than who was whose."""
    parting = IdentityStatement((), (Parting(("a", "x"), ("b",)),))
    assert [["a", "x"], ["b", "y"]] == persons(
        IdentityStatement((("a", "x", "b"), ("b", "y"))), parting
    )
    assert [["a", "x"], ["c", "z"]] == persons(IdentityStatement((("a", "x"), ("c", "z"))), parting)


def test_a_number_that_moves_leaves_its_group():
    """The others stay together, whichever of them named them, and it goes to the new patient."""
    moved = IdentityStatement((("n", "new"),), (Parting(("n",)),))
    assert [["a", "b"], ["n", "new"]] == persons(IdentityStatement((("a", "b", "n"),)), moved)


@given(GROUPS, SIDES, st.data())
def test_no_group_has_both_sides_after_a_parting(groups, numbers, data):
    """Unless something says so later, no message joins one of each side; nothing else changes."""
    cut = data.draw(st.integers(1, len(numbers) - 1))
    one, others = tuple(numbers[:cut]), tuple(numbers[cut:])
    said = [IdentityStatement((group,)) for group in groups]
    found = list(together([IdentityStatement((), (Parting(one, others),)), *said]))
    assert not any(set(group) & set(one) and set(group) & set(others) for group in found)
    untouched = [
        group for group in groups if not (set(group) & set(one) and set(group) & set(others))
    ]
    assert all(group in found for group in untouched)
    assert sorted(n for g in groups for n in g) == sorted(n for g in found for n in g)
