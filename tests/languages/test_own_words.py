"""Texts of few frequent words: which language their own words and the country tell."""

from __future__ import annotations

import pytest

from adapter.languages import Spoken, spoken
from adapter.languages.own_words import OwnWords
from adapter.rules.folder import Folder, shipped
from adapter.types import TextSegment

RECOGNIZER = Folder(shipped("rules")).recognizer(("en", "es", "de"))


def message(text, *fields):
    """The segments of a message with one free text and fields (element, datatype, value)."""
    note = TextSegment("OBX-5", "OBX-5", "TX", text)
    segments = [TextSegment(element, element, kind, value) for element, kind, value in fields]
    return spoken([*segments, note], [note], RECOGNIZER)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("junge Granulozyten, alte Fraktur, dicke Wand, starke Schmerzen", "de"),
        ("weißer Belag, schwarzer Punkt, roter Rachen", "de"),
        ("Kleines Blutbild: Leukozyten 8,4 /nl; Thrombozyten 244 /nl.", "de"),
        ("abdomen blando; roncus y sibilantes; MMII sin edemas; AC rítmica", "es"),
        ("Z.n. Hysterektomie 2011, V.a. Sepsis, St.p. Myokardinfarkt", "de"),
        ("young granulocytes, old fracture, thick wall, strong pain", "en"),
    ],
)
def test_findings_tell_their_language(text, code):
    """A list of findings without frequent words is in the language whose lists have its words."""
    assert Spoken(code) == message(text)


@pytest.mark.parametrize(
    "text",
    [
        "apt 4b 212 w 88th btw amsterdam & columbus",
        "Hemoglobina de Clementine Thibodeauxville",
        "Pt speaks only Spanish: 'me llamo Anacleto, vivo con mi hermana'. Will call interpreter.",
        "Klein, Schwarz, Lange",
        "Seen with Koch and Vogel.",
        "Garcia, Vega, Blanco 3/4",
        "MRI ok",
    ],
)
def test_names_and_quotes_tell_nothing(text):
    """Names of people and towns, and a quote in a text of the first language, tell no other."""
    assert Spoken("en") == message(text)


@pytest.mark.parametrize(
    ("field", "text", "code"),
    [
        (("MSH-17", "ID", "DEU"), "Gastroskopie 2011", "de"),
        (("PID-11.6", "XAD.6", "AUT"), "Punktion komplikationslos", "de"),
        (("Patient.address.country", "Address.country", "MX"), "avisar resultado", "es"),
        (("MSH-17", "ID", "DEU"), "Seen by her doctor in the clinic.", "en"),
        (("MSH-17", "ID", "DEU"), "7.1", "en"),
    ],
)
def test_the_country_needs_less_evidence(field, text, code):
    """One word is enough for a language spoken in the country, but other evidence goes before."""
    assert Spoken(code) == message(text, field)


def test_the_country_of_the_message_goes_before_addresses():
    """A visitor's home says nothing where the message has a country of its own."""
    fields = ("MSH-17", "ID", "USA"), ("PID-11.6", "XAD.6", "DEU")
    assert Spoken("en") == message("Gastroskopie 2011", *fields)


def test_words_of_several_languages_count_for_none():
    """A word that two languages list is no evidence of either."""
    words = OwnWords((({"normal", "pain"},), ({"normal", "dolor"},)))
    assert ((2, 0), (0, 1)) == words.points("normal pain Dolor")
    assert [True, False] == [word in words for word in ("dolor", "schmerz")]
