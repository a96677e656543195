"""``train --method`` and ``tag --method``: a published system learned, kept and run."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from adapter.errors import RuleError
from adapter.methods.model_folder import read
from adapter.methods.model_folder import write as keep

TOWNS = ("Norwich", "Ipswich", "Swansea", "Preston")


def line(number, text, start, kind, **more):
    """A line of an annotated corpus with one span."""
    span = {"start": start, "end": text.index(" ", start), "type": kind}
    return json.dumps({"id": f"{kind}{number}", "lang": "en", "text": text, "spans": [span]} | more)


def write(path, lines):
    """Write lines to a file and return it."""
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


@pytest.fixture(scope="module")
def corpora(tmp_path_factory):
    """Notes and news."""
    folder = tmp_path_factory.mktemp("corpora")
    texts = [f"She moved to {TOWNS[number % 4]} by train.\n" for number in range(24)]
    news = (line(number, text, 13, "LOCATION") for number, text in enumerate(texts))
    notes = [line(0, "Seen by Keller today.\n", 8, "DOCTOR")]
    return write(folder / "notes.jsonl", notes), write(folder / "news.jsonl", news)


def test_texts_of_other_domains_are_learned_from(invoke, corpora, tmp_path):
    """``--elsewhere`` teaches a town that no rule knows; the model finds it in other texts."""
    notes, news = corpora
    model = tmp_path / "model"
    named = ("--method", "variants-ood")
    made = invoke("train", *named, notes, "--elsewhere", news, "-o", model)
    assert made.exit_code == 0, made.output
    text = "She moved to Vrosham by train.\n"
    source = write(tmp_path / "texts.jsonl", [json.dumps({"id": "a", "text": text})])
    tagged = invoke("tag", *named, "--model", model, source, "-o", "-")
    assert tagged.exit_code == 0, tagged.output
    (span,) = json.loads(tagged.stdout)["spans"]
    assert (text[span["start"] : span["end"]], span["type"]) == ("Vrosham", "CITY")


@pytest.fixture(scope="module")
def identifiers(invoke, tmp_path_factory):
    """A folder of a brat corpus, which names no language, and a model learned from it."""
    folder = tmp_path_factory.mktemp("brat")
    (folder / "a.txt").write_text("Name: Keller\nTown: Preston\nJob\tof patient: none\n")
    (folder / "a.ann").write_text("T1\tDOCTOR 6 12\tKeller\nT2\tCITY 19 26\tPreston\n")
    made = invoke(
        "train", "--method", "identifier-rules", folder, "--lang", "en", "-o", folder / "model"
    )
    assert made.exit_code == 0, made.output
    return folder / "model"


def test_brat_corpora_are_learned_from(invoke, identifiers, tmp_path):
    """``--lang`` is the language of texts that name none; a tab before a colon breaks no table."""
    source = write(tmp_path / "texts.jsonl", [json.dumps({"id": "a", "text": "Name: Vrosham"})])
    chosen = ("--method", "identifier-rules", "--model", identifiers)
    tagged = invoke("tag", *chosen, source, "-o", "-")
    assert tagged.exit_code == 0, tagged.output
    assert ["DOCTOR"] == [span["type"] for span in json.loads(tagged.stdout)["spans"]]
    other = json.dumps({"id": "a", "text": "Name: Vrosham", "lang": "de"})
    refused = invoke("tag", *chosen, write(source, [other]), "-o", "-")
    assert "is not in the model's language 'en'" in str(refused.exception)


def test_a_damaged_model_is_named_with_its_folder(invoke, identifiers, tmp_path):
    """A file that is none of the method's, and a language without rules."""
    kept = read(identifiers)
    source = write(tmp_path / "texts.jsonl", [json.dumps({"id": "a", "text": "x"})])
    damaged = [
        (replace(kept, files=dict.fromkeys(kept.files, b"\xff")), "identifiers.tsv: "),
        (replace(kept, language="qq"), "method.toml: no rules for its language"),
    ]
    for number, (model, said) in enumerate(damaged):
        folder = tmp_path / f"m{number}"
        keep(folder, model)
        refused = invoke(
            "tag", "--method", "identifier-rules", "--model", folder, source, "-o", "-"
        )
        assert str(refused.exception).startswith(f"{folder}/{said}")


