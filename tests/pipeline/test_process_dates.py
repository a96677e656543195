"""Dates and people of whole messages: what tells when a message was sent moves with its subject."""

from __future__ import annotations

import json
import re
from datetime import date
from itertools import islice

import pytest

from adapter.config.settings import load_settings
from adapter.errors import AdapterError
from adapter.pipeline.examining import examine
from adapter.pipeline.opening import codec_for
from adapter.pipeline.process import process
from adapter.types import Handling, Position, Record, Release
from tests.corpus.runs import ruleset, sample_messages

HERE = Position("in", 0, 0)
STAMPS = {
    "MSH-7": "20240314103000.123-0500", "EVN-2": "20240314103000", "EVN-3": "20240320",
    "EVN-6": "202403141029", "PV1-44": "20240314101000", "PV1-45": "20240315", "OBX-14": "20240314",
}  # fmt: skip
HL7 = (
    "FHS|^~\\&|A|B|C|D|20240314101500||f_20240314.hl7||99201\r"
    "BHS|^~\\&|A|B|C|D|20240314101500||b_20240314||9\r"
    f"MSH|^~\\&|A|B|C|D|{STAMPS['MSH-7']}||ADT^A01^ADT_A01|20240314103000123|P|2.5.1\r"
    f"EVN|A01|{STAMPS['EVN-2']}|{STAMPS['EVN-3']}|||{STAMPS['EVN-6']}\r"
    "PID|1||778123^^^LKH^MR||Quast^Knut||19510312|M\r"
    f"PV1|1|I{'|' * 42}{STAMPS['PV1-44']}|{STAMPS['PV1-45']}\r"
    f"OBX|1|TX|1^Note||seen 03/14/2024||||||F|||{STAMPS['OBX-14']}\r"
    "BTS|1\rFTS|1\r"
)
BUNDLE = {
    "resourceType": "Bundle", "type": "message", "timestamp": "2024-03-14T10:30:00Z",
    "meta": {"lastUpdated": "2024-03-14T10:31:00.000Z"},
    "entry": [
        {"resource": {"resourceType": "Patient", "id": "p1",
                      "meta": {"lastUpdated": "2024-03-14T10:31:00+01:00"},
                      "identifier": [{"type": {"coding": [{"code": "MR"}]}, "value": "778123"}],
                      "birthDate": "1951-03-12", "name": [{"family": "Quast", "given": ["Knut"]}]},
         "response": {"status": "200", "lastModified": "2024-03-14T10:30:00Z"}},
    ],
}  # fmt: skip


@pytest.fixture(scope="module")
def rules():
    """The shipped rules under a fixed key."""
    return ruleset()


def released(raw, rules):
    """The released text of a message."""
    outcome = process(Record(raw.encode(), HERE, timestamp=1710412200000), rules)
    assert isinstance(outcome, Release), outcome
    return outcome.value.decode()


def field(text, name):
    """A field of the first segment of its kind; MSH and its like count their separator."""
    segment, _, number = name.partition("-")
    line = next(line for line in text.split("\r") if line.startswith(segment))
    return line.split("|")[int(number) - (segment in ("MSH", "FHS", "BHS"))]


def day(text):
    """The day of an HL7 or FHIR date of full precision, None if it is none."""
    found = re.match(r"(\d{4})-?(\d\d)-?(\d\d)", text)
    return date(*map(int, found.groups())) if found else None


def shifts(text, zone="+0000"):
    """By how many days each stamp of the HL7 message has moved; times of day stay."""
    found = set()
    for name, stamp in STAMPS.items():
        new = field(text, name)
        assert new[8:] == stamp[8:].replace("-0500", zone)
        found.add((day(new) - day(stamp)).days)
    return found


def test_stamps_of_a_message_move_with_its_patient(rules):
    """Sending and event times tell the real day as any date does: all move by the same days."""
    text = released(HL7, rules)
    (shift,) = shifts(text)
    assert shift
    assert day(field(text, "PID-7")).toordinal() == date(1951, 3, 12).toordinal() + shift
    moved = date.fromordinal(date(2024, 3, 14).toordinal() + shift)
    assert f"seen {moved:%m/%d/%Y}" in text


def test_fhir_stamps_move_with_the_same_patient(rules):
    """So do Bundle.timestamp and meta.lastUpdated, by the days of the patient's HL7 messages."""
    text = released(json.dumps(BUNDLE), rules)
    (shift,) = shifts(released(HL7, rules))
    moved = date.fromordinal(date(2024, 3, 14).toordinal() + shift).isoformat()
    bundle = json.loads(text)
    patient = bundle["entry"][0]["resource"]
    assert f"{moved}T10:30:00Z" == bundle["timestamp"]
    assert f"{moved}T10:31:00.000Z" == bundle["meta"]["lastUpdated"]
    assert f"{moved}T10:31:00+00:00" == patient["meta"]["lastUpdated"]
    assert "2024-03-14" not in text


@pytest.mark.parametrize("name", ["FHS-7", "BHS-7"])
def test_stamps_of_a_batch_keep_their_year(rules, name):
    """A batch is of nobody, so no shift is its own: the year stays."""
    assert "2024" == field(released(HL7, rules), name)


def test_days_in_numbers_and_names_of_files_go(rules):
    """Control numbers and names made of the day of sending are surrogates."""
    assert "20240314" not in released(HL7, rules)


