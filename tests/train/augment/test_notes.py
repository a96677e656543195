"""Copies of annotated notes: the text around mentions stays, everything in them agrees."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from datetime import date
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapter.errors import RuleError
from adapter.evaluate.corpora.readers import Annotated, Mention, read_corpus
from adapter.train.augment.notes import augmented, resurrogated
from adapter.train.augment.tables import Tables

ROOT = Path(__file__).resolve().parents[3]
CORPORA = ("notes_en/e", "notes_en/g", "meddocan/train", "grascco/train")
HEADER = {
    "patient_family": "Okonjo", "patient_given": "Adaeze", "kin_given": "Emeka",
    "kin_family": "Okonjo", "attending_family": "Lindqvist", "attending_given": "Tor",
    "mrn": "40-88-213", "phone_home": "218-555-0171", "patient_dob": "1953-02-18",
    "facility": "Tamarack Regional Hospital", "ward": "4 West", "visit_date": "2024-11-06",
}  # fmt: skip


@cache
def english() -> Tables:
    """The English tables."""
    return Tables.load(ROOT / "rules", "en")


@pytest.fixture(scope="session")
def tables() -> dict[str, Tables]:
    """The tables of every language that ships."""
    return {"en": english()} | {code: Tables.load(ROOT / "rules", code) for code in ("es", "de")}


def note(*pieces: str | tuple[str, str], meta: dict[str, str] | None = None) -> Annotated:
    """A note of plain pieces and (text, type) mentions."""
    text, mentions = "", []
    for piece in pieces:
        words, kind = (piece, "") if isinstance(piece, str) else piece
        if kind:
            mentions.append(Mention(len(text), len(text) + len(words), kind))
        text += words
    return Annotated("note", text, "en", tuple(mentions), meta=meta or {})


def values(annotated: Annotated) -> list[str]:
    """The texts of the mentions, in order."""
    return [annotated.text[m.start : m.end] for m in annotated.mentions]


def outside(annotated: Annotated) -> list[str]:
    """The pieces of text between the mentions."""
    places = [0, *(p for m in annotated.mentions for p in (m.start, m.end)), len(annotated.text)]
    return [annotated.text[a:b] for a, b in zip(places[::2], places[1::2], strict=True)]


@pytest.mark.corpus
@pytest.mark.parametrize("corpus", CORPORA)
def test_copies_of_corpora_keep_all_but_their_mentions(corpus, shared_data, tables):
    """Text outside mentions, and types, labels and order of mentions are those of the original."""
    notes = list(read_corpus(shared_data / "corpora" / f"{corpus}.jsonl"))[:60]
    for old, new in zip(notes, augmented(notes, 1, 5, tables[notes[0].language]), strict=True):
        assert outside(old) == outside(new), old.id
        kinds = [(m.type, m.source_label) for m in old.mentions]
        assert kinds == [(m.type, m.source_label) for m in new.mentions], old.id
        assert all(m.start < m.end <= len(new.text) for m in new.mentions), old.id
        assert len(old.extra) == len(new.extra), old.id


@pytest.mark.corpus
@pytest.mark.parametrize("corpus", CORPORA)
def test_few_mentions_of_a_copy_are_those_of_the_original(corpus, shared_data, tables):
    """Nine mentions of ten are another text than before."""
    notes = list(read_corpus(shared_data / "corpora" / f"{corpus}.jsonl"))[:60]
    copies = augmented(notes, 1, 5, tables[notes[0].language])
    pairs = [
        p
        for n, c in zip(notes, copies, strict=True)
        for p in zip(values(n), values(c), strict=True)
    ]
    assert sum(old == new for old, new in pairs) < len(pairs) / 10


@pytest.mark.corpus
def test_extra_mentions_stay_on_their_words(shared_data, tables):
    """Extents that only official scoring counts cover the same text after the mentions moved."""
    notes = list(read_corpus(shared_data / "corpora" / "meddocan" / "train.jsonl"))[:60]
    for old, new in zip(notes, augmented(notes, 1, 5, tables["es"]), strict=True):
        before = [old.text[m.start : m.end] for m in old.extra]
        assert before == [new.text[m.start : m.end] for m in new.extra], old.id


@settings(max_examples=60)
@given(seed=st.integers(0, 10**6))
def test_people_numbers_and_header_agree(seed):
    """One person has one new name in every form, and header fields are what the text says."""
    old = note(
        ("Okonjo, Adaeze", "PATIENT"), " MRN ", ("4088213", "MEDICALRECORD"), " son ",
        ("Emeka", "PATIENT"), " Dr. ", ("T. Lindqvist", "DOCTOR"), " ", ("OKONJO", "PATIENT"),
        " at ", ("Tamarack", "HOSPITAL"), " tel ", ("2185550171", "PHONE"), meta=HEADER,
    )  # fmt: skip
    new = resurrogated(old, seed, english())
    patient, mrn, son, doctor, loud, hospital, phone = (text.lower() for text in values(new))
    header = {key: str(value).lower() for key, value in new.meta.items()}
    assert f"{header['patient_family']}, {header['patient_given']}" == patient
    assert header["patient_family"] == loud
    assert header["kin_given"] == son
    assert doctor.endswith(header["attending_family"])
    assert header["attending_given"][0] == doctor[0]
    assert digits(header["phone_home"]) == digits(phone)[-10:]
    assert squeezed(header["mrn"]) == squeezed(mrn)
    assert header["facility"].startswith(hospital)
    assert header["ward"] == "4 west"


def digits(text: str) -> str:
    """The digits of a text."""
    return "".join(c for c in text if c.isdigit())


def squeezed(text: str) -> str:
    """The letters and digits of a text."""
    return "".join(c for c in text if c.isalnum())


def test_dates_move_by_the_same_days(tables):
    """The span between birth and visit in the header is that of the original."""
    new = resurrogated(note("nothing", meta=HEADER), 3, tables["en"])
    born, seen = (date.fromisoformat(new.meta[key]) for key in ("patient_dob", "visit_date"))
    assert date(2024, 11, 6) - date(1953, 2, 18) == seen - born
    assert date(1953, 2, 18) != born


def test_misspelt_names_are_misspelt_again(tables):
    """A near miss of a name becomes a near miss of its new name, not another name."""
    old = note(("Kowalczyk", "PATIENT"), " alias ", ("Kowalzcyk", "PATIENT"))
    first, second = values(resurrogated(old, 1, tables["en"]))
    assert first[0] == second[0]
    assert abs(len(first) - len(second)) <= 1


def test_last_digits_agree_with_their_number(tables):
    """The last four digits of a number are the last four of its new one."""
    old = note(("372-10-5541", "SSN"), " ends ", ("5541", "SSN"))
    whole, last = values(resurrogated(old, 2, tables["en"]))
    assert whole.endswith(last)


def test_copies_have_ids_of_their_own(tables):
    """Copies are numbered behind the id of the original, which is not among them."""
    copies = augmented([note(("Okonjo", "PATIENT"))], 3, 1, tables["en"])
    assert [f"note#{n}" for n in (1, 2, 3)] == [copy.id for copy in copies]


def test_same_seed_same_copies_whatever_the_hash_seed():
    """Two runs of Python with other hash seeds give the same copies."""
    program = (
        "import json; from pathlib import Path\n"
        "from adapter.evaluate.corpora.readers import Annotated, Mention\n"
        "from adapter.train.augment.notes import augmented\n"
        "from adapter.train.augment.tables import Tables\n"
        "text = 'Okonjo, Adaeze seen 3/14/2023 at Two Harbors Family Clinic, 44 yo welder'\n"
        "marks = (0, 14, 'PATIENT'), (20, 29, 'DATE'), (33, 58, 'HOSPITAL'), (60, 62, 'AGE')\n"
        "note = Annotated('n', text, 'en', tuple(Mention(*m) for m in marks))\n"
        "tables = Tables.load(Path('rules'), 'en')\n"
        "print(json.dumps([c.text for c in augmented([note], 5, 9, tables)]))\n"
    )
    runs = {
        subprocess.run(
            [sys.executable, "-c", program], env={**os.environ, "PYTHONHASHSEED": seed},
            cwd=ROOT, capture_output=True, text=True, check=True,
        ).stdout
        for seed in ("1", "2")
    }  # fmt: skip
    assert 1 == len(runs)
    assert 5 == len(set(json.loads(runs.pop())))


def test_a_missing_list_is_named(tmp_path):
    """Lexicons that are not there are told by name."""
    with pytest.raises(RuleError, match="en-city"):
        Tables.load(tmp_path, "en")


def test_short_years_lie_before_the_visit(tables):
    """A birth date with two digits of a year agrees with the header, whatever its layout."""
    meta = HEADER | {"patient_dob": "1927-06-01", "visit_date": "2020-07-14"}
    for seed in range(40):
        new = resurrogated(note(("6/1/27", "DATE"), meta=meta), seed, tables["en"])
        assert new.meta["patient_dob"][2:4] in values(new)[0]
        assert "20" + new.meta["patient_dob"][2:4] not in values(new)[0]


def test_months_with_short_years_stay_such_abroad(tables):
    """03/19 is March 2019 in German and Spanish, never a day."""
    for seed in range(40):
        german = replace(note(("03/19", "DATE")), language="de")
        (new,) = values(resurrogated(german, seed, tables["de"]))
        month, _, year = new.partition("/")
        assert 1 <= int(month) <= 12
        assert 2 == len(year)
