"""Addresses of things: references, URLs, URNs, object identifiers, paths of files."""

from __future__ import annotations

import re
import time
import tomllib
from typing import TYPE_CHECKING

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

if TYPE_CHECKING:
    from pathlib import Path

    from adapter.surrogates import Surrogates

HOST = r"h[a-z2-7]{10}\.example\.org"


@pytest.fixture(scope="session")
def address(surrogates: Surrogates):
    """What stands instead of an address, with numbers as they are alone."""

    def rewritten(text, real=frozenset()):
        return surrogates.references.address(text, surrogates._number, real)

    return rewritten


def test_the_rules_tests_hold(repository: Path, address):
    """Every test of the list of publishers: the address stays, or no word of it does."""
    file = repository / "rules" / "fields" / "publishers.toml"
    tests = tomllib.loads(file.read_text("utf-8"))["tests"]
    stay = {test["address"] for test in tests if address(test["address"]) == test["address"]}

    assert {test["address"] for test in tests if test["stays"]} == stay


@pytest.mark.parametrize(
    ("text", "layout"),
    [
        ("Patient/4088213", "Patient/{0}"),
        ("Patient/4088213/_history/4088213", "Patient/{0}/_history/{0}"),
        ("Patient/4088213/_history/4088213/4088213", "Patient/{0}/_history/{0}/{0}"),
        ("Patient/4088213/$everything?_id=4088213#4088213", "Patient/{0}/$everything?_id={0}#{0}"),
        ("Patient/4088213/4088213?x.pdf", None),
        ("Patient/4088213/Observation/4088213", "Patient/{0}/Observation/{0}"),
        ("Patient/4088213?_format=4088213", "Patient/{0}?_format={0}"),
        ("Patient/4088213|2.0", "Patient/{0}|2.0"),
        ("Patient?_id=4088213&active=4088213", "Patient?_id={0}&active={0}"),
        ("Patient?_id=4088213,4088213", "Patient?_id={0},{0}"),
        ("Observation?patient=Patient/4088213", "Observation?patient=Patient/{0}"),
        ("Observation?patient=Patient%2F4088213", "Observation?patient=Patient%2F{0}"),
        ("Patient?_id=4088213&birthdate=ge1953-02-18", "Patient?_id={0}&birthdate=ge1953"),
        ("Patient?identifier=http://loinc.org|4088213", "Patient?identifier=http://loinc.org|{0}"),
        ("#4088213", "#{0}"),
        ("urn:oid:4088213", "urn:oid:{0}"),
        ("http://hl7.org/fhir/Patient/4088213", "http://hl7.org/fhir/Patient/{0}"),
    ],
)
def test_only_the_value_is_replaced(surrogates: Surrogates, text, layout):
    """The id in a reference gets the surrogate it has alone; FHIR's own words stay."""
    new = surrogates.identifier(text)
    if layout is None:
        assert "4088213" not in new
    else:
        assert layout.format(surrogates.identifier("4088213")) == new


