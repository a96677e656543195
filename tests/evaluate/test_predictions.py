"""What a system found, joined to the texts."""

from __future__ import annotations

import json

import pytest

from adapter.errors import RuleError
from adapter.evaluate.annotations import Mention, as_mentions
from adapter.evaluate.predictions import read_pairs
from adapter.types import Label, Span
from tests.evaluate.cases import document

GOLD = [document("Ann Lee", (0, 7, "PATIENT"), name="1"), document("Rome", name="b")]
SPAN = {"start": 0, "end": 3, "type": "DOCTOR", "source": "names", "score": 0.5}
LINES = [{"id": "b", "spans": []}, {"id": 1, "spans": [SPAN | {"start": 4, "end": 7}, SPAN]}]


def write(folder, *entries):
    """A file of JSON lines."""
    file = folder / "pred.jsonl"
    file.write_text("\n".join(map(json.dumps, entries)) + "\n")
    return file


def test_lines_come_in_the_order_of_gold(tmp_path):
    """Ids are told apart as text; spans come in order, with source and score."""
    first, second = read_pairs(GOLD, write(tmp_path, *LINES))
    assert (GOLD[0], GOLD[1], ()) == (first[0], *second)
    assert (Mention(0, 3, "DOCTOR", "names", 0.5), Mention(4, 7, "DOCTOR", "names", 0.5)) == first[
        1
    ]


BAD = {
    json.dumps({"id": "c", "spans": []}): "has an id that is not in the gold",
    json.dumps({"id": "b", "spans": []}): "has the id of an earlier text",
    json.dumps({"id": 1}): "has no list of spans",
    json.dumps({"id": 1, "spans": [SPAN | {"end": 8}]}): (
        "[0, 8) is not an extent in a text of 7 characters"
    ),
    json.dumps({"id": 1, "spans": [SPAN | {"type": "CALLE"}]}): (
        "has an unknown label or category in span 1"
    ),
    json.dumps({"id": 1, "spans": [{"start": 0, "end": 1}]}): (
        "has a span without start, end and type"
    ),
    json.dumps({"id": 1, "spans": [SPAN | {"score": "high"}]}): (
        "has a span with an invalid start, end, type or score"
    ),
    "{": "is not JSON, or nested too deeply",
}


@pytest.mark.parametrize(("line", "problem"), BAD.items())
def test_a_bad_line_is_named(tmp_path, line, problem):
    """By file and line."""
    file = write(tmp_path, LINES[0])
    file.write_text(file.read_text() + line + "\n")
    with pytest.raises(RuleError) as result:
        read_pairs(GOLD, file)
    assert (f"{file}:2", problem) == (result.value.place, result.value.problem)


def test_texts_without_a_line_are_told(tmp_path):
    """What was not tagged is not scored as if nothing had been found."""
    with pytest.raises(RuleError, match="lacks 1 texts of the gold, the first is number 1 there"):
        read_pairs(GOLD, write(tmp_path, LINES[0]))


def test_brat_and_xml(tmp_path):
    """Files are named as the texts; the gold's text is the one their offsets are of."""
    (tmp_path / "1.ann").write_text("T1\tPER 0 7\tAnn Lee\nT2\tMISC 0 3\tAnn\n")
    (tmp_path / "b.xml").write_text('<x><TAGS><LOCATION start="0" end="4" TYPE="CITY"/></TAGS></x>')
    (_, one), (_, two) = read_pairs(GOLD, tmp_path)
    assert ((Mention(0, 7, "NAME", "PER"),), (Mention(0, 4, "CITY", "CITY"),)) == (one, two)


def test_source_labels(tmp_path):
    """All of a source's labels count as they are."""
    gold = GOLD[:1]
    (tmp_path / "1.ann").write_text("T1\tPER 0 7\tAnn Lee\nT2\tMISC 0 3\tAnn\n")
    ((_, found),) = read_pairs(gold, tmp_path, source_labels=True)
    assert {"PER", "MISC"} == {mention.type for mention in found}
    lines = write(tmp_path, {"id": 1, "spans": [SPAN | {"type": "CALLE"}]})
    ((_, found),) = read_pairs(gold, lines, source_labels=True)
    assert "CALLE" == found[0].type


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (
            '<x><TAGS><NAME start="0" end="9" TYPE="PATIENT"/></TAGS></x>',
            "is not an extent in a text of 7 characters",
        ),
        ("<x><TEXT>Bob Lee</TEXT></x>", "has a text that differs from the gold"),
    ],
)
def test_xml_of_another_text(tmp_path, content, problem):
    """It is refused before it is scored."""
    (tmp_path / "1.xml").write_text(content)
    with pytest.raises(RuleError, match=problem):
        read_pairs(GOLD[:1], tmp_path)


def test_a_folder_without_predictions(tmp_path):
    """It is told."""
    with pytest.raises(RuleError, match=r"has no \.ann or \.xml files"):
        read_pairs(GOLD, tmp_path)


def test_spans_of_the_taggers_are_mentions():
    """With their source and score."""
    spans = [Span(0, 3, Label.DOCTOR, "crf", 0.7, 40)]
    assert (Mention(0, 3, "DOCTOR", "crf", 0.7),) == as_mentions(spans)
