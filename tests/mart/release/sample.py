"""A made-up hospital: persons, visits and diagnoses, and a plan to release them."""

from __future__ import annotations

import datetime as dt
import json
import random
import tomllib

from adapter.mart.release.plan import Plan, Resource
from adapter.mart.release.publish import Source
from adapter.mart.views.folder import read_views
from adapter.rules.folder import Folder, shipped

RULES = shipped("rules")
SCHEMA = Folder(RULES).schema["fhir"]["R4"]
LEFT_OUT = tomllib.loads((RULES / "mart" / "released.toml").read_text("utf-8"))
VIEWS = read_views([RULES / "mart" / "views"])
QUASI = ("patient.birth_year", "patient.sex", "encounter.year", "encounter.class")
CANARY = "Zzyzx"
CODES = ("I10", "E11.9", "J45.909", "F32.9", "N18.3")


def plan(**changes) -> Plan:
    """A plan that the gate lets through, changed as asked."""
    given = {
        "name": "first",
        "approved_by": "Dr. A. Steward",
        "day": dt.date(2026, 11, 22),
        "key_id": "k1",
        "quasi_identifiers": QUASI,
    }
    return Plan(**{**given, **changes})


def hospital(persons: int, seed: int = 1, years: int = 2) -> list[Resource]:
    """Persons with a visit or two each, and a diagnosis at each visit."""
    draw = random.Random(seed)
    found: list[Resource] = []
    for number in range(persons):
        found += _person(f"person{number}", draw, years)
    return found


def _person(person: str, draw: random.Random, years: int) -> list[Resource]:
    born = f"{draw.choice((1950, 1960, 1970, 1980))}-05-{draw.randint(1, 28):02}"
    patient = {
        "resourceType": "Patient",
        "id": f"p-{person}",
        "gender": draw.choice(("male", "female")),
        "birthDate": born,
        "name": [{"family": CANARY, "given": ["Ann"]}],
        "telecom": [{"system": "phone", "value": f"{CANARY}-1"}],
        "address": [{"line": [f"1 {CANARY} Way"], "city": CANARY, "state": "KS"}],
        "identifier": [{"value": f"{CANARY}{person}"}],
    }
    found = [_resource(patient, person)]
    for visit in range(draw.randint(1, 2)):
        day = dt.date(2024, 1, 1) + dt.timedelta(days=draw.randrange(365 * years))
        encounter = {
            "resourceType": "Encounter",
            "id": f"e-{person}-{visit}",
            "status": "finished",
            "class": {"code": draw.choice(("AMB", "IMP", "EMER"))},
            "subject": {"reference": f"Patient/p-{person}"},
            "period": {"start": f"{day}T08:00:00Z", "end": f"{day}T09:00:00Z"},
        }
        condition = {
            "resourceType": "Condition",
            "id": f"c-{person}-{visit}",
            "encounter": {"reference": f"Encounter/e-{person}-{visit}"},
            "code": {"coding": [{"code": draw.choice(CODES)}]},
            "recordedDate": f"{day}",
        }
        found += [_resource(encounter, person), _resource(condition, person)]
    return found


def _resource(body: dict, person: str | None) -> Resource:
    return Resource(body["resourceType"], body["id"], person, "active", json.dumps(body))


def source(resources, **more) -> Source:
    """What a release of the shipped views is made from."""
    return Source(resources, VIEWS, SCHEMA, LEFT_OUT, **more)
