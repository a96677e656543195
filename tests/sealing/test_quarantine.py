"""Sealed held records: closed without the key, bound to what is said of them in the open."""

from __future__ import annotations

import errno
import json
import os
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapter.sealing.quarantine import (
    Folder,
    Held,
    Sealer,
    SealError,
    file_name,
    read_clear,
    without_payload,
)
from adapter.types import Position, Record
from tests.transports.files.test_unfinished import limited

SEALER = Sealer("q1", {"q1": bytes(32), "q0": bytes(range(32))})
HELD = Held("leak", "known-value", "in", 2, 41, time_ms=5, ruleset="d1", format="hl7v2")
EARLIER = (
    b'{"v":1,"stage":"leak","code":"known-value","topic":"in","partition":2,"offset":41,'
    b'"time_ms":5,"attempts":1,"ruleset":"d1","format":"hl7v2","key_id":"q1","payload":'
    b'"kk25OESJueiRKCGVdAnMvYIhFrKIiJVBiqRUBwHvaPqFZu4US5c/Kw0R4sSSlxxAimqvZ94v2vNoarTevqKLO6'
    b'+VTeQifj7/624ZfTjYL6/0gsUL59gaZZ9T2PJZt/wdRA==","nonce":"ROh63JCWmcUWu8Ir"}'
)
"""Sealed by a version that gave messages no ids."""
CANARY = b"Quillfeather"
RECORD = Record(CANARY, Position("in", 2, 41), CANARY, ((CANARY.decode(), CANARY),), 99)

records = st.builds(
    Record,
    value=st.none() | st.binary(max_size=200),
    position=st.builds(Position, st.text(max_size=9), st.just(2), st.just(41)),
    key=st.none() | st.binary(max_size=20),
    headers=st.lists(st.tuples(st.text(max_size=9), st.binary(max_size=9)), max_size=3).map(tuple),
    timestamp=st.none() | st.integers(0, 2**60),
)


@given(record=records)
def test_what_is_sealed_can_be_opened(record):
    """Opening gives back the whole record, tombstones and empty values told apart."""
    held, opened = SEALER.open(SEALER.seal(record, HELD))
    assert (record, "q1") == (opened, held.key_id)


def test_nothing_of_the_record_is_in_the_clear():
    """Value, key and headers cannot be read from the envelope."""
    envelope = SEALER.seal(RECORD, HELD)
    assert (CANARY in envelope, CANARY in repr(SEALER.open(envelope)).encode()) == (False, False)


@pytest.mark.parametrize(
    ("name", "value"),
    [("stage", "decode"), ("offset", 42), ("topic", "x"), ("attempts", 9), ("nonce", "AAAA")],
)
def test_a_changed_field_breaks_the_seal(name, value):
    """What the envelope says in the open is bound to its content."""
    fields = json.loads(SEALER.seal(RECORD, HELD)) | {name: value}
    with pytest.raises(SealError):
        SEALER.open(json.dumps(fields).encode())


def test_another_key_does_not_open():
    """A key of the same id but other bytes fails; an unknown id is named."""
    envelope = SEALER.seal(RECORD, HELD)
    with pytest.raises(SealError, match="seal is broken"):
        Sealer("q1", {"q1": bytes(range(32))}).open(envelope)
    with pytest.raises(SealError, match="no key q1"):
        Sealer("q9", {"q9": bytes(32)}).open(envelope)


def test_an_earlier_key_still_opens():
    """After a change of keys, what the old one sealed can be opened."""
    envelope = Sealer("q0", SEALER.keys).seal(RECORD, HELD)
    assert RECORD == SEALER.open(envelope)[1]


def test_the_clear_part_needs_no_key():
    """Why and where can be listed by who may not open."""
    held = read_clear(SEALER.seal(RECORD, HELD))
    assert (HELD.stage, HELD.offset, "q1", True) == (
        held.stage,
        held.offset,
        held.key_id,
        held.payload,
    )


