"""One person, one surrogate, in every form of the name."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapter.types import Entity, Extraction, Label, Span, TextSegment
from tests.wording import TITLES

if TYPE_CHECKING:
    from adapter.surrogates import Surrogates


PATIENT, DOCTOR = Label.PATIENT, Label.DOCTOR


@pytest.fixture
def name(render):
    """The patient's surrogate family and given name."""
    return render("Lindqvist", PATIENT, "patient"), render("Halvard", PATIENT, "patient")


@pytest.mark.parametrize(
    ("text", "form", "layout"),
    [
        ("Halvard Lindqvist", "{given} {family}", "{1} {0}"),
        ("Lindqvist, Halvard", "{family}, {given}", "{0}, {1}"),
        ("H. Lindqvist", "{given[0]}. {family}", "{1[0]}. {0}"),
        ("Lindqvist,H", "{family},{given[0]}", "{0},{1[0]}"),
        ("Hal", "{given:nickname}", "{1}"),
        ("Hal Lindqvist", "{given:nickname} {family}", "{1} {0}"),
        ("Mr. Halvard Lindqvist Jr.", None, "Mr. {1} {0} Jr."),
        ("Lindqvist's", "{family}", "{0}'s"),
        ("Halvard\nLindqvist", "{given} {family}", "{1}\n{0}"),
        ("Lindq\nvist", "{family}", "{0}"),
        ("Lind-qvist, Hal vard", "{family}, {given}", "{0}, {1}"),
        ("Lin dq -vist's", "{family}", "{0}'s"),
        ("Halvard Lind qvist", None, "{1} {0}"),
        ("HL", None, "{1[0]}{0[0]}"),
        ("Lindqvist", None, "{0}"),
    ],
)
def test_forms(render, name, text, form, layout):
    """Every form of the name is written with the surrogate's parts in the original's layout."""
    assert layout.format(*name) == render(text, PATIENT, "patient", form)


@pytest.mark.parametrize("text", ["^", "…", "ⒶⓃⓐ"])
def test_a_doctor_without_letters_is_nobody(surrogates: Surrogates, extraction, text):
    """A mention of marks that a title calls a doctor fails no message."""
    renderer = surrogates.renderer(extraction, frozenset())
    segment = TextSegment("NTE[1].3", "NTE-3", "FT", f"seen by Dr. {text} today")
    start = segment.text.index(text)
    renderer.meet(segment, (Span(start, start + len(text), Label.DOCTOR, "crf", 1.0, 0),))


def test_misspelling_is_the_same_person(render, name):
    """A variant is written with the right surrogate, spelt correctly."""
    assert name[0] == render("Lindquist", PATIENT, "patient", "{family}", "variant")
    assert name[0] == render("Linqvist", PATIENT, "patient", None, "variant")


def test_letter_case_is_kept(render, name):
    """Capitals and small letters are those of the original, word by word."""
    assert name[0].upper() == render("LINDQVIST", PATIENT, "patient")
    assert name[0].lower() == render("lindqvist", PATIENT, "patient")
    assert f"{name[0].upper()}, {name[1]}" == render("LINDQVIST, Halvard", PATIENT, "patient")


def test_unlinked_mentions_find_their_person(render, name):
    """A name that no phrase linked to the patient still is the patient's."""
    assert f"{name[1]} {name[0]}" == render("Halvard Lindqvist", PATIENT)


def test_kin_share_the_family_name(render, name):
    """A relative of the same family name bears the patient's surrogate family name."""
    assert render("Maren Lindqvist", PATIENT, "kin:1").split()[1] == name[0]


def test_compound_names_by_piece(render):
    """Pieces of a compound name are replaced one by one, particles stay, joined forms agree."""
    whole = render("de la Cruz-Bell", PATIENT, "patient", "{family#1}")
    first, second = re.fullmatch(r"de la (\w+)-(\w+)", whole).groups()

    assert second == render("Bell", PATIENT, "patient", "{family#1:piece3}")
    assert f"{first} {second}" == render("Cruz Bell", PATIENT, "patient", "{family#1}")
    assert (
        f"{first}{second}".lower() == render("cruzbell", PATIENT, "patient", "{family#1}").lower()
    )


def test_middle_initial(render):
    """A middle initial becomes one letter."""
    assert re.fullmatch(
        r"[A-Z]\w+ [A-MO-Z]\. \w+", render("Halvard N. Lindqvist", PATIENT, "patient")
    )


