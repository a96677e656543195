"""Names at every place of a mention, and headers of files, in whole messages."""

from __future__ import annotations

import pytest

from adapter.pipeline.process import process
from adapter.types import Position, Record, Release
from tests.corpus.runs import ruleset

HEAD = "MSH|^~\\&|ADT|NORTH|EHR|SOUTH|20240314101500||ORU^R01|C1|P|2.5.1\r"


def released(name, text, profile="research"):
    """(fields of PID-5, the note) of a report about somebody of a name."""
    raw = f"{HEAD}PID|1||44120987^^^NORTH^MR||{name}||19310823|M\r"
    raw += f"OBR|1||||||20240314\rOBX|1|TX|11506-3^Note^LN||{text}||||||F\r"
    outcome = process(Record(raw.encode(), Position("", 0, 0)), ruleset(profile))
    assert isinstance(outcome, Release), outcome
    lines = outcome.value.decode().split("\r")
    pid, obx = (next(x for x in lines if x.startswith(kind)) for kind in ("PID", "OBX"))
    return pid.split("|")[5].split("^"), obx.split("|")[5]


@pytest.mark.parametrize(
    "text",
    [
        "{} Okonkwo was seen.",
        "{}'s wound is dry.",
        "Daughter of {}: well.",
        "Signed: {} Okonkwo",
        "pt {} c/o pain",
    ],
)
@pytest.mark.parametrize(
    ("name", "short"),
    [("Robert", "Bob"), ("Robert", "Bobby"), ("Robert", "Robt"), ("Bob", "Robert"),
     ("Bob", "Bobby"), ("Elizabeth", "Liz"), ("William", "Billy"), ("Charles", "Chas")],
)  # fmt: skip
def test_short_forms_become_the_given_names_surrogate(text, name, short):
    """Full name, short and pet forms are one person's at every place of a mention."""
    (family, given), note = released(f"Okonkwo^{name}", text.format(short))
    assert text.replace("Okonkwo", family).format(given) == note


def test_a_short_form_of_a_middle_name_becomes_its_surrogate():
    """Somebody who goes by the middle name is who he is."""
    (_, _, middle), note = released("Okonkwo^Robert^James", "Jim slept well. Jimmy's leg hurts.")
    assert f"{middle} slept well. {middle}'s leg hurts." == note


@pytest.mark.parametrize("letter", ["O", "E"])
def test_a_family_name_of_one_letter(letter):
    """It is a name in fields and beside a title or given name; elsewhere it is a letter."""
    text = (
        f"Mr. {letter} slept. Anna {letter} ate. {letter}, Anna left. Vitamin {letter} was given."
    )
    (family, given), note = released(f"{letter}^Anna", text)
    assert len(family) > 1
    expected = f"Mr. {family} slept. {given} {family} ate. {family}, {given} left."
    assert f"{expected} Vitamin {letter} was given." == note


@pytest.mark.parametrize("profile", ["research", "safe-harbor", "limited-dataset"])
def test_headers_of_files_and_batches_name_nobody(profile):
    """Names of files, comments and trailers, where no patient is known, are dropped."""
    record = "|okonkwo_t_19610704.hl7|Batch for Thaddeus Okonkwo MRN 90817263|90817263|REF7"
    head = "^~\\&|A|NORTH|X|Y|20240314|s"
    raw = f"FHS|{head}{record}\rBHS|{head}{record}\r{HEAD}"
    raw += "PID|1||90817263^^^NORTH^MR||Okonkwo^Thaddeus||19610704|M\r"
    raw += "BTS|1|for Okonkwo\rFTS|1|file of Thaddeus Okonkwo\r"
    outcome = process(Record(raw.encode(), Position("", 0, 0)), ruleset(profile))
    assert isinstance(outcome, Release), outcome
    lines = outcome.value.decode().split("\r")
    text = "".join(line for line in lines if not line.startswith(("MSH", "PID"))).lower()
    assert not [x for x in ("okonkwo", "thaddeus", "90817263", "19610704") if x in text]
    assert [["", ""], ["", ""]] == [line.split("|")[8:10] for line in lines[:2]]


@pytest.mark.parametrize("profile", ["research", "safe-harbor"])
@pytest.mark.parametrize(
    "text",
    [
        "She is a ninety-three year old woman.", "A hundred-year-old woman.", "turned ninety-five.",
        "A nonagenarian lady.", "Her mother died at ninety-four.", "He is 101 years old.",
        "She is 96", "A woman of 93 years.", "93 years young.", "Her ninety-seventh birthday.",
        "Die dreiundneunzigjährige Patientin wurde heute aufgenommen.",
        "Die Patientin ist dreiundneunzig Jahre alt und wurde gestern entlassen.",
        "Paciente de noventa y tres años con dolor en el pecho desde ayer.",
        "Varón de ciento dos años que vive con su familia en casa.",
    ],
)  # fmt: skip
def test_ages_over_89_in_words(profile, text):
    """An age over 89 is capped however it is said."""
    note = released("Okonkwo^Robert", text, profile)[1].lower()
    ages = ("ninety", "hundred", "genarian", "neunzig", "noventa", "ciento", "101", "96", "93")
    assert not [word for word in ages if word in note], note
