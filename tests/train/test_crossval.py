"""Folds by document, thresholds on held-out texts."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapter.train.crossval import GRID, Held, fold_of, held_out, operating_points, split
from adapter.train.examples import Example, Reader
from adapter.train.recipe import By, Learning
from adapter.types import RECALLS, Label, Span
from tests.train.training_runs import PLAN, featurizer, language, note, notes, recipe, training_run


@given(st.text(max_size=20), st.integers(2, 10), st.integers(0, 99))
def test_a_copy_is_in_the_fold_of_its_original(name, folds, number):
    """No copy of a text is learned from while the text is scored."""
    assert fold_of(name, folds) == fold_of(f"{name}#{number}", folds) < folds


def test_each_scored_text_is_scored_once():
    """Over all folds each original of a scored corpus is held out once, and never learned then."""
    examples = [Example(text, PLAN) for text in notes(30)]
    scored = []
    for fold in range(3):
        learn, score = split(examples, fold, 3)
        assert not {one.text.id for one in learn} & {one.text.id for one in score}
        assert 30 == len(learn) + len(score)
        scored += [one.text.id for one in score]
    assert sorted(one.text.id for one in examples) == sorted(scored)


def test_files_are_held_out_whole():
    """By file no text of a scored file is learned while another of it is scored; each is scored."""
    files = [replace(PLAN, path=f"{name}.jsonl") for name in "abc"]
    examples = [Example(text, plan) for plan in files for text in notes(4)]
    scored = []
    for fold in range(2):
        learn, score = split(examples, fold, 2, By.FILE)
        assert not {one.plan.path for one in learn} & {one.plan.path for one in score}
        assert len(examples) == len(learn) + len(score)
        scored += score
    assert len(examples) == len(scored)


def test_a_corpus_of_the_same_patients_is_in_one_fold():
    """Texts of a corpus that is `whole` are all held out together."""
    plan = replace(PLAN, path="wards.jsonl", whole=True)
    examples = [Example(text, plan) for text in notes(20)]
    sizes = [len(split(examples, fold, 4)[1]) for fold in range(4)]
    assert [0, 0, 0, 20] == sorted(sizes)


def test_other_corpora_are_always_learned_from():
    """A corpus that is not scored is never held out."""
    examples = [Example(text, replace(PLAN, scored=False)) for text in notes(10)]
    assert (examples, []) == split(examples, 0, 2)


def test_copies_of_held_out_texts_are_left_out():
    """They are neither learned from nor scored."""
    text = note(1)
    copy = Example(replace(text, id=f"{text.id}#2"), PLAN)
    assert ([], []) == split([copy], fold_of(text.id, 2), 2)


def test_a_text_with_a_header_is_scored_with_it():
    """Where a corpus trusts headers, the reading with the header's phrases is scored."""
    plan = replace(PLAN, headers=True)
    both = [Example(note(1), plan, trusting) for trusting in (False, True)]
    assert ([], both[1:]) == split(both, fold_of("1", 2), 2)


@pytest.fixture(scope="module")
def tagger():
    """What 40 notes teach."""
    made = training_run()
    return made.tagger(made.fitted(made.examples))


def test_lower_thresholds_protect_more(tagger):
    """What is protected at a threshold is protected at every lower one."""
    reader = Reader(recipe(), language(), featurizer())
    for number in range(100, 110):
        held = held_out(Example(note(number), PLAN), reader, tagger, language(), 60)
        covered = [
            {i for span in held.found[step] for i in range(span.start, span.end)} for step in GRID
        ]
        assert all(more >= less for less, more in itertools.pairwise(covered))


def held(reach):
    """A text of which a share of mentions is found from each threshold on."""
    text = note(3)
    spans = [Span(m.start, m.end, Label(m.type), "crf") for m in text.mentions]
    found = {step: tuple(spans[: reach(step)]) for step in GRID}
    return Held(Example(text, PLAN), found)


def test_a_dial_is_the_greatest_threshold_that_reaches_its_target():
    """Precision is not given away without need."""
    one = held(lambda step: 3 if step <= 0.2 else 2)
    found = operating_points([one], Learning())
    assert list(RECALLS) == [point.target for point in found]
    assert {0.2} == {point.threshold for point in found}
    assert {1.0} == {point.recall for point in found}


def test_a_target_out_of_reach_has_the_smallest_threshold():
    """Where no threshold reaches it the most cautious one is taken."""
    (point, *_) = operating_points([held(lambda _: 1)], Learning())
    assert (GRID[-1], True) == (point.threshold, point.recall < RECALLS[0])


def test_a_recall_a_little_below_its_target_reaches_it_where_the_recipe_says_so():
    """What is found of one mention less is below the target by more than a little."""
    one = held(lambda step: 3 if step <= 0.2 else 2)
    assert 0.2 == operating_points([one], Learning(slack=0.01))[0].threshold
    assert GRID[0] == operating_points([one], Learning(slack=0.6))[0].threshold


def test_no_threshold_is_greater_than_the_recipe_allows():
    """Where recall is worth more than its target, the greatest of the smaller ones is chosen."""
    one = held(lambda _: 3)
    assert 0.2 == operating_points([one], Learning(greatest=0.2))[0].threshold
