"""Days and numbers that a message tells of its people are found in its other values."""

from __future__ import annotations

import pytest

from adapter.types import Action, Handling, Label, Message, TextSegment
from adapter.values.proof.repeats import days, numbers

SHIFT, KEEP = Action(Handling.SHIFT, Label.DATE), Action(Handling.KEEP)
FIELDS = (
    ("CB7718820", Action(Handling.SURROGATE, Label.MEDICALRECORD)),
    ("0491 570 156", Action(Handling.SURROGATE, Label.PHONE)),
    ("123456", Action(Handling.SURROGATE, Label.IDNUM)),
    ("640000", Action(Handling.KEEP)),
    ("19660418", Action(Handling.SHIFT, Label.DATE)),
)


def told(*fields):
    """The days of a message of (text, action) fields."""
    segments = tuple(
        TextSegment(f"PID-{number}", f"PID-{number}", "DTM", text)
        for number, (text, _) in enumerate(fields, 1)
    )
    message = Message("hl7v2", "ADT^A01", segments, None)
    return days(message, [action for _, action in fields])


def test_days_of_shifted_fields_are_known():
    """In another layout too, and with a time; days of fields that are kept are not."""
    known = told(("19610314", SHIFT), ("20240101", KEEP), ("Okafor", SHIFT))
    assert "1961-03-14" in known
    assert "19610314101500" in known
    assert "03/14/1961" in known
    assert "20240101" not in known
    assert "19610315" not in known


def test_dates_that_are_replaced_are_known():
    """What an action calls a date counts, whatever is done with it."""
    known = told(("19610314", Action(Handling.SURROGATE, Label.DATE)))
    assert "1961-03-14" in known


def test_what_is_no_day_is_never_known():
    """A text without a day is not the empty day of another."""
    known = told(("Okafor", SHIFT), ("", SHIFT))
    assert "" not in known
    assert "Okafor" not in known


@pytest.fixture
def known():
    """The numbers of a message with one field of each kind."""
    segments = tuple(
        TextSegment(f"PID-{number}", f"PID-{number}", "ST", text)
        for number, (text, _) in enumerate(FIELDS, 1)
    )
    return numbers(Message("hl7v2", "ADT^A01", segments, None), [action for _, action in FIELDS])


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("7718820", True),
        ("07718820", True),
        ("7718820.0", True),
        ("7718820.5", False),
        ("0491570156", True),
        ("491570156", True),
        ("123456", False),
        ("640000", False),
        ("19660418", False),
        ("", False),
    ],
)
def test_digits_of_ids_and_telephone_numbers_are_known(known, text, found):
    """Whatever stands around the digits of the field; not short numbers, nor kept or dated ones."""
    assert (text in known) == found
