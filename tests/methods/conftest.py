"""The rules that methods learn with, compiled once."""

from __future__ import annotations

import pytest

from adapter.methods.resources import resources_of


@pytest.fixture(scope="session")
def english():
    """English rules."""
    return resources_of("en")


@pytest.fixture(scope="session")
def spanish():
    """Spanish rules."""
    return resources_of("es")