def test_an_absolute_reference_agrees_with_the_relative(address):
    """Host and base are surrogates, the same for all of a site; what follows is the reference."""
    texts = ("Patient/4088213", "Patient/4088213/_history/2", "Patient?identifier=x|4088213")
    new = [address(f"https://fhir.harrowgate.example/r4/{text}") for text in texts]
    base = re.match(rf"https://{HOST}/[a-z][0-9]/", new[0])

    assert base
    assert [base[0] + address(text) for text in texts] == new
    assert base[0] == address("https://fhir.harrowgate.example/r4/")


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("http://mrn.harrowgate.example/wards/icu", rf"http://{HOST}/[a-z]{{5}}/[a-z]{{3}}"),
        ("https://u:p@harrowgate.example:8443/a", rf"https://{HOST}:8443/[a-z]"),
        ("https://harrowgate.example:90817/a", rf"https://{HOST}/[a-z]"),
        ("https://[2001:db8::7]/a", rf"https://{HOST}/[a-z]"),
        ("https://10.2.3.4/a", rf"https://{HOST}/[a-z]"),
        ("harrowgate://wards/a", rf"https://{HOST}/[a-z]"),
        ("https://site.org/ValueSet/sex", rf"https://{HOST}/ValueSet/[a-z]{{3}}"),
        ("https://x.org/Questionnaire/phq|1.0", rf"https://{HOST}/Questionnaire/[a-z]{{3}}\|1\.0"),
        ("https://x.org/q|1.0-okonjo", rf"https://{HOST}/[a-z]\|[0-9]\.[0-9]-[a-z]{{6}}"),
        ("https://www.harrowgate.example", rf"https://www\.{HOST}"),
        ("www.basswoodconnect.org", rf"www\.{HOST}"),
        ("pwi-results.com/portal", rf"{HOST}/[a-z]{{6}}"),
        ("mrn.harrowgate.example", HOST),
        ("urn:harrowgate:mrn", r"urn:[a-z]{10}:[a-z]{3}"),
        ("data:text/plain;base64,T2tvbmpv", rf"https://{HOST}"),
        ("file:///srv/scans/okonjo.pdf", r"file:///[a-z]{3}/[a-z]{5}/[a-z]{6}\.pdf"),
        (r"\\fs01\scans\okonjo.pdf", rf"\\\\{HOST}\\[a-z]{{5}}\\[a-z]{{6}}\.pdf"),
        (r"C:\scans\okonjo.pdf", r"C:\\[a-z]{5}\\[a-z]{6}\.pdf"),
        ("/srv/scans/okonjo.dcm", r"/[a-z]{3}/[a-z]{5}/[a-z]{6}\.dcm"),
        ('W/"okonjo"', r'W/"[a-z]{6}"'),
        (
            "identifier=http://x.example/mrn|okonjo",
            rf"identifier=http://{HOST}/[a-z]{{3}}\|[a-z]{{6}}",
        ),
        ("thaddeus=okonjo", r"[a-z]{8}=[a-z]{6}"),
        ("http://x.org/%6Fkonjo", rf"http://{HOST}/[a-z]{{6}}"),
        ("MRN-SYSTEM", r"[A-Z]{3}-[A-Z]{6}"),
    ],
)
def test_what_is_a_sites_becomes_a_surrogate(address, text, shape):
    """Hosts lie below example.org, paths and names keep their layout and no word."""
    new = address(text)

    assert re.fullmatch(shape, new), new
    words = {word for word in re.findall("[a-z]{4,}", text.lower()) if word not in FHIR}
    assert words.isdisjoint(re.findall("[a-z]{4,}", new.lower()))


FHIR = {"example", "https", "http", "file", "valueset", "questionnaire", "identifier"}


@pytest.mark.parametrize(
    "text",
    ["http://hl7.org/fhir/StructureDefinition/patient", "http://loinc.org", "Patient", "LN",
     "http://terminology.hl7.org/CodeSystem/v3-ActCode|1.0", "urn:oid:2.16.840.1.113883.6.1",
     "$everything", "metadata", "Extension", "http://snomed.info/sct/731000124108"],
)  # fmt: skip
def test_what_a_publisher_gives_out_stays(address, text):
    """Standards name no site and nobody."""
    assert text == address(text)


@pytest.mark.parametrize(
    "text",
    ["http://hl7.org/fhir/90817263", "http://terminology.hl7.org/CodeSystem/mrn-90817263",
     "http://loinc.org/okonjo", "urn:ietf:rfc:90817263", "urn:oid:2.16.840.1.113883.6.9081.7263"],
)  # fmt: skip
def test_a_publishers_address_with_a_persons_number_does_not_stay(address, text):
    """What holds a real value of the message is nobody's standard."""
    assert text != address(text, frozenset({"90817263", "okonjo", "9081"}))


@pytest.mark.parametrize("text", ["Smith/4088213", "TC/22/11873"])
def test_other_texts_with_slashes_are_numbers(surrogates, text):
    """What does not begin with a resource type is replaced wholly."""
    old, new = text.split("/"), surrogates.identifier(text).split("/")

    assert old[0] != new[0]
    assert old[-1] != new[-1]


