"""Mother, newborns and strangers who share names and numbers: each stays one, and none another."""

from __future__ import annotations

import datetime as dt
import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adapter.phrases.memory import Memory
from adapter.pipeline.process import finish, prepare
from adapter.types import Position, Record, Release
from tests.corpus.runs import ruleset

SENT = dt.date(2024, 3, 14)
HEAD = "MSH|^~\\&|ADT|NORTH|EHR|SOUTH|20240314101500||{kind}|C1|P|2.5.1\r"
VISIT = "PV1|1|I|OB^201^A||||1234^Reyes^Carla^^^DR||||||||||||V5566778\r"
MOTHER_NUMBER = "44120987"


def tell(messages):
    """What a feed of messages becomes, each with the facts of those before it."""
    memory, released = Memory(ruleset().fields), []
    for raw in messages:
        prepared = prepare(Record(raw.encode(), Position("", 0, 0)), ruleset(), facts=True)
        given_out = memory.about(prepared.facts)
        memory.learn_all(prepared.facts)
        outcome = finish(prepared, ruleset(), given_out)
        assert isinstance(outcome, Release), outcome
        released.append(outcome)
    return released


def pid(name, born="", chart="", account="", *, mother="", more="", social=""):
    """A PID segment."""
    number = f"{chart}^^^NORTH^MR" if chart else ""
    kin = f"{mother}^^^NORTH^MR" if mother else ""
    tail = f"{account}|{social}||{kin}"
    return f"PID|1||{number}{more}||{name}||{born}|F||||||||||{tail}\r"


def adt(kind, *segments):
    """An HL7 v2 message."""
    return HEAD.format(kind=kind) + "".join(segments)


def bundle(key, number, name, born):
    """A Bundle with a Patient and an Observation about her."""
    family, _, first = name.partition("^")
    patient = {
        "resourceType": "Patient",
        "id": key,
        "identifier": [{"value": number}],
        "name": [{"family": family, "given": [first]}],
        "birthDate": f"{born[:4]}-{born[4:6]}-{born[6:]}",
    }
    seen = {
        "resourceType": "Observation",
        "status": "final",
        "code": {"coding": [{"system": "http://loinc.org", "code": "8867-4"}]},
        "subject": {"reference": f"Patient/{key}"},
        "effectiveDateTime": "2024-03-14T10:15:00Z",
    }
    entries = [{"resource": each} for each in (patient, seen)]
    return json.dumps({"resourceType": "Bundle", "type": "collection", "entry": entries})


def shown(released):
    """(family, given, number, days of shift) of one release; "" for what it does not say."""
    text = released.value.decode()
    if text.startswith("{"):
        patient, seen = (entry["resource"] for entry in json.loads(text)["entry"])
        when = dt.date.fromisoformat(seen["effectiveDateTime"][:10])
        name, number = patient["name"][0], patient["identifier"][0]["value"]
        return name["family"].upper(), name["given"][0].upper(), number, (when - SENT).days
    fields = next(line for line in text.split("\r") if line.startswith("PID")).split("|")
    family, _, first = (*fields, *("",) * 6)[5].upper().partition("^")
    sent = dt.date.fromisoformat(text.split("|")[6][:8])
    return family, first.partition(" ")[0], fields[3].partition("^")[0], (sent - SENT).days


BORN = "20240312"
NAME, CHILD, TWIN = "OKONKWO^ADAEZE", "OKONKWO^BABY GIRL A", "OKONKWO^BABY GIRL B"
OF_MOTHER = f"NK1|1|{NAME}|MTH^Mother\r"
SOCIAL = "428117735"
FAMILY = {
    "mother": (
        adt("ADT^A01", pid(NAME, "19910823", MOTHER_NUMBER, "A991827", social=SOCIAL), VISIT),
        adt("ADT^A03", pid(NAME, "19910823", MOTHER_NUMBER), f"NK1|1|{CHILD}|CHD\r", VISIT),
        adt("ADT^A08", pid("ADEYEMI^ADAEZE", "19910823", MOTHER_NUMBER), VISIT),
        adt("ORU^R01", pid("", "", MOTHER_NUMBER)),
        bundle("m1", MOTHER_NUMBER, "Okonkwo^Adaeze", "19910823"),
    ),
    "child": (
        adt(
            "ADT^A01",
            pid(CHILD, BORN, "77310045", "A991827", mother=MOTHER_NUMBER),
            OF_MOTHER,
            VISIT,
        ),
        adt("ADT^A08", pid("OKONKWO^AMARA", BORN, "77310045"), OF_MOTHER, VISIT),
        adt("ADT^A08", pid(CHILD, BORN, "77310045", more=f"~{MOTHER_NUMBER}^^^NORTH^PI"), VISIT),
        adt("ADT^A08", pid(CHILD, BORN, "77310045", social=SOCIAL), VISIT),
        bundle("c1", "77310045", "Okonkwo^Amara", BORN),
    ),
    "twin": (
        adt("ADT^A01", pid(TWIN, BORN, "", "A991827", mother=MOTHER_NUMBER), OF_MOTHER, VISIT),
        adt("ADT^A03", pid(TWIN, BORN, "", "A991827"), VISIT),
    ),
    "sister": (
        adt("ADT^A01", pid("OKONKWO^NGOZI", "19930101", "55120931", "A771", social=SOCIAL)),
        adt("ORU^R01", pid("OKONKWO^NGOZI", "19930101", "55120931")),
    ),
    "heir of her number": (
        adt("ADT^A01", pid("BRANDT^HELGA", "19470530", "55120931")),
        adt("ADT^A08", pid("BRANDT^HELGA", "19470530", "55120931", "A772")),
    ),
}
"""Messages of patients who share a family name, a birth date, a visit, an account or a number."""


def holds(order):
    """Check the law for an order of (patient, message) pairs."""
    seen = {}
    released = tell(FAMILY[who][nth] for who, nth in order)
    for (who, _), outcome in zip(order, released, strict=True):
        for place, value in enumerate(shown(outcome)):
            if value not in {"", None}:
                assert seen.setdefault((who, place), value) == value, (who, place, order)
    for place in (0, 3):
        result = {who: value for (who, at), value in seen.items() if at == place}
        assert len(set(result.values())) == len(result), (place, order)


PLACES = [(who, nth) for who, messages in FAMILY.items() for nth in range(len(messages))]
ORDERS = st.lists(st.sampled_from(PLACES), min_size=2, max_size=12).map(tuple)
QUIET = settings(deadline=None, suppress_health_check=list(HealthCheck))


@given(ORDERS)
@settings(QUIET, max_examples=60)
def test_each_patient_is_one_and_no_other_in_any_order(order):
    """Name, number and shift of each patient are constant, and different patients' differ."""
    holds(order)


@pytest.mark.slow
@given(ORDERS)
@settings(QUIET, max_examples=2_000)
def test_each_patient_is_one_and_no_other_in_any_order_at_length(order):
    """The same over many more orders."""
    holds(order)
