"""German lexicons: built of lists and clusters, sealed, and of the words they should hold."""

from __future__ import annotations

import gzip
import hashlib
import json
import tomllib
from pathlib import Path

import pytest

from adapter.train.lexicons.german import (
    GermanSources,
    additions,
    build,
    clusters_of,
    is_title,
    lower_case,
    spellings,
    town_forms,
)

LEXICONS = Path(__file__).resolve().parents[3] / "rules" / "lexicons"
FOLDERS = sorted(path.parent for path in LEXICONS.glob("de-*/source.toml"))


def test_umlauts_bare_and_written_out():
    """A word is held as folding leaves it, and with its umlauts written out."""
    assert {"muller", "mueller"} == spellings("Müller")
    assert {"weis", "weiss"} == spellings("Weiß")


def test_titles_are_a_capital_and_small_letters():
    """Acronyms and inner capitals are no candidates for a name."""
    assert [True, False, False] == [is_title(word) for word in ("Weber", "USA", "DocMorris")]


def test_small_words_outweigh_their_capitals():
    """A word counts as a small one if its capitalised form is not much commoner."""
    probabilities = {"klein": -9.7, "Klein": -11.0, "weber": -15.8, "Weber": -11.1}
    assert {"klein": -9.7} == lower_case(probabilities)


def test_clusters_are_known_by_what_they_hold():
    """A cluster is chosen when enough of its common words are on the list."""
    names = [f"Name{chr(97 + i // 26)}{chr(97 + i % 26)}" for i in range(40)]
    nouns = [f"Ding{chr(97 + i // 26)}{chr(97 + i % 26)}" for i in range(40)]
    probabilities = dict.fromkeys(names + nouns, -12.0)
    clusters = dict.fromkeys(names, 1) | dict.fromkeys(nouns, 2)
    known = {name.lower() for name in names[:20]}
    assert {1} == clusters_of(names + nouns, known, 0.5, probabilities, clusters)


def test_towns_with_saints():
    """Saints are held in full and short, brackets and second names are left out."""
    assert {"sankt polten", "st . polten", "sankt poelten", "st . poelten"} == set(
        town_forms("Sankt Pölten")
    )
    assert {"zurich", "zuerich"} == set(town_forms("Zürich (Kreis 3)"))


def test_additions_are_folded_and_keep_their_strength(tmp_path):
    """What is compiled by hand is written as people write it and held folded."""
    (tmp_path / "additions.txt").write_text("Köln\t15\nSt. Pölten\n", "utf-8")
    assert {"koln": 15, "koeln": 15, "st . polten": 0, "st . poelten": 0} == additions(tmp_path)


def test_build_is_the_same_twice(tmp_path):
    """The builder fills the folders that have a card, seals them, and gives the same again."""
    lists = {
        "de_given_koeln.tsv": "Mila\t30\n",
        "en_given_ssa.tsv": "Linda\tF\t99693\t1947\n",
        "es_given_ine.tsv": "Jose\tM\t706051\t58.3\n",
        "de_person_names_germaner.list": "Müller\n",
        "de_city_geonames.tsv": "Köln\t07\t1024621\n",
        "de_at_city_geonames.tsv": "Graz\t06\t303270\n",
        "de_ch_city_geonames.tsv": "Bern\tBE\t121631\n",
        "x_city_geonames15000.tsv": "Lagos\tNG\t15388000\n",
        "de_city_geonames_alt.txt": "Kolonia\n",
        "de_medical_terms_ratschlab.txt": "Zytokeratin\n",
    }
    for name, text in lists.items():
        (tmp_path / name).write_text(text, "utf-8")
    for name, table in {"prob": {"haus": -9.0, "Haus": -10.0}, "cluster": {"haus": 3}}.items():
        with gzip.open(tmp_path / f"de_lexeme_{name}.json.gz", "wt") as stream:
            json.dump(table, stream)
    out = tmp_path / "out"
    for name in ("de-given", "de-family", "de-city", "de-ordinary", "de-medical"):
        (out / name).mkdir(parents=True)
        (out / name / "source.toml").write_text('what = "x"\n', "utf-8")
    written = []
    for _ in range(2):
        build(GermanSources(tmp_path, tmp_path), out)
        written.append({p: p.read_bytes() for p in sorted(out.glob("*/*"))})
    assert written[0] == written[1]
    assert "mueller\nmuller\n" == (out / "de-family" / "items.txt").read_text("utf-8")
    assert "haus\t2\n" == (out / "de-ordinary" / "items.txt").read_text("utf-8")


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_lexicon_is_sealed_and_small(folder):
    """Each folder says where its items come from; digest and size are as promised."""
    card = tomllib.loads((folder / "source.toml").read_text("utf-8"))
    data = (folder / "items.txt").read_bytes()
    assert f"sha256:{hashlib.sha256(data).hexdigest()}" == card["digest"]
    assert {"what", "origin", "licence", "columns", "date"} <= card.keys()
    assert len(data) < 1_500_000
    assert not any(word in card["licence"] for word in ("BY-SA", "GPL"))
    rows = data.decode().splitlines()
    assert sorted(set(rows)) == sorted(rows)


@pytest.mark.parametrize(
    ("lexicon", "words"),
    [
        ("de-given", "brigitte siegfried mehmet kornel"),
        ("de-family", "muller mueller klein weber schafer"),
        ("de-city", "wien munchen muenchen graz essen zurich"),
        ("de-ordinary", "klein haus patient der untersuchung"),
        ("de-medical", "oberarzt epikrise anamnese"),
    ],
)
def test_known_words(lexicon, words):
    """Well-known names and words are on their lists, whatever their umlauts."""
    rows = (LEXICONS / lexicon / "items.txt").read_text("utf-8").splitlines()
    items = {row.partition("\t")[0] for row in rows}
    assert set() == set(words.split()) - items


def test_names_are_no_ordinary_words():
    """Names that are no words besides are not called ordinary."""
    rows = (LEXICONS / "de-ordinary" / "items.txt").read_text("utf-8").splitlines()
    items = {row.partition("\t")[0] for row in rows}
    assert set() == items & {"muller", "schmidt", "meier", "brigitte", "wien", "munchen"}
