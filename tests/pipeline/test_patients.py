"""A patient over several messages: one name and one date shift, whatever the numbers are."""

from __future__ import annotations

import pytest

from adapter.phrases.memory import Memory
from adapter.pipeline.process import finish, prepare
from adapter.types import Position, Record, Release
from tests.corpus.runs import ruleset

HEAD = "MSH|^~\\&|ADT|North|EHR|North|20240301||{}|1|P|2.5.1\r"


@pytest.fixture(scope="module")
def rules():
    """The shipped rules under a fixed key."""
    return ruleset()


def pid(number, name="Castellmore^Jonathan", born="19550214"):
    """A PID."""
    return f"PID|1||{number}^^^NORTH^MR||{name}||{born}|M\r"


def feed(rules, *messages):
    """The outcomes of messages, in order, with memory."""
    memory = Memory(rules.fields)
    found = []
    for number, (kind, body) in enumerate(messages):
        record = Record((HEAD.format(kind) + body).encode(), Position("t", 0, number))
        prepared = prepare(record, rules, facts=True)
        outcome = finish(prepared, rules, memory.about(prepared.facts))
        assert isinstance(outcome, Release)
        found.append(outcome)
        memory.learn_all(prepared.facts)
    return found


def people(outcomes):
    """(name, birth date) of the PID of each released message."""
    texts = [outcome.value.decode().split("\r") for outcome in outcomes]
    rows = [next(row.split("|") for row in text if row.startswith("PID")) for text in texts]
    return [(row[5], row[7]) for row in rows]


@pytest.mark.parametrize("event", ["A18", "A34", "A40", "A47"])
def test_a_changed_number_keeps_name_and_dates(rules, event):
    """Under the new number, and under the old one later; earlier output needs no correction."""
    change = pid("53469057") + "MRG|60470134^^^NORTH^MR\r"
    outcomes = feed(
        rules,
        ("ADT^A04", pid("60470134")),
        (f"ADT^{event}", change),
        ("ADT^A08", pid("53469057")),
        ("ADT^A08", pid("60470134")),
        (f"ADT^{event}", change),
    )
    assert 1 == len(set(people(outcomes)))
    assert [0, 0] == [merge.days for outcome in outcomes for merge in outcome.merges]


@pytest.mark.parametrize("event", ["A40", "A47"])
def test_the_record_that_ends_has_the_name_of_the_patient(rules, event):
    """If nothing is known of it and its name is the same; another name has another surrogate."""
    names = []
    for name in ("Castellmore^Jonathan", "Adeyemi^Jonathan"):
        body = pid("53469057") + f"MRG|60470134^^^NORTH^MR||||||{name}\r"
        (outcome,) = feed(rules, (f"ADT^{event}", body))
        rows = [row.split("|") for row in outcome.value.decode().split("\r")]
        names += [
            (row[5] if row[0] == "PID" else row[7]) for row in rows if row[0] in ("PID", "MRG")
        ]
    assert names[0] == names[1] == names[2]
    assert names[3] not in ("Adeyemi^Jonathan", names[0])


def test_a_changed_number_of_somebody_else_does_not(rules):
    """With another name and birth date the new number is another patient's."""
    other = pid("53469057", "Adeyemi^Ruth", "19800101")
    outcomes = feed(
        rules,
        ("ADT^A04", pid("60470134")),
        ("ADT^A40", f"{other}MRG|60470134^^^NORTH^MR\r"),
    )
    first, second = people(outcomes)
    assert first[0] != second[0]


def test_leading_zeros_are_no_other_patient(rules):
    """Name, date shift and number are the same with and without them."""
    bare, padded = feed(rules, ("ADT^A04", pid("483921")), ("ADT^A04", pid("00483921")))
    assert 1 == len(set(people((bare, padded))))


@pytest.mark.parametrize(
    "name", ["Doe^John 17", "Male^Unknown 23", "Okafor^Baby Boy A", "Baby Girl of Okafor^"]
)
def test_a_temporary_name_is_the_same_in_all_messages(rules, name):
    """From the first message on, until the patient has a name; then still the same person."""
    row = ("ADT^A08", pid("40288771", name))
    first, second, third = people(feed(rules, row, row, row))
    assert first == second == third


def test_a_plain_word_before_a_number_stays(rules):
    """Where the number is sent with the word; a name of somebody in the message does not stay."""
    body = (
        pid("40288771") + "NK1|1|Grace^Ada\rORC|RE|GRACE-778812\r"
        "TXA|1|DS|TX||||||||||DOC-2024-884412\r"
        "OBX|1|TX|1^Note^L||Doc 2024884412 lost, Grace 778812 late.||||||F\r"
    )
    (outcome,) = feed(rules, ("MDM^T02", body))
    text = outcome.value.decode()
    assert "||Doc " in text
    assert "2024884412" not in text
    assert "Grace" not in text
