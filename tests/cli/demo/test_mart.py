"""The demo's mart: released records are loaded, released to researchers, and asked about."""

from __future__ import annotations

import io
import json
from types import SimpleNamespace

import pytest
from rich.console import Console

from adapter.cli.demo.mart import QUESTIONS, show_mart
from adapter.types import Position, Record

pytestmark = pytest.mark.every_language

duckdb = pytest.importorskip("duckdb")


def records():
    """Released records of thirty patients with a visit, a result and a diagnosis each."""
    for number in range(30):
        sex = "F" if number % 2 else "M"
        lines = (
            f"MSH|^~\\&|LAB|H1|EHR|H2|20240102||ADT^A01^ADT_A01|C{number}|P|2.5",
            f"PID|1||MRN{number}^^^H1^MR||OKAFOR^ADA||19600102|{sex}",
            f"PV1|1|I|||||||||||||||||V{number}|||||||||||||||||||||||||202401020800",
            "DG1|1||J18.9^Pneumonia^I10||20240102|A",
        )
        result = (
            f"MSH|^~\\&|LAB|H1|EHR|H2|20240103||ORU^R01^ORU_R01|R{number}|P|2.5",
            f"PID|1||MRN{number}^^^H1^MR||OKAFOR^ADA||19600102|{sex}",
            f"PV1|1|I|||||||||||||||||V{number}",
            f"OBR|1|O{number}|F{number}|2160-0^Creatinine^LN|||20240103",
            f"OBX|1|NM|2160-0^Creatinine^LN||1.{number % 10}|mg/dL|||||F|||20240103",
        )
        for kind, message in enumerate((lines, result)):
            offset = 2 * number + kind
            value = ("\r".join(message) + "\r").encode()
            headers = (("deid-id", f"{offset:032x}".encode()), ("deid-key", b"demo"))
            yield Record(value, Position("released", 0, offset), None, headers)


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    """What is printed, and the folder of the release."""
    out = tmp_path_factory.mktemp("demo")
    broker = SimpleNamespace(records=lambda _topic: list(records()))
    text = io.StringIO()
    show_mart(Console(file=text, width=120), SimpleNamespace(broker=broker), out)
    return text.getvalue(), out / "mart" / "releases" / "demo"


def test_five_questions_have_answers(shown):
    """Each question is printed with its SQL and a table of its answer."""
    text, _ = shown
    assert "30 persons are in the release" in text
    assert QUESTIONS.read_text("utf-8").count("[[question]]") == 5
    assert all(f"{number}. " in text for number in range(1, 6))
    assert text.count("SELECT") >= 5
    for answer in ("Creatinine", "Pneumonia", "female"):
        assert answer in text


def test_the_demo_goes_through_the_gate(shown):
    """The release is one like any other: with reports, and no cell of few persons."""
    _, folder = shown
    assert json.loads((folder / "risk.json").read_text("utf-8"))["k"] >= 11
    assert (folder / "index.html").exists()
