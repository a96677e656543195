"""Spanish lexicons: built of lists and frequencies, sealed, and of the words they should hold."""

from __future__ import annotations

import gzip
import hashlib
import json
import tomllib
from pathlib import Path

import pytest

from adapter.taggers.wordlists import Lexicon
from adapter.train.lexicons.spanish import SpanishSources, build, lower_case, words_outside

LEXICONS = Path(__file__).resolve().parents[3] / "rules" / "lexicons"
FOLDERS = sorted(path.parent for path in LEXICONS.glob("es-*/source.toml"))
LARGEST = 1_500_000


def test_lower_case_outweighs_capitals():
    """A word counts as ordinary where its small form is more probable, accents folded."""
    probabilities = {"león": -11.9, "León": -9.6, "riñón": -12.0, "Riñón": -14.0, "y/o": -9.0}
    assert ["rinon"] == list(lower_case(probabilities))


def test_words_outside_annotations():
    """Capitalised words and words within spans are not counted."""
    document = {"text": "Juan tiene tos y calle mayor", "spans": [{"start": 17, "end": 28}]}
    assert ["tiene", "tos", "y"] == list(words_outside(document))


def test_build(tmp_path):
    """Lists, additions and frequencies become sealed items with their strengths."""
    lists = tmp_path / "lists"
    lists.mkdir()
    files = {
        "es_given_ine.tsv": "Maria Jose\tF\t64\t50\nKo\tM\t2\t30\n",
        "es_surname_ine.tsv": "De La Torre\t1024\nVega\t512\n",
        "x_female_wiktionary.txt": "Astrid\n",
        "x_male_wiktionary.txt": "Ole\n",
        "x_surname_wiktionary.txt": "Hansen\n",
        "es_city_geonames.tsv": "Úbeda\t51\t32768\n",
        "es_city_geonames_alt.txt": "Ubeda la Real\n",
        "x_city_geonames15000.tsv": "Oslo\tNO\t524288\n",
        "es_profession_meddoprof.tsv": "médico de familia\t8\n",
    }
    for name, text in files.items():
        (lists / name).write_text(text, "utf-8")
    probabilities = tmp_path / "prob.json.gz"
    words = {"riñón": -12.0, "gastritis": -14.5, "de": -3.0}
    probabilities.write_bytes(gzip.compress(json.dumps(words).encode()))
    corpus = tmp_path / "cases.jsonl"
    corpus.write_text(json.dumps({"text": "polineuropatía " * 3, "spans": []}) + "\n", "utf-8")
    out = tmp_path / "out"
    (out / "es-city").mkdir(parents=True)
    (out / "es-city" / "additions.txt").write_text("Londres\n", "utf-8")
    (out / "es-city" / "source.toml").write_text('what = "towns"\n', "utf-8")
    build(SpanishSources(lists, probabilities, [corpus]), out)
    items = {folder.name: (folder / "items.txt").read_text("utf-8") for folder in out.iterdir()}
    assert "astrid\t1\njose\t6\nmaria\t6\nole\t1\n" == items["es-given"]
    assert "de la torre\t10\nhansen\t1\nvega\t9\n" == items["es-family"]
    assert "londres\t1\noslo\t19\nubeda\t15\nubeda la real\t1\n" == items["es-city"]
    assert "de\t14\ngastritis\t3\nrinon\t5\n" == items["es-ordinary"]
    assert "gastritis\npolineuropatia\t2\n" == items["es-medical"]
    assert "medico de familia\t4\n" == items["es-job"]
    assert "digest" in tomllib.loads((out / "es-city" / "source.toml").read_text("utf-8"))


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_shipped_lists_are_sealed(folder):
    """A shipped list is the one its source names, says where it is from, and is not too large."""
    source = tomllib.loads((folder / "source.toml").read_text("utf-8"))
    items = (folder / "items.txt").read_bytes()
    assert f"sha256:{hashlib.sha256(items).hexdigest()}" == source["digest"]
    assert {"what", "origin", "licence", "columns", "date"} <= source.keys()
    assert len(items) < LARGEST


@pytest.mark.parametrize(
    ("name", "held", "missing"),
    [
        ("es-given", "remedios", "de"),
        ("es-family", "de la torre", "de la"),
        ("es-city", "palma de mallorca", "riñon"),
        ("es-ordinary", "rodilla", "gonzalez"),
        ("es-medical", "adenocarcinoma", "mesa"),
        ("es-job", "camarera", "rodilla"),
        ("es-country", "marruecos", "granada"),
        ("es-eponym", "guillain - barre", "rodilla"),
    ],
)
def test_shipped_lists_hold_what_they_should(name, held, missing):
    """A telling word is on the list, and one that would mislead is not."""
    lexicon = Lexicon.parse((LEXICONS / name / "items.txt").read_text("utf-8"))
    assert held in lexicon
    assert missing not in lexicon
