"""Names whose letters a charset damaged, in fields, in texts, or in both."""

from __future__ import annotations

import pytest

from adapter.pipeline.process import process
from adapter.types import Position, Record
from tests.corpus.runs import ruleset

MESSAGE = (
    "MSH|^~\\&|A|B|C|D|20240101||ADT^A08|1|P|2.5.1||||||UNICODE UTF-8\r"
    "PID|1||123456^^^H^MR||{field}^Anselm||19800101|F\rNTE|1||{text}\r"
)
SENTENCES = "Frau {} war da.", "Seen {} today.", "Anselm {} called; {}: no fever"


def misread(name):
    """A name in UTF-8 whose bytes were read as Latin-1."""
    return name.encode().decode("latin-1")


def lost(name):
    """A name whose letters beyond ASCII were written as question marks."""
    return name.encode("ascii", "replace").decode()


def unreadable(name):
    """A name whose letters beyond ASCII were read as no character."""
    return name.encode("latin-1").decode("ascii", "replace")


def test_a_word_that_a_damaged_name_leaves_stays():
    """French for nose is what is left of Núñez."""
    raw = MESSAGE.format(field="Núñez", text="Le nez coule, M. N??ez tousse.").encode()
    released = process(Record(raw, Position("a", 0, 0)), ruleset("research")).value.decode()
    assert "Le nez coule" in released
    assert "??ez" not in released


@pytest.mark.parametrize("profile", ["research", "safe-harbor"])
@pytest.mark.parametrize("name", ["Müllerbeck", "Öhlströßner", "Núñezgil", "Großmannau"])
@pytest.mark.parametrize(
    ("field", "text"),
    [
        (misread, misread),
        (str, misread),
        (lost, lost),
        (str, lost),
        (unreadable, unreadable),
        (str, unreadable),
    ],
)
def test_nothing_of_a_damaged_name_is_left(name, profile, field, text):
    """No four letters in a row of the name leave, however it is written."""
    for sentence in SENTENCES:
        said = sentence.replace("{}", text(name))
        raw = MESSAGE.format(field=field(name), text=said).encode()
        outcome = process(Record(raw, Position("a", 0, 0)), ruleset(profile))
        released = outcome.value.decode()
        parts = [name[at : at + 4] for at in range(len(name) - 3)]
        assert not any(part in released for part in parts if part.isascii())
