"""Nothing of a patient survives in a body inside a body, wherever in a message it stands."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapter.pipeline.process import process
from adapter.types import Position, Record, Release
from tests.corpus.runs import ruleset
from tests.e2e.nesting import DEEPEST, ENCODINGS, PLACES, letters, readings

PLANTED = "Seen today: Thaddeus Okonjo, record number 90817263, doing well."
SECRETS = ("thaddeus", "okonjo", "90817263")


PROFILES = ("research", "safe-harbor")
ONCE = 4
"""Depth to which one encoding at a place is decoded: some take three steps."""


def left(raw: bytes, profile: str, deepest: int = DEEPEST) -> list[str]:
    """What of the planted text is found in any decoding of the release; nothing in a hold."""
    outcome = process(Record(raw, Position("in", 0, 0)), ruleset(profile))
    if not isinstance(outcome, Release):
        return []
    text = "\n".join(letters(reading) for reading in readings(outcome.value, deepest))
    return [secret for secret in SECRETS if secret in text]


def nested(names) -> str:
    """The planted text in encodings one around the other, the first innermost."""
    text = PLANTED
    for name in names:
        text = ENCODINGS[name](text)
    return text


def test_the_decoder_of_the_test_finds_what_is_planted():
    """Before processing, every encoding at every place is seen through by the naive decoder."""
    for place, carry in PLACES.items():
        for name in ENCODINGS:
            raw = carry(ENCODINGS[name]("A planted sentence is seen through."))
            found = "\n".join(letters(reading) for reading in readings(raw, ONCE))
            assert "plantedsentence" in found, (place, name)


@pytest.mark.parametrize(
    "profile", [PROFILES[0], pytest.param(PROFILES[1], marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("place", PLACES)
def test_no_encoding_hides_a_patient(profile, place):
    """Each encoding at each place is opened or dropped."""
    planted = {name: PLACES[place](nested([name])) for name in ENCODINGS}
    hidden = [name for name, raw in planted.items() if left(raw, profile, ONCE)]
    assert hidden == []


CHAINS = st.tuples(
    st.sampled_from(PROFILES),
    st.sampled_from(sorted(PLACES)),
    st.lists(st.sampled_from(sorted(ENCODINGS)), min_size=2, max_size=3),
)


@settings(max_examples=60)
@given(CHAINS)
def test_no_chain_of_encodings_hides_a_patient(drawn):
    """Encodings around encodings, to depth three, are opened or dropped at every place."""
    profile, place, names = drawn
    assert left(PLACES[place](nested(names)), profile) == []


@pytest.mark.slow
@settings(max_examples=2000)
@given(CHAINS)
def test_no_chain_of_encodings_hides_a_patient_in_many_messages(drawn):
    """Encodings around encodings, to depth three, are opened or dropped at every place."""
    profile, place, names = drawn
    assert left(PLACES[place](nested(names)), profile) == []
