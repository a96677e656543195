"""HL7 v2: the allow-list is complete, keeps no identity, and keeps what is clinical."""

from __future__ import annotations

import csv
from itertools import chain

import pytest

from adapter.errors import RuleError
from adapter.types import Action, Handling, Label

PEOPLE = frozenset(
    ["XPN", "PN", "XCN", "CN", "CNN", "CNS", "CN_SIMPLE", "PPN", "NDL", "CM_NDL", "CM_PRACTITIONER"]
)
PLACES = frozenset(["XAD", "AD", "SAD", "PL", "CM_INTERNAL_LOCATION", "LA1", "LA2", "CM_LA1"])
NUMBERS = frozenset(
    [
        "CX",
        "CK",
        "CK_ACCOUNT_NO",
        "CM_PAT_ID",
        "EI",
        "EIP",
        "CM_EIP",
        "CM_PLACER",
        "CM_FILLER",
        "CM_GROUP_ID",
        "DLN",
        "PLN",
        "PI",
    ]
)
DATES = frozenset(["TS", "DT", "DTM", "DR"])
FREE = frozenset(["TX", "FT", "varies", "ED", "RP"])
IDENTIFYING = PEOPLE | PLACES | NUMBERS | DATES | FREE | frozenset(["XTN", "TN", "XON", "HD"])


def leaf(datatype: str, components) -> str:
    """The first leaf of a datatype as a codec names it."""
    return f"{datatype}.1" if datatype in components else datatype


def test_every_standard_field_is_listed(policy, vocabulary):
    """All fields of HL7 v2.1 to 2.8.2 are listed, be it as dropped; the unlisted are named."""
    unlisted = sorted(set(vocabulary.fields) - set(policy.hl7.fields))
    assert unlisted == []
    assert len(vocabulary.fields) >= 2810


def test_the_lists_know_every_field_of_the_dictionary(policy, shared_data):
    """No field of the union table of all versions is missing from the generated vocabulary."""
    table = shared_data.parent / "schema" / "v2_fields.csv"
    with table.open(encoding="utf-8") as lines:
        known = {f"{row['segment']}-{row['field']}" for row in csv.DictReader(lines)}
    assert set() == known - set(policy.hl7.fields)


def test_every_component_has_a_rule(policy, hl7_tables):
    """Each component of each composite datatype has a rule of its own, be it drop."""
    missing = [
        f"{name}.{position}"
        for name, components in hl7_tables["datatypes"].items()
        for position in components
        if int(position) not in (policy.hl7.datatypes[name].components or {})
    ]
    assert missing == []


def test_every_datatype_of_a_field_has_a_rule(policy, vocabulary):
    """No field has a datatype in any version that the rules do not know."""
    used = set(chain.from_iterable(vocabulary.fields.values()))
    unknown = sorted(name for name in used if name not in policy.hl7.datatypes)
    assert unknown == []


def test_no_identifying_field_is_kept_without_a_reason(policy, vocabulary):
    """A field whose type names people, places or dates is kept only for a stated reason."""
    kept = sorted(
        element
        for element, names in vocabulary.fields.items()
        for name in names & IDENTIFYING
        if not policy.hl7.fields[element].reason
        and policy.verdict("hl7v2", element, leaf(name, vocabulary.components)).handling
        is Handling.KEEP
    )
    assert kept == []


def test_what_is_kept_for_a_reason_is_of_catalogues_programs_and_profiles(policy):
    """Each exception says why; none stands in a segment about a person."""
    reasons = {e: rule.reason for e, rule in policy.hl7.fields.items() if rule.reason}
    assert all(len(reason) > 10 for reason in reasons.values())
    about_people = {"PID", "NK1", "PV1", "OBX", "OBR", "GT1", "IN1", "IN2", "DG1", "STF", "MRG"}
    assert set() == {element.partition("-")[0] for element in reasons} & about_people


@pytest.mark.parametrize(
    ("element", "datatype"),
    [
        ("OBX-2", "ID"),
        ("OBX-3.1", "CWE.1"),
        ("OBX-3.2", "CE.2"),
        ("OBX-3.9", "CE.7"),
        ("OBX-5", "NM"),
        ("OBX-5.2", "SN.2"),
        ("OBX-5.1", "CWE.1"),
        ("OBX-6.1", "CE.1"),
        ("OBX-6.2", "CWE.2"),
        ("OBX-7", "ST"),
        ("OBX-8", "IS"),
        ("OBX-11", "ID"),
        ("OBR-4.1", "CE.1"),
        ("OBR-4.2", "CWE.2"),
        ("OBR-25", "ID"),
        ("DG1-3.1", "CWE.1"),
        ("DG1-3.3", "CE.3"),
        ("AL1-3.1", "CE.1"),
        ("RXE-2.1", "CWE.1"),
        ("RXE-3", "NM"),
        ("RXE-5.1", "CE.1"),
        ("RXA-5.1", "CE.1"),
        ("RXA-6", "NM"),
        ("RXA-15", "ST"),
        ("PID-8", "IS"),
        ("PID-10.1", "CE.1"),
        ("PID-16.1", "CE.1"),
        ("PV1-2", "IS"),
        ("PV1-36", "IS"),
        ("SPM-4.2", "CWE.2"),
        ("TQ1-2.1", "CQ.1"),
        ("MSH-9.1", "MSG.1"),
        ("PR1-3.1", "CNE.1"),
        ("ORC-1", "ID"),
        ("FT1-12.1.1", "CP.1.1"),
    ],
)
def test_clinical_content_is_kept(policy, element, datatype):
    """Codes, values, units, flags and status pass."""
    assert Handling.KEEP is policy.verdict("hl7v2", element, datatype).handling


