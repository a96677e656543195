"""Memory of patients: found by any number, put together, merged, and not mixed up."""

from __future__ import annotations

import json
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from adapter.phrases.groups import Group
from adapter.phrases.memory import Memory
from adapter.phrases.memory.entries import MOST_GROUPS, MOST_VALUES, Entry, pack, pack_facts, unpack
from adapter.types import Label, PatientFacts
from tests.wording import FIELDS

NAME = Label.PATIENT


def group(role, *values, sex=None):
    """A group of (part, text) values."""
    return Group(role, [(part, text, NAME) for part, text in values], sex=sex)


def patient(family="Okafor", given="Ngozi", born="19700203"):
    """A patient's usual values; "" leaves one out."""
    values = (("family", family), ("given", given), ("birthdate", born))
    return group("patient", *((part, text) for part, text in values if text))


def facts(*groups, strong=("c1",), weak=(), prior=(), subject="s1"):
    """Patient facts of groups."""
    return PatientFacts(subject, strong, weak, prior, pack_facts(f"id:{subject}", groups))


def texts(entry):
    """All values of an entry, by role."""
    return {(g.role, part, text) for g in entry.people() for part, text, _ in g.values}


def test_what_was_taught_is_recalled_by_any_number():
    """Name, kin and staff of an earlier message are known by chart number or, without it, visit."""
    memory = Memory(FIELDS)
    memory.learn(facts(patient(), group("kin", ("given", "Ife")), weak=("v9",)))
    for later in (facts(group("patient")), facts(group("patient"), strong=(), weak=("v9",))):
        entry = memory.recall(later)
        assert {("patient", "family", "Okafor"), ("kin", "given", "Ife")} <= texts(entry)
        assert "id:s1" == entry.identity


def test_a_weak_number_counts_only_where_there_is_no_strong_one():
    """A visit number shared by mistake does not make two charts one patient."""
    memory = Memory(FIELDS)
    memory.learn(facts(patient(), weak=("v9",)))
    other = facts(patient("Mensah", "Adwoa"), strong=("c2",), weak=("v9",), subject="s2")
    assert memory.recall(other) is None


def test_a_number_that_was_given_to_somebody_else_recalls_nothing():
    """Another name and another birth date under a known number are another person."""
    memory = Memory(FIELDS)
    memory.learn(facts(patient()))
    other = facts(patient("Mensah", "Adwoa", "19551112"))
    stranger = memory.recall(other)
    assert not stranger.people()
    assert "id:s1" != stranger.identity
    memory.learn(other)
    entry = memory.recall(facts(group("patient")))
    assert ("patient", "family", "Okafor") not in texts(entry)
    assert stranger.identity == entry.identity == memory.recall(other).identity
    assert "id:s1" == memory.recall(facts(patient())).identity


def test_a_corrected_name_or_birth_date_is_still_the_same_person():
    """One of them may change: both names are remembered, the first one first."""
    memory = Memory(FIELDS)
    memory.learn(facts(patient()))
    memory.learn(facts(patient("Mensah")))
    memory.learn(facts(patient("Mensah", born="19700302")))
    entry = memory.recall(facts(group("patient")))
    assert ("okafor", "mensah") == entry.names["family"]
    assert ("ngozi",) == entry.names["given"]


def test_a_merge_ends_one_record_in_the_other():
    """What both knew is known by either number, under the surviving identity."""
    memory = Memory(FIELDS)
    memory.learn(facts(patient(), group("kin", ("given", "Ife"))))
    memory.learn(facts(patient(), group("kin", ("given", "Tunde")), strong=("c2",), subject="s2"))
    merge = facts(patient(), prior=("c2",))
    assert ["id:s2"] == [entry.identity for entry in memory.ended(merge).values()]
    changes = memory.learn(merge)
    assert [("s2", True), ("s1", False)] == [(c.subject, c.after is None) for c in changes]
    for number in ("c1", "c2"):
        entry = memory.recall(facts(group("patient"), strong=(number,), subject="x"))
        assert "id:s1" == entry.identity
        assert {("kin", "given", "Ife"), ("kin", "given", "Tunde")} <= texts(entry)


