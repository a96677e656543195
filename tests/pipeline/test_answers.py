"""A value whose label stands in a neighbouring field is read like "label: value" in one text."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapter.pipeline.process import process
from adapter.types import Position, Record, Release
from tests.corpus.runs import ruleset

HEAD = "MSH|^~\\&|A|B|C|D|20240511||ORU^R01|1|P|2.5.1\rPID|1||7712345^^^H^MR||Brandvold^Osmund|\r"


def _released(raw: str) -> str:
    outcome = process(Record(raw.encode(), Position("in", 0, 0)), ruleset())
    assert isinstance(outcome, Release), outcome
    return outcome.value.decode()


def _obx(kind: str, question: str):
    def place(label: str, value: str) -> str:
        row = f"OBR|1|||X^Panel^L\rOBX|1|{kind}|{question.format(label)}||{value}||||||F\r"
        return _released(HEAD + row).split("\r")[-2].split("|")[5]

    return place


def _fhir(build, *path):
    def place(label: str, value: str) -> str:
        found = json.loads(_released(json.dumps(build(label, value))))
        for step in path:
            found = found[step]
        return found

    return place


def _observation(label, value):
    return {
        "resourceType": "Observation",
        "status": "final",
        "code": {"text": label},
        "valueString": value,
    }


def _worded(label, value):
    own = {"code": {"text": label}, "valueCodeableConcept": {"text": value}}
    return {"resourceType": "Observation", "status": "final", **own}


def _component(label, value):
    parts = [{"code": {"text": label}, "valueString": value}]
    own = {"code": {"text": "Social history"}, "component": parts}
    return {"resourceType": "Observation", "status": "final", **own}


def _questionnaire(label, value):
    items = [{"linkId": "1", "text": label, "answer": [{"valueString": value}]}]
    return {"resourceType": "QuestionnaireResponse", "status": "completed", "item": items}


def _parameters(label, value):
    parts = [{"name": label.lower().replace(" ", "-"), "valueString": value}]
    return {"resourceType": "Parameters", "parameter": parts}


def _task(label, value):
    given_ = [{"type": {"text": label}, "valueString": value}]
    own = {"status": "requested", "intent": "order", "input": given_}
    return {"resourceType": "Task", **own}


def _composition(label, value):
    div = f'<div xmlns="http://www.w3.org/1999/xhtml">{value}</div>'
    section = [{"title": label, "text": {"status": "additional", "div": div}}]
    own = {"status": "final", "type": {"text": "Letter"}, "title": "Letter", "section": section}
    return {"resourceType": "Composition", "date": "2024-05-11", **own}


PLACES = {
    "OBX ST": _obx("ST", "100^{}^L"),
    "OBX TX": _obx("TX", "100^{}^L"),
    "OBX alternate": _obx("ST", "100^^L^9^{}^L"),
    "Observation": _fhir(_observation, "valueString"),
    "CodeableConcept": _fhir(_worded, "valueCodeableConcept", "text"),
    "component": _fhir(_component, "component", 0, "valueString"),
    "QuestionnaireResponse": _fhir(_questionnaire, "item", 0, "answer", 0, "valueString"),
    "Parameters": _fhir(_parameters, "parameter", 0, "valueString"),
    "Task": _fhir(_task, "input", 0, "valueString"),
    "Composition": _fhir(_composition, "section", 0, "text", "div"),
}

ASKED = """
Last name=Okolita|Surname=Tverberg|Family name=BROWN|First name=Ysolde|Nickname=Bex
Mothers maiden name=Okolita|Provider name=Marchetti|Signed by=R. Tolliver|Informant=Ysolde
Caregiver=Ysolde|Nurse=Ysolde|Lives with=Ysolde|Pet name=Biscuit|Occupation=Glass blower
Job title=Head brewer|Employer=Tolliver Boatyard|Phone=555 7713|Drivers license=QT 77120
Vehicle plate=LN21 WPO|Badge number=77120|Medicaid ID=77120|Account=77120|SSN last 4=4321
Username=corwin77|Password=Corwin1977|PIN=7712|Zip=44077|City=Fernhollow|Village=Fernhollow
Place of birth=Fernhollow|County=Fernhollow|Street=Linden Bend|Address=Linden Bend
Tribe=Stonewater Band|Contact=ysolde at tolliver dot org|Case ID=HEP_X_7712
"""
PAIRS = [pair.split("=") for line in ASKED.split("\n") if line for pair in line.split("|")]


@pytest.mark.parametrize("place", PLACES)
def test_what_a_neighbouring_label_asks_for_is_replaced(place):
    """Names, towns, streets, numbers and accounts go where the label beside asks for them."""
    left = [label for label, value in PAIRS if value in PLACES[place](label, value)]
    assert left == []


STAYING = """
Specimen source=Blood|Color=Brown|Provider notified=yes|Name of test=Glucose|Occupation=retired
Test name=Urine Culture|Organism name=Staphylococcus aureus|Drug name=Lisinopril|Informant=Mother
Product name=Red Cells|Caregiver=None|Mother=Diabetes|Lives with=Spouse|Interpreter=needed
Place of birth=Home|Town=Unknown|Bed=Available|Room=Air|Result=Negative|Blood type=A Positive
Username=none|First name=Unknown|Street drugs=Cocaine|Education of mother=High School
Diagnosis=Pneumonia|Allergies=Penicillin|Site=Left Arm|Marital status=Married|PIN=no
"""
HARMLESS = [pair.split("=") for line in STAYING.split("\n") if line for pair in line.split("|")]


@pytest.mark.parametrize("place", ["OBX ST", "Observation", "QuestionnaireResponse"])
def test_ordinary_results_stay(place):
    """Results, names of tests and drugs, and answers that say nothing about a person stay."""
    changed = [label for label, value in HARMLESS if PLACES[place](label, value) != value]
    assert changed == []


@pytest.mark.parametrize(
    ("code", "value"),
    [
        ("45392-8", "Ysolde"),
        ("45394-4", "Okolita"),
        ("68997-6", "Fernhollow"),
        ("42077-8", "7713 55"),
        ("76435-7", "ysolde at tolliver dot org"),
        ("21843-8", "Glass blower"),
        ("18771-6", "Marchetti"),
    ],
)
def test_a_code_of_loinc_asks_without_words(code, value):
    """The code alone, without its name, says what the value is."""
    assert value not in _obx("ST", f"{code}^^LN")("", value)


@pytest.mark.parametrize(
    ("kind", "label", "value"),
    [
        ("NM", "Phone", "5557713"),
        ("NM", "Account", "77120"),
        ("NM", "Badge number", "77120"),
        ("NM", "Phone", "5557713|mL^^UCUM"),
        ("NM", "Case number", "77120|10*3/uL^^UCUM"),
        ("NM", "Birth month", "9"),
        ("NM", "Day of birth", "17"),
        ("CWE", "Last name", "^Okolita^L"),
        ("CWE", "Last name", "718-7^Okolita^LN"),
        ("CWE", "First name", "LA6668-3^Rose^LN"),
        ("CWE", "City", "73211009^Fernhollow^SCT"),
    ],
)
def test_a_kept_value_is_replaced_if_it_is_asked_for(kind, label, value):
    """The label decides: neither a unit nor a public code system beside the value keeps it."""
    plain = value.partition("|")[0].split("^")
    assert plain[-2 if len(plain) > 1 else 0] not in _obx(kind, "100^{}^L")(label, value)


@pytest.mark.parametrize(
    ("kind", "label", "value"),
    [
        ("NM", "Hemoglobin", "13.2"),
        ("NM", "Platelets", "77120|10*3/uL^^UCUM"),
        ("NM", "Day of life", "23"),
        ("NM", "Birth order", "2"),
        ("CWE", "Organism name", "420364006^Anaplasma phagocytophilum^SCT"),
        ("CWE", "Species name", "62987004^Vibrio CHOLERAE O1^SCT"),
    ],
)
def test_results_stay(kind, label, value):
    """Measured values and names of organisms do not answer a question about a person."""
    assert _obx(kind, "100^{}^L")(label, value) == value.partition("|")[0]


@pytest.mark.parametrize(
    ("kind", "label", "value"),
    [
        ("XAD", "Home address", "6490 Osprey Hatch Way^^Dunmarrow^OH^44761^USA^C"),
        ("AD", "Mailing address", "6490 Osprey Hatch Way^^Dunmarrow^OH^44761^USA^M"),
        ("XPN", "Patient name", "Wraxalldene^Florentyna^^^^^L"),
    ],
)
def test_the_type_of_an_address_or_name_is_no_answer(kind, label, value):
    """The letter that says what kind of address or name a value is stays; the value does not."""
    found = _obx(kind, "100^{}^L")(label, value)
    assert found[-2:] == value[-2:]
    assert found.split("^")[0] != value.split("^")[0]


@pytest.mark.parametrize("question", ["Chart", "Account type", "License class", "Health plan"])
@pytest.mark.parametrize("system", ["99L", "99LAB", "LOC1"])
def test_the_system_of_a_coded_answer_is_no_answer(question, system):
    """Only the code and its text answer; the name of the system says how to read them."""
    row = f"OBX|1|CWE|X1^{question}^99L||SN^Snellen^{system}||||||F"
    assert row in _released(f"{HEAD}OBR|1|||X^Panel^L\r{row}\r")


def test_a_number_or_name_in_the_place_of_a_system_is_an_answer():
    """What is no name of a system, or has no code beside it, is replaced."""
    for question, value in [
        ("Chart", "^^8392A"),
        ("Chart", "SN^Snellen^839201"),
        ("Chart", "^^99L"),
        ("Last name", "SN^Snellen^Okonkwo"),
    ]:
        row = f"OBX|1|CWE|X1^{question}^99L||{value}||||||F"
        assert row not in _released(f"{HEAD}OBR|1|||X^Panel^L\r{row}\r"), value


def test_a_name_in_an_answer_goes_from_other_texts():
    """A name that a label makes certain is replaced alike wherever the message has it."""
    rows = "OBR|1|||X^Panel^L\rOBX|1|ST|1^Informant^L||Okolita||||||F\r"
    note = "OBX|2|TX|2^Note^L||Okolita gives it twice daily.||||||F\r"
    one, other = _released(HEAD + rows + note).split("\r")[-3:-1]
    name = one.split("|")[5]
    assert name != "Okolita"
    assert other.split("|")[5] == f"{name} gives it twice daily."


def test_a_title_repeated_is_no_answer():
    """A text that repeats its title says nothing of a person."""
    assert "INSURANCE PROVIDERS" in PLACES["Composition"](
        "Insurance Providers", "INSURANCE PROVIDERS"
    )


@pytest.mark.parametrize(
    ("language", "label", "value"),
    [
        ("de", "Nachname", "Tverberg"),
        ("de", "Beruf", "Glasbläser"),
        ("de", "Wohnort", "Fernhollow"),
        ("de", "Hausarzt", "Tverberg"),
        ("de", "Krankenkasse-Nr", "A77120"),
        ("de", "Straße", "Lindenweg"),
        ("de", "Kennzeichen", "XX-YZ 77"),
        ("de", "Geburtsmonat", "09"),
        ("es", "Día de nacimiento", "17"),
        ("es", "Apellidos", "Okolita Tverberg"),
        ("es", "Profesión", "Soplador de vidrio"),
        ("es", "Pueblo", "Fernhollow"),
        ("es", "Médico", "Tverberg"),
        ("es", "Apodo", "Bex"),
        ("es", "Teléfono", "7713 55"),
        ("es", "DNI", "7712345Q"),
    ],
)
def test_labels_of_the_language_of_the_message(language, label, value):
    """German and Spanish labels hold across fields in messages of their language."""
    resource = {**_questionnaire(label, value), "language": language}
    assert value not in _released(json.dumps(resource, ensure_ascii=False))


@pytest.mark.parametrize(
    ("language", "label", "value"),
    [
        ("de", "Vater", "Diabetes"),
        ("de", "Hausarzt", "informiert"),
        ("es", "Padre", "Infarto"),
        ("es", "Pueblo", "No"),
    ],
)
def test_ordinary_answers_of_the_language_of_the_message_stay(language, label, value):
    """Diseases of kin, and answers that name nobody, stay in German and Spanish messages."""
    resource = {**_questionnaire(label, value), "language": language}
    found = json.loads(_released(json.dumps(resource, ensure_ascii=False)))
    assert found["item"][0]["answer"][0]["valueString"] == value


@given(
    label=st.sampled_from(["Last name", "First name", "Maiden name", "Nickname", "Surname"]),
    name=st.from_regex(
        r"[BDFGKLMNPRTV][aeiou][bdfgklmnprtv]{1,2}[aeiou][dklnrstx]{1,2}", fullmatch=True
    ),
    place=st.sampled_from(sorted(PLACES)),
)
@settings(max_examples=60, deadline=None)
def test_no_name_stays_beside_its_label(label, name, place):
    """Whatever a name is, it does not stay where the label beside it asks for a name."""
    assert name not in PLACES[place](label, name)


@pytest.mark.parametrize("place", [_fhir(_questionnaire, "item", 0, "answer", 0, "valueString")])
@pytest.mark.parametrize(
    ("label", "value"),
    [
        ("Referring doctor", "Grimsditch"),
        ("Name for baby if girl", "Seraphinette"),
        ("If yes, who?", "Barnabette"),
        ("Sibling names and ages", "Ludovine 7"),
    ],
)
def test_a_name_that_no_list_has_answers_a_question_for_people(place, label, value):
    """The whole answer to a question for a person is a name, although no list has it."""
    assert value.split()[0] not in place(label, value)


@pytest.mark.parametrize("place", [_obx("ST", "X^{}^L"), _fhir(_observation, "valueString")])
@pytest.mark.parametrize(
    ("label", "value"),
    [
        ("Pain now", "7/10"),
        ("Grip right", "4/5"),
        ("Positive cores", "3/12"),
        ("How many cores positive?", "3/12"),
        ("Mini-Cog", "3/5"),
        ("Mood 0-10", "6/10"),
    ],
)
def test_a_fraction_that_answers_a_question_for_a_score_stays(place, label, value):
    """Behind its question a whole answer is a score, strength or count, and no date."""
    assert place(label, value) == value


@pytest.mark.parametrize("place", [_obx("ST", "X^{}^L"), _fhir(_observation, "valueString")])
@pytest.mark.parametrize("label", ["Date of last pain", "Pain onset", "Next visit", "Comment"])
def test_a_fraction_that_answers_another_question_is_a_date(place, label):
    """A question for a day, or for nothing in particular, makes no score of a fraction."""
    assert place(label, "7/10") != "7/10"
