"""What stands of rules beside what was learned."""

from __future__ import annotations

import pytest

from adapter.taggers.crf.arbitration import arbitrated
from adapter.types import Label, Span, Veto

TEXT = "seen by Ann Lee of Room 12 today"


def rule(start, end, priority=60):
    """A rule's span."""
    return Span(start, end, Label.DOCTOR, "names.title", 1.0, priority)


LEARNED = Span(8, 15, Label.DOCTOR, "crf", 0.9, 75)


@pytest.mark.parametrize(
    ("found", "stands"),
    [
        (rule(0, 4), True),
        (rule(0, 4, priority=54), False),
        (rule(5, 18), False),
        (rule(8, 15), False),
        (rule(5, 26), True),
        (rule(5, 18, priority=90), True),
        (Veto(5, 18, "eponym", frozenset(), 65), True),
    ],
    ids=["apart", "unsure", "wider", "same", "wider by a number", "trusted", "veto"],
)
def test_what_stands_beside_a_learned_span(found, stands):
    """Sure rules apart from it, what it would lose a digit of, trusted phrases and vetoes stand."""
    assert [found] * stands + [LEARNED] == arbitrated(TEXT, [found], [LEARNED], 55)


def test_no_word_is_cut():
    """A letter that goes with what was learned is never left behind."""
    found = Span(0, 3, Label.IDNUM, "identifiers.code", 1.0, 60)
    learned = Span(1, 3, Label.IDNUM, "crf", 0.9, 75)
    assert [found, learned] == arbitrated("H25", [found], [learned], 55)


def test_all_that_is_sure_stands_where_nothing_was_learned():
    """Without learned spans only the priority decides."""
    sure, unsure = rule(5, 15), rule(5, 18, priority=40)
    assert [sure] == arbitrated(TEXT, [sure, unsure], [], 55)


@pytest.mark.parametrize(("label", "expected"), [(Label.DATE, 5), (Label.PHONE, 9)])
def test_a_learned_date_yields_the_time_behind_it(label, expected):
    """A time that sticks to a date is none of it; digits of other numbers stay."""
    found = Span(0, 5, label, "dates.month-day-time", 1.0, 70)
    learned = Span(0, 9, label, "crf", 0.9, 75)
    spans = arbitrated("12/280610 back", [found], [learned], 55)
    assert (0, expected) in [(span.start, span.end) for span in spans if span.source == "crf"]
