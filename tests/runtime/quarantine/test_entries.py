"""The operator's view of the quarantine: one current entry per message, selected by its fields."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace

import pytest

from adapter.runtime.quarantine.entries import Entry, Selection, State, entries
from adapter.sealing.quarantine import Held, without_payload

HELD = Held("leak", "pattern", "in", 0, 7, time_ms=1000, id="a")
OTHERS = [
    replace(HELD, stage="surrogate", code="no-vault", id="b"),
    replace(HELD, topic="fhir", id="c", time_ms=2000),
]


def seen(*envelopes, released=(), opens=lambda _envelope: True):
    """Return the entries of envelopes at the places p0, p1 ..."""

    async def all_of():
        for number, envelope in enumerate(envelopes):
            yield f"p{number}", envelope

    return asyncio.run(entries(all_of(), lambda _ids: released, opens))


def states(found):
    """Return place -> state."""
    return {entry.place: entry.state.value for entry in found}


def test_a_message_that_was_held_again_is_one():
    """Of several envelopes with one id, the last is current and the others are superseded."""
    other = replace(HELD, id="b")
    again = [without_payload(replace(HELD, attempts=n)) for n in (1, 2, 3)]
    found = seen(again[0], without_payload(other), *again[1:])
    assert {"p0": "superseded", "p1": "held", "p2": "superseded", "p3": "held"} == states(found)
    assert ["a", "b", "a", "a"] == [entry.name for entry in found]


def test_a_message_that_was_released_since_is_marked():
    """A held message that the output already has is marked as released."""
    envelopes = [without_payload(held) for held in (HELD, *OTHERS)]
    found = seen(*envelopes, released={"b"})
    assert {"p0": "held", "p1": "released", "p2": "held"} == states(found)


def test_an_envelope_that_does_not_open_supersedes_nothing():
    """A forged envelope that cannot be opened does not supersede a genuine one."""
    true, forged = without_payload(HELD), without_payload(replace(HELD, time_ms=9999))
    found = seen(true, forged, opens=lambda envelope: envelope != forged)
    assert {"p0": "held", "p1": "unreadable"} == states(found)


def test_what_is_no_envelope_is_named_by_its_place():
    """A record that is not an envelope is listed, and is selected only by its place or with all."""
    found = seen(b"\xff", without_payload(HELD), b"[" * 50_000)
    assert {"p0": "unreadable", "p1": "held", "p2": "unreadable"} == states(found)
    assert [True, False, False] == [Selection(names=frozenset({"p0"})).has(e) for e in found]
    assert [False, True, False] == [Selection(codes=frozenset({"pattern"})).has(e) for e in found]
    assert all(Selection().has(entry) for entry in found)


@pytest.mark.parametrize(
    ("fields", "chosen"),
    [
        ({}, "abc"),
        ({"names": {"b", "p2"}}, "bc"),
        ({"stages": {"leak"}}, "ac"),
        ({"codes": {"no-vault"}}, "b"),
        ({"codes": {"leak/pattern"}, "topics": {"in"}}, "a"),
        ({"topics": {"fhir", "other"}}, "c"),
        ({"since_ms": 1001}, "c"),
        ({"until_ms": 2000}, "ab"),
        ({"transient": True}, "b"),
        ({"transient": True, "topics": {"fhir"}}, ""),
    ],
)
def test_a_selection_chooses_by_the_clear_part(fields, chosen):
    """An entry is selected only if it matches every given field."""
    sets = {name: frozenset(v) if isinstance(v, set) else v for name, v in fields.items()}
    found = seen(*(without_payload(held) for held in (HELD, *OTHERS)))
    assert list(chosen) == [e.name for e in found if Selection(**sets).has(e)]


def test_names_that_nothing_has_are_told():
    """Names that match no entry are returned, so that a mistyped name is reported."""
    found = seen(without_payload(HELD))
    assert ["x", "y"] == Selection(names=frozenset({"y", "a", "p0", "x"})).unknown(found)


def test_an_entry_as_json_has_its_source():
    """An entry's JSON has its coordinates, time, state and transience, but no payload."""
    told = Entry("p0", b"", HELD, State.HELD).as_dict()
    assert told == json.loads(json.dumps(told))
    assert ("a", "p0", "in", 0, 7, 1000, False, "held") == tuple(
        told[name]
        for name in (
            "name", "place", "topic", "partition", "offset", "time_ms", "transient", "state",
        )
    )  # fmt: skip