def test_a_new_number_continues_the_patient_whose_number_it_replaces():
    """The identity stays, under the old and the new number, and when the change is sent again."""
    memory = Memory(FIELDS)
    memory.learn(facts(patient()))
    change = facts(patient(), strong=("c2",), prior=("c1",), subject="s2")
    for _ in range(2):
        assert "id:s1" == memory.recall(change).identity
        assert {"c1": "id:s1"} == {n: e.identity for n, e in memory.ended(change).items()}
        memory.learn(change)
    again = facts(patient(), strong=("c3",), prior=("c2",), subject="s3")
    for _ in range(2):
        assert "id:s1" == memory.recall(again).identity
        assert {"c2": "id:s1"} == {n: e.identity for n, e in memory.ended(again).items()}
        memory.learn(again)
    for number in ("c1", "c2", "c3"):
        known = memory.recall(facts(group("patient"), strong=(number,), subject="x"))
        assert "id:s1" == known.identity
    assert 1 == len(memory.entries)


def test_a_new_number_does_not_continue_somebody_else():
    """With another name and birth date the new number has an identity of its own."""
    memory = Memory(FIELDS)
    memory.learn(facts(patient()))
    other = facts(
        patient("Mensah", "Adwoa", "19551112"), strong=("c2",), prior=("c1",), subject="s2"
    )
    assert memory.recall(other) is None
    memory.learn(other)
    assert "id:s2" == memory.recall(other).identity


def test_entries_of_an_older_version_are_read():
    """An entry without continued numbers, or without ranks, is an entry."""
    entry = Entry("s1", "id:s1", ("c1",), rank=2, charted=False)
    fields = json.loads(pack(entry))
    assert entry == unpack(json.dumps(fields[:9]).encode())
    assert replace(entry, rank=0, charted=True) == unpack(json.dumps(fields[:7]).encode())


def test_nothing_new_changes_nothing():
    """The same facts again is no change, until a day has gone by."""
    memory = Memory(FIELDS)
    assert memory.learn(facts(patient()), seen=1_000)
    assert not memory.learn(facts(patient()), seen=2_000)
    assert memory.learn(facts(patient()), seen=2_000 + 86_400_000)


def test_an_empty_lesson_erases():
    """Nothing is left of the patient whose number it names."""
    memory = Memory(FIELDS)
    memory.learn(facts(patient()))
    (change,) = memory.learn(PatientFacts("", ("c0", "c1")))
    assert change.after is None
    assert not memory.entries
    assert not memory.about([facts(patient())])


def test_only_entries_that_bear_on_a_lesson_are_given():
    """A worker gets the patients of its record, and nobody else."""
    memory = Memory(FIELDS)
    memory.learn(facts(patient()))
    memory.learn(facts(patient("Mensah"), strong=("c2",), subject="s2"))
    (raw,) = memory.about([facts(group("patient"))])
    assert "s1" == unpack(raw).subject


def test_an_entry_is_bounded():
    """The newest values and people stay."""
    memory = Memory(FIELDS)
    for number in range(MOST_GROUPS + 10):
        memory.learn(facts(patient(f"Name{number}"), group("kin", ("given", f"Kin{number}"))))
    entry = memory.recall(facts(group("patient")))
    assert len(entry.groups) <= MOST_GROUPS
    assert all(len(values) <= MOST_VALUES for _, _, values in entry.groups)
    assert ("kin", "given", f"Kin{MOST_GROUPS + 9}") in texts(entry)


WORDS = st.text(st.characters(codec="utf-8"), max_size=8)


@given(st.lists(st.tuples(WORDS, WORDS, st.sampled_from(list(Label))), max_size=5), WORDS)
def test_entries_survive_packing(values, identity):
    """What is packed is what comes out, whatever the texts are."""
    packed = tuple((part, text, label.value) for part, text, label in values)
    entry = Entry("s", identity, ("n",), (("kin", "F", packed),), {"family": ("a",)}, ("d",), 7)
    assert entry == unpack(pack(entry))
