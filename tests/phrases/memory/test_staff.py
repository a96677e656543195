"""Staff of a feed: found by number, reference or distinctive surname, whoever the patient is."""

from __future__ import annotations

import pytest

from adapter.phrases.groups import Group
from adapter.phrases.memory import Memory, StaffFacts, erasing_staff, staff_facts, unpack
from adapter.phrases.memory.index import MOST_HOLDERS
from adapter.phrases.memory.staff import is_staff
from adapter.types import Label
from tests.wording import FIELDS, word_list

LISTS = (word_list(("clear", "hope", "wells"), ("palpitations",)), word_list(("fieber",)))


def member(*values, role="attending", path=""):
    """A member of staff with (part, text) values."""
    numbers = [(path, text) for part, text in values if part == "id"]
    return Group(role, [(part, text, Label.DOCTOR) for part, text in values], numbers=numbers)


HATHERSAGE = member(("id", "8812345"), ("family", "Hathersage"), ("given", "Alan"))


def hide(number):
    """The number as it is."""
    return number


def told(*groups, text=""):
    """The facts of a message with these people and one text."""
    return staff_facts(groups, [text], LISTS, hide)


def remembering(*groups):
    """A memory of these members of staff, each of another message."""
    memory = Memory(FIELDS)
    memory.learn_all(told(group) for group in groups)
    return memory


def found(memory, *groups, text=""):
    """The names that a memory knows for a message: of whole people, and of surnames."""
    return tuple(
        {(part, value) for group in some for part, value in group.pairs() if part != "id"}
        for some in memory.staff.recall(told(*groups, text=text))
    )


NAME = {("family", "Hathersage"), ("given", "Alan")}


@pytest.mark.parametrize("later", [("id", "8812345"), ("reference", "Practitioner/8812345")])
def test_a_number_or_reference_alone_recalls_the_whole_name(later):
    """A later field with only the number, or a reference, is about the person named earlier."""
    assert found(remembering(HATHERSAGE), member(later)) == (NAME, set())


@pytest.mark.parametrize("reference", ["Practitioner/7", "http://h1.example/fhir/Practitioner/7"])
def test_a_reference_finds_the_resource_of_any_length(reference):
    """The id of a resource may be short; a short number of another kind identifies nobody."""
    named = member(("id", "7"), ("family", "Hathersage"), ("given", "Alan"), path="/id")
    assert found(remembering(named), member(("reference", reference))) == (NAME, set())
    assert found(remembering(named), member(("id", "7"))) == (set(), set())


@pytest.mark.parametrize("reference", ["Patient/8812345", "Organization/8812345", "#8812345"])
def test_other_references_are_not_to_staff(reference):
    """An author may be the patient or an organisation, and a contained resource has a local id."""
    memory = remembering(HATHERSAGE)
    assert found(memory, member(("reference", reference), role="author")) == (set(), set())
    author = member(("reference", reference), ("family", "Quarrie"), role="author")
    assert bool(told(author).told) == reference.startswith("#")


def test_ids_of_contained_resources_are_not_remembered():
    """Every message may have a contained resource with the same id."""
    own = member(("id", "pract1"), ("family", "Quarrie"), path="/contained/0/id")
    assert found(remembering(own), member(("reference", "Practitioner/pract1")))[0] == set()


@pytest.mark.parametrize("text", ["Hathersage reviewed", "seen by HATHERSAGE", "Hathersage's plan"])
def test_a_surname_with_a_capital_is_looked_for_in_every_text(text):
    """A text that writes the surname names the doctor, in capitals or a genitive too."""
    assert found(remembering(HATHERSAGE), text=text) == (set(), NAME)


def test_names_and_numbers_alone_are_remembered():
    """Telephones and addresses of staff are not stored."""
    full = member(("id", "8812345"), ("family", "Hathersage"), ("phone", "555 0100"))
    (group,) = remembering(full).staff.recall(told(text="Hathersage reviewed"))[1]
    assert [("id", "8812345"), ("family", "Hathersage")] == list(group.pairs())


@pytest.mark.parametrize("name", ["Clear", "Wells", "Palpitations", "Fieber", "Ho"])
def test_an_ordinary_medical_or_short_word_is_no_surname(name):
    """A doctor who is called like a word of any language is not looked for everywhere."""
    memory = remembering(member(("id", "8812345"), ("family", name)))
    assert found(memory, text=f"{name} today") == (set(), set())


