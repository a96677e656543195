"""When a prediction counts: checked against seqeval, nervaluate and scikit-learn."""

from __future__ import annotations

import warnings

import pytest
from hypothesis import given, settings
from nervaluate import Evaluator
from seqeval.metrics.v1 import precision_recall_fscore_support as seqeval
from seqeval.scheme import IOB2
from sklearn.metrics import precision_recall_fscore_support as by_item

from adapter.evaluate.levels import HIPAA_TYPES, Level, agree, coarse, events, match
from adapter.evaluate.scores import Score, tabulate, total
from tests.evaluate.cases import LABELS, document, found, mentions, pairs, tags

TEXT = "Ann Lee saw Dr. Bo Day in Rome."


def over(cases, level, counted=None):
    """The micro score over texts."""
    return sum((total(events(case, level, counted)) for case in cases), Score())


@settings(max_examples=60)
@given(pairs())
def test_entity_strict_is_that_of_seqeval(cases):
    """Micro and by label, for F1, F2 and F0.5."""
    gold = [tags(each.mentions) for each, _ in cases]
    predicted = [tags(spans) for _, spans in cases]
    table = tabulate(e for case in cases for e in events(case, Level.STRICT))
    if not table:
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for beta in (1, 2, 0.5):
            result = seqeval(gold, predicted, average="micro", beta=beta, scheme=IOB2)
            micro = sum(table.values(), Score())
            assert (micro.precision, micro.recall, micro.f(beta)) == pytest.approx(result[:3])
        each = seqeval(gold, predicted, average=None, scheme=IOB2)
    ours = [(s.precision, s.recall, s.f(), s.tp + s.fn) for s in table.values()]
    assert [pytest.approx(row) for row in zip(*each, strict=True)] == ours


@settings(max_examples=60)
@given(pairs())
def test_extents_right_are_those_of_nervaluate(cases):
    """Strict and type-blind strict have as many right as its "strict" and "exact"."""

    def plain(spans):
        return [{"label": s.type, "start": s.start, "end": s.end} for s in spans]

    gold = [plain(each.mentions) for each, _ in cases]
    predicted = [plain(spans) for _, spans in cases]
    if not any(gold):
        return
    result = Evaluator(gold, predicted, tags=list(LABELS), loader="dict").evaluate()["overall"]
    assert result["strict"].correct == over(cases, Level.STRICT).tp
    assert result["exact"].correct == over(cases, Level.BLIND_STRICT).tp


@settings(max_examples=60)
@given(pairs())
def test_token_level_is_that_of_scikit_learn(cases):
    """Words labelled, with their label and as PHI or not."""
    gold = [tag[2:] for each, _ in cases for tag in tags(each.mentions)]
    predicted = [tag[2:] for _, spans in cases for tag in tags(spans)]
    ours = over(cases, Level.TOKEN)
    result = by_item(gold, predicted, labels=LABELS, average="micro", zero_division=0)
    assert (ours.precision, ours.recall, ours.f()) == pytest.approx(result[:3])
    blind = over(cases, Level.BLIND_TOKEN)
    gold, predicted = ([bool(tag) for tag in row] for row in (gold, predicted))
    result = by_item(gold, predicted, average="binary", beta=2, zero_division=0)
    assert (blind.precision, blind.recall, blind.f(2)) == pytest.approx(result[:3])


@given(pairs())
def test_levels_nest(cases):
    """What is right strictly is right relaxed and type-blind; all levels ask for all gold."""
    strict, relaxed, blind = (
        over(cases, level) for level in (Level.STRICT, Level.RELAXED, Level.BLIND_STRICT)
    )
    assert strict.tp <= relaxed.tp
    assert strict.tp <= blind.tp
    assert strict.tp + strict.fn == relaxed.tp + relaxed.fn == blind.tp + blind.fn
    assert over(cases, Level.TOKEN).tp <= over(cases, Level.BLIND_TOKEN).tp


