"""Eponyms stay beside a patient of that name, who does not; nothing is held for it."""

from __future__ import annotations

import json
import re
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapter.pipeline.process import process
from adapter.rules.folder import rules_folder
from adapter.taggers.english.eponyms import WHOLE
from adapter.types import Hold, Position, Record
from tests.corpus.runs import ruleset
from tests.corpus.runs import settings as shipped

PROFILES = ("research", "safe-harbor", "limited-dataset", "gdpr-pseudonymised")
PARTICLES = {"de", "van", "von", "la", "le"}


@cache
def phrases():
    """(family name, phrase) of every English eponym with its thing."""
    strengths = rules_folder(shipped()).lexicons("en")["en-eponym"].strengths
    found = []
    for item, strength in sorted(strengths.items()):
        words = item.replace(" - ", "-").replace(" ' s", "'s").replace(" '", "'").split()
        name = words[0].removesuffix("'s").rstrip("'").partition("-")[0]
        if strength == WHOLE and len(name) > 3:
            phrase = " ".join([words[0].capitalize(), *words[1:]])
            found.append((name.capitalize(), phrase.replace("&", "\\T\\")))
    return tuple(found)


def oru(family, *notes, display=""):
    """An ORU about John Q. of that family, with a note for each row."""
    rows = [
        r"MSH|^~\&|LAB|NORTH|EHR|NORTH|20240314101500||ORU^R01|M1|P|2.5",
        f"PID|1||4410273^^^NORTH^MR||{family}^Quillon||19500102|M|||1 Elm^^Plaistow^NH^03865^USA",
        "OBR|1|||24331-1^Lipid panel^LN|||20240314",
        f"OBX|1|CWE|9000-1^Finding^LN||1^{display}^L||||||F",
        *(f"OBX|{n}|TX|11506-3^Note^LN||{note}||||||F" for n, note in enumerate(notes, 2)),
    ]
    return ("\r".join(rows) + "\r").encode()


def released(raw, profile="research"):
    """The text that is released."""
    outcome = process(Record(raw, Position("t", 0, 0)), ruleset(profile))
    assert not isinstance(outcome, Hold), outcome
    return outcome.value.decode(), dict(outcome.counts)


def stays_and_goes(family, phrase, before, profile):
    """The phrase stays in text and in a kept place; the patient's name goes."""
    raw = oru(
        family,
        f"{before}{phrase} noted today.",
        f"Mr. {family} resting. {family}, Quillon agrees.",
        display=phrase,
    )
    text, _ = released(raw, profile)
    lines = text.split("\r")
    note = lines[4].split("|")[5]
    assert phrase in note, (family, phrase, note)
    assert phrase in lines[3]
    assert family.lower() not in lines[5].lower()
    assert not re.search(
        rf"\b{re.escape(family)}\b", lines[1], re.IGNORECASE
    )  # a town may be Hills


LEADS = st.sampled_from(["", "Has ", "b. ", "Removed. ", "Now: ", "The patient's "])


@settings(max_examples=25, deadline=None)
@given(st.data())
def test_an_eponym_stays_and_a_patient_of_that_name_goes(data):
    """For every eponym of the lexicon that has its thing within it, under every profile."""
    family, phrase = data.draw(st.sampled_from(phrases()))
    stays_and_goes(family, phrase, data.draw(LEADS), data.draw(st.sampled_from(PROFILES)))


@pytest.mark.slow
@settings(max_examples=2000, deadline=None)
@given(st.data())
def test_an_eponym_stays_and_a_patient_of_that_name_goes_at_length(data):
    """The same, many times."""
    family, phrase = data.draw(st.sampled_from(phrases()))
    stays_and_goes(family, phrase, data.draw(LEADS), data.draw(st.sampled_from(PROFILES)))


