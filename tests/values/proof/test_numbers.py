"""Numbers that identify people are found in measured values of the same message."""

from __future__ import annotations

import pytest

from adapter.types import Action, Handling, Label, Message, TextSegment
from adapter.values.proof.numbers import Numbers

FIELDS = (
    ("CB7718820", Action(Handling.SURROGATE, Label.MEDICALRECORD)),
    ("0491 570 156", Action(Handling.SURROGATE, Label.PHONE)),
    ("123456", Action(Handling.SURROGATE, Label.IDNUM)),
    ("640000", Action(Handling.KEEP)),
    ("19660418", Action(Handling.SHIFT, Label.DATE)),
)


@pytest.fixture
def known():
    """The numbers of a message with one field of each kind."""
    segments = tuple(
        TextSegment(f"PID-{number}", f"PID-{number}", "ST", text)
        for number, (text, _) in enumerate(FIELDS, 1)
    )
    return Numbers(Message("hl7v2", "ADT^A01", segments, None), [action for _, action in FIELDS])


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("7718820", True),
        ("07718820", True),
        ("7718820.0", False),
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