def test_a_corpus_in_a_language_without_rules_is_named(invoke, tmp_path):
    """The corpus is the place, since no setting was given."""
    corpus = write(tmp_path / "c.jsonl", [line(0, "Seen by Keller today.", 8, "DOCTOR", lang="qq")])
    refused = invoke("train", "--method", "identifier-rules", corpus, "-o", tmp_path / "model")
    assert str(refused.exception).startswith(f"{corpus}: no rules for its language")


def test_a_file_is_no_folder_of_a_model(invoke, corpora):
    """The file stays as it is."""
    notes = corpora[0]
    before = notes.read_bytes()
    refused = invoke("train", "--method", "identifier-rules", notes, "-o", notes)
    assert str(refused.exception) == "--out: is not a folder"
    assert before == notes.read_bytes()


@pytest.mark.parametrize(
    ("arguments", "place"),
    [
        (("--method", "crf", "--folds", 3), "--folds"),
        (("--method", "crf", "--by", "file"), "--by"),
        (("--method", "crf", "--predictions", "spans"), "--predictions"),
        (("--method", "crf", "--jobs", 2), "--jobs"),
        (("--data", ".", "--seed", 3), "--seed"),
        (("--data", ".", "--header"), "--header"),
        (("--data", ".", "--lang", "en"), "--lang"),
    ],
)
def test_options_without_effect_are_refused_in_training(
    invoke, corpora, tmp_path, arguments, place
):
    """A method has no folds, a recipe no seed but its own."""
    refused = invoke("train", corpora[0], *arguments, "-o", tmp_path / "model")
    assert isinstance(refused.exception, RuleError)
    assert place in str(refused.exception)


@pytest.mark.parametrize(
    "arguments",
    [("--header",), ("--lang", "en"), ("--labels", "source"), ("--recall", 0.99)],
)
def test_options_without_effect_are_refused_in_tagging(invoke, corpora, identifiers, arguments):
    """A trained method has its own language, fields and types."""
    chosen = ("--method", "identifier-rules", "--model", identifiers)
    refused = invoke("tag", *chosen, corpora[0], "-o", "-", *arguments)
    assert f"{arguments[0]}: has no effect" in str(refused.exception)


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        ([], "has no texts"),
        ([{"id": "a", "text": "Slept.", "lang": "en", "spans": []}], "has no mentions"),
        ([{"id": "a", "text": "\ud800", "lang": "en", "spans": []}], "half of a surrogate pair"),
        ([{"id": "a", "text": "x", "lang": ["en"], "spans": []}], "lang that is not a text"),
    ],
)
def test_corpora_that_teach_nothing_are_refused(invoke, tmp_path, texts, said):
    """The message names the file."""
    corpus = write(tmp_path / "texts.jsonl", [json.dumps(text) for text in texts])
    refused = invoke("train", "--method", "crf", corpus, "-o", tmp_path / "model")
    assert isinstance(refused.exception, RuleError)
    assert said in str(refused.exception)
    assert "texts.jsonl" in str(refused.exception)


def test_one_corpus_twice_is_refused(invoke, corpora, tmp_path):
    """Its texts would count twice."""
    notes = corpora[0]
    refused = invoke("train", "--method", "crf", notes, notes, "-o", tmp_path / "model")
    assert "same corpus twice" in str(refused.exception)


def test_other_domains_are_of_the_same_language(invoke, corpora, tmp_path):
    """German news teach no English."""
    news = write(tmp_path / "news.jsonl", [line(0, "Ulm ist da.\n", 0, "CITY", lang="de")])
    arguments = (corpora[0], "--elsewhere", news, "-o", tmp_path / "model")
    refused = invoke("train", "--method", "variants-ood", *arguments)
    assert "has texts of another language" in str(refused.exception)
