"""Unlinked and moved numbers from the sender's message to the mart's answers, de-identified."""

from __future__ import annotations

import json

import pytest

from adapter.mart.current import current_resources
from adapter.mart.landing import land
from adapter.mart.loading.entries import entry
from adapter.mart.maps import read_maps
from adapter.mart.store.protocol import Lane
from adapter.mart.store.registry import open_store
from adapter.mart.versions import Released
from adapter.pipeline.process import process
from adapter.types import Position, Record, Release
from tests.corpus.runs import ruleset
from tests.mart.landing.feed import message
from tests.mart.stand_in import DAY

pytest.importorskip("duckdb")
ANN, EVE, KIM = "40088213", "50099324", "61100435"


def pid(number, more="", account=""):
    """A patient by chart numbers and, if wanted, the visit's account."""
    numbers = "~".join(f"{each}^^^SITE^MR" for each in (number, more) if each)
    return f"PID|1||{numbers}||Lindgren^Halvar||19530218|M||||||||||{account}"


def visit(number):
    """An admission's PV1."""
    return f"PV1|1|I|4N^412^A|||||||CAR|||||||||{number}{'|' * 25}20240311141500"


def result(number, value):
    """A laboratory message about a patient."""
    order = f"OBR|1|P{number}|F{value}0011|2345-7^Glucose^LN|||20240317160000{'|' * 18}F"
    row = f"OBX|1|NM|2345-7^Glucose^LN||{value}|mg/dL^^UCUM|||||F|||20240317160000"
    return message("ORU^R01", pid(number), order, row)


def merging(prior, account=""):
    """A MRG of a number, and an account."""
    return f"MRG|{prior}^^^SITE^MR||{account}"


def answers(folder, messages):
    """How the values of results and the visits' accounts are shared out among persons."""
    store, maps = open_store(f"duckdb:///{folder / 'mart'}"), read_maps()
    (taken,) = store.take([Lane("out", 0)])
    for at, raw in enumerate(messages):
        made = process(Record(raw, Position("in", 0, at)), ruleset())
        assert isinstance(made, Release)
        headers = tuple((name, value) for name, value in made.headers)
        record = Released(made.value, f"{at:032}", "out", 0, at, headers=headers)
        assert 1 == store.commit([entry(record, lambda r: land(r, maps), DAY)], taken, at + 1)
    found = list(current_resources(store))
    store.close()
    values, visits = {}, {}
    for person, now in found:
        body = json.loads(now.body)
        if now.resource_type == "Observation":
            values.setdefault(person, set()).add(body["valueQuantity"]["value"])
        if now.resource_type == "Encounter":
            visits.setdefault(person, set()).add(now.resource_id)
    persons = {person for person, now in found if now.resource_type == "Patient"}
    return sorted(map(sorted, values.values())), sorted(map(len, visits.values())), len(persons)


def test_patients_who_are_unlinked_have_their_own_results_again(tmp_path):
    """A24 puts the results of two together, A37 apart; a later A24 would join them anew."""
    told = [result(ANN, 101), result(EVE, 102)]
    linked = message("ADT^A24", pid(ANN), pid(EVE))
    unlinked = message("ADT^A37", pid(ANN), pid(EVE))
    (tmp_path / "a").mkdir()
    assert ([[101, 102]], [], 1) == answers(tmp_path / "a", [*told, linked])
    assert ([[101], [102]], [], 2) == answers(tmp_path, [*told, linked, unlinked])


def test_a_number_that_moves_takes_its_results_along(tmp_path):
    """A43: what was told under the number is the other patient's; the rest stays."""
    both = message("ADT^A01", pid(ANN, KIM), visit("V40077213"))
    moved = message("ADT^A43", pid(EVE, ANN), f"{merging(ANN)[:-1].rstrip('|')}")
    told = [both, result(ANN, 101), result(KIM, 103), result(EVE, 102)]
    values, _, persons = answers(tmp_path, [*told, moved])
    assert ([[101, 102], [103]], 2) == (values, persons)


def test_an_account_that_moves_takes_its_visit_along(tmp_path):
    """A44: the visit of the account is the other patient's, the other visit stays."""
    told = [
        message("ADT^A01", pid(ANN, account="AC884411"), visit("V40077213")),
        message("ADT^A01", pid(ANN, account="AC995522"), visit("V50077213")),
        message("ADT^A04", pid(EVE), visit("V60077213")),
    ]
    moved = message("ADT^A44", pid(EVE, account="AC884411"), merging(ANN, "AC884411"))
    (tmp_path / "a").mkdir()
    assert [1, 2] == answers(tmp_path / "a", told)[1]
    values, visits, persons = answers(tmp_path, [*told, moved])
    assert ([], [1, 2], 2) == (values, visits, persons)
