"""Recall and precision over thresholds."""

from __future__ import annotations

from hypothesis import given, settings

from adapter.evaluate.curve import MOST, Point, curve, threshold_for
from adapter.evaluate.levels import Level, events
from adapter.evaluate.scores import Score, total
from adapter.evaluate.token_labels import label_tokens
from tests.evaluate.cases import document, found, pairs


def over(cases, level):
    """The micro score over texts."""
    return sum((total(events(case, level)) for case in cases), Score())


@settings(max_examples=60)
@given(pairs())
def test_points_are_the_scores_of_what_is_kept(cases):
    """Each point is what is scored once the spans below its threshold are left out."""
    for point in curve(cases, [label_tokens(case) for case in cases]):
        kept = [
            (source, tuple(s for s in spans if s.score >= point.threshold))
            for source, spans in cases
        ]
        assert over(kept, Level.BLIND_TOKEN) == point.token
        assert over(kept, Level.STRICT) == point.entity


def test_the_highest_threshold_that_reaches_a_recall():
    """None where the system finds too little whatever is kept."""
    points = [Point(t, Score(tp, 0, 10 - tp), Score()) for t, tp in ((0.1, 9), (0.5, 8), (0.9, 2))]
    assert points[1] is threshold_for(points, 0.8)
    assert threshold_for(points, 0.95) is None


def test_many_scores_give_few_points():
    """The lowest and the highest score are among them."""
    text = " ".join("x" * 999)
    spans = found(*((2 * n, 2 * n + 1, "DATE", "", n / 999) for n in range(999)))
    points = curve([(document(text), spans)], [label_tokens((document(text), spans))])
    assert (0.0, 998 / 999) == (points[0].threshold, points[-1].threshold)
    assert len(points) <= MOST


def test_no_spans_no_points():
    """There is no threshold to speak of."""
    assert () == curve([(document("x"), ())], [label_tokens((document("x"), ()))])
