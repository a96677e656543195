"""Which spans a veto is about, and which vetoes are near a span: priorities."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from adapter.priorities import Cutting, concerns, covers, outranks
from adapter.types import Label, Span, Veto

DATES = frozenset({Label.DATE})
places = st.integers(0, 40)


def _span(start: int, end: int, label: Label = Label.DATE, priority: int = 60) -> Span:
    return Span(start, end, label, "test", 1.0, priority)


def test_a_veto_without_labels_concerns_every_span():
    """With labels it concerns those."""
    assert concerns(Veto(0, 4, "v", frozenset(), 65), _span(0, 4))
    assert concerns(Veto(0, 4, "v", DATES, 65), _span(0, 4))
    assert not concerns(Veto(0, 4, "v", DATES, 65), _span(0, 4, Label.AGE))


def test_a_veto_outranks_spans_of_lower_priority():
    """Of equal priority the span stands."""
    veto = Veto(0, 4, "v", DATES, 65)
    assert outranks(veto, _span(0, 9, priority=64))
    assert not outranks(veto, _span(0, 4, priority=65))
    assert not outranks(veto, _span(0, 4, Label.AGE))


def test_a_veto_covers_what_is_inside_it():
    """The whole of a span, whatever its priority."""
    veto = Veto(2, 6, "v", DATES, 65)
    assert covers(veto, _span(2, 6, priority=90))
    assert not covers(veto, _span(1, 6))
    assert not covers(veto, _span(2, 7))
    assert not covers(veto, _span(2, 6, Label.AGE))


@given(st.lists(st.tuples(places, places, st.booleans()), max_size=8), places, places)
def test_every_veto_that_cuts_and_touches_a_span_is_near_it(extents, one, other):
    """In the order in which they were given, and no veto that does not cut."""
    vetoes = [
        Veto(min(a, b), max(a, b), f"v{at}", frozenset(), 65, cuts)
        for at, (a, b, cuts) in enumerate(extents)
    ]
    span = _span(min(one, other), max(one, other) + 1)
    near = Cutting(vetoes).near(span)
    touching = [v for v in vetoes if v.cuts and v.start < span.end and span.start < v.end]
    assert [v for v in near if v in touching] == touching
    assert all(v.cuts for v in near)
    assert bool(Cutting(vetoes)) == any(v.cuts for v in vetoes)