@pytest.mark.parametrize(
    ("family", "note", "kept"),
    [
        (
            "Foley",
            "Es liegt ein Foley-Katheter, der Patient hat keine Schmerzen.",
            "Foley-Katheter",
        ),
        ("Murphy", "Das Murphy-Zeichen ist negativ und der Bauch ist weich.", "Murphy-Zeichen"),
        ("Parkinson", "Der Patient hat Morbus Parkinson seit vielen Jahren.", "Morbus Parkinson"),
        ("Foley", "El paciente es portador de sonda de Foley desde ayer.", "sonda de Foley"),
        ("Murphy", "La exploración muestra signo de Murphy negativo.", "signo de Murphy"),
        ("Parkinson", "Tiene enfermedad de Parkinson desde hace años.", "enfermedad de Parkinson"),
    ],
)
def test_eponyms_of_other_languages(family, note, kept):
    """German compounds and Spanish phrases stay too."""
    text, counts = released(oru(family, note))
    assert kept in text.split("\r")[4]
    assert any(rule.startswith(("veto/names.eponym", "veto/classes.")) for rule in counts)
    assert family not in text.split("\r")[1]


@pytest.mark.parametrize(
    "note",
    [
        "Foley signs the consent form.",
        "Foley tests positive.",
        "Dr. Foley catheter insertion supervised.",
        "John Foley catheterised at home.",
        "Quillon Foley catheter removed.",
        "Foley home; lines out.",
    ],
)
def test_a_person_is_no_eponym(note):
    """What a person does, and a title or given name before, make a person of the name."""
    text, _ = released(oru("Foley", note))
    assert "Foley" not in text


@pytest.mark.parametrize(
    ("family", "note", "kept"),
    [
        ("Temple", "temple called; left temple abrasion.", "; left temple abrasion"),
        ("Temple", "spoke with temple. temple tenderness.", ". temple tenderness"),
        ("Porter", "seen by porter; porter to theatre at noon.", "; porter to theatre"),
        ("Winters", "winters denies; worse in winters.", "; worse in winters"),
        ("Barber", "per barber; barber chair stand.", "; barber chair stand"),
    ],
)
def test_a_word_beside_its_finding_stays(family, note, kept):
    """A name in small letters stays where it is the word, and goes where it is the person."""
    text, _ = released(oru(family, note))
    assert kept in text
    assert text.lower().count(family.lower()) == 1


@pytest.mark.parametrize(
    "note",
    ["spoke with temple pain clinic.", "Left Temple abrasion.", "wife left temple a message."],
)
def test_a_name_in_small_letters_goes(note):
    """A person's cue before a word, and a capital, leave it a name."""
    text, _ = released(oru("Temple", note))
    assert "temple" not in text.lower()


def test_the_town_before_an_eponym_goes():
    """The phrase "Boston Norton score" keeps the score, not the town."""
    text, _ = released(oru("Ruiz", "Reassessed: Plaistow Norton score 12."))
    assert "Norton score 12" in text
    assert "Plaistow" not in text


def test_a_measured_value_with_its_unit_is_no_number_of_the_patient():
    """A count that equals the record number stays in a text, and up to six digits in OBX-5."""
    raw = oru("Ruiz", "Platelets 4410273 /uL today. MRN 4410273.").decode()
    raw += "OBX|9|NM|777-3^Platelets^LN||4410273|10*3/uL|||||F\r"
    raw += "OBX|10|NM|777-3^Platelets^LN||4410273||||||F\r"
    raw += "OBX|11|NM|1^Apgar score^L||4410273|{score}|||||F\r"
    text, _ = released(raw.encode())
    lines = text.split("\r")
    assert "Platelets 4410273 /uL" in lines[4]
    assert lines[4].count("4410273") == 1
    assert "4410273" not in lines[5] + lines[6] + lines[7] + lines[1]
    short, counts = released(raw.replace("4410273", "441027").encode())
    assert "|441027|10*3/uL|" in short
    assert counts["veto/measurement"] == 1


@pytest.mark.parametrize("family", ["Candida", "Duke", "Ruiz"])
def test_organisms_stay(family):
    """Genus and species name nobody, a patient called so or not."""
    text, _ = released(oru(family, "Grew Candida albicans and C. glabrata; E. coli not seen."))
    assert "Grew Candida albicans and C. glabrata; E. coli not seen." in text


@pytest.mark.parametrize(
    ("family", "given", "note"),
    [
        ("Davila", "Candida", "Seen with Candida Davila today."),
        ("Lucia", "Candida", "CANDIDA LUCIA was seen today."),
        ("Quintana", "Candida", "Candida Quintana was seen today."),
        ("Davila", "Candida", "seen with candida davila today"),
        ("Maria", "Providencia", "Providencia Maria was seen today."),
    ],
)
def test_a_person_named_like_an_organism_goes(family, given, note):
    """A genus before a family name is a given name."""
    text, _ = released(oru(family, note).replace(b"Quillon", given.encode()))
    assert family.lower() not in text.lower()


