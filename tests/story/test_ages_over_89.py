"""Ages over 89 in whatever words (45 CFR 164.514(b)(2)(i)(C)), and numbers that are none."""

from __future__ import annotations

import base64
import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

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


CHOICES = {
    "Condition": ("onset", "abatement"),
    "AllergyIntolerance": ("onset",),
    "Procedure": ("performed", "occurrence"),
    "FamilyMemberHistory": ("age", "deceased"),
    "FamilyMemberHistory.condition": ("onset",),
    "FamilyMemberHistory.procedure": ("performed",),
}
PLACES = [(owner, name) for owner, names in CHOICES.items() for name in names]


def _resource(owner, entry):
    kind, _, inner = owner.partition(".")
    return {"resourceType": kind, **({inner: [entry]} if inner else entry)}


def _released(resource):
    outcome = process(Record(json.dumps(resource).encode(), Position("a", 0, 0)), ruleset())
    released = json.loads(outcome.value)
    released.pop("meta")
    return released


def _in_words(number):
    hundreds, rest = divmod(number, 100)
    tail = _below_100(rest) if rest else ""
    if not hundreds:
        return tail
    return f"one hundred and {tail}" if tail else "one hundred"


def _below_100(number):
    tens, unit = divmod(number, 10)
    units = "nought one two three four five six seven eight nine ten eleven twelve thirteen".split()
    units += "fourteen fifteen sixteen seventeen eighteen nineteen".split()
    if number < len(units):
        return units[number]
    word = "twenty thirty forty fifty sixty seventy eighty ninety".split()[tens - 2]
    return f"{word}-{units[unit]}" if unit else word


WAYS = ("{}", "at {}", "about {}", "at {}, after a fall", "since she was {}; at home", "{} years")


@pytest.mark.parametrize(("owner", "name"), PLACES, ids=lambda part: part)
@settings(max_examples=12, deadline=None)
@given(number=st.integers(90, 119), way=st.sampled_from(WAYS), words=st.booleans())
def test_no_text_in_a_place_of_ages_tells_one_over_89(owner, name, number, way, words):
    """Where FHIR has an age, a text tells none over 89, in digits or in words."""
    said = _in_words(number) if words else str(number)
    released = _released(_resource(owner, {f"{name}String": way.format(said)}))
    left = json.dumps(released).casefold().replace("90 or older", "").replace("90+", "")
    assert not re.search(r"\d{2}|ninet|hundred", left)


@pytest.mark.parametrize(("owner", "name"), PLACES, ids=lambda part: part)
@settings(max_examples=6, deadline=None)
@given(number=st.integers(1, 89), way=st.sampled_from(WAYS), words=st.booleans())
def test_texts_of_ages_up_to_89_stay(owner, name, number, way, words):
    """Younger ages stay in these places, in digits and in words."""
    said = way.format(_below_100(number) if words else number)
    resource = _resource(owner, {f"{name}String": said})
    assert _released(resource) == resource


@pytest.mark.parametrize(("owner", "name"), PLACES, ids=lambda part: part)
@pytest.mark.parametrize(
    ("sent", "unit", "expected"),
    [
        ((93, 97), "a", (90, 90)),
        ((88, 91), "years", (88, 90)),
        ((98, 99), "", (90, 90)),
        ((1100, 1200), "mo", (1080, 1080)),
        ((40, 50), "a", (40, 50)),
        ((100, 110), "d", (100, 110)),
    ],
)
def test_ranges_in_places_of_ages(owner, name, sent, unit, expected):
    """Where FHIR has an age, both ends of a range are capped in their unit."""
    low, high = sent
    parts = {"unit": unit} if unit else {}
    ends = {"low": {"value": low, **parts}, "high": {"value": high, **parts}}
    released = _released(_resource(owner, {f"{name}Range": ends}))
    inner = owner.partition(".")[2]
    found = (released[inner][0] if inner else released)[f"{name}Range"]
    assert (found["low"]["value"], found["high"]["value"]) == expected


ASKED = {
    "parameter": lambda v: {"resourceType": "Parameters", "parameter": [{"name": "age", **v}]},
    "part": lambda v: {
        "resourceType": "Parameters",
        "parameter": [{"name": "patient", "part": [{"name": "age", **v}]}],
    },
    "input": lambda v: {"resourceType": "Task", "input": [{"type": {"text": "age"}, **v}]},
    "coded-input": lambda v: {
        "resourceType": "Task",
        "input": [{"type": {"coding": [{"system": "http://loinc.org", "code": "30525-0"}]}, **v}],
    },
    "third-coding": lambda v: {
        "resourceType": "Observation",
        "code": {"coding": [{"code": "A"}, {"code": "B"}, {"code": "C", "display": "Age"}]},
        **v,
    },
}


@pytest.mark.parametrize("place", ASKED)
@pytest.mark.parametrize(
    "value",
    [{"valueString": "ninety-four"}, {"valueInteger": 103}, {"valueString": "at 94, she says"}],
    ids=str,
)
def test_names_types_and_titles_ask_for_an_age(place, value):
    """What a parameter, an input or an observation is called asks for its value."""
    released = json.dumps(_released(ASKED[place](value)))
    assert not re.search(r"ninet|94|103", released.replace("90+", ""))
    assert "90" in released