def test_an_envelope_without_payload():
    """It is listed, and cannot be opened."""
    envelope = without_payload(HELD)
    assert False is read_clear(envelope).payload
    with pytest.raises(SealError, match="no payload"):
        SEALER.open(envelope)


def test_an_envelope_of_an_earlier_version_opens():
    """One that was sealed before messages had ids is bound to fields without one."""
    held, record = SEALER.open(EARLIER)
    assert ("", b"note", 41) == (held.id, record.value, held.offset)


def test_an_id_cannot_be_taken_away_or_given():
    """The id is bound to the content, in an envelope that has none too."""
    bare = json.loads(EARLIER)
    named = json.loads(SEALER.seal(RECORD, replace(HELD, id="7f")))
    assert "7f" == SEALER.open(json.dumps(named).encode())[0].id
    del named["id"]
    for fields in (named, bare | {"id": "7f"}):
        with pytest.raises(SealError):
            SEALER.open(json.dumps(fields).encode())


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("time_ms", "now"), ("time_ms", 10**18), ("time_ms", True), ("offset", -1),
        ("partition", 0.5), ("stage", None), ("topic", ["in"]), ("id", 7), ("format", {}),
    ],
)  # fmt: skip
def test_a_clear_field_of_another_type_makes_it_no_envelope(name, value):
    """Whoever may write to the quarantine cannot make a listing fail."""
    fields = json.loads(SEALER.seal(RECORD, HELD)) | {name: value}
    with pytest.raises(SealError, match="not an envelope"):
        read_clear(json.dumps(fields).encode())


@pytest.mark.parametrize("raw", [b"[" * 100_000, b"", b"[]", b'{"v":1}', b'{"v":2}', b"\xff"])
def test_what_is_no_envelope_is_refused(raw):
    """Anything else in the quarantine is an error of its own."""
    with pytest.raises(SealError):
        SEALER.open(raw)


def test_a_folder_keeps_envelopes_by_coordinates(tmp_path):
    """Written, listed, read and removed by names that say nothing of the content."""
    folder = Folder(tmp_path / "q")
    envelope = SEALER.seal(RECORD, HELD)
    folder.write(envelope)
    (entry,) = folder.entries()
    assert (file_name(HELD), "leak") == (entry[0], entry[1].stage)
    assert envelope == folder.read(entry[0])
    folder.remove(entry[0])
    assert [] == folder.names()
    with pytest.raises(SealError):
        folder.read("../secret")


def test_a_write_that_fails_leaves_the_folder_as_it_was(tmp_path):
    """An envelope that a full disk does not take leaves no part of itself, and the older one."""
    folder = Folder(tmp_path)
    envelope = SEALER.seal(RECORD, HELD)
    for before in ([], [envelope]):
        for each in before:
            folder.write(each)
        with limited(len(envelope) // 2), pytest.raises(OSError, match=os.strerror(errno.EFBIG)):
            folder.write(SEALER.seal(RECORD, HELD))
        assert before == [file.read_bytes() for file in tmp_path.iterdir()]


def test_a_name_never_leads_out_of_the_folder(tmp_path):
    """Only a held record of the folder is read or removed, whatever the name says."""
    (tmp_path / "secret.held").write_bytes(b"x")
    (tmp_path / "q").mkdir()
    folder = Folder(tmp_path / "q")
    for name in ("../secret.held", str(tmp_path / "secret.held"), "none.held", ".", ""):
        with pytest.raises(SealError):
            folder.read(name)
        with pytest.raises(SealError):
            folder.remove(name)
    assert (tmp_path / "secret.held").exists()


def test_offsets_may_be_microseconds():
    """A listener's offsets are times in microseconds; the bound of dates is that of times alone."""
    held = Held("decode", "empty", "in", 0, 1_800_000_000_000_000, time_ms=1)
    assert replace(held, payload=False) == read_clear(without_payload(held))
    late = without_payload(replace(held, time_ms=1_800_000_000_000_000))
    with pytest.raises(SealError):
        read_clear(late)
