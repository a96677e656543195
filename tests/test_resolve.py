"""Resolution keeps coverage, agrees on types and tells vetoes."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from adapter.resolve import Options, resolve
from adapter.types import Label, Span, Veto

TEXT = "Anna Smith of 12 Oak St, seen 3/14 by Dr. Jones (Smith clinic, MRN 88-21)."


def _span(part, label, priority=60, text=TEXT, **more):
    start = text.index(part)
    return Span(start, start + len(part), label, "test", 1.0, priority, **more)


def _found(spans, text=TEXT, options=None):
    (row,), counts = resolve([text], [spans], options)
    return [(text[s.start : s.end], s.label) for s in row], counts


def test_overlaps_of_one_kind_are_united_under_the_stronger():
    """Names that overlap become one span with the label and entity of the stronger one."""
    trusted = _span("Smith", Label.PATIENT, 100, entity="patient", form="{family}")
    (row,), _ = resolve([TEXT], [[_span("Anna Smith", Label.DOCTOR, 50), trusted]])
    assert row[0].start == 0
    assert (row[0].label, row[0].entity, row[0].form) == (Label.PATIENT, "patient", None)


def test_another_label_inside_a_weaker_span_stands_beside_it():
    """A date inside a model's name span keeps its own extent and type."""
    found, _ = _found([_span("Oak St, seen 3/14", Label.STREET, 40), _span("3/14", Label.DATE)])
    assert found == [("Oak St, seen", Label.STREET), ("3/14", Label.DATE)]


def test_veto_removes_only_weaker_spans_inside_it_and_is_counted():
    """A veto takes a weaker span of its labels, never a stronger one."""
    veto = Veto(0, len(TEXT), "rule", frozenset({Label.DATE}), 65)
    found, counts = _found(
        [
            veto,
            _span("3/14", Label.DATE),
            _span("88-21", Label.DATE, 70),
            _span("Jones", Label.DOCTOR),
        ]
    )
    assert found == [("Jones", Label.DOCTOR), ("88-21", Label.DATE)]
    assert counts == {"rule": 1}


def test_parts_of_one_name_are_joined():
    """Neighbouring spans of one name label become one span."""
    found, _ = _found([_span("Anna", Label.PATIENT), _span("Smith", Label.PATIENT)])
    assert found[0] == ("Anna Smith", Label.PATIENT)


def test_a_certain_name_is_found_where_it_was_missed():
    """A surname found by a rule is also found elsewhere in the message, as a whole word."""
    (first, second), _ = resolve(
        [TEXT, "Smith, Smithson and SMITH"], [[_span("Anna Smith", Label.PATIENT)], []]
    )
    assert ["Smith, Smithson and SMITH"[s.start : s.end] for s in second] == ["Smith", "SMITH"]
    assert len(first) == 2


def test_an_ordinary_word_is_not_spread():
    """A name that is a word of the language is tagged only where a rule found it."""
    text = "Ms. Brown has brown or Brown sputum"
    found, _ = _found(
        [_span("Brown", Label.PATIENT, text=text)], text, Options(ordinary=frozenset({"brown"}))
    )
    assert found == [("Brown", Label.PATIENT)]


def test_uncertain_types_follow_certain_ones():
    """The same string has the type a rule gave it elsewhere in the message."""
    texts = ["Dr. Jones", "Jones"]
    spans = [
        [Span(4, 9, Label.DOCTOR, "rule", 1.0, 60)],
        [Span(0, 5, Label.PATIENT, "model", 1.0, 40)],
    ]
    (_, (second,)), _ = resolve(texts, spans)
    assert Label.DOCTOR is second.label


def test_line_kind_follows_the_nearest_word():
    """A telephone number after "fax" is a fax number, also after a telephone number."""
    text = "Tel 218-555-0142, fax 218-555-0143"
    found, _ = _found(
        [
            _span("218-555-0142", Label.FAX, text=text),
            _span("218-555-0143", Label.PHONE, text=text),
        ],
        text,
    )
    assert [label for _, label in found] == [Label.PHONE, Label.FAX]


def test_unknown_state_becomes_a_city():
    """A STATE that is in no list of states is taken for a city."""
    text = "lives in Bergen"
    found, _ = _found(
        [_span("Bergen", Label.STATE, text=text)], text, Options(states=frozenset({"ohio"}))
    )
    assert found == [("Bergen", Label.CITY)]


_LABELS = st.sampled_from([Label.PATIENT, Label.DOCTOR, Label.DATE, Label.CITY, Label.IDNUM])


@st.composite
def _spans(draw):
    start = draw(st.integers(0, len(TEXT) - 1))
    end = draw(st.integers(start + 1, min(len(TEXT), start + 20)))
    return Span(
        start, end, draw(_LABELS), "test", 1.0, draw(st.sampled_from([40, 50, 60, 70, 100]))
    )


@settings(max_examples=300, deadline=None)
@given(st.lists(_spans(), max_size=8))
def test_coverage_never_shrinks(spans):
    """Every covered character but white space stays covered, and the result is disjoint."""
    (row,), _ = resolve([TEXT], [spans])
    covered = {i for s in row for i in range(s.start, s.end)}
    wanted = {i for s in spans for i in range(s.start, s.end) if not TEXT[i].isspace()}
    assert wanted <= covered
    assert all(a.end <= b.start for a, b in pairwise(row))
