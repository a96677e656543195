"""Counting a message's patients: who they are, what is whose, and which of their records ends."""

from __future__ import annotations

import json

import pytest

from adapter.phrases.subjects import message_subjects
from adapter.pipeline.opening import codec_for
from tests.corpus.runs import ruleset

NAMES = {"north": "north", "south": "south", "southlab": "south"}


def count(raw, authorities=None):
    """The subjects of a message, as bytes or as FHIR JSON."""
    raw = raw if isinstance(raw, bytes) else json.dumps(raw).encode()
    rules = ruleset()
    message = codec_for(raw, rules).decode(raw)
    actions = [rules.policy.action(message.format, segment) for segment in message.segments]
    return message_subjects(message, actions, rules.fields, authorities)


def hl7(kind, *segments, sender="NORTH"):
    """An HL7 v2 message."""
    head = f"MSH|^~\\&|A|{sender}|B|C|20240101||{kind}|1|P|2.5.1"
    return "".join(f"{line}\r" for line in (head, *segments)).encode()


def pid(number, name="Okafor^Ngozi", more=""):
    """A PID with a chart number."""
    return f"PID|1||{number}||{name}||19700203|F{more}"


def test_the_chart_number_is_the_identity_and_account_and_visit_are_weak():
    """Of many numbers the typed chart number is best; the account's tells only without one."""
    found = count(hl7("ADT^A01", pid("98^^^NORTH^XX~12345^^^NORTH^MR", more="|" * 10 + "AC777")))
    (patient,) = found.patients
    assert "id:12345" == patient.identity
    assert ("chart:12345", "chart:98") == patient.strong
    assert ("visit:ac777",) == patient.weak
    (other,) = count(hl7("ADT^A01", pid("", "", "|" * 10 + "AC777"))).patients
    assert ("id:ac777", (), ("visit:ac777",)) == (other.identity, other.strong, other.weak)


def test_a_visit_number_tells_where_no_better_one_does():
    """PV1-19 is whose the message is if there is no PID; beside a chart number it is weak."""
    visit = "PV1||I" + "|" * 17 + "V556677"
    (alone,) = count(hl7("ORU^R01", visit)).patients
    assert ("id:v556677", ("visit:v556677",)) == (alone.identity, alone.weak)
    (both,) = count(hl7("ORU^R01", pid("12345^^^N^MR"), visit)).patients
    assert ("id:12345", ("visit:v556677",)) == (both.identity, both.weak)


def test_equal_numbers_of_named_authorities_are_two_patients():
    """By default a number is one patient's; named authorities, or senders, tell them apart."""
    north = hl7("ADT^A01", pid("12345^^^NORTH^MR"))
    south = hl7("ADT^A01", pid("12345^^^SOUTH^MR"))
    bare = hl7("ADT^A01", pid("12345"), sender="SOUTHLAB")
    assert 1 == len({count(raw).subject for raw in (north, south, bare)})
    result = [count(raw, NAMES).patients[0] for raw in (north, south, bare)]
    assert ["id:north|12345", "id:south|12345", "id:south|12345"] == [p.identity for p in result]
    assert ("chart:south|12345",) == result[2].strong


@pytest.mark.parametrize("kind", ["ADT^A18", "ADT^A30", "ADT^A34", "ADT^A36", "ADT^A40"])
def test_a_merge_ends_the_record_of_mrg(kind):
    """The number of MRG is no other patient, and no number to find the patient by."""
    (patient,) = count(hl7(kind, pid("12345^^^N^MR"), "MRG|99887^^^N^MR")).patients
    assert (("chart:12345",), ("chart:99887",)) == (patient.strong, patient.prior)


@pytest.mark.parametrize("kind", ["ADT^A43", "ADT^A44", "ADT^A45"])
def test_a_move_names_another_patient_in_mrg(kind):
    """A visit or account that is moved was somebody else's, who stays somebody else."""
    patients = count(hl7(kind, pid("12345^^^N^MR"), "MRG|99887^^^N^MR")).patients
    assert ["id:12345", "id:99887"] == [patient.identity for patient in patients]
    assert not any(patient.prior for patient in patients)


def test_several_merges_in_one_message_keep_apart():
    """Each PID of an A40 has the MRG behind it."""
    segments = (
        pid("11110^^^N^MR"), "MRG|22220^^^N^MR", pid("33330^^^N^MR", "Mensah^Adwoa"),
        "MRG|44440^^^N^MR",
    )  # fmt: skip
    patients = count(hl7("ADT^A40", *segments)).patients
    assert [("chart:22220",), ("chart:44440",)] == [patient.prior for patient in patients]


def test_linked_records_are_one_person():
    """A24 says that its two PIDs are one: the second's record ends in the first's."""
    first, second = pid("11110^^^N^MR"), pid("22220^^^N^MR", "Mensah^Ngozi")
    patients = count(hl7("ADT^A24", first, "PV1||I", second, "PV1||I")).patients
    assert ("chart:22220",) == patients[0].prior


