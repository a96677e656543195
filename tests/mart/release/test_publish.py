"""A release is whole or not there, in the order of its persons, without what was made up."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import random
import re
import stat
from pathlib import Path

import duckdb
import pytest

from adapter.errors import RuleError
from adapter.mart.omop.tables import read_rules
from adapter.mart.release import files
from adapter.mart.release.plan import Day, Earlier, Refused, Resource
from adapter.mart.release.publish import publish
from adapter.mart.views import read_definition
from tests.mart.order_attack import simulated, worst
from tests.mart.order_attack import table as attack_table
from tests.mart.release.sample import (
    CANARY,
    CODES,
    LEFT_OUT,
    QUASI,
    RULES,
    SCHEMA,
    VIEWS,
    hospital,
    plan,
    source,
)

PERSONS = hospital(400)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A release of the sample hospital: its folder, and what the steward keeps."""
    folder = tmp_path_factory.mktemp("releases")
    days = [
        Day("2026-11-01", "hl7.in.deid", "ADT^A01", "released", 640, 3),
        Day("2026-11-01", "hl7.in.deid", "ADT^A01", "held", 21, reason="leak/known-value"),
        Day("2026-11-02", "hl7.in.deid", "ORU^R01", "released", 4),
    ]
    refused = [Refused("ZPI-2", "no-map", 40), Refused("OBX-5", "no-type", 2)]
    found = publish(source(PERSONS, days=days, refused=refused), plan(), folder)
    return folder / "first", found


def table(folder, name):
    """A table of a release as dictionaries."""
    found = duckdb.execute(f"FROM '{folder / name}.parquet'")
    columns = [column[0] for column in found.description]
    return [dict(zip(columns, row, strict=True)) for row in found.fetchall()]


def test_the_files(made):
    """A release has a Parquet file for each view, reports, a page, and the digest of each."""
    folder, _ = made
    names = {path.name for path in folder.iterdir()}
    reports = {"dictionary.json", "quality.json", "risk.json", "manifest.json", "index.html"}
    assert names == {f"{view.name}.parquet" for view in VIEWS} | reports
    listed = json.loads((folder / "manifest.json").read_text("utf-8"))["files"]
    found = {p.name: hashlib.sha256(p.read_bytes()).hexdigest() for p in folder.iterdir()}
    assert listed == {name: digest for name, digest in found.items() if name != "manifest.json"}


def test_columns_that_nobody_judged_are_told_of(tmp_path):
    """A rare code is counted by its persons, unless the gate was asked about it."""
    diagnoses = [resource for resource in PERSONS if resource.resource_type == "Condition"][:5]
    codes = "|".join(map(re.escape, CODES))
    odd = [
        each._replace(body=re.sub(codes, "Q87.0", each.body)) if each in diagnoses else each
        for each in PERSONS
    ]
    publish(source(odd), plan(), tmp_path)
    risk = json.loads((tmp_path / "first" / "risk.json").read_text("utf-8"))
    assert None is risk["not_judged"]["condition.code_code"]
    assert not {*QUASI} & {*risk["not_judged"]}
    assert "rare condition.code_code" in (tmp_path / "first" / "index.html").read_text("utf-8")
    asked = plan(name="second", key_id="k2", quasi_identifiers=(*QUASI, "condition.code_code"))
    publish(source(odd), asked, tmp_path)
    second = json.loads((tmp_path / "second" / "risk.json").read_text("utf-8"))
    assert "condition.code_code" not in second["not_judged"]


def test_rows_are_in_the_order_of_persons(made):
    """Rows are sorted by the person's key and then by date; keys join the tables."""
    folder, _ = made
    visits = table(folder, "encounter")
    assert visits == sorted(visits, key=lambda r: (r["person_id"], r["started"] or "~"))
    assert {r["person_id"] for r in visits} == {r["person_id"] for r in table(folder, "patient")}
    keys = {r["encounter_id"] for r in visits}
    assert {r["encounter_id"] for r in table(folder, "condition")} == keys


