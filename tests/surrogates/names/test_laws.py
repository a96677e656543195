"""Laws of names: a short form agrees with the long one, in every message, told by fields or not."""

from __future__ import annotations

import json
import os
import subprocess
import sys

from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import OSA

from adapter.types import Entity, Extraction, Label, Span, TextSegment
from tests.wording import TITLES

PATIENT, DOCTOR = Label.PATIENT, Label.DOCTOR
NO_NAMES = TITLES.no_names
NAME = st.from_regex(r"[A-Z][a-z]{5,9}", fullmatch=True).filter(lambda n: n.lower() not in NO_NAMES)
NAMES = st.tuples(NAME, NAME).filter(
    lambda names: names[0][0] != names[1][0] and OSA.distance(*map(str.lower, names)) > 3
)
FORMS = (
    "{g} {f}", "{f}, {g}", "{g[0]}. {f}", "{g[0]} {f}", "{f} {g[0]}", "{f},{g[0]}", "Dr. {f}",
    "Dr {g} {f}, MD", "{g} {f}'s",
)  # fmt: skip


def staff(number, *parts):
    """An attending doctor of a message with these parts of a name."""
    entity = Entity("attending:1", "attending", DOCTOR, f"id:{number}", (("id", "4711"), *parts))
    return Extraction((entity,), (), {}, f"id:{number}")


def patient(given, family, number=7):
    """A patient with a name."""
    parts = (("family", family), ("given", given))
    entity = Entity("patient", "patient", PATIENT, f"id:{number}", parts)
    return Extraction((entity,), (), {}, f"id:{number}")


def rendered(surrogates, extraction, text, label=DOCTOR):
    """A mention without link in a message of its own."""
    renderer = surrogates.renderer(extraction, frozenset())
    return renderer.render(text, Span(0, len(text), label, "x"))


def written(form, given, family):
    """A name in a form."""
    return form.format(g=given, f=family)


@settings(max_examples=200)
@given(NAMES, st.tuples(st.sampled_from(FORMS), st.sampled_from(FORMS)), st.integers(0, 3))
def test_forms_of_a_doctor_agree_over_messages(surrogates, names, forms, sent):
    """Whatever the fields tell of a doctor, every form says the same surrogate in all messages."""
    (given_, family), (one, other) = names, forms
    told = (
        (),
        (("family", family),),
        (("family", family), ("given", given_)),
        (("family", family), ("given", given_[0])),
    )
    full = rendered(surrogates, staff(1), f"Dr. {given_} {family}").split()[1:]
    assert written(one, *full) == rendered(
        surrogates, staff(2, *told[sent]), written(one, given_, family)
    )
    assert written(other, *full) == rendered(surrogates, staff(3), written(other, given_, family))


@given(NAMES, st.sampled_from((*FORMS[:6], "{g} {f}'s", "{g}", "Mr. {f}")))
def test_forms_of_a_patient_agree_with_the_fields(surrogates, names, form):
    """A mention that nothing linked to the patient is written with the patient's surrogate."""
    given_, family = names
    extraction = patient(given_, family)
    renderer = surrogates.renderer(extraction, frozenset())
    new = [
        renderer.render(text, Span(0, len(text), PATIENT, "field", entity="patient"))
        for text in (given_, family)
    ]
    assert written(form, *new) == rendered(
        surrogates, extraction, written(form, given_, family), PATIENT
    )


@given(NAMES)
def test_initials_alone(surrogates, names):
    """Initials are those of the surrogate, of a person of the fields or of none, dotted or not."""
    given_, family = names
    parts = (("family", family), ("given", given_))
    full = rendered(surrogates, staff(1), f"{given_} {family}, MD").split(",")[0].split()
    letters, expected = given_[0] + family[0], full[0][0] + full[1][0]
    for extraction in (staff(2), staff(3, *parts)):
        assert expected == rendered(surrogates, extraction, letters)
        assert f"{expected[0]}.{expected[1]}." == rendered(
            surrogates, extraction, f"{letters[0]}.{letters[1]}."
        )


@given(NAMES)
def test_the_recorded_sex_changes_nothing(surrogates, names):
    """Not every message sends it, and the surrogate is the same in all."""
    given_, family = names
    found = set()
    for sex in ("F", "M", None):
        entity = Entity(
            "patient", "patient", PATIENT, "id:1", (("family", family), ("given", given_)), sex
        )
        found.add(rendered(surrogates, Extraction((entity,), (), {}, "id:1"), given_, PATIENT))
    assert len(found) == 1


def test_a_doctor_named_as_a_relative_stays_staff(surrogates):
    """Who is called a doctor is the domain's, though the patient's circle has one of the name."""
    renderer = surrogates.renderer(Extraction((), (), {}, "id:9"), frozenset())
    text = "Ruth Okafor is her aunt. Dr. Okafor saw her; Okafor agreed."
    segment = TextSegment("OBX-5", "OBX-5", "TX", text)

    def render(word, label, nth=0):
        start = -1
        for _ in range(nth + 1):
            start = text.index(word, start + 1)
        return renderer.render(word, Span(start, start + len(word), label, "x"), segment)

    aunt = render("Ruth Okafor", PATIENT).split()[1]
    doctor = render("Okafor", DOCTOR, 1)
    assert doctor == rendered(surrogates, staff(2), "Dr. Okafor").split()[1]
    assert doctor != aunt


PROGRAM = """
import json, sys
from pathlib import Path
from adapter.surrogates import Key, SurrogateOptions, compile_surrogates
from adapter.types import Extraction, Label, Span
from tests.wording import WORDS
from tests.wording import WORDS
tables = {p.name: tuple((p / "items.txt").read_text("utf-8").splitlines())
          for p in Path("rules/surrogates").iterdir()}
surrogates = compile_surrogates(tables, WORDS, Key("k", b"0123456789abcdef"), SurrogateOptions())
cast = surrogates.renderer(
    Extraction((), (), {}, "id:1", "20241106"), frozenset(), "dmy", sys.argv[1])
print(json.dumps([cast.render(t, Span(0, len(t), Label(n), "x")) for n, t in json.load(sys.stdin)]))
"""


def test_names_and_dates_are_the_same_in_every_process(repository):
    """Neither the hash seed nor the language of the message changes them."""
    mentions = [
        ("DOCTOR", "Karen M. Baptiste"), ("DOCTOR", "KMB"), ("PATIENT", "O'Dea, Rosalind"),
        ("DATE", "20230314"), ("DATE", "2023-03-14T10:00:00Z"), ("DATE", "2023-W11"),
    ]  # fmt: skip
    results = {
        subprocess.run(
            [sys.executable, "-c", PROGRAM, language],
            input=json.dumps(mentions),
            capture_output=True,
            text=True,
            check=True,
            cwd=repository,
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(repository)},
        ).stdout
        for seed, language in (("1", "en"), ("2", "de"), ("3", "es"))
    }
    assert len(results) == 1
