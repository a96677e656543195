"""A full name of one text takes in its parts in the others, and nothing else."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from adapter.resolve.complete import complete
from adapter.types import Label, Span

FULL = "Anna Smith"


def span(text, part, label=Label.PATIENT, priority=75):
    """The span of a part of a text."""
    start = text.index(part)
    return Span(start, start + len(part), label, "crf", 0.9, priority)


def completed(*cases):
    """What is covered of (text, *(part, label)) after completion."""
    texts = [text for text, *_ in cases]
    rows = [[span(text, *part) for part in parts] for text, *parts in cases]
    found = complete(texts, rows)
    return [[text[s.start : s.end] for s in row] for text, row in zip(texts, found, strict=True)]


def test_a_family_name_becomes_the_whole_name():
    """Before it and behind it, in capitals too."""
    cases = (
        (f"seen: {FULL}", (FULL,)),
        (f'title="{FULL}"', ("Smith",)),
        ("by ANNA SMITH", ("ANNA",)),
    )
    assert completed(*cases) == [[FULL], [FULL], ["ANNA SMITH"]]


def test_two_parts_become_one():
    """Given and family name, found apart."""
    assert completed((FULL, (FULL,)), (f"with {FULL}.", ("Anna",), ("Smith",))) == [[FULL], [FULL]]


def test_nothing_is_found_where_no_part_was():
    """A name that only a model saw proves nothing where nobody saw any of it."""
    assert completed((FULL, (FULL,)), (f"with {FULL}.",)) == [[FULL], []]


def test_other_names_and_other_labels_stay():
    """A part of another name, a longer span, a place and a date are left alone."""
    cases = (FULL, (FULL,)), ("with Bob Smith.", ("Smith",)), (f"{FULL} Lane", (f"{FULL} Lane",))
    assert completed(*cases) == [[FULL], ["Smith"], [f"{FULL} Lane"]]
    assert completed((FULL, (FULL,)), (FULL, ("Smith", Label.CITY))) == [[FULL], ["Smith"]]


def test_the_whole_name_keeps_its_own_span():
    """A span of the same extent is not replaced by another's."""
    text = f"with {FULL}"
    own = span(text, FULL, Label.DOCTOR, 90)
    assert complete([FULL, text], [[span(FULL, FULL)], [own]])[1] == [own]


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(1, 10)), max_size=3))
def test_coverage_never_shrinks(extents):
    """Whatever stood in a row, it is covered afterwards, by spans that are disjoint."""
    row, last = [], 0
    for start, length in sorted(extents):
        if start >= last and start + length <= len(FULL):
            row.append(Span(start, start + length, Label.PATIENT, "crf", 0.9, 75))
            last = start + length
    (_, found) = complete([FULL, FULL], [[span(FULL, FULL)], row])
    before = {at for one in row for at in range(one.start, one.end)}
    after = [at for one in found for at in range(one.start, one.end)]
    assert before <= set(after)
    assert len(after) == len(set(after))