def test_small_letters_and_other_words_recall_nobody():
    """A surname counts only with a capital."""
    assert found(remembering(HATHERSAGE), text="hathersage; Lungs clear") == (set(), set())


def test_each_word_of_a_compound_surname_is_found():
    """A text may write one half of a double name."""
    memory = remembering(member(("family", "Brethertonne-Cavendish")))
    assert found(memory, text="Cavendish plans")[1] == {("family", "Brethertonne-Cavendish")}


def test_of_several_people_with_one_surname_only_that_counts():
    """Nobody knows which of them is meant."""
    other = member(("id", "8812399"), ("family", "Hathersage"), ("given", "Ruth"))
    memory = remembering(HATHERSAGE, other)
    assert found(memory, text="Hathersage plans")[1] == {("family", "Hathersage")}


def test_a_number_of_too_many_people_recalls_nobody():
    """A number given to many, as by several sites, identifies nobody."""
    many = [member(("id", "4711"), ("family", f"Quarrie{n:c}")) for n in range(65, 74)]
    assert len(many) == MOST_HOLDERS + 1
    assert found(remembering(*many[:-1]), member(("id", "4711")))[0]
    memory = remembering(*many)
    assert found(memory, member(("id", "4711"))) == (set(), set())
    given = Memory(FIELDS, memory.about([told(member(("id", "4711")))]))
    assert found(given, member(("id", "4711"))) == (set(), set())


def test_a_memory_made_of_what_is_given_recalls_the_same():
    """A worker gets every entry that it needs for a message."""
    memory = remembering(HATHERSAGE, member(("id", "8812399"), ("family", "Quarrie")))
    for facts in (told(member(("id", "8812345"))), told(text="Quarrie and Hathersage")):
        given = Memory(FIELDS, memory.about([facts])).staff.recall(facts)
        assert memory.staff.recall(facts) == given


def test_who_may_be_the_patient_is_not_remembered():
    """Staff with the surname of a patient or relative, and contacts of insurers, are left out."""
    for role in ("patient", "kin"):
        assert not told(HATHERSAGE, member(("family", "HATHERSAGE"), role=role)).told
    assert not told(member(("family", "Quarrie"), role="insurer-contact")).told


def test_what_is_known_already_is_not_written_again():
    """A doctor in every message changes the memory once, and then once a day."""
    memory, day = Memory(FIELDS), 86_400_000
    assert memory.learn(told(HATHERSAGE), day)
    assert not memory.learn(told(HATHERSAGE), day + 1)
    assert memory.learn(told(HATHERSAGE), 2 * day + 1)
    assert [2 * day + 1] == [unpack(raw).seen for raw in memory.staff.entries.values()]


def test_one_name_twice_in_a_message_is_one_person():
    """Groups that differ in a suffix alone are remembered together, with the numbers of both."""
    memory = Memory(FIELDS)
    other = member(("id", "8812399"), ("family", "HATHERSAGE"), ("given", "Alan"))
    memory.learn(told(HATHERSAGE, other))
    assert len(memory.staff.entries) == 1
    for number in ("8812345", "8812399"):
        assert ("given", "Alan") in found(memory, member(("id", number)))[0]


def test_staff_are_kept_apart_from_patients():
    """Entries of staff have names of another kind, and are in no count of patients."""
    memory = remembering(HATHERSAGE)
    (name,) = memory.staff.entries
    assert is_staff(name)
    assert not memory.entries
    memory.put(name, None)
    assert not memory.staff.entries


@pytest.mark.parametrize("key", [b"Practitioner/8812345", b"PractitionerRole/8812345"])
def test_a_key_that_refers_to_a_practitioner_erases(key):
    """Nothing of this member of staff is known after it, by number or surname."""
    memory = remembering(HATHERSAGE)
    (change,) = memory.learn(erasing_staff(key, hide))
    assert change.after is None
    assert found(memory, member(("id", "8812345")), text="Hathersage") == (set(), set())


@pytest.mark.parametrize("key", [b"8812345", b"Patient/8812345", b"\xff"])
def test_other_keys_erase_no_staff(key):
    """A bare number is a patient's."""
    assert erasing_staff(key, hide) is None


def test_facts_show_nothing():
    """Neither names nor numbers are in their repr."""
    assert "StaffFacts()" == repr(told(HATHERSAGE)) == repr(StaffFacts())
