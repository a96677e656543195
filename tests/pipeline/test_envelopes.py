"""Messages in envelopes, and topics with settings of their own: what leaves, and what is held."""

from __future__ import annotations

import base64
import gzip
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapter.config.settings import load_settings
from adapter.pipeline.process import process
from adapter.rules.compile import load_ruleset
from adapter.types import Hold, Position, Record, Release

KEY = {"id": "test", "value": base64.b64encode(bytes(range(32))).decode()}
HL7 = (
    "MSH|^~\\&|LAB|North|EHR|North|20240311104500||ORU^R01^ORU_R01|778|P|2.5||||||{}\r"
    "PID|1||40088213^^^H^MR||Lindgren^Zoë||19700131|F|||1 Main St^^Boston^MA^02115\r"
    "OBR|1|||88304^Pathology^C4\r"
    "OBX|1|TX|N^Note^L||Mrs Lindgren (MRN 40088213) was seen.||||||F\r"
)
PATIENT = {
    "resourceType": "Patient",
    "id": "p-40088213",
    "name": [{"family": "Lindgren", "given": ["Zoë"]}],
    "birthDate": "1970-01-31",
}
PLANTED = ("Lindgren", "Zoë", "40088213", "1 Main St", "19700131", "1970-01-31")
KEEP = ["/op", "/source/db", "/note", "/n", "/seq", "/flag"]


@pytest.fixture(scope="module")
def rules():
    """English rules without a learned model, and topics of every kind."""
    pointed = {"kind": "json", "payload": ["/after/msg"], "keep": KEEP}
    topics = {
        "row": {"envelope": pointed},
        "both": {"envelope": pointed | {"payload": ["/before/msg", "/after/msg"]}},
        "event*": {"envelope": {"kind": "cloudevents", "keep": ["/subject"]}},
        "event.years": {"profile": "safe-harbor", "envelope": {"kind": "cloudevents"}},
        "packed": {"envelope": {"gzip": True}},
        "fhir.only": {"format": "fhir"},
        "notes": {"format": "text", "envelope": pointed},
        "old": {"charset": "cp437"},
        "german": {"languages": ["de"]},
    }
    taggers = ("phrases", "variants", "patterns", "attributes", "lexicons")
    said = {"languages": ("en",), "taggers": taggers}
    return load_ruleset(
        load_settings(transport="memory", keys={"surrogates": KEY}, rules=said, topic=topics)
    )


def outcome(rules, topic, value):
    """What becomes of a record of a topic."""
    raw = value if isinstance(value, bytes) else json.dumps(value, ensure_ascii=False).encode()
    return process(Record(raw, Position(topic, 0, 0)), rules)


def released(rules, topic, value):
    """The bytes released."""
    found = outcome(rules, topic, value)
    assert isinstance(found, Release), found
    return found.value


def row(**others):
    """A change of a row, with what a database says of it."""
    return {"after": {"msg": HL7.format(""), "who": "Lindgren"}, "op": "u"} | others


def test_a_message_in_a_document_is_what_it_is_by_itself(rules):
    """The payload is processed like a record of the same bytes; its charset is its own."""
    for charset, codec in (("", "utf-8"), ("8859/1", "latin-1")):
        message = HL7.format(charset)
        plain = released(rules, "other", message.encode(codec)).decode(codec)
        assert (
            plain == json.loads(released(rules, "row", row(after={"msg": message})))["after"]["msg"]
        )


def test_what_is_beside_the_message_must_prove_itself(rules):
    """Codes and small figures stay; the patient's name and number become what they are inside."""
    out = json.loads(
        released(
            rules,
            "row",
            row(
                source={"db": "inventory", "host": "north"},
                note="Mrs Lindgren, 40088213",
                n=12,
                seq=1704164645000,
                flag=True,
            ),
        )
    )
    inside = out["after"].pop("msg")
    pid = next(line for line in inside.split("\r") if line.startswith("PID")).split("|")
    number, family = pid[3].split("^")[0], pid[5].split("^")[0]
    assert {
        "after": {},
        "op": "u",
        "source": {"db": "inventory"},
        "n": 12,
        "flag": True,
        "note": f"Mrs {family}, {number}",
    } == out


@pytest.mark.parametrize(
    "text",
    ["Xqzlorvic", "see Xqzlorvic", "Xqzlorvic.Brontak@example.com", "20240311-77812345", "x" * 201],
)
def test_what_nobody_knows_does_not_stay(rules, text):
    """A word that is none, an address, a long figure, a long text: gone or changed."""
    out = released(rules, "row", row(note=text)).decode()
    assert text not in out
    assert "Xqzlorvic" not in out


def test_several_messages_keep_nothing_beside_them(rules):
    """A value cannot be read in the context of two messages, so none stays."""
    value = row(before={"msg": HL7.format("")}, op="u", n=3)
    out = json.loads(released(rules, "both", value))
    assert {"before", "after"} == out.keys()
    assert out["before"] == out["after"]


def test_a_text_that_no_format_knows_keeps_nothing_beside_it(rules):
    """Plain text has no places, so nothing beside it can be proved."""
    out = json.loads(released(rules, "notes", row(after={"msg": "The patient is well."}, n=3)))
    assert {"after": {"msg": "The patient is well."}} == out