@pytest.mark.parametrize("text", ["okonkwo.txt", "scan_90817263.PDF", "report.2.docx"])
def test_the_ending_of_a_files_name_stays(surrogates, text):
    """A file remains of its kind, as a number or as an address."""
    stem, _, ending = text.rpartition(".")
    new = surrogates.identifier(text)

    assert new == f"{surrogates.identifier(stem)}.{ending}"
    assert stem not in new


LABEL = st.from_regex(r"[a-z0-9][a-z0-9-]{2,10}[a-z0-9]", fullmatch=True)
STEP = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9._~-]{3,14}", fullmatch=True)
QUERY = st.from_regex(
    r"(\?[a-z]{4,8}=[A-Za-z0-9|,/:-]{4,12}(&[a-z]{4}=[0-9]{4,9})?)?", fullmatch=True
)


MANY = 9
"""Signs, but leading zeros, from which no surrogate of a step is another step by chance."""
_PERMUTED = re.compile(r"(?<![0-9])0+|[^a-z0-9]+")
"""What of a step in small letters is not permuted."""


def holds(address, labels, steps, query):
    """No label, segment or word of a search of a site's address survives, and it is always one.

    "N000" is one of 26 and may by chance become another step of its path, "X000", which becomes yet
    another. What proves that nothing came through is that no step becomes itself, and that each
    becomes what it does beside no other step; a step of many letters is none of the old ones.
    """
    text = f"https://{'.'.join(labels)}.example/{'/'.join(steps)}{query}"
    new = address(text)

    assert new == address(text)
    host, *path = new.split("?")[0].removeprefix("https://").split("/")
    assert set(labels).isdisjoint(host.split("."))
    assert all(a.lower() != b.lower() for a, b in zip(steps, path, strict=True))
    assert path == [address(f"https://other.example/{step}").split("/")[3] for step in steps]
    long = {low for step in steps if len(_PERMUTED.sub("", low := step.lower())) >= MANY}
    assert long.isdisjoint(step.lower() for step in path)
    assert host == address(f"http://{'.'.join(labels)}.example").removeprefix("http://")
    number = re.search(r"=([0-9]{4,9})$", query)
    assert not (number and number[0] in new)


URIS = (st.lists(LABEL, min_size=1, max_size=3), st.lists(STEP, min_size=1, max_size=4), QUERY)


def _is_plain(steps, references):
    return not any(step in references._resources for step in steps)


@settings(max_examples=60)
@given(*URIS)
def test_no_part_of_a_sites_address_survives(surrogates, address, labels, steps, query):
    """The law of URIs."""
    assume(_is_plain(steps, surrogates.references))
    holds(address, labels, steps, query)


@pytest.mark.slow
@settings(max_examples=3000, deadline=None)
@given(*URIS)
def test_no_part_of_a_sites_address_survives_at_length(surrogates, address, labels, steps, query):
    """The law of URIs, with more examples."""
    assume(_is_plain(steps, surrogates.references))
    holds(address, labels, steps, query)


@given(st.text(max_size=40))
def test_any_text_has_an_address(address, text):
    """Whatever stands in a place of an address, something comes of it, and no error."""
    assert isinstance(address(text), str)


@pytest.mark.parametrize(
    "unit", ["a.", "a/", "?a=b", "&a=1", "#", "|", ":a", "%41", "1.", "\\a", "@"]
)
@pytest.mark.parametrize(
    "lead", ["", "https://", "https://x.org/", "urn:", "urn:oid:1.", "Patient/", "\\\\"]
)
def test_long_addresses_cost_what_they_are_long(surrogates, lead, unit):
    """An address of 50,000 characters of any shape is rewritten within a second or so."""
    text = lead + unit * (50_000 // len(unit))
    began = time.process_time()
    surrogates.references.address(text, lambda one: one[::-1])

    assert time.process_time() - began < 3