@pytest.mark.parametrize(
    ("element", "datatype"),
    [
        ("OBX-5", "TX"),
        ("OBX-5", "FT"),
        ("OBX-5", "ST"),
        ("OBX-5.2", "CWE.2"),
        ("NTE-3", "FT"),
        ("OBX-5", "varies"),
        ("OBX-3.9", "CWE.9"),
        ("DG1-3.2", "CWE.2"),
        ("DG1-4", "ST"),
        ("AL1-3.2", "CE.2"),
        ("AL1-5", "ST"),
        ("RXE-2.2", "CWE.2"),
        ("PV2-3.1", "CE.1"),
        ("OBR-13", "ST"),
        ("OBR-31.2", "CE.2"),
        ("ACC-8", "ST"),
        ("TXA-25", "ST"),
    ],
)
def test_free_text_is_scanned(policy, element, datatype):
    """Text that people write is looked through, not passed."""
    assert Handling.SCAN is policy.verdict("hl7v2", element, datatype).handling


@pytest.mark.parametrize(
    ("element", "datatype", "expected"),
    [
        ("PID-3.1", "CX.1", ("MEDICALRECORD", "patient", "id", "message")),
        ("PID-5.1", "PN.1", ("PATIENT", "patient", "family", "message")),
        ("PID-5.1.1", "XPN.1.1", ("PATIENT", "patient", "family", "message")),
        ("PID-5.2", "XPN.2", ("PATIENT", "patient", "given", "message")),
        ("PID-6", "ST", ("PATIENT", "kin", "family", "segment")),
        ("PID-11.1", "AD.1", ("STREET", "patient", "street", "message")),
        ("PID-11.5", "XAD.5", ("ZIP", "patient", "zip", "message")),
        ("PID-13", "TN", ("PHONE", "patient", "phone", "message")),
        ("PID-18.1", "CX.1", ("ACCOUNT", "patient", "id", "message")),
        ("PID-19", "ST", ("SSN", "patient", "id", "message")),
        ("PID-20.1", "DLN.1", ("LICENSE", "patient", "id", "message")),
        ("PID-3.4.1", "CX.4.1", ("IDNUM", "authority", "id", "repetition")),
        ("MRG-1.1", "CX.1", ("MEDICALRECORD", "patient", "id", "message")),
        ("NK1-2.1.1", "XPN.1.1", ("PATIENT", "kin", "family", "segment")),
        ("GT1-3.2", "XPN.2", ("PATIENT", "guarantor", "given", "segment")),
        ("GT1-16.1.1", "XPN.1.1", ("ORGANIZATION", "employer", "org", "segment")),
        ("IN1-36", "ST", ("HEALTHPLAN", "insured", "id", "segment")),
        ("PV1-7.2.1", "XCN.2.1", ("DOCTOR", "attending", "family", "repetition")),
        ("PV1-7.1", "CN.1", ("IDNUM", "attending", "id", "repetition")),
        ("PV1-3.4.1", "PL.4.1", ("HOSPITAL", "facility", "org", "repetition")),
        ("OBR-16.3", "XCN.3", ("DOCTOR", "ordering", "given", "repetition")),
        ("OBR-32.1.2", "NDL.1.2", ("DOCTOR", "author", "family", "repetition")),
        ("OBX-18.1", "EI.1", ("DEVICE", "device", "id", "repetition")),
        ("OBX-5.1.1", "XPN.1.1", ("PATIENT", "mentioned", "family", "segment")),
        ("MSH-3.1", "HD.1", ("IDNUM", "application", "id", "message")),
        ("MSH-4", "ST", ("HOSPITAL", "facility", "org", "repetition")),
        ("MSH-10", "ST", ("IDNUM", None, "id", "message")),
        ("ORC-17.2", "CE.2", ("HOSPITAL", "facility", "org", "repetition")),
        ("PR1-11", "ST", ("DOCTOR", "staff", "full", "repetition")),
    ],
)
def test_identities_become_surrogates(policy, element, datatype, expected):
    """Names, places and numbers say whose they are, which part, and how far they reach."""
    label, role, part, scope = expected
    action = Action(Handling.SURROGATE, Label(label), role, part, scope)
    assert action == policy.verdict("hl7v2", element, datatype)


