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


@pytest.mark.parametrize(
    ("element", "datatype", "near", "text"),
    [
        ("TQ1-9.2", "CWE.2", ("HL70485", "R"), "Rutina"),
        ("AL1-4.2", "CWE.2", ("HL70128", "MO"), "MITTEL"),
        ("PID-15.2", "CWE.2", ("HL70296", "de"), "Deutsch"),
        ("AIP-4.2", "CWE.2", ("99LOCAL", "MED"), "M\u00e9dico general"),
    ],
)
def test_what_senders_call_a_code_in_their_language_stays(values, element, datatype, near, text):
    """A usual display counts beside any system; one that is a name, beside HL7's systems alone."""
    assert values.checks.proves(values.places["hl7v2"].place(element, datatype), text, near)


@pytest.mark.parametrize(
    ("near", "text"), [(("99LOCAL", "MO"), "Mittel"), (("HL70128", "MO"), "Quibbleworth")]
)
def test_a_display_that_is_a_name_needs_a_published_system(values, near, text):
    """And what no list has is no display of a code in any system."""
    place = values.places["hl7v2"].place("AL1-4.2", "CWE.2")
    assert not values.checks.proves(place, text, near)


def test_a_code_is_the_beginning_of_its_display(values):
    """A surname is a code of a service if a known word beside it begins so."""
    place = values.places["hl7v2"].place("PV1-10.1", "CWE.1")
    assert values.checks.proves(place, "ENDO", ("99LOCAL", "Endocrinologie"))
    assert not values.checks.proves(place, "ENDO", ("99LOCAL", ""))
    assert not values.checks.proves(place, "QUIB", ("99LOCAL", "Quibbleworth"))
    assert not values.checks.proves(place, "83920174", ("99LOCAL", "Endocrinologie"))


def test_a_season_of_two_years_is_no_number(values):
    """As vaccines of influenza have; other digits with a mark between them are."""
    assert not values.checks.personal.looks("Influenza vaccine 2024/2025")
    assert values.checks.personal.looks("Influenza vaccine 4455/2025")


@pytest.mark.parametrize(("name", "kept"), [("301", True), ("CUPS", True), ("ADA", False)])
def test_a_system_beside_a_person_is_nobodys_name(values, name, kept):
    """A published system's whole name counts in segments about people, unless it is a name."""
    place = values.places["hl7v2"].place("PV1-10.3", "CWE.3")
    assert values.checks.proves(place, name, ()) == kept


@pytest.mark.parametrize(
    ("near", "text", "kept"),
    [
        ("urn:ietf:bcp:47", "en-GB-x-Grace", False),
        ("urn:ietf:bcp:47", "en-GB", True),
        ("http://loinc.org", "8867-4-Grace", False),
        ("http://loinc.org", "LOCAL-12", True),
        ("urn:iso:std:iso:11073:10101", "AMEAS", True),
        ("http://loinc.org", "NWOSU", False),
        ("http://loinc.org", "Glucose", True),
        ("http://loinc.org", "Grace", False),
        ("http://loinc.org", "GRACE", False),
        ("http://snomed.info/sct", "Pemberton", False),
        ("http://example.org/codes", "Pemberton", True),
        ("http://loinc.org", "look up value", True),
    ],
)
def test_a_code_that_its_system_does_not_have_is_made_of_known_words(values, near, text, kept):
    """A system's own codes have its form; behind the form a name may have been put."""
    place = values.places["fhir"].place("X.a.coding.code", "Coding.code")
    assert values.checks.looks(place, text, (near,)) != kept


@pytest.mark.parametrize(
    ("text", "stays"),
    [
        ("Mallarieu's doxycycline", False),
        ("Wilson's disease", True),
        ("Raynaud's phenomenon", True),
    ],
)
def test_the_possessive_of_an_unknown_word_begins_no_display(values, text, stays):
    """Eponyms are known words; whose medicine it is, is not told by a display."""
    place = values.places["fhir"].place("X.code.text", "CodeableConcept.text")
    assert values.checks.looks(place, text, ()) != stays


@pytest.mark.parametrize(
    ("text", "stays"),
    [
        ("Birth date in words", True),
        ("Birth date in words: the eleventh of April nineteen thirty-one", False),
        ("Geburtsdatum: elfter April neunzehnhunderteinunddreißig", False),
        ("insta: sree_kizhak95", False),
        ("Trajet en ambulance", True),
        ("Trajet « Oriane et maman »", False),
        ("Lettre à Mme B.-Ramella", False),
    ],
)
def test_a_display_tells_of_nobody_in_words(values, text, stays):
    """Days in words, handles, names in quotation marks and initials behind a title."""
    place = values.places["hl7v2"].place("OBX-3.2", "CE.2")
    near = ("LN", "34140-4")
    proved = values.checks.proves(place, text, near)
    assert (proved or not values.checks.looks(place, text, near)) is stays
