"""Record linkage: who shares a number without being one."""

from __future__ import annotations

import pytest

from adapter.phrases.linkage import (
    born_digits,
    certain,
    compatible,
    first_word,
    has_other_name,
    person,
)
from tests.wording import FIELDS


def record(name, born=""):
    """A record of a name as "FAMILY^GIVEN" and a birth date."""
    family, _, given = name.partition("^")
    values = (("family", family), ("given", given), ("birthdate", born))
    return person(((part, text) for part, text in values if text), FIELDS)


KNOWN = record("Okonkwo^Adaeze", "19910823")


@pytest.mark.parametrize(
    ("new", "strong", "weak"),
    [
        (record("Okonkwo^Adaeze", "19910823"), True, True),
        (record("Adeyemi^Adaeze", "19910823"), True, True),
        (record("Okonkwo^Adaeze", "19910832"), True, True),
        (record("Okonkwo^Adaeze", "19900823"), True, True),
        (record("", ""), True, True),
        (record("Okonkwo^Adaeze"), True, True),
        (record("Okonkwo", "19910823"), True, True),
        (record("Okonkwo^BABY GIRL", "20240312"), False, False),
        (record("Okonkwo^BABY GIRL"), True, False),
        (record("Okonkwo^Amara", "20240312"), False, False),
        (record("Okonkwo^Ngozi", "19930101"), False, False),
        (record("Brandt^Helga", "19470530"), False, False),
        (record("Okonkwo^Chidi", "19910823"), True, False),
        (record("Okonkwo^Adaeze", "19300823"), True, False),
        (record("Okonkwo^Adaeze", "19000101"), True, True),
    ],
)
def test_birth_date_and_names_decide(new, strong, weak):
    """Under a number of one's own little is needed to be one, under a shared number much."""
    found = [compatible(new, KNOWN, strong=kind) is not None for kind in (True, False)]
    assert [strong, weak] == found


def test_twins_are_two_and_a_newborn_is_named_later():
    """Labels of twins tell them apart; one child of the birth date may be named."""
    first, second = (record(f"Okonkwo^BABY GIRL {x}", "20240312") for x in "AB")
    named, single = record("Okonkwo^Amara", "20240312"), record("Okonkwo^BABY GIRL", "20240312")
    assert compatible(second, first, strong=False) is None
    assert compatible(named, first, strong=False) is None
    assert compatible(named, first, strong=True) is not None
    assert compatible(named, single, strong=False) is not None


def test_only_what_is_all_told_is_certain():
    """Without a given name or birth date nothing is certain."""
    assert certain(KNOWN, KNOWN)
    assert not certain(record("Okonkwo", "19910823"), KNOWN)
    assert not certain(record("Okonkwo^Adaeze"), KNOWN)


def test_placeholders_are_words_but_no_evidence():
    """The first word of a name is kept for what stands for it; placeholders prove nothing."""
    names = ("BABY GIRL", "Amara", "van Berg")
    assert ["baby", "amara", "berg"] == [first_word(name, FIELDS) for name in names]
    assert not record("UNKNOWN^UNKNOWN").family
    assert ["19910823", "", ""] == [born_digits(d) for d in ("1991-08-23", "19000101", "n/a")]


@pytest.mark.parametrize(
    ("one", "other", "is_other"),
    [
        ("Adaeze", "Chidi", True),
        ("Twin A", "Twin B", True),
        ("Adaeze", "Adaez", False),
        ("Adaeze", "Adaexe", False),
        ("Adaeze", "Adeze", False),
        ("Adaeze", "Ada", False),
        ("Adaeze", "A", False),
        ("Adaeze", "", False),
        ("Ada", "Ida", True),
        ("Katarzyna", "Kasia", False),
        ("Kazia", "Casimira", False),
        ("Marek", "Maria", True),
        ("Marcus", "Maria", True),
        ("Twin Anna", "Twin Adam", True),
    ],
)
def test_other_given_names(one, other, is_other):
    """A short or pet name, initial or misspelling is no other name; another twin's label is."""
    pair = record(f"Okonkwo^{one}", "20240312"), record(f"Okonkwo^{other}", "20240312")
    assert has_other_name(*pair) is has_other_name(*reversed(pair)) is is_other


def test_a_pet_name_needs_the_birth_date_and_the_family_name():
    """Who only begins alike may be a relative."""
    known = record("Okonkwo^Katarzyna", "20240312")
    for name, born in (("Okonkwo^Kasia", "20120312"), ("Mensah^Kasia", "20240312")):
        assert has_other_name(known, record(name, born))
