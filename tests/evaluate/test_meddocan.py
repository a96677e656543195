"""MEDDOCAN's official scores."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from adapter.evaluate.corpora.readers import read_corpus
from adapter.evaluate.meddocan import Official, joined, official, with_source_labels
from adapter.evaluate.scores import Score
from tests.evaluate.cases import TEXT, document, found, pairs

NOTE = "Paciente: Ana, Ruiz de Lugo. Mujer."


def test_sub_track_1_wants_offsets_and_type():
    """A wrong type is spurious and missed; a span given twice counts once."""
    gold = document(NOTE, (10, 13, "N"), (23, 27, "T"))
    spans = found((10, 13, "N"), (10, 13, "N"), (23, 27, "P"))
    assert Score(1, 1, 1) == official([(gold, spans)]).ner


def test_sub_track_2_wants_offsets_only():
    """The type is nothing to it."""
    gold = document(NOTE, (10, 13, "N"), (23, 27, "T"))
    assert Score(1, 1, 1) == official([(gold, found((10, 13, "T"), (23, 28, "T")))]).strict


def test_neighbours_are_joined_over_marks():
    """Only non-alphanumeric characters may lie between."""
    assert [(10, 19), (23, 27)] == joined([(23, 27), (10, 13), (15, 19)], NOTE)


def test_merged_takes_two_parts_for_the_whole():
    """A name found whole where gold has its parts is right, and its parts are not missed."""
    gold = document(NOTE, (10, 13, "N"), (15, 19, "N"))
    scores = official([(gold, found((10, 19, "N")))])
    assert Score(0, 1, 2) == scores.strict
    assert Score(1, 0, 0) == scores.merged


def test_merged_counts_extents_and_joined_extents():
    """Parts found as they are count, and so does the whole they join to."""
    spans = ((10, 13, "N"), (15, 19, "N"))
    assert Score(3, 0, 0) == official([(document(NOTE, *spans), found(*spans))]).merged


def test_source_labels_bring_what_the_scheme_leaves_out():
    """Gold is what the source says, extra mentions among them, in order of place."""
    gold = document(
        NOTE, (10, 13, "PATIENT", "NOMBRE"), extra=[(29, 34, "SEXO", "SEXO")], unlabelled=["DATE"]
    )
    source = with_source_labels(gold)
    assert ["NOMBRE", "SEXO"] == [mention.type for mention in source.mentions]
    assert ((), frozenset()) == (source.extra, source.unlabelled)


@settings(max_examples=60)
@given(pairs())
def test_scores_are_the_script_s(cases):
    """The published definition, written over characters and sets, gives the same counts."""
    expected = Official(Score(), Score(), Score())
    for source, spans in cases:
        gold = {(m.start, m.end, m.type) for m in source.mentions}
        mine = {(m.start, m.end, m.type) for m in spans}
        extents, my_extents = ({each[:2] for each in side} for side in (gold, mine))
        right = extents & my_extents
        both = right | (whole(extents) & whole(my_extents))

        def outside(some, both=both):
            return sum(not any(a <= s and e <= b for a, b in both) for s, e in some)

        expected = Official(
            expected.ner + Score(len(gold & mine), len(mine - gold), len(gold - mine)),
            expected.strict
            + Score(len(right), len(my_extents - extents), len(extents - my_extents)),
            expected.merged
            + Score(len(both), outside(my_extents - extents), outside(extents - my_extents)),
        )
    assert expected == official(cases)


def whole(extents):
    """Runs of covered characters, bridged over what is not alphanumeric, trimmed to spans."""
    covered = {place for start, end in extents for place in range(start, end)}
    starts = sorted(start for start, _ in extents)
    found = set()
    while starts:
        start = end = starts[0]
        while end < len(TEXT) and (end in covered or not TEXT[end].isalnum()):
            end += 1
        last = max(place for place in covered if place < end) + 1
        found.add((start, last))
        starts = [s for s in starts if s >= last]
    return found


@pytest.mark.corpus
@pytest.mark.parametrize(("part", "mentions"), [("train", 11_333), ("dev", 5_801)])
def test_the_corpus_has_all_official_mentions(shared_data, part, mentions):
    """Source labels and extra mentions are as many as the task has; gold scores all of them."""
    file = shared_data / "corpora" / "meddocan" / f"{part}.jsonl"
    pairs = [(d, d.mentions) for d in map(with_source_labels, read_corpus(file))]
    scores = official(pairs)
    assert (mentions, mentions) == (scores.ner.tp, scores.strict.tp)
    assert [(0, 0)] * 3 == [(s.fp, s.fn) for s in (scores.ner, scores.strict, scores.merged)]
