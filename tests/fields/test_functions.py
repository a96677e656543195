"""Fields for names that name nobody and no place."""

from __future__ import annotations

import pytest

from adapter.fields.functions import functions_scanned
from adapter.types import Action, Handling, Message, TextSegment
from tests.wording import FIELDS

DISPLAY, NAME = "Reference.display", "Organization.name"


@pytest.mark.parametrize(
    ("part", "datatype", "text", "handling"),
    [
        ("full", DISPLAY, "Night staff", Handling.SCAN),
        ("full", DISPLAY, "Ida Holm", Handling.SURROGATE),
        ("full", DISPLAY, "Radiology", Handling.SCAN),
        ("org", DISPLAY, "School nurse", Handling.SCAN),
        ("org", NAME, "Room 4", Handling.SCAN),
        ("org", NAME, "Both parents", Handling.SURROGATE),
        ("org", NAME, "Northfield Clinic", Handling.SURROGATE),
        ("family", "HumanName.family", "Radiology", Handling.SURROGATE),
    ],
)
def test_what_names_nothing_is_free_text(part, datatype, text, handling):
    """Known people are still found in it, and nobody is made of it."""
    segment = TextSegment("/performer/0/display", "Observation.performer.display", datatype, text)
    action = Action(Handling.SURROGATE, role="staff", part=part)
    message = Message("fhir", "Observation", (segment,), None)
    assert [one.handling for one in functions_scanned(message, [action], FIELDS)] == [handling]
