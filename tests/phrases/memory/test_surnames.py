"""Surnames of staff that only a text of a message can mean."""

from __future__ import annotations

import pytest

from adapter.phrases.groups import Group
from adapter.phrases.memory import Entry, Recollection
from adapter.phrases.memory.surnames import with_surnames


def person(role, *values):
    """A person with (part, text) values."""
    return Group(role, [(part, text, None) for part, text in values])


def families(recalled):
    """The surnames of all staff that are looked for."""
    return [group.first("family") for group in recalled.staff]


ABBOTT = Recollection(surnames=(person("staff", ("family", "Abbott")),))


def test_a_surname_of_nobody_else_is_looked_for():
    """Other people and codes do not matter."""
    patient = person("patient", ("family", "Quarrie"))
    assert ["Abbott"] == families(with_surnames(ABBOTT, [patient], ["Glucose"]))


@pytest.mark.parametrize(("part", "name"), [("family", "ABBOTT"), ("given", "Abbott")])
def test_a_name_of_the_message_means_who_has_it(part, name):
    """A patient or doctor of that name is meant, whichever part of the name it is."""
    assert [] == families(with_surnames(ABBOTT, [person("patient", (part, name))], []))


def test_a_name_recalled_of_the_patient_means_the_patient():
    """What earlier messages said about the patient counts like fields."""
    entry = Entry("s", "id:1", (), (("patient", None, (("family", "Abbott", None),)),))
    recalled = Recollection((entry,), surnames=ABBOTT.surnames)
    assert [] == families(with_surnames(recalled, [], []))


def test_a_word_of_a_coded_value_is_no_surname():
    """The maker of a test kit is not a doctor."""
    assert [] == families(with_surnames(ABBOTT, [], ["Self Test_Abbott Diagnostics"]))
