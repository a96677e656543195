"""The product on one page: what is released, what is held, what goes with a record."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapter.folding import squeeze
from adapter.process import codec_for, examine, process
from adapter.types import Handling, Hold, Label, Position, Record, Release
from tests.bench.messages import ADT, ORU
from tests.corpus.runs import ruleset

HERE = Position("in", 0, 0)


@pytest.fixture(scope="module")
def rules():
    """The shipped rules under a fixed key."""
    return ruleset()


def released(raw, rules, **others):
    """The released bytes of a message."""
    outcome = process(Record(raw, HERE, **others), rules)
    assert isinstance(outcome, Release), outcome
    return outcome.value


def test_field_and_text_agree(rules):
    """The surrogate of PID-5 stands in the note, also where the note misspells the name."""
    lines = released(ORU, rules).decode().split("\r")
    pid = next(line for line in lines if line.startswith("PID")).split("|")
    family, given = pid[5].split("^")[:2]
    note = "\n".join(line.split("|")[5] for line in lines if line.startswith("OBX"))
    assert f"Name: {family}, {given}" in note
    assert f"Mr {family} wants" in note
    assert "Lindgren" not in note
    assert "Lingdren" not in note
    assert squeeze(pid[3].split("^")[0]) in squeeze(note)


def test_dates_of_a_patient_move_together(rules):
    """Admission and discharge of one message keep their distance, and times of day stay."""
    before, after = ORU.decode(), released(ORU, rules).decode()
    days = [re.findall(r"\d{8}(?=\d{4,6})", text) for text in (before, after)]
    assert len(days[0]) == len(days[1]) > 3
    assert [d[-2:] for d in re.findall(r"\d{12}", before)] == [
        d[-2:] for d in re.findall(r"\d{12}", after)
    ]
    assert days[0] != days[1]


def test_same_bytes_same_outcome(rules):
    """Processing is a function of record, rules and key."""
    record = Record(ORU, HERE, b"k1")
    assert process(record, rules) == process(record, ruleset())


def test_tombstone_passes_with_its_key_replaced(rules):
    """A tombstone is released as one, under the surrogate of its key."""
    outcome = process(Record(None, HERE, b"40088213"), rules)
    value = released(ADT, rules).decode()
    assert isinstance(outcome, Release)
    assert outcome.value is None
    assert outcome.key.decode() in value


def test_key_agrees_with_the_number_in_the_message(rules):
    """A record keyed by the MRN is released under the surrogate MRN, so topics stay joinable."""
    outcome = process(Record(ADT, HERE, b"40088213"), rules)
    mrn = outcome.value.decode().split("PID|1||")[1].split("^")[0]
    assert mrn.encode() == outcome.key


def test_only_listed_headers_pass(rules):
    """Headers are left out unless the settings name them."""
    headers = (("patient", b"Lindgren"), ("Content-Type", b"hl7"))
    outcome = process(Record(ADT, HERE, None, headers), rules)
    assert outcome.headers == (("Content-Type", b"hl7"),)


@pytest.mark.parametrize(
    ("raw", "hold"),
    [
        (b"", Hold("decode", "empty")),
        (b" \r\n", Hold("decode", "empty")),
        (b"hello", Hold("decode", "unknown-format")),
        (b'{"resourceType": "Patient"', Hold("decode", "not-json")),
        (b'{"a": 1}', Hold("decode", "not-fhir")),
        (b"MSH|^~\\&|A\rPID|1\xff\xfe\r", None),
    ],
)
def test_what_is_not_understood_is_held(rules, raw, hold):
    """Bytes that are no message are held with a reason, never released as they are."""
    outcome = process(Record(raw, HERE), rules)
    if hold is None:
        assert isinstance(outcome, Hold | Release)
    else:
        assert outcome == hold


def test_several_messages_in_one_record(rules):
    """A batch in one record is released whole; one bad message of it holds the whole record."""
    good = released(ADT + ORU, rules)
    assert good.count(b"MSH|") == 2
    outcome = process(Record(ADT + b"MSH|^~\\&|A|||||||||||||||KLINGON\r", HERE), rules)
    assert isinstance(outcome, Hold)


def test_an_unknown_segment_is_emptied(rules):
    """Z segments nobody listed keep their separators and nothing else."""
    raw = ADT + b"ZPI|1|Lindgren Halvar|secret^note\r"
    last = released(raw, rules).decode().strip("\r").split("\r")[-1]
    assert last == "ZPI|||^"


def test_a_kept_place_is_swept(rules):
    """A name in a place whose codes are kept is replaced there too."""
    raw = ADT.replace(b"I50.23^Acute", b"I50.23^Lindgren Halvar, Acute")
    assert b"Lindgren" not in released(raw, rules)


def test_counts_tell_label_and_source(rules):
    """A release counts its mentions by label and source."""
    outcome = process(Record(ORU, HERE), rules)
    counts = dict(outcome.counts)
    assert counts["MEDICALRECORD/phrase"] >= 1
    assert counts["PATIENT/variant"] >= 1
    assert all("/" in name and n > 0 for name, n in counts.items())


def test_held_by_policy(rules):
    """A place whose action is hold holds the message with fields/held-by-policy."""

    class Holding:
        def action(self, form, segment):
            action = rules.policy.action(form, segment)
            return replace(action, handling=Handling.HOLD) if segment.path == "PID-8" else action

    outcome = process(Record(ADT, HERE), replace(rules, policy=Holding()))
    assert outcome == Hold("fields", "held-by-policy")


NAMES = st.text("abcdefghijklmnopqrstuvwxyz", min_size=5, max_size=9).map(str.title)


@settings(max_examples=60, deadline=None)
@given(family=NAMES, given=NAMES, number=st.integers(10**6, 10**9 - 1))
def test_no_real_value_survives_and_no_surrogate_is_one(rules, family, given, number):
    """Whatever the patient is called, no real name or number is left, and no surrogate is real."""
    raw = ORU.replace(b"Lindgren", family.encode()).replace(b"Halvar", given.encode())
    raw = raw.replace(b"40088213", str(number).encode())
    outcome = process(Record(raw, HERE), rules)
    if isinstance(outcome, Hold):
        assert outcome.stage in ("leak", "surrogate")
        return
    words = set(re.findall(r"[^\W\d_]+", outcome.value.decode().casefold()))
    ordinary = rules.words.ordinary | rules.words.medical
    assert {family.casefold(), given.casefold()} & words <= ordinary
    assert str(number) not in outcome.value.decode()


PIECES = ("seen", "Mr", "Lindgren", "H.", "LINDGREN,", "with")


@settings(max_examples=40, deadline=None)
@given(
    words=st.lists(
        st.sampled_from(["seen", "Mr", "Lindgren", "H.", "LINDGREN,", "with"]), max_size=8
    )
)
def test_spans_stay_inside_and_apart(rules, words):
    """Spans of every segment are sorted, disjoint and inside the text."""
    note = " ".join(words).encode()
    raw = ORU.replace(b"3. Creatinine 2.1 at its worst", note)
    examined = examine(codec_for(raw, rules), raw, rules)
    texts = {segment.path: segment.text for segment in examined.message.segments}
    for path, spans in examined.spans.items():
        ends = [(span.start, span.end) for span in spans]
        assert ends == sorted(ends)
        assert all(a[1] <= b[0] for a, b in pairwise(ends))
        assert all(0 <= start < end <= len(texts[path]) for start, end in ends)
        assert all(span.label in Label for span in spans)
