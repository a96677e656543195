"""Only a person's own numbers name the person."""

from __future__ import annotations

from adapter.mart.maps import read_maps
from adapter.mart.versions import number_key

NUMBERS = read_maps().numbers


def test_the_chart_number_is_first():
    """However the sender orders them, the chart number names the patient."""
    expected = (number_key("771"), number_key("552"))
    assert expected == NUMBERS.of_person([("XX", "552"), ("MR", "771")])


def test_numbers_of_a_family_name_nobody_beside_others():
    """Accounts, health plans and social security join no persons, unless nothing else is there."""
    assert (number_key("771"),) == NUMBERS.of_person([("SS", "552"), ("MR", "771"), ("AN", "9901")])
    assert (number_key("552"),) == NUMBERS.of_person([("SS", "552"), ("AN", "9901")])


def test_placeholders_are_no_numbers():
    """One character repeated, or words for unknown, would make strangers one person."""
    assert () == NUMBERS.of_person([("MR", "0000000"), ("MR", ""), ("PI", "-")])
