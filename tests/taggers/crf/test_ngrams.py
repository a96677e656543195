"""Runs of words and shapes: looked up by number, they are what their features are by name."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from adapter.taggers.crf.ngrams import NGRAMS, NgramTable

FORMS = st.lists(st.sampled_from(["|", "Ana", "ana", "MRN", "12", "=", "é"]), min_size=1)


def named(forms):
    """The features of each token by name, all tokens of one feature after another."""
    for gram in NGRAMS:
        runs = gram.runs(forms)
        for prefix, shift in gram.shifts.items():
            yield [prefix + runs[place + shift] for place in range(len(forms))]


@given(FORMS, FORMS, st.integers(1, 3))
def test_rows_are_those_of_the_features(learnt, read, every):
    """Each known feature has its row and each unknown one the last, bars among words or not."""
    names = sorted({name for column in named(learnt) for name in column})[::every]
    rows = {name: row for row, name in enumerate(names)}
    runs = NgramTable(rows)
    for forms in (read, learnt):
        expected = [[rows.get(name, len(rows)) for name in column] for column in named(forms)]
        assert [found.tolist() for found in runs.rows(forms)] == expected


def test_a_model_without_runs():
    """A model that learnt from no runs knows none."""
    assert all((found == 1).all() for found in NgramTable({"w0=ana": 0}).rows(["Ana", "left"]))
