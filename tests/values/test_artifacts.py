"""Ids of definitions: words that say what is defined stay, whoever's value stands there goes."""

from __future__ import annotations

import json

import pytest

from adapter.pipeline.process import process
from adapter.types import Hold, Position, Record
from tests.corpus.runs import ruleset
from tests.values.test_law import PLANTED

STAY = ("zika-virus-exposure-assessment", "referralToCardiologyConsult", "phq-9-questionnaire")
NAMES = ("okonkwo", "grace-assessment", "mary-intake", "Smith", "ulgrim-quibbleworth", "rose")
SITES = ("mercy-hospital-intake", "stanford-university-questionnaire")
NUMBERS = ("intake-83920174", "visit-19610314", "form-555-2671", "83920174", "a1b2c3")


def _released(resource):
    outcome = process(Record(json.dumps(resource).encode(), Position("artifacts", 0, 0)), ruleset())
    return None if isinstance(outcome, Hold) else json.loads(outcome.value)


def _plan(name, **more):
    return {"resourceType": "PlanDefinition", "id": name, "status": "active", **more}


@pytest.mark.parametrize("name", STAY)
def test_words_that_say_what_is_defined_stay(name):
    """An id of known words is kept, and so is the reference to it behind its type."""
    made = _released(_plan(name, library=[f"Library/{name}"]))
    assert (made["id"], made["library"]) == (name, [f"Library/{name}"])


@pytest.mark.parametrize("name", [*NAMES, *SITES, *NUMBERS])
def test_names_sites_and_numbers_become_surrogates(values, name):
    """A word of a name or a site, or more than three digits, make an id a surrogate everywhere."""
    assert not values.checks.names_artifact(name)
    made = _released(_plan(name, library=[f"Library/{name}", f"#{name}"]))
    assert made["id"] != name
    assert made["library"] == [f"Library/{made['id']}", f"#{made['id']}"]


@pytest.mark.parametrize("value", PLANTED)
def test_no_personal_value_survives_as_an_id_of_a_definition(value):
    """What the law of kept places plants does not survive in ids of definitions either."""
    planted = value.replace(" ", "-")
    made = _released(_plan(planted, library=[f"Library/{planted}", f"#{planted}"]))
    text = json.dumps(made).lower()
    assert not any(part.replace(" ", "-") in text for part in PLANTED[value])


def test_the_id_of_a_person_stays_in_no_words():
    """An id of words is a surrogate where the resource defines nothing."""
    made = _released({"resourceType": "Patient", "id": "blood-pressure"})
    assert made["id"] != "blood-pressure"


def test_a_contained_definition_and_its_references_agree():
    """A canonical "#" keeps the words of what is contained; a reference replaces both."""
    contained = [{"resourceType": "ActivityDefinition", "id": "procedure", "status": "active"}]
    kept = _released(
        _plan("a", contained=contained, action=[{"definitionCanonical": "#procedure"}])
    )
    assert kept["contained"][0]["id"] == "procedure"
    assert kept["action"][0]["definitionCanonical"] == "#procedure"
    referred = _released(
        _plan("a", contained=contained, subjectReference={"reference": "#procedure"})
    )
    assert f"#{referred['contained'][0]['id']}" == referred["subjectReference"]["reference"]


def test_a_value_of_the_message_is_in_no_id_that_stays():
    """An id with the name of the message's patient goes, though it is of known words."""
    patient = {"resourceType": "Patient", "id": "p1", "name": [{"family": "Zika"}]}
    entries = [{"resource": patient}, {"resource": _plan("zika-virus-exposure-assessment")}]
    made = _released({"resourceType": "Bundle", "type": "collection", "entry": entries})
    assert made is None or "zika" not in json.dumps(made).lower()