def test_stamps_by_profile():
    """Years alone for Safe Harbor, all for a limited data set, whole weeks for GDPR."""
    texts = {
        name: released(HL7, ruleset(name))
        for name in ("safe-harbor", "limited-dataset", "gdpr-pseudonymised")
    }
    assert {"2024"} == {field(texts["safe-harbor"], name) for name in STAMPS}
    assert {0} == shifts(texts["limited-dataset"], "-0500")
    (weeks,) = shifts(texts["gdpr-pseudonymised"])
    assert weeks
    assert weeks % 7 == 0


def test_times_of_records_are_left_out_by_default():
    """A record's own timestamp is a real date; a release has none, and the default drops it."""
    assert "timestamp" not in Release.__slots__
    assert "drop" == load_settings(None).kafka.timestamps


@pytest.mark.corpus
def test_dates_of_real_messages_move_as_one(rules, shared_data):
    """In each sample message of one patient every full date moves by the same days, never none.

    Placeholders and birth dates of the very old are left out: they move by rules of their own.
    """
    moved = 0
    for name, number, raw in islice(sample_messages(shared_data), 0, None, 23):
        try:
            examined = examine(codec_for(raw, rules), raw, rules)
        except AdapterError:
            continue
        if sum(e.role == "patient" for e in examined.extraction.entities) != 1:
            continue
        found = dict(real_shifts(examined))
        moved += len(found)
        assert len(set(found.values())) < 2, (name, number)
        assert 0 not in found.values(), (name, number)
    assert moved > 300


def real_shifts(examined):
    """(path, days) of the full dates of the fields of a message."""
    new = {edit.path: edit.text for edit in examined.edits}
    for segment, action in zip(examined.message.segments, examined.actions, strict=True):
        old = segment.text
        try:
            days = [day(text or "") for text in (old, new.get(segment.path, old))]
        except ValueError:
            continue
        birth = action.part == "birthdate"
        if action.handling is Handling.SHIFT and None not in days:
            if days[0].year < (1940 if birth else 1902) or days[0].year > 2090:
                continue
            yield segment.path, (days[1] - days[0]).days


STAFF = ("7788^Baptiste^Karen^M", "7788", "7788^Baptiste", "^Baptiste^K", "7788^BAPTISTE^KAREN")
NOTE = "seen by Dr. Karen Baptiste. K. Baptiste, MD; Baptiste, Karen M; Dr. Baptiste."


def test_a_doctor_is_the_same_whatever_is_sent(rules):
    """Full name, number alone, family name or initial in PV1-7: the note names one surrogate."""
    notes, numbers, families = set(), set(), set()
    for place, staff in enumerate(STAFF):
        raw = (
            "MSH|^~\\&|A|B|C|D|20240314||ORU^R01|1|P|2.5.1\r"
            f"PID|1||99{place}812^^^LKH^MR||Okonjo^Ada{'bcdef'[place]}||19710312|F\r"
            f"PV1|1|I|||||{staff}\rOBX|1|TX|1^Note||{NOTE}||||||F\r"
        )
        text = released(raw, rules)
        number, family, *_ = (*field(text, "PV1-7").split("^"), "", "")
        notes.add(field(text, "OBX-5"))
        numbers.add(number)
        families.add(family.lower())
    assert len(notes) == 1
    assert len(numbers - {""}) == len(families - {""}) == 1
    (note,) = notes
    given, family = re.match(r"seen by Dr\. (\w+) (\w+)\.", note).groups()
    assert families - {""} == {family.lower()}
    assert f"{given[0]}. {family}, MD; {family}, {given} " in note
    assert note.endswith(f"; Dr. {family}.")


def test_a_practitioner_is_the_doctor_of_hl7(rules):
    """The number and the names of a Practitioner are those of PV1-7, with or without a gender."""
    raw = (
        "MSH|^~\\&|A|B|C|D|20240314||ADT^A01|1|P|2.5.1\rPID|1||5^^^LKH^MR\r"
        "PV1|1|I|||||7788^Raghunathan^Priyanka\r"
    )
    number, family, given = field(released(raw, rules), "PV1-7").split("^")
    for gender in ({}, {"gender": "female"}):
        practitioner = {
            "resourceType": "Practitioner", "identifier": [{"value": "7788"}], **gender,
            "name": [{"family": "Raghunathan", "given": ["Priyanka"]}],
        }  # fmt: skip
        new = json.loads(released(json.dumps(practitioner), rules))
        assert number == new["identifier"][0]["value"]
        assert {"family": family, "given": [given]} == new["name"][0]


@pytest.mark.parametrize("number", ["4125449877", "1710412200", "57924742"])
def test_a_limited_data_set_keeps_no_number_as_a_date(number):
    """A field of a date that holds digits and no date may hold anybody's number; it is dropped."""
    assert number not in released(HL7.replace(STAMPS["PV1-44"], number), ruleset("limited-dataset"))
    bundle = json.dumps(BUNDLE).replace(
        '"birthDate"', f'"deceasedDateTime": "{number}", "birthDate"'
    )
    assert number not in released(bundle, ruleset("limited-dataset"))


@pytest.mark.parametrize("profile", ["research", "gdpr-pseudonymised", "safe-harbor"])
def test_a_telephone_number_is_no_count_of_seconds(profile):
    """A shift by days would leave its first digits."""
    number = "4125449877"
    assert number[:4] not in field(
        released(HL7.replace(STAMPS["PV1-44"], number), ruleset(profile)), "PV1-44"
    )


@pytest.mark.parametrize("digits", ["0221", "0312", "2359"])
def test_four_digits_in_the_place_of_a_day_are_no_time(rules, digits):
    """They may be a day without its year, set apart in a component of the date of birth."""
    message = HL7.replace("19510312|M", f"19510312&1951&{digits}|M")
    assert f"&{digits}" not in released(message, rules)