def test_nothing_of_the_marts_ids_and_nothing_made_up(made):
    """Neither ids of the mart nor surrogate names, towns or numbers are in any file."""
    folder, _ = made
    tables = [json.dumps(table(folder, view.name), default=str) for view in VIEWS]
    texts = [*tables, *(p.read_text("utf-8") for p in folder.iterdir() if p.suffix != ".parquet")]
    for text in texts:
        assert CANARY not in text
        assert "person1" not in text


def test_ids_of_two_releases_do_not_join(tmp_path):
    """The same persons have other keys in each release."""
    for name in ("a", "b"):
        publish(source(PERSONS), plan(name=name), tmp_path)
    ids = [{r["person_id"] for r in table(tmp_path / name, "patient")} for name in ("a", "b")]
    assert not ids[0] & ids[1]


def test_the_order_of_loading_changes_nothing_but_the_keys(tmp_path):
    """Tables of the same resources in another order have the same rows, keys apart."""
    shuffled = random.Random(7).sample(PERSONS, len(PERSONS))
    for name, resources in (("a", PERSONS), ("b", shuffled)):
        publish(source(resources), plan(name=name), tmp_path)

    def rows(name):
        return sorted(
            json.dumps({k: v for k, v in r.items() if not k.endswith("_id")}, default=str)
            for view in VIEWS
            for r in table(tmp_path / name, view.name)
        )

    assert rows("a") == rows("b")


def test_the_gate_leaves_no_small_cell(made):
    """Each cell of the released tables has eleven persons or more."""
    folder, found = made
    patients, visits = (f"'{folder / name}.parquet'" for name in ("patient", "encounter"))
    least = duckdb.execute(
        "SELECT min(n) FROM (SELECT count(DISTINCT person_id) AS n"
        f" FROM {patients} FULL JOIN {visits} USING (person_id)"
        " GROUP BY birth_year, sex, year, class)"
    ).fetchone()[0]
    assert least == json.loads((folder / "risk.json").read_text("utf-8"))["k"]
    assert least >= 11
    assert found.persons == 400


def test_what_tells_a_suppressed_value_goes_with_it(made):
    """Where a visit's year is suppressed its dates are too, and a birth year takes the date."""
    folder, _ = made
    visits = [r for r in table(folder, "encounter") if r["year"] is None]
    assert visits
    assert {(r["started"], r["ended"], r["started_date"]) for r in visits} == {(None, None, None)}
    patients = [r for r in table(folder, "patient") if r["birth_year"] is None]
    assert {r["birth_date"] for r in patients} <= {None}


def test_the_quality_report_adds_up(made):
    """For the steward consumed = released + held exactly; researchers see no small count."""
    folder, found = made
    for row in [*found.quality["messages"], found.quality["total"]]:
        assert row["consumed"] == row["released"] + row["held"]
    assert found.quality["total"]["consumed"] == 665
    assert found.quality["holds"] == [{"reason": "leak/known-value", "times": 21}]
    shown = json.loads((folder / "quality.json").read_text("utf-8"))
    assert [r["released"] for r in shown["messages"]] == [None, None]
    assert [r["times"] for r in shown["rejects"]] == [None, None]
    assert shown["total"] == {"consumed": 665, "released": 645, "held": 20}


def test_persons_that_are_nobody_are_counted(tmp_path):
    """Rows without a person are left out and counted."""
    nobody = [r._replace(person_id=None) for r in hospital(20, seed=5)]
    found = publish(source([*PERSONS, *nobody]), plan(), tmp_path)
    assert found.quality["rows_without_person"]["patient"] == 20
    assert found.persons == 400


def test_inactive_resources_are_not_released(tmp_path):
    """What was deleted or entered in error is not there."""
    gone = [r._replace(status="entered-in-error") for r in hospital(20, seed=5)]
    assert publish(source([*PERSONS, *gone]), plan(), tmp_path).persons == 400


