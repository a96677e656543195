"""Partitions of one number as one lane: their order, their bounds, and what cannot be joined."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapter.errors import RuleError
from adapter.transports.merging import Buffer, numbered, refuse_uneven
from adapter.types import Position, Record

A, B = ("a", 3), ("b", 3)
TIMES = st.lists(st.integers(0, 9), max_size=9)


def record(topic, offset, timestamp=None, value=b"x"):
    """A record of partition 3 of a topic."""
    return Record(value, Position(topic, 3, offset), timestamp=timestamp)


def filled(**topics):
    """A buffer of records by topic, given as timestamps."""
    buffer = Buffer((A, B))
    for topic, stamps in topics.items():
        for offset, stamp in enumerate(stamps):
            buffer.add((topic, 3), record(topic, offset, stamp))
    return buffer


def places(records):
    """Topic and offset of records."""
    return "".join(f"{each.position.topic}{each.position.offset}" for each in records)


def test_the_earliest_record_comes_first():
    """Of several topics the earlier timestamp goes first; of equal ones the first topic's."""
    buffer = filled(a=(1, 5, 6), b=(2, 5, 9))
    assert "a0b0a1b1a2b2" == places(buffer.cut(10))


def test_partitions_stay_in_order():
    """A record with an earlier timestamp than the one before it in its partition waits for it."""
    assert "b0a0a1" == places(filled(a=(7, 1), b=(3,)).cut(10))


def test_nothing_is_guessed_of_what_is_to_come():
    """Once a partition that has more to come is empty, the batch ends."""
    buffer = filled(a=(1, 4), b=(2, 5, 6))

    assert "a0b0a1" == places(buffer.cut(10, behind=[A]))
    assert "b1b2" == places(buffer.cut(10, behind=[B]))
    assert buffer.empty([A])


def test_a_batch_is_bounded_but_never_empty():
    """Records and bytes bound a batch; one record that is larger goes alone."""
    buffer = filled(a=(1, 2, 3))
    buffer.add(B, record("b", 0, 4, b"y" * 100))

    assert "a0a1" == places(buffer.cut(2))
    assert "a2" == places(buffer.cut(9, 50))
    assert "b0" == places(buffer.cut(9, 50))
    assert [] == list(buffer.cut(9))


def test_each_partition_has_its_share_of_the_room():
    """One topic that is far ahead leaves room for what the other has to say."""
    buffer = filled(a=range(5))

    assert (False, True) == (buffer.room(A, 10, 1000), buffer.room(B, 10, 1000))
    assert not buffer.room(A, 100, 10)
    buffer.clear()
    assert (0, True) == (len(buffer), buffer.room(A, 10, 10))


@given(TIMES, TIMES, st.integers(1, 5))
def test_cuts_lose_nothing_and_keep_each_order(first, second, size):
    """All records come out once, each partition's in order, whatever the batches; always alike."""
    batches, again = filled(a=first, b=second), filled(b=second, a=first)
    found = ""
    while len(batches):
        found += places(batches.cut(size))
    assert found == places(again.cut(99))
    for topic, stamps in (("a", first), ("b", second)):
        of_topic = [found[at : at + 2] for at in range(0, len(found), 2) if found[at] == topic]
        assert [f"{topic}{number}" for number in range(len(stamps))] == of_topic


def test_topics_of_other_numbers_of_partitions_are_refused():
    """The same patient would not lie in the partition of the same number of both."""
    refuse_uneven({"a": 3, "b": 3})
    with pytest.raises(RuleError, match=r"known\.scope: .* a 3, b 4"):
        refuse_uneven({"a": 3, "b": 4})


def test_partitions_of_one_number_are_one_lane_or_refused():
    """What another process owns of a number cannot be known here."""
    every = [("b", 0), ("a", 1), ("a", 0), ("b", 1)]
    assert {0: (("a", 0), ("b", 0)), 1: (("a", 1), ("b", 1))} == numbered(every, {"a", "b"})
    with pytest.raises(
        RuleError, match="partition 1 is assigned to this process for some topics only"
    ):
        numbered(every[:3], {"a", "b"})
