"""The display of a published code is a term unless it may name somebody."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    "text",
    [
        "Hemoglobin A1c/Hemoglobin.total in Blood",
        "Platelet mean volume [Entitic volume] in Blood by Automated count",
        "Rose pollen",
        "Direct Coombs test",
        "Essential (primary) hypertension",
    ],
)
def test_a_display_of_known_words_is_a_term(values, text):
    """Names that are words of terms stand before the thing named."""
    assert values.checks.is_term(text)


@pytest.mark.parametrize(
    "text",
    [
        "Hypertension (Garcia)",
        "Hypertension - Garcia",
        "Hypertension, Garcia",
        "Diabetes Johnson",
        "Garcia, diabetes",
        "Asked by Miller today",
        "Hypertension Quibbleworth type",
    ],
)
def test_a_display_that_may_name_somebody_is_no_term(values, text):
    """An unknown word, and a name behind or before a mark, behind a cue or at the end."""
    assert not values.checks.is_term(text)


def test_the_day_a_definition_was_published_on_stays(values):
    """A version that is a day is kept for a definition, and dropped for a coding of a message."""
    place = values.places["fhir"].place
    assert values.checks.proves(place("ValueSet.version", "string"), "20150622", ())
    assert not values.checks.proves(place("Composition.version", "string"), "20150622", ())


@pytest.mark.parametrize(
    "text",
    ["Größe", "Puls", "Kopfumfang", "Talla", "Dolor (EVA)", "Pijnscore", "Pouls", "Glycémie"],
)
def test_a_local_name_of_a_measurement_looks_like_nobody(values, text):
    """Words of measurements are known in several languages, even if they are rare surnames."""
    checks = values.checks
    assert checks.vocabulary.labels(text)
    assert not checks.personal.looks(text)


@pytest.mark.parametrize("text", ["Quibbleworth", "Puls Quibbleworth", "Terpstra"])
def test_a_local_display_with_an_unknown_word_may_name_somebody(values, text):
    """An unknown word that is alone, or last, is a name even beside a measurement."""
    assert not values.checks.vocabulary.labels(text)
