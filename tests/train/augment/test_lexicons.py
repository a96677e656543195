"""Lists of names and towns that training texts are varied with."""

from __future__ import annotations

import pytest
from typer.testing import CliRunner

from adapter.train.augment.lexicons import SOURCES, TOWNS, app

ROWS = {
    "x_surname_wiktionary.txt": "MacAllister\nSmith\nO'Brien\n",
    "es_city_geonames.tsv": "Cádiz\tAN\t116027\nRonda\tAN\t33877\nAldea\tAN\t12\n",
    "x_city_geonames15000.tsv": "Saint-Lô\tFR\t18961\nLeeds\tGB\t455123\n",
    "de_city_geonames.tsv": "Köln\tNW\t1024373\n",
}


@pytest.fixture
def built(tmp_path):
    """The folder that the command writes from a few rows."""
    lists, out = tmp_path / "lists", tmp_path / "out"
    lists.mkdir()
    out.mkdir()
    for name in {file for files in (*SOURCES.values(), *TOWNS.values()) for file in files}:
        (lists / name).write_text(ROWS.get(name, ""), "utf-8")
    result = CliRunner().invoke(app, [str(lists), "--out", str(out)])
    assert 0 == result.exit_code, result.output
    return out


def test_names_that_plain_capitals_give_are_left_out(built):
    """Only names with accents, small words or capitals inside are listed."""
    assert ["MacAllister", "Saint-Lô"] == (built / "en-written.txt").read_text("utf-8").split()


def test_towns_are_those_of_some_size(built):
    """Villages are left out; each language has the towns of its own countries."""
    assert ["Cádiz", "Ronda"] == (built / "es-town.txt").read_text("utf-8").split()
    assert ["Köln"] == (built / "de-town.txt").read_text("utf-8").split()
    assert ["Saint-Lô"] == (built / "fr-town.txt").read_text("utf-8").split()