@pytest.mark.parametrize("text", ["ninety-four", "<p>103</p>", "She is 94 now"])
def test_a_section_titled_age(text):
    """A section's title asks for its narrative."""
    div = f'<div xmlns="http://www.w3.org/1999/xhtml">{text}</div>'
    section = {"title": "Age", "text": {"status": "generated", "div": div}}
    released = _released({"resourceType": "Composition", "section": [section]})
    told = released["section"][0]["text"]["div"].replace("1999/xhtml", "")
    assert not re.search(r"ninet|94|103", told)


@pytest.mark.parametrize(
    ("value", "unit", "expected"),
    [
        ("93^-^97", "a", "90^-^90"),
        ("^93^-^97", "a", "^90^-^90"),
        (">^95", "a", ">^90"),
        ("^100^-^110", "mo", "^100^-^110"),
        ("^40^-^50", "a", "^40^-^50"),
    ],
)
def test_structured_numerics_of_ages(value, unit, expected):
    """Each part of a structured numeric is capped, and stays a number."""
    raw = f"{HEAD}OBX|1|SN|30525-0^Age^LN||{value}|{unit}|||||F\r".encode()
    outcome = process(Record(raw, Position("ages", 0, 0)), ruleset())
    assert outcome.value.decode().split("\r")[3].split("|")[5] == expected


@pytest.mark.parametrize("text", ["five mg", "after 100 mg of it", "for 95 days", "at 97 %"])
def test_other_numbers_stay_in_places_of_ages(text):
    """A number with another unit is no age, even where an age is expected."""
    resource = {"resourceType": "Condition", "onsetString": text}
    assert _released(resource) == resource


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ({"text": "Year of birth"}, {"valueInteger": 1927}),
        ({"coding": [{"system": "http://loinc.org", "code": "80904-6"}]}, {"valueInteger": 1927}),
        ({"text": "Date of birth"}, {"valueDateTime": "1927-03"}),
        ({"text": "DOB"}, {"valueString": "1927-03-04"}),
    ],
    ids=str,
)
def test_answers_to_a_question_for_a_birth(question, value):
    """A date or year of birth over 89 years ago becomes that of somebody of 90."""
    dated = {"effectiveDateTime": "2024-05-11"}
    released = _released({"resourceType": "Observation", "code": question, **dated, **value})
    ((told),) = [released[key] for key in value]
    seen = int(released["effectiveDateTime"][:4])
    assert seen - 91 <= int(str(told)[:4]) <= seen - 90


@pytest.mark.parametrize("birth", ["1927", "192703", "19270304"])
@pytest.mark.parametrize("profile", ["research", "safe-harbor"])
def test_births_of_every_precision_are_aggregated(birth, profile):
    """A year of birth alone tells an age over 89 as well as a day does."""
    raw = HEAD.replace("|19800101|", f"|{birth}|").encode()
    outcome = process(Record(raw, Position("ages", 0, 0)), ruleset(profile))
    sent, patient = (line.split("|") for line in outcome.value.decode().split("\r")[:2])
    assert int(sent[6][:4]) - 91 <= int(patient[7][:4]) <= int(sent[6][:4]) - 90


def test_every_choice_of_an_age_is_a_place_of_ages():
    """Each element that FHIR lets be an age is one in all of its types that can tell one."""
    types = ruleset().values.places["fhir"].types
    listed = set(ruleset().values.places["fhir"].listing.aged)
    general = {"value", "defaultValue", "fixed", "pattern", "timing"}
    names = {
        element.removesuffix("Age"): owner
        for owner, elements in types.items()
        for element, kinds in elements.items()
        if "Age" in kinds
    }
    for name, owner in names.items():
        if name not in general:
            own = {f"{name}{kind}" for kind in ("Age", "Range", "String")} & set(types[owner])
            assert own <= listed


def _document(value, title="Social history"):
    """Return a CDA document whose only observation is of the age at onset."""
    return (
        '<ClinicalDocument xmlns="urn:hl7-org:v3" '
        'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><component><structuredBody>'
        f"<component><section><title>{title}</title><text>ninety-four</text><entry><observation>"
        '<code code="445518008" codeSystem="2.16.840.1.113883.6.96"/>'
        f'<value xsi:type="PQ" {value}/></observation></entry></section></component>'
        "</structuredBody></component></ClinicalDocument>"
    )


def _released_document(document):
    sent = base64.b64encode(document.encode()).decode()
    raw = f"{HEAD}OBX|1|ED|34133-9^Summary^LN||^application^xml^Base64^{sent}||||||F\r".encode()
    outcome = process(Record(raw, Position("ages", 0, 0)), ruleset())
    sent = outcome.value.decode().split("\r")[3].split("|")[5].split("^")[4]
    return base64.b64decode(sent).decode()


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ('value="93" unit="a"', 'value="90" unit="a"'),
        ('value="95"', 'value="90"'),
        ('value="1100" unit="mo"', 'value="1080" unit="mo"'),
        ('value="100" unit="mo"', 'value="100" unit="mo"'),
        ('value="64" unit="a"', 'value="64" unit="a"'),
    ],
)
def test_values_in_documents(value, expected):
    """The code of an observation in a CDA document asks for its value."""
    assert f"{expected}/></observation>" in _released_document(_document(value))


def test_sections_of_documents():
    """The title of a section in a CDA document asks for its text."""
    told = _released_document(_document('value="64"', title="Age"))
    assert "<text>90 or older</text>" in told