@given(mentions())
def test_gold_scores_all(gold):
    """Gold as its own prediction is never wrong, at any level."""
    case = document("x" * 60, *((m.start, m.end, m.type) for m in gold)), gold
    assert all((0, 0) == (s.fp, s.fn) for s in (over([case], level) for level in Level))


def test_relaxed_forgives_two_characters_at_the_end():
    """The end may be off by two, the start by none, and the type must agree."""
    gold = document(TEXT, (0, 7, "PATIENT"))
    rights = {
        (0, 9, "PATIENT"): 1,
        (0, 5, "PATIENT"): 1,
        (0, 10, "PATIENT"): 0,
        (1, 7, "PATIENT"): 0,
        (0, 8, "DOCTOR"): 0,
    }
    for span, right in rights.items():
        assert right == over([(gold, found(span))], Level.RELAXED).tp


def test_a_prediction_counts_once():
    """Of two near ends the nearer is the match, and no gold is found twice."""
    gold, predicted = found((0, 7, "DATE")), found((0, 6, "DATE"), (0, 7, "DATE"))
    assert {0: 1} == match(gold, predicted, slack=2)
    assert {} == match(gold, predicted[:1])


@pytest.mark.parametrize(
    ("gold", "predicted", "same"),
    [
        ("NAME", "DOCTOR", True),
        ("DOCTOR", "NAME", True),
        ("LOCATION", "HOSPITAL", True),
        ("NAME", "CITY", False),
        ("DOCTOR", "PATIENT", False),
        ("NAME", "NAME", True),
        ("", "NAME", False),
        ("CALLE", "CALLE", True),
        ("CALLE", "FECHAS", False),
    ],
)
def test_bare_categories_agree_with_their_labels(gold, predicted, same):
    """Either way round; labels of one category are not the same for that."""
    assert same is agree(gold, predicted)


def test_what_a_bare_category_finds_counts_for_it():
    """Gold NAME found as DOCTOR is right, and counts in the row of NAME."""
    case = document(TEXT, (16, 22, "NAME")), found((16, 22, "DOCTOR"))
    assert {"NAME": Score(1, 0, 0)} == tabulate(events(case, Level.STRICT))
    assert {"NAME": Score(2, 0, 0)} == tabulate(events(case, Level.TOKEN))


def test_a_span_that_touches_a_word_protects_it():
    """Half a word is a word protected; lone marks are no words."""
    case = document(TEXT, (0, 7, "PATIENT")), found((2, 5, "DOCTOR"), (30, 31, "CITY"))
    assert Score(2, 0, 0) == over([case], Level.BLIND_TOKEN)
    assert Score(0, 2, 2) == over([case], Level.TOKEN)


def test_a_wrong_type_is_spurious_and_missed():
    """Each by its own label; type-blind it is right."""
    case = document(TEXT, (0, 7, "PATIENT")), found((0, 7, "DOCTOR"))
    assert {"DOCTOR": Score(0, 1, 0), "PATIENT": Score(0, 0, 1)} == tabulate(
        events(case, Level.STRICT)
    )
    assert Score(1, 0, 0) == over([case], Level.BLIND_STRICT)


def test_the_hipaa_subset_leaves_out_who_is_no_patient():
    """Gold of other labels is not asked for; type-blind, finding it is no error either."""
    assert "PATIENT" in HIPAA_TYPES
    assert "DOCTOR" not in HIPAA_TYPES
    assert {"NAME", "LOCATION"} <= HIPAA_TYPES
    assert "PROFESSION" not in HIPAA_TYPES
    case = document(TEXT, (0, 7, "PATIENT"), (16, 22, "DOCTOR")), found((16, 22, "PATIENT"))
    assert Score(0, 1, 1) == over([case], Level.STRICT, HIPAA_TYPES)
    assert Score(0, 0, 2) == over([case], Level.BLIND_TOKEN, HIPAA_TYPES)


def test_main_categories():
    """A doctor taken for a patient is a name all the same."""
    case = coarse((document(TEXT, (16, 22, "DOCTOR")), found((16, 22, "PATIENT"))))
    assert {"NAME": Score(1, 0, 0)} == tabulate(events(case, Level.STRICT))
