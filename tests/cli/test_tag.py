"""``deid-adapter tag``."""

from __future__ import annotations

import json

import pytest

from adapter.errors import RuleError
from adapter.types import Label

LINES = [
    {"id": 1, "text": "Seen by Dr. Wexcombe on 3/4/2021.", "lang": "en"},
    {"id": "b", "text": "No mention here."},
    {"id": "c", "text": "Zimmer slept.", "meta": {"patient_family": "Zimmer"}},
]


def jsonl(entries):
    """Lines of JSON, with a blank one among them."""
    return "\n\n".join(json.dumps(entry) for entry in entries) + "\n"


@pytest.fixture(scope="module")
def tagged(invoke, tmp_path_factory):
    """What comes of three lines."""
    folder = tmp_path_factory.mktemp("tag")
    (folder / "in.jsonl").write_text(jsonl(LINES))
    told = invoke("tag", folder / "in.jsonl", "-o", folder / "out.jsonl", "--header")
    assert 0 == told.exit_code
    return [json.loads(line) for line in (folder / "out.jsonl").read_text().splitlines()]


def test_a_line_for_each_line(tagged):
    """Ids come back in order, as they are; blank lines give none."""
    assert [1, "b", "c"] == [line["id"] for line in tagged]
    assert all(set(line) == {"id", "spans"} for line in tagged)


def test_spans_have_places_types_and_sources(tagged):
    """A span has start, end, type, source and score, and no text."""
    spans = tagged[0]["spans"]
    assert all(set(s) == {"start", "end", "type", "source", "score"} for s in spans)
    text = LINES[0]["text"]
    found = {(s["type"], text[s["start"] : s["end"]]) for s in spans}
    assert {("DOCTOR", "Wexcombe"), ("DATE", "3/4/2021")} == found
    assert all(s["type"] in set(Label) and 0 < s["score"] <= 1 for s in spans)


def test_a_text_without_mentions_has_no_spans(tagged):
    """The line is there, its list empty."""
    assert {"id": "b", "spans": []} == tagged[1]


def test_structured_fields_are_trusted_on_demand(tagged):
    """With --header the names of a line's meta are found where no rule finds them."""
    assert [(0, 6)] == [(s["start"], s["end"]) for s in tagged[2]["spans"]]


def test_standard_input_and_output(run_cli):
    """A hyphen stands for the standard streams."""
    ended = run_cli("tag", "-", "-o", "-", stdin=json.dumps(LINES[1]).encode())
    assert 0 == ended.returncode
    assert {"id": "b", "spans": []} == json.loads(ended.stdout)


@pytest.mark.parametrize("line", ['{"id": 1}', '{"id": 1, "text": 2}', "[1]", "nonsense"])
def test_a_bad_line_is_named_by_number(invoke, tmp_path, line):
    """What is no object with id and text is refused by file and line, its content not shown."""
    file = tmp_path / "in.jsonl"
    file.write_text(jsonl(LINES[1:2]) + line + "\n")
    told = invoke("tag", file, "-o", tmp_path / "out.jsonl")
    assert isinstance(told.exception, RuleError)
    assert (f"{file}:2", "is not a JSON object with id and text") == (
        told.exception.place,
        told.exception.problem,
    )


def test_an_unknown_language_is_refused(invoke, tmp_path):
    """A language without rules is never tagged by another's."""
    file = tmp_path / "in.jsonl"
    file.write_text(jsonl([{"id": 1, "text": "x", "lang": "qq"}]))
    assert isinstance(invoke("tag", file, "-o", tmp_path / "o").exception, RuleError)
