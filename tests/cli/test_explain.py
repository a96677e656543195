"""``deid-adapter explain``."""

from __future__ import annotations

import json
import re

import pytest

from adapter.types import Label


@pytest.fixture(scope="module")
def folder(tmp_path_factory, messages):
    """A folder with one message of each kind, and one that is held."""
    folder = tmp_path_factory.mktemp("explain")
    (folder / "a.hl7").write_bytes(messages["oru"])
    (folder / "b.json").write_bytes(messages["patient"])
    (folder / "c.txt").write_bytes(b"John Quillfeather")
    (folder / "d.hl7").write_bytes(messages["adt"] + b"ZPI|1|<b>bold [red]\r" + messages["oru"])
    return folder


@pytest.fixture(scope="module")
def lines(folder, invoke, key):
    """The messages of the folder, as JSON says them."""
    result = invoke("explain", folder, "--json", "--key", key)
    assert 0 == result.exit_code
    return [json.loads(line) for line in result.stdout.splitlines()]


def note_of(line):
    """The segment that is a note."""
    return next(s for s in line["segments"] if s["datatype"] == "TX")


def test_a_line_for_each_message(lines, folder):
    """File, format, kind and outcome stand on a line for each message, in name order."""
    names = [folder / name for name in ("a.hl7", "b.json", "c.txt", "d.hl7", "d.hl7")]
    assert [str(name) for name in names] == [line["file"] for line in lines]
    assert {"file", "format", "kind", "outcome", "segments"} == set(lines[0])
    assert ["ORU^R01", "Patient", "", "ADT^A01", "ORU^R01"] == [line["kind"] for line in lines]
    assert ["release", "release", "hold:decode/unknown-format"] == [
        line["outcome"] for line in lines[:3]
    ]


def test_rows_of_a_note_are_one_segment(lines):
    """A note over several OBX rows is one text, its lines joined."""
    note = note_of(lines[0])
    assert "OBX[1..2]-5" == note["path"]
    assert "Mr. Quillfeather was seen by\nDr. Wexcombe on 01/03/2024." == note["text"]


def test_offsets_match_the_text(lines):
    """Spans are of the segment's text, in order, apart, and have a known label."""
    note = note_of(lines[0])
    found = [(s["label"], note["text"][s["start"] : s["end"]]) for s in note["spans"]]
    assert [
        ("PATIENT", "Quillfeather"),
        ("DOCTOR", "Wexcombe"),
        ("DATE", "01/03/2024"),
    ] == found
    for line in lines:
        for segment in line["segments"]:
            ends = 0
            for span in segment["spans"]:
                assert ends <= span["start"] < span["end"] <= len(segment["text"])
                assert span["label"] in set(Label)
                ends = span["end"]


def test_surrogates_are_those_of_the_output(lines, run_cli, folder, key):
    """What explain shows is what the same key puts into the output."""
    note = note_of(lines[0])
    text = note["text"]
    for span in reversed(note["spans"]):
        text = text[: span["start"]] + span["surrogate"] + text[span["end"] :]
    out = run_cli("file", "-", "-o", "-", "--key", key, stdin=(folder / "a.hl7").read_bytes())
    rows = [row.split(b"|")[5] for row in out.stdout.split(b"\r") if row.startswith(b"OBX")]
    assert text.encode() == b"\n".join(rows)


def test_a_terminal_shows_what_is_dropped_and_why(folder, invoke, key):
    """A dropped field is shown as it is, whatever marks it has; mentions have their reason."""
    result = invoke("explain", folder / "d.hl7", "--key", key)
    assert 0 == result.exit_code
    assert "<b>bold [red]" in result.stdout
    assert re.search(r"0-12 PATIENT QUILLFEATHER -> \S+ +field 1.00 patient", result.stdout)


def test_a_page_escapes_what_it_shows(folder, invoke, key, tmp_path):
    """Markup in a message is text on the page."""
    page = tmp_path / "page.html"
    assert 0 == invoke("explain", folder, "--html", page, "--key", key).exit_code
    text = page.read_text("utf-8")
    assert "&lt;b&gt;bold [red]" in text
    assert '<mark class="NAME"' in text
    assert "only with people who may see it" in text


def test_a_missing_file_is_refused(invoke, tmp_path):
    """A name that is no file ends with status 2."""
    assert 2 == invoke("explain", tmp_path / "none").exit_code


def test_a_page_is_a_new_file_of_its_owner(folder, invoke, key, tmp_path):
    """Nothing is overwritten, as little as the message that is explained."""
    page = tmp_path / "page.html"
    assert 0 == invoke("explain", folder, "--html", page, "--key", key).exit_code
    assert 0o600 == page.stat().st_mode & 0o777
    refused = invoke("explain", folder, "--html", page, "--key", key)
    assert "page.html: already exists" in str(refused.exception)
