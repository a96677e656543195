"""Ages over 89 in whatever words (45 CFR 164.514(b)(2)(i)(C)), and numbers that are none."""

from __future__ import annotations

import json

import pytest

from adapter.pipeline.process import process
from adapter.types import Position, Record
from tests.corpus.runs import ruleset

HEAD = (
    "MSH|^~\\&|A|B|C|D|20240101||ORU^R01^ORU_R01|1|P|2.5.1||||||UNICODE UTF-8\r"
    "PID|1||123456^^^H^MR||Rosenbaum^Ottilie||19800101|F\rOBR|1||5|11506-3^Progress note^LN\r"
)

WORDINGS = {
    "She is a [94] year old woman.": "94",
    "a [91]-year-old man fell": "91",
    "94 y/o female with dyspnea": "94",
    "95yo M with CHF": "95",
    "Patient is 94 y.o. and frail": "94",
    "94 yr old man": "94",
    "a 102-yr-old in no distress": "102",
    "a 103 yom from home": "103",
    "101yoF, lives alone": "101",
    "94F with pneumonia": "94F",
    "94 M c/o chest pain": "94 M",
    "She turned 93 last week.": "93",
    "She will be 100 in May.": "100",
    "He is 92.": "92",
    "Pt is 97 and frail": "97",
    "Age: 96": "96",
    "Age 96, lives alone": "96",
    "Age=93": "93",
    "AGE 93Y": "93",
    "age (years): 93": "93",
    "aged 98, lives alone": "98",
    "at the age of 99 she fell": "99",
    "lived to be 101": "101",
    "mother died at 99": "99",
    "93 years young": "93",
    "93 year(s)": "93",
    "a 93-y-o widow": "93",
    "93 y old": "93",
    "more than 95 years of age": "95",
    "nearing 100 years": "100",
    "A.93 y.": "A.93",
    "She is 1140 months old.": "1140",
    "He is 1,152 months of age.": "1,152",
    "Age 4900 weeks.": "4900",
    "33,000 days old": "33,000",
    "Age in months: 1118": "1118",
    "in her 97th year": "97th",
    "her 95th birthday": "95th",
    "in her ninety-fifth year": "ninety-fifth",
    "celebrates her hundredth birthday": "hundredth",
    "in the tenth decade of life": "tenth decade",
    "The patient is a nonagenarian.": "nonagenarian",
    "centenarian lady": "centenarian",
    "He is in his nineties.": "nineties",
    "ninety-two years old": "ninety-two",
    "ninety two y/o": "ninety two",
    "Ninetysix-year-old woman": "Ninetysix",
    "one hundred-year-old man": "hundred",
    "Age one hundred and one, still gardening": "one hundred and one",
    "at the age of one hundred and two": "one hundred and two",
    "91yo f, ninety-one.": "ninety-one",
    "born 95 years ago": "95",
    "XCIV years, still driving": "XCIV",
    "a woman of 9 5 years": "9 5",
    "Edad 95 años": "95",
    "Mujer de 94 años, vive sola": "94",
    "Varón de noventa y cuatro años": "noventa",
    "paciente nonagenaria": "nonagenaria",
    "cumplió 95 años": "95",
    "a sus 96 años camina": "96",
    "en su 97.º año de vida": "97",
    "su nonagésimo quinto cumpleaños": "nonagésimo",
    "ein 93-jähriger Patient": "93",
    "94 Jahre alt": "94",
    "Hochbetagte Patientin, 96 J., dement": "96 J",
    "im 95. Lebensjahr": "95",
    "im fünfundneunzigsten Lebensjahr": "fünfundneunzig",
    "fünfundneunzig Jahre alt": "fünfundneunzig",
    "Die dreiundneunzigjährige Patientin": "dreiundneunzig",
    "geboren vor 101 Jahren": "101",
}

