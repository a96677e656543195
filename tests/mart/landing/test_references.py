"""References keep their meaning when they are rewritten."""

from __future__ import annotations

import pytest

from adapter.mart.landing.references import References, key_of


@pytest.mark.parametrize(
    "reference",
    ["Encounter/7", "http://a/b/Encounter/7", "Encounter/7/_history/2", "Encounter/7#part"],
)
def test_all_forms_of_a_reference_are_one(reference):
    """An address, a version and a fragment name the same resource."""
    assert f"Encounter/{key_of('Encounter', '7')}" == References({}).rewritten(reference)


@pytest.mark.parametrize("reference", ["#a", "urn:uuid:unknown", "words", ""])
def test_what_names_no_resource_stays(reference):
    """Contained and unresolved references are left as they are."""
    assert reference == References({}).rewritten(reference)
