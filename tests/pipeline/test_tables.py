"""Tables in attachments and notes: the cells of people and their numbers, and those of results."""

from __future__ import annotations

import base64
import json

import pytest

from adapter.pipeline.process import process
from adapter.types import Position, Record
from tests.corpus.runs import ruleset


def attached(text, language="en"):
    """Released text of an attachment of the type of the table."""
    patient = {"resourceType": "Patient", "id": "p", "name": [{"family": "Quaverley"}]}
    data = base64.b64encode(text.encode()).decode()
    attachment = {"contentType": "text/csv", "language": language, "data": data}
    document = {
        "resourceType": "DocumentReference",
        "id": "d",
        "language": language,
        "status": "current",
        "subject": {"reference": "Patient/p"},
        "content": [{"attachment": attachment}],
    }
    bundle = {
        "resourceType": "Bundle",
        "type": "collection",
        "entry": [{"resource": patient}, {"resource": document}],
    }
    outcome = process(Record(json.dumps(bundle).encode(), Position("docs", 0, 0)), ruleset())
    resource = json.loads(outcome.value)["entry"][1]["resource"]
    return base64.b64decode(resource["content"][0]["attachment"]["data"]).decode()


@pytest.mark.parametrize(
    ("text", "gone", "kept", "language"),
    [
        (
            "last,first,dob,mrn,test,glucose\nRains,Grace,1961-02-14,00481882,K,104\n",
            ["Rains", "Grace", "1961-02-14", "00481882"],
            [",K,104\n"],
            "en",
        ),
        (
            'PatientName;birthDate;Diagnosis;A1c\n"Little; Faith";02/11/1955;Diabetes mellitus;8.4',
            ["Little", "Faith", "02/11/1955"],
            ["Diabetes mellitus;8.4"],
            "en",
        ),
        (
            "order_id,ordering_provider,test,result\nR5519203,Bright,Lipase,44",
            ["R5519203", "Bright"],
            ["Lipase,44"],
            "en",
        ),
        (
            "nachname;vorname;geburtsdatum;fallnummer;natrium\nKurz;Heide;14.02.1961;30098812;138",
            ["Kurz", "Heide", "14.02.1961", "30098812"],
            [";138"],
            "de",
        ),
        (
            "last_name|first_name|dob|Natrium\nKurz|Heide|14.02.1961|138",
            ["Kurz", "Heide", "14.02.1961"],
            ["|138"],
            "de",
        ),
        (
            "apellido,nombre,fecha_nacimiento,historia,glucosa\nBlanco,Luz,14/02/1961,4418823,104",
            ["Blanco", "Luz", "14/02/1961", "4418823"],
            [",104"],
            "es",
        ),
        (
            "lastname,firstname,birthdate,patientid,glucosevalue\nRains,Hope,1961-02-14,00481882,104\n",
            ["Rains", "Hope", "1961-02-14", "00481882"],
            [",104\n"],
            "en",
        ),
        (
            '"lastName": "Rains", "firstName": "Hope", "mrn": "00481882", "glucose": 104',
            ["Rains", "Hope", "00481882"],
            ['"glucose": 104'],
            "en",
        ),
        (
            "LAST        FIRST     DOB         GLU\nRAINS       HOPE      1961-02-14  104",
            ["RAINS", "HOPE", "1961-02-14"],
            ["  104"],
            "en",
        ),
        (
            "last,Rains\nfirst,Hope\ndob,1961-02-14\nmrn,00481882\nglucose,104",
            ["Rains", "Hope", "1961-02-14", "00481882"],
            ["glucose,104"],
            "en",
        ),
    ],
)
def test_cells_of_people_and_of_results(text, gone, kept, language):
    """Names that are words and numbers of people go; tests, values and diseases stay."""
    shown = attached(text, language)
    assert not [value for value in gone if value in shown]
    assert not [value for value in kept if value not in shown]


@pytest.mark.parametrize(
    "text",
    [
        "Test,Result,Units,Flag\nGlucose,104,mg/dL,H\nLipase,44,U/L,",
        "Name,Dose,Route\nMetoprolol,25 mg,PO\nColace,100 mg,PO",
        "Problems, medications, allergies\nReviewed, updated, none",
        "Seen with patient; nurse; social worker\nPlan reviewed; questions answered; family agrees",
    ],
)
def test_tables_without_people_stay(text):
    """Results, drugs and lists in prose are nobody's."""
    assert attached(text) == text