def test_linked_records_with_other_given_names_stay_apart():
    """Twins are linked with A24 too; only the record that may be the first one's ends in it."""
    others = pid("22220^^^N^MR", "Okafor^Grace"), pid("33330^^^N^MR", "Okafor^Ngozy")
    first, *more = count(hl7("ADT^A24", pid("11110^^^N^MR"), *others)).patients
    assert ("chart:33330",) == first.prior
    assert [("chart:22220",), ("chart:33330",)] == [patient.strong for patient in more]


def test_every_segment_is_its_patients():
    """What follows a PID is about that patient, kin and notes too; what comes first, the first."""
    segments = (
        pid("11110^^^N^MR"), "NK1|1|Okafor^Ife", "OBX|1|TX|1^N^LN||a||||||F",
        pid("22220^^^N^MR", "Mensah^Adwoa"), "NK1|1|Mensah^Kofi", "OBX|1|TX|1^N^LN||b||||||F",
    )  # fmt: skip
    found = count(hl7("ORU^R01", *segments))
    assert {0} == {n for path, n in found.subjects.items() if path.startswith("MSH")}
    assert [0, 1] == [n for path, n in found.subjects.items() if "OBX" in path and "-5" in path]
    kin = [[g.first("given") for g in part if g.role == "kin"] for part in found.parts()]
    assert [["Ife"], ["Kofi"]] == kin


def patient(number, **more):
    """A Patient resource."""
    name = [{"family": f"Family{number}", "given": [f"Given{number}"]}]
    return {"resourceType": "Patient", "id": f"p{number}", "name": name, **more}


def bundle(*resources, urls=()):
    """A collection of resources, with addresses for the first of them."""
    entries = [{"resource": resource} for resource in resources]
    for entry, url in zip(entries, urls, strict=False):
        entry["fullUrl"] = url
    return {"resourceType": "Bundle", "type": "collection", "entry": entries}


def observation(reference):
    """An Observation about somebody."""
    code = {"coding": [{"system": "http://loinc.org", "code": "8867-4"}]}
    subject = {"subject": {"reference": reference}}
    return {"resourceType": "Observation", "status": "final", "code": code, **subject}


def test_resources_are_of_the_patient_they_refer_to():
    """By id, by the address of an entry, or of somebody who is not in the Bundle."""
    address = "urn:uuid:11111111-2222-4333-8444-555555555555"
    found = count(
        bundle(
            patient(1), patient(2),
            *map(observation, ("Patient/p2", address, "Patient/elsewhere")),
            urls=(address,),
        )
    )  # fmt: skip
    assert ["id:p1", "id:p2", "id:elsewhere"] == [p.identity for p in found.patients]
    whose = [found.subjects[f"/entry/{n}/resource/status"] for n in (2, 3, 4)]
    assert [1, 0, 2] == whose


@pytest.mark.parametrize(
    ("kind", "strong", "prior"),
    [
        ("replaces", ("resource:p1",), ("resource:p9",)),
        ("replaced-by", ("resource:p9",), ("resource:p1",)),
    ],
)
def test_links_say_which_record_ends(kind, strong, prior):
    """A record that another takes the place of ends in it, and the other way round."""
    link = [{"other": {"reference": "Patient/p9"}, "type": kind}]
    (found,) = count(patient(1, link=link)).patients
    assert (strong, prior) == (found.strong, found.prior)


def test_a_shared_number_comes_after_name_and_birth_date():
    """Mother and child of one account, or of one social security number, have two identities."""
    account = "|" * 10 + "AC777|428117735"
    raws = [hl7("ADT^A01", pid("", name, account)) for name in ("Okafor^Ngozi", "Okafor^BABY BOY")]
    found = [count(raw).subject for raw in raws]
    assert ["name:okafor|ngozi|19700203", "name:okafor|babyboy|19700203"] == found


def test_a_number_of_kin_is_not_the_patients():
    """The mother's number in a newborn's list is hers, as PID-21 says."""
    listed = pid(
        "44120987^^^N^MR~77310045^^^N^MR", "Okafor^BABY GIRL", "|" * 13 + "44120987^^^N^MR"
    )
    (found,) = count(hl7("ADT^A01", listed)).patients
    assert ("id:77310045", ("chart:77310045",)) == (found.identity, found.strong)


@pytest.mark.parametrize(
    ("padded", "key"),
    [("0012345", "12345"), ("MR0012345", "mr12345"), ("0011", "0011"), ("0000", "")],
)
def test_leading_zeros_distinguish_no_patients(padded, key):
    """A number with and without them is one, unless nothing telling is left."""
    (found,) = count(hl7("ADT^A01", pid(f"{padded}^^^N^MR"))).patients
    assert ((f"chart:{key}",) if key else ()) == found.strong
    assert not key or found.identity == f"id:{key}"
    two = hl7("ORU^R01", pid("12345^^^N^MR"), pid("0012345^^^N^MR"))
    assert 1 == len(count(two).patients)


