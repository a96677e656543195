"""Hostile messages: nothing gets out, nothing harmless is lost, and what fails is on record."""

from __future__ import annotations

import pytest

from tests.hostile.cases import load
from tests.hostile.runs import KNOWN, failures, judged

CASES = load()
PROFILES = ("research", "safe-harbor", "limited-dataset", "gdpr-pseudonymised")


@pytest.mark.parametrize("profile", PROFILES)
def test_hostile_cases_hold(profile):
    """What fails is what is on record: a new leak fails here, and so does a fix unrecorded."""
    rows = [judged((case, profile)) for case in CASES if profile in case.profiles]
    known = [line for line in KNOWN.read_text("utf-8").splitlines() if line.split()[1] == profile]
    assert failures(rows) == known


def test_the_set_is_large():
    """At least 400 cases, no id twice, every profile in use."""
    assert len(CASES) >= 400
    assert len({case.id for case in CASES}) == len(CASES)
    assert {profile for case in CASES for profile in case.profiles} == set(PROFILES)
