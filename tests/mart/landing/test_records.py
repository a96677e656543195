"""Records of any format land, and none raises."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapter.mart.landing import land
from adapter.mart.maps import read_maps
from adapter.mart.versions import Landed, Merge, Reject, Released, number_key, patient_key
from tests.mart.landing.feed import ORDER, PATIENT, adt, landed, message, oru, result


def released(value, headers=()):
    """A record of the output lane."""
    return Released(value, "ab" * 16, "out", 0, 7, headers=headers)


def test_a_tombstone_says_nothing():
    """What erases a patient brings no versions."""
    assert Landed() == land(released(None), read_maps())


@pytest.mark.parametrize(
    ("value", "code"),
    [
        (b"", "not-json"),
        (b"plain text", "not-json"),
        (b"[1, 2]", "not-fhir"),
        (b'{"a": 1}', "not-fhir"),
    ],
)
def test_what_cannot_be_read_is_a_reject(value, code):
    """A record of no known format is counted with the reason, and its text shows nowhere."""
    assert (Reject("record", code),) == land(released(value), read_maps()).rejects


def test_headers_say_which_numbers_were_merged():
    """A merge of the adapter names numbers or ids of Patients, and holds for both."""
    merges = json.dumps([{"prior": "81", "number": "82", "days": 5}]).encode()
    (found,) = landed(adt("A08"), headers=(("deid-merges", merges),))
    assert (
        Merge(number_key("81"), number_key("82"), 5),
        Merge(patient_key("81"), patient_key("82"), 5),
    ) == found.merges


def test_messages_of_one_record_are_told_apart():
    """Two messages in one record keep their order, and results without numbers are not one."""
    raw = message("ORU^R01", PATIENT, result())
    (found,) = landed(raw + raw)
    results = [v for v in found.versions if v.resource_type == "Observation"]
    assert 2 == len({v.resource_id for v in results}) == found.keyless_results
    assert list(range(len(found.versions))) == [v.index for v in found.versions]


def test_a_result_without_order_number_is_counted():
    """Its message is its key; one with a number is not counted."""
    with_number, without = landed(oru(result()), message("ORU^R01", PATIENT, "OBR|1", result()))
    assert (0, 1) == (with_number.keyless_results, without.keyless_results)


def test_the_kind_is_the_message_type():
    """Format and kind are for the quality report; an invalid type is "?"."""
    valid, invalid = landed(oru(result()), message("<patient>", PATIENT))
    assert ("hl7v2", "ORU^R01") == (valid.format, valid.kind)
    assert "?" == invalid.kind


def test_the_same_bytes_land_the_same():
    """Landing is a function of the record and the tables."""
    raw = oru(ORDER, result(), "NTE|1||seen twice")
    assert landed(raw) == landed(raw)


SEGMENTS = st.sampled_from(
    "PID PV1 PV2 ORC OBR OBX NTE SPM AL1 DG1 PR1 RXA RXE RXR TXA MRG IN1 NK1 ZZZ x GT1".split()
)
FIELD = st.text(alphabet='ab12^~&\\|."<-TF ', max_size=12)
LINES = st.lists(st.tuples(SEGMENTS, st.lists(FIELD, max_size=12)), max_size=12)
EVENTS = st.sampled_from(
    ["ADT^A01", "ADT^A12", "ADT^A40", "ADT^A42", "ORU^R01", "MDM^T02", "VXU^V04"]
)


@given(EVENTS, LINES)
def test_no_message_raises(event, lines):
    """Whatever a sender writes lands or is counted; places and codes show none of its text."""
    raw = message(event, *("|".join([name, *fields]) for name, fields in lines))
    (found,) = landed(raw)
    for reject in found.rejects:
        assert reject.place == "?" or reject.place[:3].isupper()
        assert reject.code in {"segment-unmapped", "field-unmapped", "value-unmapped"}


@given(st.binary(max_size=60))
def test_no_bytes_raise(value):
    """Bytes of no format at all are rejected."""
    assert isinstance(land(released(value), read_maps()), Landed)
