"""The shipped values, compiled once."""

from __future__ import annotations

import pytest

from tests.corpus.runs import ruleset


@pytest.fixture(scope="session")
def values():
    """What kept values must look like, by the shipped rules."""
    return ruleset().values