LOOK_ALIKES = (
    "BP 95/60; BP 195/95, repeat 190/92; SpO2 94 % on room air; sats 94% on 2 L; pulse 91, "
    "regular; HR 101; rate of 96 and regular; temp 98.6 F; temp 99 F orally; 95 mg daily; give "
    "100 mg now; room 92; bed 95, telemetry; 95 minutes of dialysis; walked 95 feet; 95 cm "
    "above the floor; weight 94 kg; weight 101 lbs; glucose 97 mg/dL; glucose 101 fasting; "
    "sodium 98 mmol/L; hemoglobin 9.5; GFR above 90; 95% confidence; in the 97th percentile; 90 "
    "days of therapy; 100 days after transplant; for 96 hours; 95 units of insulin; 119 beats "
    "per minute; EF 55 to 60, gradient 92; cholesterol 95; 90 degrees of flexion; 95 pack "
    "years; Kardioversion mit 100 J biphasisch; saturación 95 por ciento; der Puls der Patientin "
    "ist 94; Gewicht 96 kg; ninety percent stenosis; hepatitis A: 95; 90 year survival; 1100 mg; "
    "4700 ml; a 100 ml bag; shocked at 120 J; IV fluids 125 ml/h"
).split("; ")


def _note(text, profile="research", kind="TX", question="11506-3^Progress note^LN"):
    raw = f"{HEAD}OBX|1|{kind}|{question}||{text}||||||F\r".encode()
    outcome = process(Record(raw, Position("ages", 0, 0)), ruleset(profile))
    return outcome.value.decode().split("\r")[3].split("|")[5]


@pytest.mark.parametrize("text", WORDINGS)
def test_no_wording_tells_an_age_over_89(text):
    """However an age over 89 is said, in whatever configured language, it goes."""
    sent = text.replace("[", "").replace("]", "")
    assert WORDINGS[text] not in _note(sent)


@pytest.mark.parametrize(
    "text", ["a 64 year old woman", "Age: 89", "in her 80th year", "900 months old"]
)
def test_ages_up_to_89_stay(text):
    """Younger ages are no identifiers."""
    assert text == _note(text)


@pytest.mark.parametrize("text", LOOK_ALIKES)
def test_measurements_are_no_ages(text):
    """A number over 89 that is no age stays as it is."""
    assert text == _note(text)


def test_a_limited_dataset_keeps_ages():
    """45 CFR 164.514(e) leaves ages in a limited dataset."""
    assert "94" in _note("She is 94 y/o.", "limited-dataset")


@pytest.mark.parametrize(
    ("kind", "question", "value", "expected"),
    [
        ("NM", "AGEM^Age in months^L", "1118", "1080"),
        ("NM", "29553-5^Age calculated^LN", "97.5", "90"),
        ("NM", "21612-7^Age - Reported^LN", "33500", "32873"),
        ("ST", "30525-0^Age^LN", "91 y", "90+ y"),
        ("ST", "39016-1^Age at death^LN", "ninety-six", "90 or older"),
        ("ST", "PTAGE^Pt age^L", "94", "90+"),
        ("ST", "30525-0^Age^LN", "64 y", "64 y"),
        ("NM", "8867-4^Heart rate^LN", "94", "94"),
        ("NM", "777-3^Platelets^LN", "1118", "1118"),
    ],
)
def test_answers_to_a_question_for_an_age(kind, question, value, expected):
    """What was asked tells that a number or a text is an age, in years or in months."""
    assert expected == _note(value, kind=kind, question=question)


@pytest.mark.parametrize(
    "value",
    [
        {"valueInteger": 94},
        {"valueString": "ninety-four"},
        {"valueString": "94 years"},
        {"valueQuantity": {"value": 94.5, "unit": "years", "code": "a"}},
        {"valueQuantity": {"value": 1164, "unit": "months", "code": "mo"}},
        {"valueQuantity": {"value": 34000, "unit": "days", "code": "d"}},
        {"valueRange": {"low": {"value": 94, "unit": "a"}, "high": {"value": 96, "unit": "a"}}},
    ],
    ids=str,
)
def test_answers_in_fhir(value):
    """Whatever type answers a question for an age, it is capped."""
    code = {"coding": [{"system": "http://loinc.org", "code": "30525-0", "display": "Age"}]}
    observation = {"resourceType": "Observation", "status": "final", "code": code, **value}
    outcome = process(Record(json.dumps(observation).encode(), Position("a", 0, 0)), ruleset())
    released = json.loads(outcome.value)
    (kind,) = value
    assert released[kind] != value[kind]
    assert "94" not in json.dumps(released[kind])
