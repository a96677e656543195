"""FHIR resources about one another: whom a reference, an extension or a shared name means."""

from __future__ import annotations

import json

import pytest

from adapter.phrases.memory import Memory
from adapter.pipeline.process import finish, prepare
from adapter.types import Position, Record, Release
from tests.corpus.runs import ruleset

MOTHER = {"family": "Abernethwaite", "given": ["Ottokaria"]}


@pytest.fixture(scope="module")
def rules():
    """The shipped rules under a fixed key."""
    return ruleset()


def feed(rules, *resources):
    """The released resources, in order, with memory."""
    memory = Memory(rules.fields)
    found = []
    for number, resource in enumerate(resources):
        record = Record(json.dumps(resource).encode(), Position("t", 0, number))
        prepared = prepare(record, rules, facts=True)
        outcome = finish(prepared, rules, memory.about(prepared.facts))
        assert isinstance(outcome, Release)
        found.append(json.loads(outcome.value))
        memory.learn_all(prepared.facts)
    return found


def patient(number, born, name, **others):
    """A Patient."""
    chart = {"system": "http://ex.org/mrn", "value": f"550091{number}"}
    own = {"id": f"p{number}", "identifier": [chart], "name": [name], "birthDate": born}
    return {"resourceType": "Patient", **own, **others}


def observation(number, text):
    """A note about a patient."""
    code = {"coding": [{"system": "http://loinc.org", "code": "34109-9"}]}
    subject = {"reference": f"Patient/p{number}"}
    about = {"status": "final", "code": code, "subject": subject}
    return {"resourceType": "Observation", **about, "valueString": text}


def bundle(*resources):
    """A Bundle."""
    entries = [{"resource": resource} for resource in resources]
    return {"resourceType": "Bundle", "type": "collection", "entry": entries}


@pytest.mark.parametrize("key", ["extension", "modifierExtension"])
def test_a_name_in_a_removed_extension_is_found_in_texts(rules, key):
    """In the same resource and in the patient's later messages."""
    named = {"url": "http://ex.org/guardian", "valueHumanName": {"family": "Oberdorfling"}}
    own = patient(1, "1962-02-14", MOTHER, **{key: [named]})
    note = observation(1, "spoke with oberdorfling about fall")
    first, later = feed(rules, bundle(own, note), note)
    assert "berdorfling" not in json.dumps([first, later])
    assert key not in first["entry"][0]["resource"]
    assert later["valueString"].endswith(" about fall")


def test_a_text_in_a_removed_extension_names_nobody_unless_it_is_written_so(rules):
    """Two words that may be a name are looked for; words of the language are not."""
    said = ["Fenstermacherly, Ottokaria", "wheelchair access", "north"]
    texts = [{"url": f"http://ex.org/{n}", "valueString": text} for n, text in enumerate(said)]
    note = observation(1, "w/ fenstermacherly, needs wheelchair access, north door")
    (found,) = feed(rules, bundle(patient(1, "1962-02-14", MOTHER, extension=texts), note))
    text = found["entry"][1]["resource"]["valueString"]
    assert "enstermach" not in text
    assert text.endswith(", needs wheelchair access, north door")


def test_the_display_of_a_reference_to_a_patient_is_the_patients_name(rules):
    """Wherever the reference stands, and if only the family name is displayed."""
    actor = {"reference": "Patient/p1", "display": "Abernethwaite"}
    taking_part = {"status": "booked", "participant": [{"actor": actor, "status": "accepted"}]}
    visit = {"resourceType": "Appointment", **taking_part}
    (found,) = feed(rules, bundle(patient(1, "1962-02-14", MOTHER), visit))
    own, other = (entry["resource"] for entry in found["entry"])
    assert own["name"][0]["family"] == other["participant"][0]["actor"]["display"]


def test_the_owner_of_a_task_is_a_person(rules):
    """The person has the surrogate of any other member of staff of this name."""
    people = {key: {"display": "Sigismund Tellefsenby"} for key in ("owner", "requester")}
    (found,) = feed(
        rules, {"resourceType": "Task", "status": "accepted", "intent": "order"} | people
    )
    assert found["owner"] == found["requester"]
    assert 2 == len(found["owner"]["display"].split())


def test_a_shared_name_is_that_of_the_texts_patient(rules):
    """A mother and her newborn have different surrogates, and each text uses its own patient's."""
    baby = {"family": "Abernethwaite", "given": ["Baby Girl"]}
    people = patient(1, "1990-02-14", MOTHER), patient(2, "2024-04-16", baby)
    notes = [observation(number, "Baby Girl of Abernethwaite") for number in (1, 2)]
    (found,) = feed(rules, bundle(*people, *notes))
    *own, one, two = (entry["resource"] for entry in found["entry"])
    families = [each["name"][0]["family"] for each in own]
    assert [each["valueString"].split()[-1] for each in (one, two)] == families


def test_a_baby_girl_has_no_occupation(rules):
    """What a newborn is called stays."""
    for text in ("Baby girl is feeding well", "twin boy in nursery"):
        assert text == feed(rules, observation(1, text))[0]["valueString"]