def test_spelling_correction_keeps_the_person(surrogates: Surrogates, patient):
    """The patient's name is keyed by identity: a corrected spelling has the same surrogate."""
    parts = (("family", "Lindquest"), ("given", "Halverd"), ("middle", "Nils"))
    corrected = Entity("patient", "patient", PATIENT, patient.identity, parts, "M")
    renderers = [
        surrogates.renderer(Extraction((e,), (), {}, e.identity), frozenset())
        for e in (patient, corrected)
    ]
    span = Span(0, 1, PATIENT, "field", entity="patient")

    assert renderers[0].render("Lindqvist", span) == renderers[1].render("Lindquest", span)
    assert renderers[0].render("N", span)[0] == renderers[1].render("Nils", span)[0]


def test_a_name_behind_placeholders_is_the_same_when_more_names_are_known(surrogates: Surrogates):
    """The first words that messages gave decide, oldest first, and later ones change nothing."""
    family, span = "Baby Girl of Okafor", Span(0, 1, PATIENT, "field", entity="patient")
    found = set()
    for earlier in (("okafor",), ("okafor", "mensah")):
        names = (("family", earlier),)
        person = Entity("patient", "patient", PATIENT, "id:1", (("family", family),), earlier=names)
        renderer = surrogates.renderer(Extraction((person,), (), {}, "id:1"), frozenset())
        found.add(renderer.render(family, span))
    assert 1 == len(found)


def test_staff_keep_their_names_over_messages(surrogates: Surrogates, extraction):
    """A doctor has one surrogate in the messages of all patients, named in fields or not."""
    other = Extraction((), (), {}, "id:77")
    renderers = [surrogates.renderer(e, frozenset()) for e in (extraction, other)]
    span = Span(0, 1, DOCTOR, "patterns")

    assert 1 == len({renderer.render("Priyanka Raghunathan, MD", span) for renderer in renderers})
    assert 1 == len({renderer.render("RAGHUNATHAN", span) for renderer in renderers})


def test_patients_differ(surrogates: Surrogates):
    """Two patients of one name have different surrogates."""
    names = set()
    for number in range(20):
        identity = f"id:{number}"
        person = Entity("patient", "patient", PATIENT, identity, (("family", "Smith"),))
        renderer = surrogates.renderer(Extraction((person,), (), {}, identity), frozenset())
        names.add(renderer.render("Smith", Span(0, 5, PATIENT, "field", entity="patient")))

    assert len(names) > 15


def test_sex_is_plausible(surrogates: Surrogates, tables):
    """Given names of one sex get given names of that sex."""
    renderer = surrogates.renderer(Extraction((), (), {}, "id:1"), frozenset())
    span = Span(0, 1, PATIENT, "lexicons")

    assert renderer.render("Mary", span) in tables["en-given-female"]
    assert renderer.render("John", span) in tables["en-given-male"]


def test_first_mention_decides_the_kind(render):
    """A given name told by its place keeps its surrogate where it stands alone."""
    whole = render("Litha Kabua", DOCTOR)

    assert whole.split() == [render("Litha", DOCTOR), render("Kabua", DOCTOR)]


def test_unknown_title_is_removed(render):
    """A degree field of unknown content goes; a known one stays."""
    assert "MD" == render("MD", DOCTOR, "attending:1", "{degree}", "field")
    assert render("Smith family", DOCTOR, "attending:1", "{degree}", "field") is None


@pytest.mark.parametrize(
    ("text", "layout"),
    [
        ("hlindqvist7", r"{1[0]}{0}\d"),
        ("halvard.lindqvist", r"{1}\.{0}"),
        ("LINDQVISTH", "{0}{1[0]}"),
    ],
)
def test_usernames_follow_the_name(render, name, text, layout):
    """A user name made of the person's name is made of the surrogate's."""
    surrogate = render(text, Label.USERNAME, "patient")

    assert re.fullmatch(layout.format(*name), surrogate, re.IGNORECASE)
    assert text.isupper() == surrogate.isupper()


def test_email_follows_the_name(render, name):
    """So does an e-mail address."""
    expected = f"{name[1]}.{name[0]}@example.org".lower()

    assert expected == render("halvard.lindqvist@gmail.com", Label.EMAIL, "patient")


@given(st.from_regex(r"[A-Z][a-z]{1,9}(?:[ -][A-Z][a-z]{1,9}){0,2}", fullmatch=True))
def test_no_word_survives(surrogates, text):
    """No word of an unknown name is left, and no word keeps its initial."""
    renderer = surrogates.renderer(Extraction((), (), {}, "id:1"), frozenset())
    surrogate = renderer.render(f"Zq {text} Xw", Span(0, 1, PATIENT, "model"))
    old, new = (re.split("[ -]", value) for value in (f"Zq {text} Xw", surrogate))
    kept = {a for a, b in zip(old, new, strict=True) if a[0] == b[0]}

    assert all(word.lower() in TITLES.particles for word in kept)
