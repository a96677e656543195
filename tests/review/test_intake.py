"""Messages come in once, and a sample knows which could be drawn."""

from __future__ import annotations

import pytest

from adapter.review.access import Access
from adapter.review.intake import Intake, sample_recall
from adapter.review.reporting import report
from adapter.review.store import readings
from adapter.rules.compile import load_ruleset
from tests.review.console import CHEAP, store_at
from tests.review.feedback.test_effect import message, settings_of


@pytest.fixture(scope="module")
def ruleset():
    """English rules without a learned model."""
    return load_ruleset(settings_of())


@pytest.fixture
def intake(tmp_path, ruleset):
    """An empty store with two annotators."""
    store = store_at(f"sqlite:///{tmp_path / 'review.sqlite'}")
    for name in ("ann", "ben"):
        Access(store, CHEAP).add(name, "annotator", "")
    yield Intake(store, ruleset, 30)
    store.database.close()


def test_what_comes_after_a_sample_is_a_stratum_of_its_own(intake):
    """Its messages could not be drawn before: both strata keep the size that they had then."""
    for number in range(6):
        intake.message(message("Stable, no complaints.", number))
    assert sample_recall(intake.store, 3, 1) == 3
    intake.store.clock.now += 60
    for number in range(6, 16):
        intake.message(message("Stable, no complaints.", number))
    sample_recall(intake.store, 5, 2)
    with intake.store.database.transaction() as cursor:
        sizes = readings.sample_sizes(cursor)
    kind = "ORU^R01 short sure"
    assert [{kind: 6}, {kind: 3, f"{kind} since sample 1": 10}] == sizes
    found = {each.stratum: each.size for each in report(intake.store).by_stratum}
    assert {kind: 6, f"{kind} since sample 1": 10} == found