def test_leading_zeros_distinguish_resources():
    """Resources p1 and p01 of a Bundle are two; a reference means one of them."""
    both = bundle(patient("1"), patient("01"), observation("Patient/p01"))
    found = count(both)
    assert ["resource:p1", "resource:p01"] == [p.strong[0] for p in found.patients]
    assert 2 == len({p.identity for p in found.patients})


def test_two_patients_of_one_number_have_two_identities():
    """Two PIDs of other names and birth dates under one number stay two."""
    other = pid("12345^^^N^MR", "Brandt^Helga").replace("19700203", "19470530")
    found = count(hl7("ORU^R01", pid("12345^^^N^MR"), other)).patients
    assert ["id:12345", "id:12345/brandt|helga|19470530"] == [p.identity for p in found]


def test_an_account_that_ends_ends_no_patient():
    """A merge of accounts (A41) says nothing of the patients who share them."""
    (found,) = count(hl7("ADT^A41", pid("12345^^^N^MR"), "MRG|12345^^^N^MR||AC5")).patients
    assert ((), ("visit:ac5",)) == (found.prior, found.weak)


def test_a_reference_is_to_the_resource_of_that_id():
    """Not to a patient whose record number happens to be equal."""
    first = patient(1, identifier=[{"value": "p2"}])
    found = count(bundle(first, patient(2), observation("Patient/p2")))
    assert 1 == found.subjects["/entry/2/resource/status"]


def test_a_link_to_a_related_person_is_no_other_record():
    """A mother's link to herself as RelatedPerson of her child ends nobody's record."""
    link = [{"other": {"reference": "RelatedPerson/p9"}, "type": "seealso"}]
    (found,) = count(patient(1, link=link)).patients
    assert (("resource:p1",), ()) == (found.strong, found.prior)


def test_linked_records_of_two_persons_stay_two():
    """A link between mother and newborn joins nothing: names and birth dates tell them apart."""
    link = [{"other": {"reference": "Patient/p2"}, "type": "seealso"}]
    mother = patient(1, link=link, birthDate="1991-08-23")
    found = count(bundle(mother, patient(2, birthDate="2024-03-12"))).patients
    assert ["id:p1", "id:p2"] == [each.identity for each in found]
    assert not any(each.prior for each in found)


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("kinds", [("replaces",), ("replaced-by",), ("replaces", "replaced-by")])
def test_linked_records_in_one_message_are_one_person(kinds, first):
    """The record that ends has the survivor's identity; its own numbers are prior numbers."""
    links = {
        kind: [{"other": {"reference": f"Patient/{other}"}, "type": kind}]
        for kind, other in (("replaces", "p2"), ("replaced-by", "p1"))
        if kind in kinds
    }
    survivor = patient(1, link=links.get("replaces", []), identifier=[{"value": "50123987"}])
    ended = patient(2, link=links.get("replaced-by", []), identifier=[{"value": "60998123"}])
    pair = (survivor, ended) if first == 0 else (ended, survivor)
    found = count(bundle(*pair)).patients
    assert ["id:50123987"] * 2 == [each.identity for each in found]
    assert [("chart:50123987", "resource:p1")] * 2 == [each.strong for each in found]
    priors = [(), ("chart:60998123", "resource:p2")]
    assert priors == [found[first].prior, found[1 - first].prior]


def test_records_linked_in_a_chain_or_a_circle_end_in_one():
    """Each of three records of a person ends in the last; a circle of links ends in one of them."""
    for closing in ([], [{"other": {"reference": "Patient/p1"}}]):
        links = [
            [{"other": {"reference": "Patient/p2"}, "type": "replaced-by"}],
            [{"other": {"reference": "Patient/p3"}, "type": "replaced-by"}],
            [{**link, "type": "replaced-by"} for link in closing],
        ]
        numbers = [[{"value": f"5012398{n}"}] for n in range(3)]
        records = [patient(n + 1, link=links[n], identifier=numbers[n]) for n in range(3)]
        found = count(bundle(*records)).patients
        assert ["id:50123982"] * 3 == [each.identity for each in found]


def test_a_survivor_may_replace_several_records():
    """Every link counts, also those to records that the message does not contain."""
    link = [{"other": {"reference": f"Patient/p{n}"}, "type": "replaces"} for n in (2, 9)]
    survivor = patient(1, link=link, identifier=[{"value": "50123987"}])
    found = count(bundle(survivor, patient(2, identifier=[{"value": "60998123"}]))).patients
    assert ["id:50123987"] * 2 == [each.identity for each in found]
    assert [("resource:p9",), ("chart:60998123", "resource:p2")] == [p.prior for p in found]


def test_nobody_is_counted_where_nobody_is_named():
    """A message without patient has no subject."""
    assert count(hl7("MFN^M02", "MFI|STF")).subject is None
