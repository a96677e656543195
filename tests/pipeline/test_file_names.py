"""Numbers and names in titles and file names go, though no field of the message names them."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapter.pipeline.process import process
from adapter.types import Position, Record, Release
from tests.corpus.runs import ruleset

NAMES = ("okonkwo", "Wigglesworth", "ADEYEMI", "mac-tavish", "Núñez", "letter_okonkwo")
GAPS = ("-", "_", "\u2010", "\u2011", "\u2013", "")
ENDINGS = ("txt", "pdf", "PDF", "dcm", "docx", "hl7", "jpeg")


def released(resource):
    """A resource as it is released."""
    outcome = process(Record(json.dumps(resource).encode(), Position("t", 0, 0)), ruleset())
    assert isinstance(outcome, Release), outcome
    return outcome.value.decode()


def titled(title):
    """What comes out of a title without a patient, as an attachment's and as a description."""
    reference = {"resourceType": "DocumentReference", "id": "d1", "status": "current"}
    attachment = {"contentType": "text/plain", "title": title}
    out = json.loads(
        released({**reference, "description": title, "content": [{"attachment": attachment}]})
    )
    return out["content"][0]["attachment"].get("title", ""), out.get("description", "")


def leaves(name, number, out):
    """Whether the number, or any longer word of the name, is left."""
    words = [word for word in re.findall(r"[^\W_]{5,}", name) if word != "letter"]
    digits = re.sub(r"\D", "", out)
    return number in digits or any(word.casefold() in out.casefold() for word in words)


def check(name, gap, number, ending):
    """No name and number of a file is left, whichever comes first."""
    stems = (f"{name}{gap}{number}", f"{number}{gap}{name}")
    for out in (out for stem in stems for out in titled(f"{stem}.{ending}")):
        assert not leaves(name, number, out)
        assert out.endswith(f".{ending}")


arguments = given(
    st.sampled_from(NAMES),
    st.sampled_from(GAPS),
    st.text("123456789", min_size=6, max_size=12).filter(lambda number: len(set(number)) > 2),
    st.sampled_from(ENDINGS),
)


@arguments
@settings(max_examples=40, deadline=None)
def test_no_name_and_number_of_a_file_stays(name, gap, number, ending):
    """A file's name and number are replaced, however they are joined."""
    check(name, gap, number, ending)


@pytest.mark.slow
@arguments
@settings(max_examples=2000, deadline=None)
def test_no_name_and_number_of_a_file_stays_at_length(name, gap, number, ending):
    """The same over thousands of names."""
    check(name, gap, number, ending)


@pytest.mark.parametrize("title", ["okonkwo-83920174", "OKONKWO83920174", "Okonkwo.83920174"])
def test_a_title_without_an_ending_is_none_the_better(title):
    """A title may leave out the ending."""
    assert not any(leaves("okonkwo", "83920174", out) for out in titled(title))


@pytest.mark.parametrize(
    "title", ["report.pdf", "SARS-CoV-2", "COVID-19 report", "scan_2.pdf", "NM_000059.3", "page-12"]
)
def test_titles_of_everyday_stay(title):
    """Short numbers, viruses and sequences are of nobody."""
    assert titled(title) == (title, title)