@pytest.mark.parametrize("datatype", ["TS.1", "DTM", "DT"])
def test_birth_dates_are_shifted_as_the_patients(policy, datatype):
    """PID-7 is a shifted birth date in every version."""
    element = "PID-7.1" if "." in datatype else "PID-7"
    expected = Action(Handling.SHIFT, Label.DATE, "patient", "birthdate", "message")
    assert expected == policy.verdict("hl7v2", element, datatype)


def test_sex_is_kept_and_known(policy):
    """PID-8 passes, with a role and a part so that names can agree with it."""
    expected = Action(Handling.KEEP, None, "patient", "sex", "message")
    assert expected == policy.verdict("hl7v2", "PID-8", "IS")
    assert expected == policy.verdict("hl7v2", "PID-8.1", "CWE.1")


@pytest.mark.parametrize(
    ("element", "datatype"),
    [
        ("ZPI-2", "?"),
        ("ZPI-2.1", "?"),
        ("PID-41", "?"),
        ("XXX-1", "?"),
        ("PID-5.16", "XPN.16"),
        ("PID-3.2", "CX.2"),
        ("MSH-8", "ST"),
        ("QPD-3.1", "varies.1"),
        ("xml:a/b", "xml"),
    ],
)
def test_what_is_not_listed_is_dropped(policy, element, datatype):
    """Z segments, fields and components beyond the standard, check digits, secrets do not pass."""
    assert Action(Handling.DROP) == policy.verdict("hl7v2", element, datatype)


def test_a_site_opens_its_z_segments(build):
    """An overlay lists fields and components of a Z segment; the rest of it stays dropped."""
    site = (
        'format = "hl7v2"\n[ZPI]\nkeep = "1"\nscan = "2"\nshift = "3"\n'
        '[ZPI.fields]\n"5.1" = "patient family"'
    )
    opened = build(site)
    assert Handling.KEEP is opened.verdict("hl7v2", "ZPI-1", "?").handling
    assert Handling.SCAN is opened.verdict("hl7v2", "ZPI-2", "?").handling
    assert Handling.SHIFT is opened.verdict("hl7v2", "ZPI-3", "?").handling
    assert opened.verdict("hl7v2", "ZPI-5.1", "?").part == "family"
    assert Handling.DROP is opened.verdict("hl7v2", "ZPI-5.2", "?").handling


def test_the_last_overlay_wins_and_is_reported(build):
    """An overlay replaces the product's rule, a second one the first's, and both are named."""
    first, second = 'format = "hl7v2"\n[OBX]\ndrop = "7"', 'format = "hl7v2"\n[OBX]\nscan = "7"'
    replaced = build(first, second)
    assert Handling.SCAN is replaced.verdict("hl7v2", "OBX-7", "ST").handling
    assert replaced.replaced == (
        "site-1.toml: OBX-7 replaces fields/hl7v2/observations.toml",
        "site-2.toml: OBX-7 replaces site-1.toml",
    )


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        ('format = "hl7v2"\n[PID]\nkeep = "99"', 3, "PID-99 is not a field of HL7 v2"),
        ('format = "hl7v2"\n[ABC]\nkeep = "1"', 3, "ABC-1 is not a field of HL7 v2"),
        ('format = "hl7v2"\n\n[PID]\nkeep = "1"\nscan = "1"', 5, "PID-1 is listed twice"),
        (
            'format = "hl7v2"\n[PID]\nkeep = "5"',
            3,
            "PID-5 (PN) names a person, place or number and needs a role",
        ),
        (
            'format = "hl7v2"\n[PV1]\nkeep = "44"',
            3,
            "PV1-44 (DTM) cannot be kept: it holds a name, number or date",
        ),
        (
            'format = "hl7v2"\n[PID.fields]\n8 = "keep"',
            3,
            "PID-8 is kept whole and needs a reason ('why')",
        ),
        ('format = "hl7v2"\n[PID.fields]\n5 = "pateint"', 3, "unknown word 'pateint'"),
        ('format = "hl7v2"\n[PID]\nkepe = "1"', 3, "unknown list 'kepe'"),
        ('format = "hl7v2"\n[PID]\nkeep = "1 to 3"', 3, "'to' is not a field number or range"),
        (
            'format = "hl7v2"\n[PID.fields]\n"5.x" = "patient"',
            3,
            "'5.x' is not a field or component number",
        ),
        ('format = "hl7v2"\n[datatypes]\nCX = { 13 = "keep" }', 3, "CX has no such component"),
        (
            'format = "hl7v2"\n[datatypes]\nQQ = { like = "WW" }',
            3,
            "QQ: is like a datatype that has no rules of its own",
        ),
        ('format = "hl7v3"', 1, "unknown format 'hl7v3'"),
    ],
)
def test_a_rule_that_cannot_be_honoured_refuses_to_start(build, text, line, problem):
    """The error names file and line, and what is wrong."""
    with pytest.raises(RuleError) as refused:
        build(text)
    assert f"site-1.toml:{line}" == refused.value.place
    assert refused.value.problem.startswith(problem)
