"""Readers of annotated corpora."""

from __future__ import annotations

import json

import pytest

from adapter.errors import RuleError
from adapter.evaluate.annotations import Mention
from adapter.evaluate.corpora.labels import MEDDOCAN, label_of
from adapter.evaluate.corpora.readers import read_corpus
from adapter.types import Label

TEXT = "Sra. Quillfeather, 41 años.\r\nCP 28046 Madrid."
LINE = {
    "id": 7,
    "text": TEXT,
    "lang": "es",
    "spans": [
        {"start": 19, "end": 21, "type": "AGE", "cat": "AGE", "orig": "EDAD"},
        {"start": 5, "end": 17, "type": "NAME"},
    ],
    "extra_spans": [{"start": 0, "end": 4, "orig": "TITULO"}],
    "meta": {"unlabelled": ["DATE"], "ward": "3"},
}
ANN = (
    "T1\tNOMBRE_SUJETO_ASISTENCIA 5 17\tQuillfeather\n"
    "#1\tAnnotatorNotes T1\tsure\n"
    "T2\tSEXO_SUJETO_ASISTENCIA 0 4\tSra.\n"
    "T3\tTERRITORIO 32 37;38 44\t28046 Madrid\n"
)
XML = """<?xml version="1.0" encoding="UTF-8" ?>
<deIdi2b2>
<TEXT><![CDATA[Mr. Quillfeather, Lane House]]></TEXT>
<TAGS>
<LOCATION id="P1" start="18" end="28" text="Lane House" TYPE="OTHER" comment="" />
<NAME id="P0" start="4" end="16" text="Quillfeather" TYPE="PATIENT" comment="" />
</TAGS>
</deIdi2b2>
"""


def write(file, *entries):
    """A file of JSON lines, a blank one among them."""
    file.write_text("\n\n".join(json.dumps(entry) for entry in entries) + "\n", "utf-8")
    return file


def test_json_lines(tmp_path):
    """Mentions come in order, with the source's labels; what the source leaves out is kept."""
    (read,) = read_corpus(write(tmp_path / "a.jsonl", LINE))
    assert ("7", TEXT, "es") == (read.id, read.text, read.language)
    assert (Mention(5, 17, "NAME"), Mention(19, 21, "AGE", "EDAD")) == read.mentions
    assert (Mention(0, 4, "TITULO", "TITULO"),) == read.extra
    assert ("3", frozenset({"DATE"})) == (read.meta["ward"], read.unlabelled)


def test_a_folder_of_json_lines(tmp_path):
    """Files are read by name, and a text without a language has the one asked for."""
    write(tmp_path / "b.jsonl", {"id": "b", "text": "", "spans": []})
    write(tmp_path / "a.jsonl", {"id": "a", "text": "", "spans": []})
    assert [("a", "de"), ("b", "de")] == [(d.id, d.language) for d in read_corpus(tmp_path, "de")]


def test_brat(tmp_path):
    """Offsets are characters of the file as it is; parts are mentions; unknown labels are extra."""
    (tmp_path / "n1.txt").write_bytes(TEXT.encode())
    (tmp_path / "n1.ann").write_text(ANN, "utf-8")
    (tmp_path / "n2.txt").write_text("Nada.", "utf-8")
    first, second = read_corpus(tmp_path, "es")
    assert ("n1", "n2", ()) == (first.id, second.id, second.mentions)
    found = [(m.type, first.text[m.start : m.end]) for m in first.mentions]
    assert [("PATIENT", "Quillfeather"), ("ZIP", "28046"), ("LOCATION", "Madrid")] == found
    assert ["SEXO_SUJETO_ASISTENCIA"] == [m.type for m in first.extra]


def test_i2b2_xml(tmp_path):
    """Tags come in order of place; a place's OTHER is LOCATION-OTHER."""
    (tmp_path / "110-01.xml").write_text(XML, "utf-8")
    (read,) = read_corpus(tmp_path / "110-01.xml", "en")
    found = [(m.type, m.source_label, read.text[m.start : m.end]) for m in read.mentions]
    assert [
        ("PATIENT", "PATIENT", "Quillfeather"),
        ("LOCATION-OTHER", "OTHER", "Lane House"),
    ] == found
    assert ("110-01", "en") == (read.id, read.language)


SPAN = {"start": 0, "end": 4, "type": "NAME"}
BAD_LINES = {
    "nonsense": "is not JSON, or nested too deeply",
    "[1]": "is not a JSON object with an id",
    '{"text": "x"}': "is not a JSON object with an id",
    '{"id": 1, "spans": []}': "has no text, or half of a surrogate pair in it",
    '{"id": 1, "text": "x", "meta": 3}': "has a meta that is not an object",
    '{"id": 1, "text": "x"}': "has no list of spans",
    json.dumps({"id": 1, "text": "x", "spans": [SPAN]}): (
        "[0, 4) is not an extent in a text of 1 characters"
    ),
    json.dumps({"id": 1, "text": "xxxx", "spans": [SPAN | {"start": 4}]}): (
        "[4, 4) is not an extent in a text of 4 characters"
    ),
    json.dumps({"id": 1, "text": "xxxx", "spans": [SPAN | {"type": "PERSON"}]}): (
        "has an unknown label or category in span 1"
    ),
    json.dumps({"id": 1, "text": "xxxx", "spans": [SPAN | {"end": "4"}]}): (
        "has a span with an invalid start, end or type"
    ),
    json.dumps({"id": 1, "text": "xxxx", "spans": [{"start": 0}]}): (
        "has a span without start and end"
    ),
    json.dumps({"id": 1, "text": "xxxx", "spans": [7]}): "has a span without start and end",
    '{"id": "ok", "text": "", "spans": []}': "has the id of an earlier text",
}


