"""Hostile messages do not leak or lose data, except for the recorded failures."""

from __future__ import annotations

import pytest

from tests.hostile.cases import load
from tests.hostile.runs import KNOWN, failures, judged

CASES = load()
PROFILES = ("research", "safe-harbor", "limited-dataset", "gdpr-pseudonymised")


@pytest.mark.parametrize("profile", PROFILES)
def test_hostile_cases_hold(profile):
    """The failing cases are those recorded: a new leak and an unrecorded fix both fail."""
    rows = [judged((case, profile)) for case in CASES if profile in case.profiles]
    known = [line for line in KNOWN.read_text("utf-8").splitlines() if line.split()[1] == profile]
    assert failures(rows) == known


def test_the_set_is_large():
    """There are at least 400 cases, no id occurs twice, and every profile is used."""
    assert len(CASES) >= 400
    assert len({case.id for case in CASES}) == len(CASES)
    assert {profile for case in CASES for profile in case.profiles} == set(PROFILES)
