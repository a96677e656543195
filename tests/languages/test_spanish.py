"""Spanish text: the rules read reports of invented people, and leave clinical matter alone."""

from __future__ import annotations

import tomllib
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapter.evaluate.corpora.readers import read_corpus
from adapter.normalize.folding import fold
from adapter.resolve import Options, resolve
from adapter.rules.families import families
from adapter.rules.folder import Folder
from adapter.taggers.attributes import AttributeTagger
from adapter.taggers.document.document import read
from adapter.taggers.document.resources import Resources
from adapter.taggers.document.sections import SectionRules
from adapter.taggers.patterns.checks.es import dni, social_security
from adapter.taggers.patterns.tagger import PatternTagger
from adapter.taggers.trusted.index import NOBODY
from tests.wording import WORDS

RULES = Path(__file__).resolve().parents[2] / "rules"
TABLE = tomllib.loads((RULES / "sections" / "es.toml").read_text("utf-8"))
SECTIONS = SectionRules(TABLE)

REPORT = """HOSPITAL COMARCAL DEL NORTE
Nombre: Remedios   Apellidos: Quesada Albarracín
NHC: 4410273   NASS: 28 12345678 40   DNI: 12345678Z
Domicilio: Avda. de los Olmos, 14, 2º B.
Localidad/ Provincia: Valdemoro. CP: 28341.
Fecha de nacimiento: 07/11/1952. Edad: 68 años Sexo: M.
Servicio: Medicina Interna.
Médico: Dra. Begoña Txakartegi Ruiz NºCol: 28 28 40117.

Antecedentes: enfermedad de Parkinson, HTA, DM2 en tratamiento con metformina 850 mg 1-0-1.
Enfermedad actual: mujer de 68 años que desde marzo de 2020 refiere disnea. Vive con su hija
Marta (tlf. 655 120 345). TA 130/80 mmHg, FC 72 lpm, creatinina 0,9 mg/dl, plaquetas 234.000.
Visto en el Hospital Virgen del Rocío el 3 de mayo por el Dr. J. M. Prieto.

Remitido por: Dra. Begoña Txakartegi Ruiz. C/ Serrano, 4. 28001 Madrid (España).
E-mail: b.txakartegi@saludnorte.example
"""


@pytest.fixture(scope="module")
def tag():
    """A function: the resolved spans of a text by the Spanish rules alone."""
    lexicons = Folder(RULES).lexicons("es")
    patterns = tuple(family.table for family in families(Folder(RULES).rules, "es"))
    resources = Resources("es", patterns, lexicons, SECTIONS)
    taggers = PatternTagger(resources), AttributeTagger(resources)
    options = Options(lexicons["es-ordinary"], lexicons["es-state"], context=WORDS.context)

    def tagged(text):
        document = read(text, "es", SECTIONS)
        found = [item for tagger in taggers for item in tagger.tag(document, NOBODY)]
        spans, _ = resolve([text], [found], options)
        return spans[0]

    return tagged


def _marked(text, spans):
    return [(str(span.label), text[span.start : span.end]) for span in spans]


def test_report(tag):
    """Every mention of a report is found whole, and nothing besides."""
    expected = [
        ("HOSPITAL", "HOSPITAL COMARCAL DEL NORTE"),
        ("PATIENT", "Remedios"),
        ("PATIENT", "Quesada Albarracín"),
        ("MEDICALRECORD", "4410273"),
        ("HEALTHPLAN", "28 12345678 40"),
        ("IDNUM", "12345678Z"),
        ("STREET", "Avda. de los Olmos, 14, 2º B"),
        ("CITY", "Valdemoro"),
        ("ZIP", "28341"),
        ("DATE", "07/11/1952"),
        ("AGE", "68 años"),
        ("DOCTOR", "Begoña Txakartegi Ruiz"),
        ("LICENSE", "28 28 40117"),
        ("AGE", "68 años"),
        ("DATE", "marzo de 2020"),
        ("PATIENT", "Marta"),
        ("PHONE", "655 120 345"),
        ("HOSPITAL", "Hospital Virgen del Rocío"),
        ("DATE", "3 de mayo"),
        ("DOCTOR", "J. M. Prieto"),
        ("DOCTOR", "Begoña Txakartegi Ruiz"),
        ("STREET", "C/ Serrano, 4"),
        ("ZIP", "28001"),
        ("CITY", "Madrid"),
        ("COUNTRY", "España"),
        ("EMAIL", "b.txakartegi@saludnorte.example"),
    ]
    assert expected == _marked(REPORT, tag(REPORT))


