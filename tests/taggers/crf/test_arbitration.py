"""What stands of rules beside what was learned."""

from __future__ import annotations

import time

import pytest

from adapter.taggers.crf.arbitration import arbitrated
from adapter.types import Label, Span, Veto

TEXT = "seen by Ann Lee of Room 12 today"


def rule(start, end, priority=60):
    """A rule's span."""
    return Span(start, end, Label.DOCTOR, "names.title", 0.8, priority)


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


@pytest.mark.parametrize("time", ["T10", "T10:15", "T10:15:00-0400", "t101500Z", " at 10:15"])
def test_a_stamp_ends_before_its_time_of_day(time):
    """What machines write behind a date is a time, which no learned date takes or cuts."""
    text = f"seen 2024-03-14{time} here"
    found = Span(5, 15, Label.DATE, "dates.year-first", 1.0, 70)
    for end in range(16, 15 + len(time) + 1):
        learned = Span(5, end, Label.DATE, "crf", 0.9, 75)
        spans = arbitrated(text, [found], [learned], 55)
        assert spans[-1].end == (end if time[0] == " " else 15)


@pytest.mark.parametrize(
    "learned",
    [
        [Span(5, 13, Label.DATE, "crf", 0.9, 75), Span(23, 25, Label.AGE, "crf", 0.1, 75)],
        [Span(5, 13, Label.DATE, "crf", 0.9, 75), Span(23, 25, Label.DATE, "crf", 0.9, 75)],
        [Span(15, 17, Label.ZIP, "crf", 0.9, 75)],
    ],
    ids=["an age in it", "two dates of it", "a number in it"],
)
def test_a_written_date_is_not_taken_apart(learned):
    """A list of days stands as a whole, and no part of it is anything else."""
    found = Span(5, 25, Label.DATE, "dates.month-name-days", 1.0, 60)
    spans = arbitrated("seen March 14, 15, and 16 here", [found], learned, 55)
    assert found in spans
    assert {span.label for span in spans} == {Label.DATE}


def test_a_learned_span_of_a_dates_whole_extent_keeps_its_label():
    """A fraction that a rule takes for a date is what the model says of all of it."""
    found = Span(5, 8, Label.DATE, "dates.month-day", 0.8, 60)
    learned = Span(5, 8, Label.IDNUM, "crf", 0.9, 75)
    assert arbitrated("seen 3/4 here", [found], [learned], 55) == [learned]


@pytest.mark.parametrize(
    ("text", "exact", "end"),
    [("see ann-123456.pdf now", True, 14), ("see ann-123456.pdf now", False, 18),
     ("see ann-123456.okonkwo", True, 22), ("see ann-123456.pdf-2 n", True, 20)],
    ids=["a file", "not exact", "too long", "not the end of a word"],
)  # fmt: skip
def test_a_learned_span_ends_before_the_ending_of_a_file(text, exact, end):
    """Where a rule knows its end, the ending of the file's name behind it stays."""
    found = Span(4, 14, Label.IDNUM, "file-names.file", 1.0, 74, exact=exact)
    learned = Span(4, end if end > 14 else 18, Label.IDNUM, "crf", 0.9, 75)
    assert max(span.end for span in arbitrated(text, [found], [learned], 55)) == end


def test_the_ending_of_a_file_is_no_mention():
    """What stands behind the end that a rule knows is none of what was learned."""
    found = Span(4, 14, Label.IDNUM, "file-names.file", 1.0, 74, exact=True)
    learned = Span(15, 18, Label.USERNAME, "crf", 0.9, 75)
    assert arbitrated("see ann-123456.hl7 now", [found], [learned], 55) == [found]


def test_a_date_that_a_veto_removes_says_nothing_of_what_was_learned():
    """What is learned inside a score that looks like a date stays covered."""
    found = Span(5, 10, Label.DATE, "dates.month-day", 1.0, 60)
    veto = Veto(0, 10, "scores.ratio", frozenset({Label.DATE}), 80)
    learned = Span(8, 10, Label.AGE, "crf", 0.9, 75)
    assert learned in arbitrated("seen 12-14 here", [found, veto], [learned], 55)
    longer = Span(5, 13, Label.DATE, "crf", 0.9, 75)
    assert longer in arbitrated("seen 12-14T10 here", [found, veto], [longer], 55)


def test_cost_is_in_proportion_to_the_dates_of_a_text():
    """Thousands of dates beside thousands of learned spans are no product."""

    def seconds(count):
        places = range(0, 8 * count, 8)
        dates = [Span(at, at + 4, Label.DATE, "dates.x", 1.0, 60) for at in places]
        learned = [Span(at + 1, at + 3, Label.AGE, "crf", 0.9, 75) for at in places]
        started = time.process_time()
        spans = arbitrated("1/22 1. " * count, dates, learned, 55)
        assert {span.label for span in spans} == {Label.DATE}
        return time.process_time() - started

    seconds(100)
    assert min(seconds(4000) for _ in range(3)) < 40 * max(seconds(400), 0.004)


def test_a_learned_span_keeps_the_score_of_the_rule_that_it_replaces():
    """The greater score of both counts, unless a veto removes the rule's span."""
    rule = Span(5, 8, Label.PATIENT, "names.title", 0.9, 60)
    learned = Span(5, 10, Label.PATIENT, "crf", 0.3, 75)
    (found,) = arbitrated("seen Lukas here", [rule], [learned], 55)
    assert (found.start, found.end, found.score) == (5, 10, 0.9)
    veto = Veto(0, 15, "words.kept", frozenset(), 65)
    assert learned in arbitrated("seen Lukas here", [rule, veto], [learned], 55)


@pytest.mark.parametrize(("label", "sure"), [(Label.DOCTOR, True), (Label.CITY, False)])
def test_a_learned_span_is_as_certain_as_the_rule_whose_place_it_takes(label, sure):
    """A title makes what a model found beside it sure, if both say who or what it is."""
    titled = Span(8, 15, label, "names.title", 0.95, 60, sure=True)
    (found,) = arbitrated(TEXT, [titled], [LEARNED], 55)
    assert (found.sure, found.score) == (sure, 0.95)


@pytest.mark.parametrize(("labels", "stands"), [((Label.STREET,), True), ((Label.CITY,), False)])
def test_a_learned_span_that_a_veto_removes_replaces_no_rule(labels, stands):
    """What a rule found within it would be lost with it."""
    found, learned = rule(8, 15), Span(5, 18, Label.STREET, "crf", 0.9, 75)
    veto = Veto(5, 20, "with-slash.counted", frozenset(labels), 80)
    assert (found in arbitrated(TEXT, [found, veto], [learned], 55)) is stands


@pytest.mark.parametrize(("cuts", "stands"), [(True, True), (False, False)])
def test_what_a_veto_cuts_off_replaces_no_rule(cuts, stands):
    """A rule's span at the edge of a learned one stands where the learned one will end before."""
    found, learned = rule(19, 26), Span(8, 26, Label.STREET, "crf", 0.9, 75)
    veto = Veto(19, 26, "attributes.mrn", frozenset({Label.STREET}), 80, cuts=cuts)
    assert (found in arbitrated(TEXT, [found, veto], [learned], 55)) is stands