@pytest.mark.parametrize("when", ["write_tables", "write_json", "digests"])
def test_no_half_release(tmp_path, monkeypatch, when):
    """Where writing stops midway nothing is there, and the same release can be made after.

    Beside a release its record stays until the store keeps it.
    """

    def stop(*_args):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(files, when, stop)
        with pytest.raises(KeyboardInterrupt):
            publish(source(PERSONS), plan(), tmp_path)
    assert [] == list(tmp_path.iterdir())
    publish(source(PERSONS), plan(), tmp_path)
    assert [".first.pending", "first"] == sorted(path.name for path in tmp_path.iterdir())


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"approved_by": " "}, "release first: does not name who approved it (--approved-by)"),
        (
            {"name": "../x"},
            "release: its name must be a letter, then at most 62 letters, digits, - and _",
        ),
        ({"earlier": (Earlier("first", "k0"),)}, "release first: already exists"),
        ({"minimum": 1}, "release.minimum_cell: must be at least 2"),
        ({"quasi_identifiers": ()}, "release.quasi_identifiers: must not be empty"),
        ({"quasi_identifiers": ("patient.shoe",)},
         "release.quasi_identifiers: the release has no column patient.shoe"),
        ({"sensitive": ("patient.shoe",)},
         "release.sensitive: the release has no column patient.shoe"),
        ({"minimum": 500}, "release first: has fewer than 500 persons in total"),
    ],
)  # fmt: skip
def test_the_gate_refuses(tmp_path, changes, message):
    """A release that nobody may make is refused with the reason, and nothing is written."""
    with pytest.raises(RuleError) as caught:
        publish(source(PERSONS), plan(**changes), tmp_path)
    assert message == str(caught.value)
    assert [] == list(tmp_path.iterdir())


SECOND = (
    "release first: before was made under the same key k1: replay under another key, use the"
    " profile safe-harbor, or give the reason for accepting the risk (--accept)"
)


def test_a_second_release_under_one_key(tmp_path):
    """It is made under another key, with a reason that is recorded, or with years alone."""
    before = (Earlier("before", "k1"),)
    with pytest.raises(RuleError, match=re.escape(SECOND)):
        publish(source(PERSONS), plan(earlier=before), tmp_path)
    publish(source(PERSONS), plan(name="rekeyed", key_id="k2", earlier=before), tmp_path)
    accepted = plan(name="accepted", earlier=before, acceptance="two projects, one team")
    publish(source(PERSONS), accepted, tmp_path)
    risk = json.loads((tmp_path / "accepted" / "risk.json").read_text("utf-8"))
    assert ("two projects, one team", ["before"]) == (risk["acceptance"], risk["earlier"])
    publish(source(years(PERSONS)), plan(name="years", earlier=before), tmp_path)


def years(resources):
    """The resources as the profile safe-harbor leaves them: years alone."""
    found = []
    for resource in resources:
        body = json.loads(resource.body)
        for key in ("birthDate", "recordedDate"):
            if key in body:
                body[key] = body[key][:4]
        if "period" in body:
            body["period"] = {key: value[:4] for key, value in body["period"].items()}
        found.append(resource._replace(body=json.dumps(body)))
    return found


