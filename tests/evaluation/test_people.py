"""The oracle of people's mentions tells right from wrong, and enough mentions are right."""

from __future__ import annotations

import pytest

from tests.evaluation import people
from tests.evaluation.people_oracle import Oracle, Person

PEOPLE = (
    Person("PATIENT", (("halvard", "arnell"), ("nils", "zacari")), (("lindqvist", "barbuto"),)),
    Person("PATIENT", (("maren", "felicia"),), (("lindqvist", "barbuto"),)),
    Person("DOCTOR", (("joseph", "adan"),), (("raghunathan", "mingione"),)),
)
NICKNAMES = {"joseph": ("joe",), "joe": ("joseph",), "adan": ("ad",)}


def oracle():
    """An oracle of a patient, a daughter and a doctor."""
    return Oracle(PEOPLE, NICKNAMES)


@pytest.mark.parametrize(
    ("label", "real", "new"),
    [
        ("PATIENT", "Lindqvist, Halvard N.", "Barbuto, Arnell Z."),
        ("PATIENT", "HALVARD LINDQVIST", "ARNELL BARBUTO"),
        ("PATIENT", "Mr. Lindqvist's", "Mr. Barbuto's"),
        ("PATIENT", "HL", "AB"),
        ("PATIENT", "H.L.", "A.B."),
        ("PATIENT", "Lindquist", "Barbuto"),
        ("PATIENT", "Maren", "Felicia"),
        ("PATIENT", "Lind\nqvist", "Barbuto"),
        ("PATIENT", "the Lindqvists", "the Barbutos"),
        ("DOCTOR", "Joe Raghunathan, MD", "Adan Mingione, MD"),
        ("DOCTOR", "Joe", "Ad"),
        ("DOCTOR", "Dr. Penner", "Dr. Hollis"),
    ],
)
def test_right_forms_of_the_right_person(label, real, new):
    """Each word as in its field, in the order, marks and capitals of the original."""
    assert not oracle().errors(label, real, new)


@pytest.mark.parametrize(
    ("label", "real", "new", "kind"),
    [
        ("PATIENT", "Lindqvist, Halvard", "Arnell, Barbuto", "family name"),
        ("PATIENT", "Halvard Lindqvist", "Felicia Barbuto", "given name"),
        ("PATIENT", "Halvard Lindqvist", "Barbuto, Arnell", "layout"),
        ("PATIENT", "HALVARD LINDQVIST", "Arnell Barbuto", "letter case"),
        ("PATIENT", "H. Lindqvist", "H. Barbuto", "initial"),
        ("PATIENT", "HL", "HB", "initials"),
        ("PATIENT", "Lindquist", "Hollis", "misspelling"),
        ("DOCTOR", "Dr. Raghunathan", "Mr. Mingione", "title"),
        ("DOCTOR", "Joe Raghunathan", "Tad Mingione", "nickname"),
        ("DOCTOR", "Dr. Penner", "Dr. Penner", "unchanged"),
        ("PATIENT", "Halvard Lindqvist", "Halvard Lindqvist", "given name"),
    ],
)
def test_wrong_ones_are_told_by_kind(label, real, new, kind):
    """Another person, order, case, title, or the name itself is an error."""
    assert kind in oracle().errors(label, real, new)


def test_the_unnamed_are_consistent():
    """A person of no field always gets the same surrogate, and the initial of that surrogate."""
    judge = oracle()
    assert not judge.errors("DOCTOR", "Karen Penner", "Della Hollis")
    assert not judge.errors("DOCTOR", "K. Penner", "D. Hollis")
    assert "initial of an unnamed person" in judge.errors("DOCTOR", "K. Penner", "T. Hollis")
    assert "inconsistent" in judge.errors("DOCTOR", "Penner", "Vance")


@pytest.mark.corpus
@pytest.mark.usefixtures("shared_data")
def test_people_are_right(monkeypatch):
    """Of the annotated names at least 97 of a hundred are the right form of the right person."""
    monkeypatch.setattr("sys.argv", ["people", "--annotated"])
    _, given = people.measure()
    assert given.mentions > 4000
    assert given.right / given.mentions >= 0.97