def test_an_event_is_an_event_again(rules):
    """A FHIR resource as data; what an event must have is there and tells nothing."""
    event = {
        "specversion": "1.0", "id": "lindgren-40088213", "source": "https://north/lindgren",
        "type": "org.example.admitted", "subject": "Lindgren", "time": "2024-03-11T10:45:00Z",
        "datacontenttype": "application/fhir+json", "traceparent": "40088213", "data": PATIENT,
    }  # fmt: skip
    out = json.loads(released(rules, "events", event))
    data = out.pop("data")
    assert data["name"][0]["family"] == out.pop("subject")
    assert event["id"] != out.pop("id")
    assert {
        "specversion": "1.0",
        "source": "/deid",
        "type": "org.example.admitted",
        "datacontenttype": "application/fhir+json",
    } == out
    assert "Patient" == data["resourceType"]


def test_a_topic_has_its_own_profile_and_the_person_one_name(rules):
    """Another profile leaves years only, and draws the same names under the same key."""
    event = {"specversion": "1.0", "id": "1", "source": "/", "type": "t", "data": PATIENT}
    days, years = (
        json.loads(released(rules, topic, event))["data"] for topic in ("event.x", "event.years")
    )
    assert (10, 4) == (len(days["birthDate"]), len(years["birthDate"]))
    assert days["name"] == years["name"]


def test_a_topic_has_its_own_formats(rules):
    """What another topic takes is held where only FHIR may be."""
    assert isinstance(outcome(rules, "other", HL7.format("").encode()), Release)
    assert Hold("decode", "not-json") == outcome(rules, "fhir.only", HL7.format("").encode())


def test_a_topic_has_its_own_charset(rules):
    """Bytes that are not UTF-8, where MSH-18 is empty, are of the topic's charset."""
    raw = HL7.format("").replace("was seen", "war müde").encode("cp437")
    assert "war müde".encode("cp437") in released(rules, "old", raw)
    assert "war m\x81de".encode("latin-1") in released(rules, "other", raw)


def test_a_topic_has_its_own_languages(rules):
    """A German street is one only where German is read."""
    raw = HL7.format("").replace("was seen", "wohnt lindengasse 12, wie sie sagt").encode()
    assert b"lindengasse 12" not in released(rules, "german", raw)
    assert b"lindengasse 12" in released(rules, "other", raw)


def test_a_compressed_message_is_compressed_again(rules):
    """Without another envelope a value is the message."""
    out = gzip.decompress(released(rules, "packed", gzip.compress(HL7.format("").encode())))
    assert out == released(rules, "other", HL7.format("").encode())


def test_all_topics_bear_one_digest(rules):
    """What is released names the whole set of rules, whatever its topic."""
    found = [
        outcome(rules, topic, HL7.format("").encode()).ruleset_digest for topic in ("other", "old")
    ]
    assert [rules.digest] * 2 == found


def test_a_tombstone_needs_no_envelope(rules):
    """A record without value is one in any topic."""
    assert None is process(Record(None, Position("row", 0, 0), b"40088213"), rules).value


_JSON = st.recursive(
    st.one_of(st.sampled_from(PLANTED), st.integers(0, 99), st.booleans(), st.none()),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.sampled_from(PLANTED), inner, max_size=3)
    ),
    max_leaves=6,
)


@settings(max_examples=25)
@given(extra=st.dictionaries(st.sampled_from(["op", "source", "note", "n", "x", *PLANTED]), _JSON))
def test_nothing_planted_in_an_envelope_survives(rules, extra):
    """Wherever identifiers of the patient stand in a document, as key or value, none is left."""
    found = outcome(rules, "row", row() | extra | {"after": row()["after"]})
    assert isinstance(found, (Release, Hold))
    if isinstance(found, Release):
        out = found.value.decode()
        assert [] == [planted for planted in PLANTED if planted in out]


def test_a_resource_of_xml_is_what_it_is_as_json(rules):
    """The same person has the same name, and nothing of the XML around the values is left."""
    raw = (
        "<?xml version='1.0'?><!-- Lindgren --><Patient xmlns='http://hl7.org/fhir'>"
        "<id value='p-40088213'/><name><family value='Lindgren'/><given value='Zoë'/></name>"
        "<birthDate value='1970-01-31'/></Patient>"
    )
    out = released(rules, "other", raw.encode()).decode()
    resource = json.loads(released(rules, "other", PATIENT))
    assert [] == [planted for planted in PLANTED if planted in out]
    assert f'<family value="{resource["name"][0]["family"]}"/>' in out
    assert f'<birthDate value="{resource["birthDate"]}"/>' in out


def test_resources_of_an_array_protect_one_another(rules):
    """A note of one resource names the patient of another."""
    note = {
        "resourceType": "Observation",
        "status": "final",
        "code": {"text": "note"},
        "valueString": "Mrs Lindgren (40088213) was seen.",
    }
    out = released(rules, "other", [PATIENT, note]).decode()
    assert [] == [planted for planted in PLANTED if planted in out]
    assert 2 == len(json.loads(out))


def test_a_cda_document_is_opened(rules):
    """Names and numbers of the header are found in the text, and none of them is left."""
    raw = (
        "<?xml version='1.0' encoding='UTF-8'?><!-- Lindgren --><ClinicalDocument"
        " xmlns='urn:hl7-org:v3'><recordTarget><patientRole><id extension='40088213' root='1.2.3'/>"
        "<patient><name><given>Zoë</given><family>Lindgren</family></name>"
        "<birthTime value='19700131'/></patient></patientRole></recordTarget>"
        "<component><structuredBody><component><section><text>Mrs Lindgren (40088213)"
        " was seen.</text></section></component></structuredBody></component></ClinicalDocument>"
    )
    out = released(rules, "other", raw.encode()).decode()
    family = out.partition("<family>")[2].partition("<")[0]
    assert family
    assert f"Mrs {family} (" in out
    assert [] == [planted for planted in PLANTED if planted in out]
