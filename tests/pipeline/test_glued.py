"""Names inside words of texts are replaced, where the leak check would find them."""

from __future__ import annotations

import pytest

from adapter.pipeline.process import process
from adapter.types import Position, Record, Release
from tests.corpus.runs import ruleset

HEAD = (
    "MSH|^~\\&|A|B|C|D|20240101||ORU^R01|1|P|2.5.1||||||UNICODE UTF-8\r"
    "PID|1||123456^^^H^MR||{family}^{given}||19610317|F\rOBR|1||5|11506-3^Progress note^LN\r"
)


def _note(text, family="Rosenbaum", given="Ottilie"):
    raw = f"{HEAD}OBX|1|TX|11506-3^Note^LN||{text}||||||F\r".format(family=family, given=given)
    outcome = process(Record(raw.encode(), Position("glued", 0, 0)), ruleset())
    assert isinstance(outcome, Release)
    return outcome.value.decode().split("\r")[3].split("|")[5]


@pytest.mark.parametrize(
    "text",
    [
        "posts with #justiceforrosenbaum today",
        "see #rosenbaumstrong and #prayforottilie",
        "the Rosenbaumville clinic",
        "a sleepROSENBAUM",
    ],
)
def test_a_word_that_contains_a_name_is_replaced(text):
    """A long name inside any word goes with the word; nothing is held."""
    told = _note(text).casefold()
    assert "rosenbaum" not in told
    assert "ottilie" not in told


def test_a_word_that_ends_in_a_shorter_name_is_replaced():
    """A name of six letters counts at the end of a word only."""
    assert "okafor" not in _note("see #helpokafor now", family="Okafor").casefold()


@pytest.mark.parametrize("word", ["Kivihirsentiellä", "KIVIHIRSENTIELTÄ", "kivihirsentiestä"])
def test_a_word_that_contains_a_street_is_replaced(word):
    """Languages inflect the names of streets; nothing is held."""
    raw = f"{HEAD}OBX|1|TX|11506-3^Note^LN||Asuu {word} nyt.||||||F\r".format(family="A", given="B")
    raw = raw.replace("||19610317|F", "||19610317|F|||Kivihirsentie 4^^Oulu")
    outcome = process(Record(raw.encode(), Position("glued", 0, 0)), ruleset())
    assert isinstance(outcome, Release)
    assert b"hirsentie" not in outcome.value.lower()


def test_a_title_joined_to_a_name_without_blanks_stays():
    """In a script without blanks only the name is replaced."""
    text = "ผู้ป่วย นายธนกฤต ศรีสุวรรณพงศ์ มาตรวจ"
    told = _note(text, family="ศรีสุวรรณพงศ์", given="ธนกฤต")
    assert "ธนกฤต" not in told
    assert "ศรีสุวรรณพงศ์" not in told
    assert "นาย" in told
    assert "มาตรวจ" in told


@pytest.mark.parametrize(
    "text",
    ["Parkinsonism worse.", "takes Sinemet for parkinsons", "a parkinsonian gait"],
)
def test_words_made_of_a_disease_stay(text):
    """The disease that a patient is called after stays in words made of its name."""
    assert _note(text, family="Parkinson", given="Harold") == text


@pytest.mark.parametrize(
    "text", ["the parkinsons came", "Mr. Parkinson has Parkinsonism", "#helpparkinson"]
)
def test_the_name_is_replaced_beside_the_disease(text):
    """Only what says a disease keeps the name; a title or a family does not."""
    told = _note(text, family="Parkinson", given="Harold")
    assert "parkinson" not in told.casefold().replace("parkinsonism", "")
