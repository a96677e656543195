"""What the mart says now: one Patient a person, whatever the order in which it was loaded."""

from __future__ import annotations

import json

import pytest

from adapter.mart.current import Persons, current_resources, state_digest
from adapter.mart.landing import land
from adapter.mart.loading.entries import entry
from adapter.mart.maps import read_maps
from adapter.mart.store.protocol import Lane
from adapter.mart.store.registry import open_store
from adapter.mart.versions import Released, number_key, patient_key
from tests.mart.landing.feed import VISIT, message
from tests.mart.loading.outputs import MERGE, oru, patient
from tests.mart.stand_in import DAY

pytest.importorskip("duckdb")
VALUES = [
    oru(1, 1, 101).encode(),
    oru(2, 2, 102).encode(),
    patient(2).encode(),
    oru(3, 9, 103).encode(),
    json.dumps(
        {
            "resourceType": "Condition",
            "id": "c1",
            "subject": {"reference": "Patient/p2"},
            "code": {"text": "cough"},
        }
    ).encode(),
]


def store_of(folder, name, values, headers=()):
    """A store of messages, each a record at its offset."""
    store, maps = open_store(f"duckdb:///{folder / name}"), read_maps()
    (taken,) = store.take([Lane("out", 0)])
    for offset, value in values:
        record = Released(value, f"{offset:032}", "out", 0, offset, headers=tuple(headers))
        store.commit([entry(record, lambda r: land(r, maps), DAY)], taken, offset + 1)
    return store


def test_persons_have_one_patient_each(tmp_path):
    """Numbers that a message says are one person's have one Patient, HL7 v2 and FHIR together."""
    store = store_of(tmp_path, "m", enumerate(VALUES))
    found = list(current_resources(store))
    patients = [(person, now) for person, now in found if now.resource_type == "Patient"]
    assert 3 == len(patients) == len({person for person, _ in patients})
    assert all(person == now.resource_id == json.loads(now.body)["id"] for person, now in patients)
    persons = Persons.read(store)
    assert persons[number_key("MRN2")] == persons[patient_key("p2")]
    ((owner, condition),) = [(p, n) for p, n in found if n.resource_type == "Condition"]
    assert persons[patient_key("p2")] == owner
    assert f"Patient/{owner}" == json.loads(condition.body)["subject"]["reference"]
    observed = {person for person, now in found if now.resource_type == "Observation"}
    assert observed == {person for person, _ in patients}
    store.close()


def test_a_merge_makes_one_person_whenever_it_comes(tmp_path):
    """A merge told by the adapter joins what was loaded before and after it."""
    headers = [("deid-merges", json.dumps([MERGE]).encode())]
    store = store_of(tmp_path, "m", enumerate(VALUES), headers)
    patients = [now for _, now in current_resources(store) if now.resource_type == "Patient"]
    assert 2 == len(patients)
    store.close()


LATER = ("40088213", "50099324")


def registration(event, *segments):
    """A message of registration."""
    return message(f"ADT^{event}", *segments)


def pid(number, account=""):
    """A PID of a patient, and the account of the visit."""
    return f"PID|1||{number}^^^SITE^MR||Lindgren^Halvar||19530218|M||||||||||{account}"


UNLINKED = [
    registration("A01", pid(LATER[0]), VISIT),
    registration("A01", pid(LATER[1]), VISIT.replace("V4", "V5")),
    registration("A24", pid(LATER[0]), pid(LATER[1])),
    registration("A37", pid(LATER[0]), pid(LATER[1])),
    registration("A24", pid(LATER[0]), pid(LATER[1])),
]


@pytest.mark.parametrize(("upto", "persons"), [(3, 1), (4, 2), (5, 1)])
def test_links_and_unlinks_count_in_the_order_of_messages(tmp_path, upto, persons):
    """Whatever the order of loading, the last of A24 and A37 tells whether two are one person."""
    digests = set()
    for name, order in (("a", range(upto)), ("b", reversed(range(upto)))):
        store = store_of(tmp_path, name, [(n, UNLINKED[n]) for n in order])
        found = [now for _, now in current_resources(store) if now.resource_type == "Patient"]
        assert persons == len(found)
        digests.add(state_digest(store))
        store.close()
    assert 1 == len(digests)


def test_a_number_that_moves_takes_what_was_told_under_it_along(tmp_path):
    """A43: results under the number are the new patient's, and the old one's others stay."""
    both = pid(f"{LATER[0]}^^^SITE^MR~71199325")
    moved = pid(f"50099324^^^SITE^MR~{LATER[0]}")
    values = [
        registration("A01", both, VISIT),
        registration("A04", pid("50099324"), VISIT.replace("V4", "V5")),
        registration("A43", moved, f"MRG|{LATER[0]}^^^SITE^MR~71199325^^^SITE^MR"),
    ]
    store = store_of(tmp_path, "m", enumerate(values))
    persons = Persons.read(store)
    assert persons[number_key(LATER[0])] == persons[number_key("50099324")]
    assert persons[number_key("71199325")] != persons[number_key("50099324")]
    store.close()


def test_an_account_that_moves_takes_its_visits_along(tmp_path):
    """A44, told of before the visit or after it, and moved on by another; other accounts stay."""
    first, second, third = LATER[0], LATER[1], "61100435"
    visits = [
        registration("A01", pid(first, "AC884411"), VISIT),
        registration("A01", pid(first, "AC995522"), VISIT.replace("V4", "V5")),
    ]
    moves = [
        registration("A44", pid(second, "AC884411"), f"MRG|{first}^^^SITE^MR||AC884411"),
        registration("A44", pid(third, "AC884411"), f"MRG|{second}^^^SITE^MR||AC884411"),
    ]
    for name, values in (("a", [*visits, *moves]), ("b", [*moves, *visits])):
        store = store_of(tmp_path, name, enumerate(values))
        persons = Persons.read(store)
        found = [(p, n) for p, n in current_resources(store) if n.resource_type == "Encounter"]
        assert {persons[number_key(n)] for n in (first, third)} == {person for person, _ in found}
        for person, now in found:
            assert f"Patient/{person}" == json.loads(now.body)["subject"]["reference"]
        store.close()


def test_the_digest_is_that_of_the_state(tmp_path):
    """Equal for another order of loading, other for another message."""
    digests = []
    orders = [range(5), (4, 3, 2, 1, 0), range(4)]
    for name, order in zip("abc", orders, strict=True):
        store = store_of(tmp_path, name, [(n, VALUES[n]) for n in order])
        digests.append(state_digest(store))
        store.close()
    assert digests[0] == digests[1] != digests[2]