def test_a_sites_view_is_checked_too(tmp_path):
    """A site's column of a made-up element is left out with the reason, whatever hides it."""
    paths = {
        "state": "address.state.first()",
        "town": "address.city.first()",
        "initial": "name.family.first().substring(0, 1)",
        "whole": "name.first().toString()",
        "joined": "name.given.join('')",
        "json": "address.first()",
        "seen": "meta.lastUpdated",
        "raw": "link.other.reference.first()",
    }
    tag = {"name": "disclosure", "value": "attribute"}
    columns = [{"name": name, "path": path, "tag": [tag]} for name, path in paths.items()]
    names = {"forEach": "name.given", "column": [{"name": "given", "path": "$this"}]}
    view = {"name": "ours", "resource": "Patient", "select": [{"column": columns}, names]}
    sources = source(PERSONS)
    views = [*VIEWS, read_definition(view, "ours.json")]
    publish(type(sources)(PERSONS, views, SCHEMA, LEFT_OUT), plan(), tmp_path)
    assert {"person_id", "state"} == set(table(tmp_path / "first", "ours")[0])
    listed = json.loads((tmp_path / "first" / "dictionary.json").read_text("utf-8"))
    reasons = next(t["left_out"] for t in listed if t["table"] == "ours")
    assert {"given", *paths} - {"state"} == {r["name"] for r in reasons}


@pytest.fixture(scope="module")
def attacked(tmp_path_factory):
    """A simulated feed, and its rows as a release has them: (person, day, key of the row)."""
    folder = tmp_path_factory.mktemp("attacked")
    feed = simulated()
    publish(source(_loaded(feed)), plan(quasi_identifiers=("patient.sex",)), folder)
    told = {r["person_id"]: int(r["state"]) for r in table(folder / "first", "patient")}
    rows = table(folder / "first", "observation")
    return feed, [(told[r["person_id"]], int(r["value_number"]), r["observation_id"]) for r in rows]


@pytest.mark.parametrize(
    "order", [None, lambda row: row[2], lambda row: row[1]], ids=["released", "by key", "by day"]
)
def test_the_order_of_rows_does_not_tell_the_shift(attacked, order):
    """Attacks that find all shifts in the order of loading find few in a release's rows."""
    feed, rows = attacked
    assert worst(feed.rows, feed.shift).near >= 0.9
    seen = rows if order is None else sorted(rows, key=order)
    persons, days = [row[0] for row in seen], [row[1] for row in seen]
    released, truth = attack_table(persons, days, dict(enumerate(feed.shift)))
    assert len(seen) == len(feed.true)
    assert worst(released, truth).near <= 0.1


def _loaded(feed):
    """Resources in the order of loading; the state and the value let the test know them again."""
    pairs = zip(feed.rows.person, feed.rows.day, strict=True)
    for number, (person, day) in enumerate(pairs):
        patient = {"resourceType": "Patient", "gender": "male", "address": [{"state": str(person)}]}
        result = {
            "resourceType": "Observation",
            "id": f"o{number}",
            "status": "final",
            "effectiveDateTime": str(dt.date.fromordinal(int(day))),
            "valueQuantity": {"value": int(day)},
        }
        for body in (patient, result):
            yield Resource(
                body["resourceType"], f"{number}", feed.names[person], "active", json.dumps(body)
            )


def test_omop_tables(tmp_path):
    """On demand there are tables of the OMOP CDM too, and the manifest has their digests."""
    rules = read_rules(RULES / "mart" / "omop")
    publish(source(PERSONS, omop=rules), plan(), tmp_path)
    folder = tmp_path / "first"
    assert {f"{n}.parquet" for n in rules.columns} == {p.name for p in (folder / "omop").iterdir()}
    listed = json.loads((folder / "manifest.json").read_text("utf-8"))["files"]
    assert "omop/person.parquet" in listed
    visits = table(folder, "omop/visit_occurrence")
    assert len(visits) == sum(r["started"] is not None for r in table(folder, "encounter"))


def test_the_page_stands_alone(made):
    """The page draws its pictures itself and loads nothing."""
    folder, _ = made
    text = Path(folder / "index.html").read_text("utf-8")
    assert text.count("<svg") >= 6
    assert "http" not in text
    assert "src=" not in text


def test_what_is_needed_while_a_release_is_made_is_the_stewards_alone(tmp_path):
    """The tables as they were before the gate lie in a folder that nobody else may open."""
    with files.work_folder(tmp_path, "first") as work:
        assert 0o700 == stat.S_IMODE(work.stat().st_mode)
    assert not work.exists()
