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


HELD = "leak/known-value"
UNREAD = b"no message at all"


def held(intake):
    """Names of the messages in the queue of held ones."""
    with intake.store.database.transaction() as cursor:
        sql = "SELECT i.name FROM review_reading r JOIN review_item i ON i.id = r.item"
        return sorted(name for (name,) in cursor.rows(f"{sql} WHERE r.queue = 'held'"))


@pytest.mark.parametrize("file_first", [True, False])
def test_a_held_message_is_queued_once_wherever_it_comes_from(intake, file_first):
    """From files and the quarantine, again and again: once, under the quarantine's name."""
    sources = [lambda: intake.message(UNREAD), lambda: intake.held("id-1", UNREAD, HELD)]
    for take in (sources if file_first else reversed(sources), sources, sources):
        for each in take:
            each()
    assert ["id-1"] == held(intake)


def test_held_messages_of_the_same_bytes_are_retried_one_by_one(intake):
    """The quarantine has a name for each."""
    for _ in range(2):
        for name in ("id-1", "id-2"):
            intake.held(name, UNREAD, HELD)
    assert ["id-1", "id-2"] == held(intake)


def test_what_is_released_today_is_queued_where_it_is_held(intake):
    """A message of the pool that the quarantine has too comes to the officer all the same."""
    raw = message("Stable, no complaints.", 1)
    intake.message(raw)
    for _ in range(2):
        intake.held("id-1", raw, HELD)
    assert ["id-1"] == held(intake)
