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
        ("HOLM IDA 1961-02-12 (99475644)", "HOLM IDA"),
        ("Ida Holm DOB: 12-Feb-1961", "Ida Holm"),
        ("Holm, Ida (F, 33)", "Holm, Ida"),
        ("Bed 4 - HOLM I", "HOLM I"),
        ("Holm, Ida MD (signed 06/12/2024 10:02 AM)", "Holm, Ida MD"),
        ("Ida Holm MD, Jun 12 2024", "Ida Holm MD"),
        ("Ida May 12/03/1950", "Ida May"),
        ("ADT clerk IHOLM", "IHOLM"),
        ("Picked up at window by spouse Ida", "Ida"),
        ("daughter Ida (POA)", "Ida"),
        ("Home health nurse Ida Holm, RN", "Ida Holm, RN"),
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
        *("Pharmacy to dose", "ICU, Charge RN", "PACU RN", "Verbal Order, Read Back", "MRI 2"),
        *("Provider, Historical, MD", "Float Pool", "Scheduled By Kiosk", "Lab, Background User"),
    ],
)
def test_functions_alone_name_nobody(text):
    """There is no name to replace."""
    assert name_extent(text, FIELDS) == NOWHERE


@pytest.mark.parametrize(
    "text",
    [
        *("Clerk, Ida", "Parent, Ida", "Ida Parent", "Ida Ward", "Friend", "Son, Ida", "Jo Son"),
        *("Ed, RN", "Foster, Ida", "Do, MA", "Pool", "Ida Pool", "Read, Ida", "Echo Holm", "4711"),
        *("Rose Price, RN", "Holm 2 Ida", "Holm (I)"),
        *("Ward Foster", "Night", "Thistle", "Ida Holm, RPh", "Holm", "", "(", "Anne Mutter"),
    ],
)
def test_names_that_are_also_functions_stay_names(text):
    """A family name before a comma, at the end or alone is no function."""
    assert name_extent(text, FIELDS) == (0, len(text))
