"""German text: the rules read letters of invented people, and leave clinical matter alone."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from adapter.normalize.folding import fold
from adapter.resolve import Options, resolve
from adapter.rules.families import families
from adapter.rules.folder import Folder
from adapter.taggers.attributes import AttributeTagger
from adapter.taggers.document.document import read
from adapter.taggers.document.resources import Resources
from adapter.taggers.document.sections import SectionRules
from adapter.taggers.patterns.checks.de import (
    ahv,
    austrian,
    day_point_month,
    kvnr,
    pension,
    physician,
)
from adapter.taggers.patterns.tagger import PatternTagger
from adapter.taggers.trusted.index import NOBODY
from tests.wording import WORDS

RULES = Path(__file__).resolve().parents[2] / "rules"
TABLE = tomllib.loads((RULES / "sections" / "de.toml").read_text("utf-8"))

LETTER = """Städtisches Krankenhaus Lindau
Chefarzt Prof. Dr. med. G. Hofreiter

Herrn
Dr. med. Anton Kühn
Lindenallee 14
88131 Lindau

Lindau, 14.05.2021

Sehr geehrter Herr Kollege Kühn,

wir berichten über unsere gemeinsame Patientin Frau Elfriede Obermüller, geboren am 03.11.1948,
Fallnummer: 2104711, die sich vom 2. bis 13.05.2021 auf Station 3B befand.

Diagnosen: Z.n. Billroth II 1987, Morbus Parkinson, pT3 pN1 (2/15) M0

Anamnese: Die 72-jährige Patientin ist pensionierte Lehrerin. RR 130/80 mmHg, Kreatinin 1,1 mg/dl.
Frau Obermüller erhielt Torasemid 10 mg 1-0-0-0.

Mit freundlichen Grüßen

Dr. S. Yilmaz         L. Brandt
"""


@pytest.fixture(scope="module")
def marked():
    """A function: the (label, text) pairs that the German rules mark in a text, in order."""
    lexicons = Folder(RULES).lexicons("de")
    sections = SectionRules(TABLE)
    patterns = tuple(family.table for family in families(Folder(RULES).rules, "de"))
    resources = Resources("de", patterns, lexicons, sections)
    taggers = (PatternTagger(resources), AttributeTagger(resources))
    ordinary = frozenset(lexicons["de-ordinary"]) | frozenset(lexicons["de-medical"])
    options = Options(ordinary, lexicons["de-state"], context=WORDS.context)

    def mark(text):
        document = read(text, "de", sections)
        found = [item for tagger in taggers for item in tagger.tag(document, NOBODY)]
        ((spans,), _) = resolve([text], [found], options)
        return [(str(span.label), text[span.start : span.end]) for span in spans]

    return mark


def test_letter(marked):
    """A discharge letter's people, places, dates and numbers are marked, and nothing else."""
    assert [
        ("HOSPITAL", "Städtisches Krankenhaus Lindau"),
        ("DOCTOR", "G. Hofreiter"),
        ("DOCTOR", "Anton Kühn"),
        ("STREET", "Lindenallee 14"),
        ("ZIP", "88131"),
        ("CITY", "Lindau"),
        ("CITY", "Lindau"),
        ("DATE", "14.05.2021"),
        ("DOCTOR", "Kühn"),
        ("PATIENT", "Elfriede Obermüller"),
        ("DATE", "03.11.1948"),
        ("MEDICALRECORD", "2104711"),
        ("DATE", "2."),
        ("DATE", "13.05.2021"),
        ("IDNUM", "3B"),
        ("DATE", "1987"),
        ("AGE", "72"),
        ("PROFESSION", "Lehrerin"),
        ("PATIENT", "Obermüller"),
        ("DOCTOR", "S. Yilmaz"),
        ("DOCTOR", "L. Brandt"),
    ] == marked(LETTER)


@pytest.mark.parametrize(
    "text",
    [
        "Lasix 40 mg 1-0-1-0, L-Thyroxin 100 µg 1/2-0-0",
        "Leukozyten 7,8 Tsd/µl; Hb 13.2 g/dl; Kreatinin 1,1 mg/dl (0,5-0,9)",
        "Morbus Crohn, M. Bechterew, Chorea Huntington, Billroth II, nach Whipple",
        "pT3 pN1 (3/14) M0 R0 G2, ypT3cN0(0/14)M0",
        "I10.90, E11.9, F32.1, OPS 5-511.11",
        "RR 140/80 mmHg, Puls 72/min, Visus 10/10, Kraft 4/5, GCS 15",
        "seit 20 Jahren, alle 6-8 Wochen, in 3 Monaten, um 10.30 Uhr, 2000 ml NaCl 0,9 %",
        "Im Winter stellt sich der Patient öfter in der Ambulanz vor, jeden Montag zur Dialyse.",
        "Die Patientin wurde von der Station in die Klinik verlegt.",
    ],
)
def test_clinical_matter_stays(marked, text):
    """Doses, values, stages, codes, eponyms, durations and habits are no mentions."""
    assert [] == marked(text)


def test_names_of_the_section_rules_are_folded():
    """Headings and attribute names are written as folding leaves them, each once."""
    headings = [h for section in TABLE["section"] for h in section["headings"]]
    names = [n for attribute in TABLE["attribute"] for n in attribute["names"]]
    assert [fold(text) for text in headings + names] == headings + names
    assert sorted(set(names)) == sorted(names)
    assert sorted(set(headings)) == sorted(headings)


def test_numbers_with_check_digits():
    """Insurance and physicians' numbers pass with their check digit and fail with another."""
    good = {
        kvnr: "A123456780",
        pension: "15 070649 C 10 3",
        austrian: "1237 010180",
        ahv: "756.9217.0769.85",
        physician: "123456601",
    }
    bad = {
        kvnr: "A123456781",
        pension: "15 070649 C 10 4",
        austrian: "1238 010180",
        ahv: "756.9217.0769.86",
        physician: "123456701",
    }
    assert dict.fromkeys(good, True) == {check: check(text) for check, text in good.items()}
    assert dict.fromkeys(bad, False) == {check: check(text) for check, text in bad.items()}
    assert not any(check("") or check("4711") for check in good)


def test_day_before_month():
    """A day stands alone or before a month that has it."""
    assert [True, True, True, False, False, False] == [
        day_point_month(text) for text in ("12.", "29.2.", "31.12.2020", "31.4.", "3.13.", "32.")
    ]