@pytest.mark.parametrize(
    "text",
    [
        "HTA en tto con enalapril 20 mg 1-0-0, metformina 850 1-1-1. TA 130/80, FC 72, Sat O2 97%.",
        "Hb 13.2 g/dl, leucocitos 12.400 (N 78%), Na 138, K 4.1, PCR 12,5 mg/L, pH 7,35, pCO2 45.",
        "Enfermedad de Parkinson, síndrome de Guillain-Barré, signo de Murphy, esófago de Barrett.",
        "Escala de Glasgow 15. Clasificación de Los Ángeles grado B. Test de Yesavage 3/15.",
        "LOE de 23 x 15 mm. BI-RADS 3. T2N1M0. Ki67 20%. CD20+. Vitamina B12 350 pg/ml.",
        "Paracetamol 1 g c/8h, amoxicilina 875/125 mg cada 8 horas durante 7 días. Control en 3 m.",
        "Desde hace 2 semanas tos. Hace 3 años hernia. Evolución de 10 años. Volumen 2000 ml.",
        "Acude al hospital de día. La clínica mejora. Derivado a su centro de salud. Social.",
        "La AV era de 0,8 en OD y 4/10 en OI. PIO 14 mmHg. Fuerza 4/5. Glasgow 15/15.",
        "Vacuna lote EX1234. CIE-10 I10. SNOMED 38341003. Hepatitis C. Factor V Leiden. Vit D.",
    ],
)
def test_clinical_matter_is_left_alone(tag, text):
    """Doses, values, scales and eponyms of notes without anything personal stay."""
    assert [] == _marked(text, tag(text))


def test_headings_and_attributes():
    """Sections and attributes of a report are known by their names."""
    document = read("Motivo de consulta: tos\nNº Col.: 28 28 70973", "es", SECTIONS)
    assert ["chief-complaint"] == [section.name for section in document.sections]
    assert ["no col"] == [attribute.name for attribute in document.attributes]


def test_names_of_the_section_rules_are_folded():
    """Headings and attribute names are written as folding leaves them, each once."""
    headings = [h for section in TABLE["section"] for h in section["headings"]]
    names = [n for attribute in TABLE["attribute"] for n in attribute["names"]]
    assert [fold(text) for text in headings + names] == headings + names
    assert sorted(set(names)) == sorted(names)
    assert sorted(set(headings)) == sorted(headings)


@given(st.integers(0, 99_999_999))
def test_one_letter_fits_an_identity_number(number):
    """Of all letters exactly one is the check of a DNI."""
    assert 1 == sum(dni(f"{number:08}{letter}") for letter in "ABCDEFGHJKLMNPQRSTVWXYZ")


@given(st.integers(1, 66), st.integers(0, 99_999_999))
def test_one_check_fits_a_social_security_number(province, number):
    """Of all pairs of digits exactly one is the check of a social security number."""
    bodies = (f"{province:02}{number:08}{check:02}" for check in range(100))
    assert 1 == sum(map(social_security, bodies))


def test_public_corpus(tag, shared_data):
    """On clinical cases with annotated headers the rules keep their recall and precision."""
    documents = list(read_corpus(shared_data / "corpora" / "meddocan" / "train.jsonl"))[:120]
    counts = Counter()
    for document in documents:
        gold = {(mention.start, mention.end) for mention in document.mentions}
        found = {(span.start, span.end) for span in tag(document.text)}
        counts.update(gold=len(gold), found=len(found), both=len(gold & found))
    assert counts["both"] / counts["gold"] > 0.93
    assert counts["both"] / counts["found"] > 0.95
