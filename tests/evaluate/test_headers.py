"""Structured fields beside an annotated text."""

from __future__ import annotations

from adapter.evaluate.headers import from_header
from adapter.types import Label
from tests.wording import word_list


def test_a_header_is_read_like_a_message():
    """Fields become entities, phrases, the subject and the date of the message."""
    header = {
        "patient_family": "Okafor",
        "patient_given": "Ngozi",
        "patient_alias": "Ngozi Mensah",
        "patient_sex": "F",
        "mrn": "E0093117",
        "kin_given": "Chidi",
        "attending_family": "Park",
        "visit_date": "2024-11-06",
        "language": "en",
    }
    found = from_header(header, word_list())
    assert ["patient", "kin:1", "attending:1"] == [entity.id for entity in found.entities]
    assert ("id:e93117", "20241106") == (found.subject, found.reference)
    assert "F" == found.entities[0].sex
    labels = {phrase.text: phrase.label for phrase in found.phrases}
    assert Label.PATIENT is labels["Mensah"]
    assert Label.DOCTOR is labels["Park"]


def test_an_empty_header_tells_nothing():
    """No fields, no subject."""
    found = from_header({"patient_family": ""}, word_list())
    assert ((), (), None) == (found.entities, found.phrases, found.subject)
