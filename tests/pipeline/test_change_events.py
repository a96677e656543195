"""Change events of a database as Debezium's JSON converter writes them: what leaves of each."""

from __future__ import annotations

import base64
import json

import pytest

from adapter.config.settings import load_settings
from adapter.pipeline.process import prepare, process
from adapter.rules.compile import load_ruleset
from adapter.types import Hold, PatientFacts, Position, Record, Release

KEY = {"id": "test", "value": base64.b64encode(bytes(range(32))).decode()}
NUMBER = "40088213"
HL7 = (
    "MSH|^~\\&|LAB|North|EHR|North|20240311104500||ORU^R01^ORU_R01|778|P|2.5\r"
    f"PID|1||{NUMBER}^^^H^MR||Lindgren^Zoe||19700131|F\r"
    "OBR|1|||88304^Pathology^C4\r"
    f"OBX|1|TX|N^Note^L||Mrs Lindgren (MRN {NUMBER}) {{}}.||||||F\r"
)
WAS, IS = HL7.format("is expected"), HL7.format("was seen")
PLANTED = ("Lindgren", "Zoe", NUMBER, "19700131")
COLUMNS = [
    {"type": "int64", "optional": False, "field": "id"},
    {"type": "string", "optional": True, "field": "patient"},
    {"type": "string", "optional": True, "field": "hl7"},
]


@pytest.fixture(scope="module")
def rules():
    """English rules without a learned model, and topics that read one row or both."""
    after = {"kind": "json", "payload": ["/payload/after/hl7"], "keep": ["/payload/op"]}
    both = after | {"payload": ["/payload/before/hl7", "/payload/after/hl7"]}
    taggers = ("phrases", "variants", "patterns", "attributes", "lexicons")
    return load_ruleset(
        load_settings(
            transport="memory",
            keys={"surrogates": KEY},
            rules={"languages": ("en",), "taggers": taggers},
            topic={"after": {"envelope": after}, "both": {"envelope": both}},
        )
    )


def struct(field, name, fields):
    """The description of a part that is a row or the like."""
    return {"type": "struct", "optional": True, "field": field, "name": name, "fields": fields}


def row(message):
    """A row of the table, whose other columns name the patient too."""
    return {"id": 9071, "patient": f"Lindgren, Zoe ({NUMBER})", "hl7": message}


def event(op, before=None, after=None):
    """A change event with its schema."""
    source = {
        "version": "3.2.0.Final", "connector": "postgresql", "name": "emr", "ts_ms": 1710153900000,
        "snapshot": "false", "db": "lindgren_emr", "sequence": '["3401", "3402"]',
        "schema": "public", "table": "messages", "txId": 771, "lsn": 3402, "xmin": None,
    }  # fmt: skip
    parts = [struct("before", "emr.Row", COLUMNS), struct("after", "emr.Row", COLUMNS)]
    payload = {"before": before, "after": after, "source": source, "op": op}
    payload |= {"ts_ms": 1710153900123, "transaction": None}
    schema = {"type": "struct", "optional": False, "name": "emr.Envelope", "fields": parts}
    return json.dumps({"schema": schema, "payload": payload}).encode()


def key(number):
    """A record's key with its schema: the primary key of the row."""
    schema = {"type": "struct", "optional": False, "name": "emr.Key", "fields": COLUMNS[:1]}
    return json.dumps({"schema": schema, "payload": {"id": number}}).encode()


def outcome(rules, topic, value, of=None):
    """What becomes of a record."""
    return process(Record(value, Position(topic, 0, 0), of), rules)


def released(rules, topic, value):
    """The document released."""
    found = outcome(rules, topic, value)
    assert isinstance(found, Release), found
    return json.loads(found.value)


def alone(rules, message):
    """A message as it is released without an envelope."""
    return outcome(rules, "plain", message.encode()).value.decode()


@pytest.mark.parametrize(("op", "before"), [("r", None), ("c", None), ("u", row(WAS))])
def test_the_message_of_a_new_or_changed_row_is_all_that_leaves(rules, op, before):
    """The row before, other columns, source, times and schema are gone; the operation stays."""
    out = released(rules, "after", event(op, before, row(IS)))
    assert {"payload": {"after": {"hl7": alone(rules, IS)}, "op": op}} == out
    assert [] == [planted for planted in PLANTED if planted in json.dumps(out)]


def test_both_messages_of_a_changed_row_leave_if_both_are_named(rules):
    """Each is what it is by itself; the operation does not stay beside two messages."""
    out = released(rules, "both", event("u", row(WAS), row(IS)))
    wanted = {"before": {"hl7": alone(rules, WAS)}, "after": {"hl7": alone(rules, IS)}}
    assert {"payload": wanted} == out


@pytest.mark.parametrize("before", [None, row(WAS), row(None) | {"patient": None}])
def test_the_event_of_a_deleted_row_is_held_where_only_the_row_after_is_read(rules, before):
    """Such an event has no message."""
    assert Hold("envelope", "no-payload") == outcome(rules, "after", event("d", before))


def test_the_event_of_a_deleted_row_has_the_message_before_if_that_is_named(rules):
    """The last message of the row is released, and the operation beside it says why."""
    out = released(rules, "both", event("d", row(WAS)))
    assert {"payload": {"before": {"hl7": alone(rules, WAS)}, "op": "d"}} == out


def test_the_event_of_a_deleted_row_without_its_columns_is_held(rules):
    """A database that logs the primary key alone tells no message of a deleted row."""
    bare = {"id": 9071, "patient": None, "hl7": None}
    assert Hold("envelope", "no-payload") == outcome(rules, "both", event("d", bare))


@pytest.mark.parametrize("topic", ["after", "both"])
def test_a_tombstone_has_the_surrogate_of_its_rows_key(rules, topic):
    """After a delete it removes the row's records from a compacted output, and no other row's."""
    own = outcome(rules, topic, event("c", None, row(IS)), key(int(NUMBER)))
    tombstone = outcome(rules, topic, None, key(int(NUMBER)))
    assert (None, own.key) == (tombstone.value, tombstone.key)
    assert outcome(rules, topic, None, key(9072)).key != own.key
    assert NUMBER not in own.key.decode()


def numbers(rules, value, of=None):
    """The numbers under which a record's patients are remembered, or forgotten."""
    prepared = prepare(Record(value, Position("after", 0, 0), of), rules, facts=True)
    facts = (each for each in prepared.facts if isinstance(each, PatientFacts))
    return {number for each in facts for number in each.strong}


def test_a_tombstone_forgets_the_patient_whose_number_ends_its_key(rules):
    """Whether the number is bare or the last value of a document; another row's does not."""
    remembered = numbers(rules, event("c", None, row(IS)))
    for ending in (NUMBER.encode(), key(int(NUMBER)), b'{"mrn":"%s"}' % NUMBER.encode()):
        assert remembered & numbers(rules, None, ending)
    for other in (key(9071), b'{"mrn":%s,"row":9071}' % NUMBER.encode()):
        assert not remembered & numbers(rules, None, other)
