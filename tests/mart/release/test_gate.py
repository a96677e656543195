"""The gate's cells, and its figures beside those of pycanon."""

from __future__ import annotations

import json
import random

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapter.mart.release.columns import LeftOut
from adapter.mart.release.gate import pass_gate, sizes_of
from adapter.mart.release.resources import fill
from adapter.mart.release.risk import l_diversity
from adapter.mart.release.tables import make_tables
from adapter.mart.views import read_definition
from tests.mart.release.sample import LEFT_OUT, SCHEMA, hospital, plan

PATIENT = {
    "name": "patient",
    "resource": "Patient",
    "select": [
        {
            "column": [
                {"name": "sex", "path": "gender"},
                {"name": "year", "path": "birthDate.substring(0, 4)"},
                {"name": "born", "path": "birthDate"},
            ]
        }
    ],
}
QUASI = ("patient.sex", "patient.year")
PEOPLE = st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 5)), min_size=5, max_size=60)


def gated(people, minimum):
    """The rows of persons (sex, birth year) behind the gate, and what the gate says."""
    bodies = [{"gender": sex, "birthDate": f"196{year}-01-01"} for sex, year in people]
    resources = [
        hospital(1)[0]._replace(person_id=f"p{n}", body=json.dumps(body))
        for n, body in enumerate(bodies)
    ]
    with duckdb.connect() as connection:
        fill(connection, resources)
        views = [read_definition(PATIENT, "patient.json")]
        tables = make_tables(connection, views, SCHEMA, LeftOut(LEFT_OUT), "salt")
        passed = pass_gate(connection, tables, plan(quasi_identifiers=QUASI, minimum=minimum))
        return connection.execute("SELECT sex, year, born FROM patient").fetchall(), passed


@settings(max_examples=25)
@given(PEOPLE, st.integers(2, 5))
def test_no_cell_is_small(people, minimum):
    """Whatever the persons, each cell behind the gate has the minimum, the suppressed one too."""
    rows, passed = gated(people, minimum)
    cells = [row[:2] for row in rows]
    assert len(rows) == len(people)
    assert min(cells.count(cell) for cell in cells) == passed.k >= minimum
    assert all(born is None for _, year, born in rows if year is None)


@settings(max_examples=15)
@given(st.lists(st.sampled_from(["a", "b"]), min_size=4, max_size=30))
def test_large_cells_stay(sexes):
    """Where every cell is large enough nothing is suppressed."""
    people = [(sex, 0) for sex in [*sexes, *"aaabbb"]]
    rows, passed = gated(people, 3)
    assert sorted(rows) == sorted((sex, "1960", "1960-01-01") for sex, _ in people)
    assert {0} == {n for _, n in passed.suppressed} or passed.suppressed == ()


def test_one_lone_person_hides_among_others():
    """A suppressed person alone would be known by it: the smallest cell is suppressed as well."""
    people = [("a", 0)] * 12 + [("b", 1)] * 20 + [("c", 2)]
    rows, _ = gated(people, 11)
    cells = [row[:2] for row in rows]
    assert {("b", "1961"): 20, (None, None): 13} == {c: cells.count(c) for c in set(cells)}


@pytest.mark.parametrize("seed", range(12))
def test_figures_equal_pycanons(seed):
    """The least cell and the least diversity are those that pycanon counts on the same table."""
    pycanon = pytest.importorskip("pycanon.anonymity")
    draw = random.Random(seed)
    rows = [
        (f"p{n}", draw.choice("ab"), draw.choice("xyz"), draw.choice(["I10", "E11", "J45"]))
        for n in range(draw.randint(5, 80))
    ]
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE t (person_id VARCHAR, a VARCHAR, b VARCHAR, s VARCHAR)")
        connection.executemany("INSERT INTO t VALUES (?, ?, ?, ?)", rows)
        frame = connection.execute("FROM t").df()
        quasi = ["a", "b"]
        assert pycanon.k_anonymity(frame, quasi) == sizes_of(connection, "t", "a, b")[0]
        assert pycanon.l_diversity(frame, quasi, ["s"]) == l_diversity(connection, "t", quasi, "s")