@pytest.mark.parametrize(
    "family", ["Child", "Friend", "Parent", "Self", "Boy", "Sample", "Sister", "Husband"]
)
def test_a_family_name_that_is_a_placeholder_too_goes(family):
    """Beside a given name it is a name, in text too; the ordinary word stays."""
    text, _ = released(
        oru(family, f"Mr. {family} resting. {family}, Quillon agrees. A child slept.")
    )
    assert family not in text
    assert "A child slept." in text


@pytest.mark.parametrize("family", ["Austin-Moore", "Adson-Brown"])
def test_a_patient_who_bears_a_whole_eponym_goes(family):
    """A family name of two that equals a listed eponym is replaced wherever it stands alone."""
    text, _ = released(oru(family, f"{family} was told.", f"Seen with {family}."))
    assert family not in text


@pytest.mark.parametrize("family", ["Official", "Filler", "Final", "Home", "Active", "Female"])
def test_codes_of_fhir_stay_whoever_is_called_so(family):
    """Another code would make the resource invalid, and show whose name it is."""
    patient = {
        "resourceType": "Patient",
        "active": True,
        "name": [{"use": "official", "family": family, "given": ["Anna"]}],
        "gender": "female",
        "address": [{"use": "home", "city": "Wexcombe"}],
        "contact": [{"gender": "female", "name": {"text": f"Anna {family}"}}],
    }
    order = {
        "resourceType": "ServiceRequest",
        "status": "active",
        "intent": "filler-order",
        "code": {"text": "Blood count"},
        "subject": {"display": f"Anna {family}"},
    }
    bundle = {
        "resourceType": "Bundle",
        "type": "collection",
        "entry": [{"resource": patient}, {"resource": order}],
    }
    text, _ = released(json.dumps(bundle).encode())
    person, request = (entry["resource"] for entry in json.loads(text)["entry"])
    assert ["official", "female", "home", "female"] == [
        person["name"][0]["use"],
        person["gender"],
        person["address"][0]["use"],
        person["contact"][0]["gender"],
    ]
    assert ["active", "filler-order"] == [request["status"], request["intent"]]
    assert family not in text


@pytest.mark.parametrize(
    ("language", "patient", "note", "gone", "stays"),
    [
        ("de", "Weber^Hans", "Bett 4: Weber - Fraktur OSG rechts.", "Weber -", "Fraktur OSG"),
        ("de", "Wernicke^Hans", "Herr Wernicke: Wernicke-Aphasie.", "Wernicke:", "Wernicke-A"),
        ("fr", "Fournier^Luc", "Le score de Fournier est de 12.", "Fournier", "score de"),
        (
            "fr",
            "Fournier^Luc",
            "M. Fournier : gangrène de Fournier.",
            "Fournier :",
            "de Fournier",
        ),
        ("es", "Weber^Ana", "Control de la fractura de Weber hoy.", "Weber", "fractura de"),
        ("es", "Paget^Ana", "Sra. Paget: células de Paget.", "Paget:", "células de Paget"),
        ("es", "Ruiz^Dolores", "Dolores dejó de tomarlo.", "Dolores", "de tomarlo"),
        ("es", "Ruiz^Dolores", "Tiene dolores abdominales.", "Ruiz", "dolores abdominales"),
        ("es", "Fuente^Pilar", "Pilar de alta mañana.", "Pilar", "de alta"),
    ],
)
def test_an_eponym_stays_only_where_the_thing_is_nobodys(language, patient, note, gone, stays):
    """What may be the patient's own thing, or the patient, is replaced in every language."""
    raw = "\r".join(
        [
            rf"MSH|^~\&|A|B|||20240101||ORU^R01|1|P|2.5|||||ESP|UNICODE UTF-8|{language}",
            f"PID|1||88123456^^^B^MR||{patient}||19500101|F",
            f"OBX|1|TX|N^Note||{note}||||||F",
        ]
    )
    text, _ = released(raw.encode())
    assert gone not in text
    assert stays in text
