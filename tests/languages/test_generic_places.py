"""Departments, rooms and beds."""

from __future__ import annotations

import pytest

from adapter.languages.generic_places import is_generic_place
from tests.wording import FIELDS


@pytest.mark.parametrize(
    "text",
    [
        *("Room 4", "Bed 12", "OR 6", "Room 4, Bed 2", "Ultrasound Room A", "Bay 9", "Ward 7B"),
        *("Emergency Department", "Radiology", "NICU", "Labor and Delivery", "Flu clinic"),
        *("COVID vaccine clinic", "Wound Clinic", "Zimmer 12, Bett 2", "Notaufnahme", "Urgencias"),
    ],
)
def test_what_every_hospital_has_is_generic(text):
    """Departments, rooms and beds tell no hospital from another."""
    assert is_generic_place(text, FIELDS)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "Ward",
            "Burns",
            "Hall",
            "Holm Ward",
            "Ward Holm",
            "Radiology Malden",
            "Room 4417",
            "Northfield Clinic",
            "4",
            "A",
        ),
        *("Room 4 - Holm", "", "of the", "Holm", "Foster", "Clinic 17 Elm St", "ICU Ida"),
    ],
)
def test_names_are_not_generic(text):
    """One word that is not listed, or a long number, makes a name."""
    assert not is_generic_place(text, FIELDS)
