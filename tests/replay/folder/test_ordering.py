"""The order of a folder's records, and lines of records with binary bytes."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapter.replay.errors import ReplayError
from adapter.replay.folder import ordering
from adapter.replay.folder.journal import JournalLane, packed, unpacked
from adapter.replay.folder.ordering import by_subject, sort_key, subject
from adapter.replay.folder.target import line_of
from adapter.replay.progress import Progress
from adapter.replay.storage import Storage
from adapter.transports.protocol import Channel
from adapter.types import Position, Record

AT = Position("t", 0, 0)


@given(st.lists(st.tuples(st.binary(min_size=16, max_size=20), st.binary(max_size=9))))
def test_buckets_on_disk_give_the_order_of_a_sort(lines):
    """Lines are sorted by their keys, whatever their total size."""
    expected = [line for _, line in sorted(lines)]
    assert expected == list(by_subject(lines, 0))
    assert expected == list(by_subject(lines, 7 * ordering.BUCKET_BYTES))


def test_a_subject_is_the_key_or_the_patient_named():
    """A subject is the record key, else PID-3, a FHIR reference or Patient id, else the value."""
    hl7 = b"MSH|^~\\&|A\rEVN|A08\rPID|1||M7^^^H1^MR||X^Y\r"
    fhir = b'{"resourceType":"Observation","subject": {"reference": "Patient/M7"}}'
    patient = b'{"resourceType": "Patient", "id": "M7"}'
    keyed = subject(Record(b"anything", AT, b"M7"))
    assert {keyed} == {subject(Record(value, AT)) for value in (hl7, fhir, patient)}
    assert subject(Record(b"a", AT)) != subject(Record(b"b", AT))


def test_records_of_a_subject_keep_their_order():
    """Records of a subject stay in source order, also beyond ten and a hundred."""
    keys = [sort_key(Record(b"", Position("t", 0, offset), b"k")) for offset in range(300)]
    assert keys == sorted(keys)


@given(
    st.none() | st.binary(max_size=30),
    st.none() | st.binary(max_size=9),
    st.lists(st.tuples(st.text(min_size=1, max_size=5), st.binary(max_size=9)), max_size=3),
)
def test_a_line_is_its_record(value, key, headers):
    """A record with any bytes is unchanged after it was packed and unpacked."""
    record = Record(value, AT, key, tuple(headers))
    assert record == unpacked(json.loads(packed(Channel.RELEASED, record)))
    line = json.loads(line_of(record))
    assert record == unpacked({"p": ["t", 0, 0], **line})


def test_a_damaged_transaction_is_named(tmp_path):
    """A transaction of the journal whose bytes have changed is refused by name."""
    lane = JournalLane(Storage.at(str(tmp_path)))
    lane.open()
    lane.append(Progress(1), [packed(Channel.AUDIT, Record(b"{}", AT))])
    assert [b"{}"] == [record.value for record in lane.records(Channel.AUDIT)]
    (chunk,) = tmp_path.glob("*.chunk")
    chunk.write_bytes(b"x" + chunk.read_bytes())
    with pytest.raises(ReplayError, match=r"00000000\.chunk: is damaged"):
        list(lane.records(Channel.AUDIT))