def test_another_encoding_is_named(tmp_path):
    """A file in Latin-1 is no broken JSON."""
    file = tmp_path / "a.jsonl"
    file.write_bytes('{"id": 1, "text": "Grün", "spans": []}'.encode("latin-1"))
    with pytest.raises(RuleError, match=r"a\.jsonl:1: is not UTF-8"):
        list(read_corpus(file))


@pytest.mark.parametrize(("line", "problem"), BAD_LINES.items())
def test_a_bad_line_is_named(tmp_path, line, problem):
    """By file and line, with what is wrong and none of its content."""
    file = write(tmp_path / "a.jsonl", {"id": "ok", "text": "", "spans": []})
    with file.open("a") as stream:
        stream.write(line + "\n")
    with pytest.raises(RuleError) as result:
        list(read_corpus(file))
    assert (f"{file}:2", problem) == (result.value.place, result.value.problem)


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("a.ann", ANN, "has no .txt beside it"),
        ("a.xml", "<x><TEXT>", "is not well-formed XML"),
        ("a.xml", "<x><TAGS/></x>", "has no TEXT"),
        ("a.xml", '<!DOCTYPE x [<!ENTITY a "b">]><x/>', "declares entities"),
        ("a.xml", XML.replace('end="16"', ""), "has a tag without start and end"),
        ("a.xml", XML.replace("16", "99"), "[4, 99) is not an extent in a text of 28 characters"),
        ("a.doc", "x", "has no .jsonl, .txt with .ann, or .xml files"),
    ],
)
def test_a_bad_file_is_named(tmp_path, name, content, problem):
    """Whatever its format."""
    (tmp_path / name).write_text(content, "utf-8")
    with pytest.raises(RuleError) as result:
        list(read_corpus(tmp_path))
    assert problem == result.value.problem


@pytest.mark.parametrize("line", ["T1 NAME 0 4", "T1\tNAME 0", "T1\tNAME 0 99\tx"])
def test_a_bad_entity_is_named(tmp_path, line):
    """By file and line."""
    (tmp_path / "a.txt").write_text("xxxx")
    (tmp_path / "a.ann").write_text(f"#1\tnote\n{line}\n")
    with pytest.raises(RuleError) as result:
        list(read_corpus(tmp_path))
    assert f"{tmp_path / 'a.ann'}:2" == result.value.place


def test_source_labels_have_labels_of_ours():
    """Every label of MEDDOCAN is mapped to one that exists; sex and kin have none."""
    assert set(MEDDOCAN.values()) <= set(map(str, Label)) | {"LOCATION"}
    assert label_of("SEXO_SUJETO_ASISTENCIA", "Mujer") is None
    assert ("CITY", "NAME", "OTHER") == tuple(label_of(x, "x") for x in ("city", "PER", "OTHER"))


@pytest.mark.corpus
def test_every_corpus_can_be_read(shared_data):
    """All files, with as many mentions as their lines have."""
    for file in sorted((shared_data / "corpora").glob("*/*.jsonl")):
        if file.parent.name == "meddoprof":
            continue
        with file.open(encoding="utf-8") as stream:
            spans = sum(len(json.loads(line)["spans"]) for line in stream)
        assert spans == sum(len(d.mentions) for d in read_corpus(file)), file.name


@pytest.mark.parametrize(
    ("name", "raw", "place"),
    [
        ("a.jsonl", b'\n{"id": "\xff"}\n', "a.jsonl:2"),
        ("a.jsonl", b"[" * 200_000, "a.jsonl:1"),
        ("a.txt", b"\xff", "a.txt"),
    ],
)
def test_binary_files_are_refused_with_their_place(tmp_path, name, raw, place):
    """They are no text, whatever their name says."""
    (tmp_path / name).write_bytes(raw)
    with pytest.raises(RuleError) as refused:
        list(read_corpus(tmp_path / name, "en"))
    assert f"{tmp_path}/{place}" == refused.value.place


@pytest.mark.parametrize("unlabelled", [3, [3], "AGE"])
def test_what_is_not_annotated_is_a_list_of_texts(tmp_path, unlabelled):
    """A text instead of a list would be read by letters."""
    file = write(tmp_path / "a.jsonl", LINE | {"meta": {"unlabelled": unlabelled}})
    with pytest.raises(RuleError, match=r"a\.jsonl:1.*meta\.unlabelled"):
        list(read_corpus(file))


def test_a_byte_order_mark_is_no_part_of_the_first_line(tmp_path):
    """Some editors write one."""
    file = write(tmp_path / "a.jsonl", LINE)
    file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes())
    assert ["7"] == [text.id for text in read_corpus(file)]
