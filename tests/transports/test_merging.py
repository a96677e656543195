"""Same-numbered partitions as one lane: their order, their limits, and refused combinations."""

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
    """Return a record of partition 3 of a topic."""
    return Record(value, Position(topic, 3, offset), timestamp=timestamp)


def filled(**topics):
    """Return a buffer of records by topic, given as timestamps."""
    buffer = Buffer((A, B))
    for topic, stamps in topics.items():
        for offset, stamp in enumerate(stamps):
            buffer.add((topic, 3), record(topic, offset, stamp))
    return buffer


def places(records):
    """Return topic and offset of records."""
    return "".join(f"{each.position.topic}{each.position.offset}" for each in records)


def test_the_earliest_record_comes_first():
    """Records are merged by timestamp; equal timestamps by topic name."""
    buffer = filled(a=(1, 5, 6), b=(2, 5, 9))
    assert "a0b0a1b1a2b2" == places(buffer.cut(10))


def test_partitions_stay_in_order():
    """A record with an earlier timestamp stays behind the previous record of its partition."""
    assert "b0a0a1" == places(filled(a=(7, 1), b=(3,)).cut(10))


def test_nothing_is_guessed_of_what_is_to_come():
    """A batch ends once a partition with records still to arrive is empty."""
    buffer = filled(a=(1, 4), b=(2, 5, 6))

    assert "a0b0a1" == places(buffer.cut(10, behind=[A]))
    assert "b1b2" == places(buffer.cut(10, behind=[B]))
    assert buffer.empty([A])


def test_a_batch_is_bounded_but_never_empty():
    """A batch is limited in records and bytes, but has at least one record, however large."""
    buffer = filled(a=(1, 2, 3))
    buffer.add(B, record("b", 0, 4, b"y" * 100))

    assert "a0a1" == places(buffer.cut(2))
    assert "a2" == places(buffer.cut(9, 50))
    assert "b0" == places(buffer.cut(9, 50))
    assert [] == list(buffer.cut(9))


def test_each_partition_has_its_share_of_the_room():
    """A topic that is far ahead leaves another its share of the buffer."""
    buffer = filled(a=range(5))

    assert (False, True) == (buffer.room(A, 10, 1000), buffer.room(B, 10, 1000))
    assert not buffer.room(A, 100, 10)
    buffer.clear()
    assert (0, True) == (len(buffer), buffer.room(A, 10, 10))


@given(TIMES, TIMES, st.integers(1, 5))
def test_cuts_lose_nothing_and_keep_each_order(first, second, size):
    """All records are returned once in a deterministic order, whatever the batch size."""
    batches, again = filled(a=first, b=second), filled(b=second, a=first)
    found = ""
    while len(batches):
        found += places(batches.cut(size))
    assert found == places(again.cut(99))
    for topic, stamps in (("a", first), ("b", second)):
        of_topic = [found[at : at + 2] for at in range(0, len(found), 2) if found[at] == topic]
        assert [f"{topic}{number}" for number in range(len(stamps))] == of_topic


def test_topics_of_other_numbers_of_partitions_are_refused():
    """Topics with different numbers of partitions cannot share a memory, and are refused."""
    refuse_uneven({"a": 3, "b": 3})
    with pytest.raises(RuleError, match=r"known\.scope: .* a 3, b 4"):
        refuse_uneven({"a": 3, "b": 4})


def test_partitions_of_one_number_are_one_lane_or_refused():
    """Partitions with one number form a lane; it is an error if another process has one of them."""
    every = [("b", 0), ("a", 1), ("a", 0), ("b", 1)]
    assert {0: (("a", 0), ("b", 0)), 1: (("a", 1), ("b", 1))} == numbered(every, {"a", "b"})
    with pytest.raises(
        RuleError, match="partition 1 is assigned to this process for some topics only"
    ):
        numbered(every[:3], {"a", "b"})
