"""Functions beside a name, or instead of one."""

from __future__ import annotations

import pytest

from adapter.languages.functions import NOWHERE, name_extent
from tests.wording import FIELDS


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Ida Holm (mother)", "Ida Holm"),
        ("Ida Holm (legal guardian)", "Ida Holm"),
        ("Ida, mother", "Ida"),
        ("Holm, Ida - foster parent", "Holm, Ida"),
        ("Ida Holm mother", "Ida Holm"),
        ("Holm, Dr. I. (Anesthesiology)", "Holm, Dr. I."),
        ("caregiver (Ida)", "Ida"),
        ("Daughter: Ida Holm", "Ida Holm"),
        ("Attending surgeon - Holm", "Holm"),
        ("Home health nurse Ida Holm", "Ida Holm"),
        ("patient's mother Ida Holm", "Ida Holm"),
        ("Ehefrau Ida Holm", "Ida Holm"),
        ("Ida Peña, madre", "Ida Peña"),
        ("grand-mère Ida", "Ida"),
    ],
)
def test_a_function_beside_a_name_is_no_part_of_it(text, name):
    """What stands in brackets, behind marks or before the name stays."""
    start, end = name_extent(text, FIELDS)
    assert text[start:end] == name


@pytest.mark.parametrize(
    "text",
    [
        *("Self", "MOTHER", "Patient's wife", "Both parents", "Night staff", "EMS crew"),
        *("School nurse", "Ward clerk", "Home glucose log", "Pharmacy fill history", "son"),
        *("Not recorded", "Interpreter", "mother/father"),
    ],
)
def test_functions_alone_name_nobody(text):
    """There is no name to replace."""
    assert name_extent(text, FIELDS) == NOWHERE


@pytest.mark.parametrize(
    "text",
    [
        *("Clerk, Ida", "Parent, Ida", "Ida Parent", "Ida Ward", "Friend", "Son, Ida", "Jo Son"),
        *("Ward Foster", "Night", "Thistle", "Ida Holm, RPh", "Holm", "", "(", "Anne Mutter"),
    ],
)
def test_names_that_are_also_functions_stay_names(text):
    """A family name before a comma, at the end or alone is no function."""
    assert name_extent(text, FIELDS) == (0, len(text))
