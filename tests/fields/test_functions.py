"""Whole names that are functions."""

from __future__ import annotations

from adapter.fields.functions import functions_scanned
from adapter.types import Action, Handling, Message, TextSegment
from tests.wording import FIELDS


def test_a_whole_name_that_is_a_function_is_free_text():
    """Known people are still found in it, and nobody is made of it."""
    texts = {"Night staff": Handling.SCAN, "Ida Holm": Handling.SURROGATE}
    segments = tuple(
        TextSegment(f"/performer/{n}/display", "Observation.performer.display", "x", text)
        for n, text in enumerate(texts)
    )
    action = Action(Handling.SURROGATE, role="staff", part="full")
    found = functions_scanned(
        Message("fhir", "Observation", segments, None), [action, action], FIELDS
    )
    assert [one.handling for one in found] == list(texts.values())
