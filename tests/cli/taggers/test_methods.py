"""``train --method`` and ``tag --method``: a published system learned, kept and run."""

from __future__ import annotations

import json

import pytest

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
