"""Folders of views: the shipped ones compile, a site's replace them, bad files are named."""

from __future__ import annotations

import json

import pytest

from adapter.errors import RuleError
from adapter.mart.views import compile_view
from adapter.mart.views.folder import read_views
from adapter.rules.folder import shipped
from tests.checks.views import SCHEMA

SHIPPED = shipped("rules") / "mart" / "views"
VIEW = {
    "name": "ours",
    "resource": "Patient",
    "select": [{"column": [{"name": "v", "path": "id"}]}],
}


def test_the_shipped_views():
    """There is a view for each kind of resource that messages bring."""
    names = "allergy condition encounter immunization medication note observation order patient"
    assert [*names.split(), "procedure", "report"] == [v.name for v in read_views([SHIPPED])]


@pytest.mark.parametrize("view", read_views([SHIPPED]), ids=lambda view: view.name)
def test_shipped_views_name_known_elements(view):
    """Each path of a shipped view is one that FHIR R4 has, and each column is described."""
    compiled = compile_view(view, SCHEMA)
    touched = {pair for column in compiled.columns for pair in column.touched}
    assert [] == [(owner, name) for owner, name in touched if owner is None]
    assert [] == [
        (owner, name)
        for owner, name in touched
        if not any(key.startswith(name.removeprefix("_")) for key in SCHEMA.get(owner, ()))
    ]
    assert [] == [column.name for column in compiled.columns if not column.description]


def test_a_sites_view_replaces_a_shipped_one(tmp_path):
    """A site's folder adds views, and its view of a shipped name is taken instead."""
    for name in ("ours", "patient"):
        (tmp_path / f"{name}.json").write_text(json.dumps({**VIEW, "name": name}), "utf-8")
    views = {view.name: view for view in read_views([SHIPPED, tmp_path])}
    assert {"ours", "patient", "report"} <= set(views)
    assert 1 == len(views["patient"].select.selects[0].columns)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"resource": ', "bad.json:1: not JSON: Expecting value"),
        ("[]", "bad.json: must be a JSON object"),
        ('{"resource": "Patient", "select": 3}', "bad.json: select: must be a list"),
    ],
)
def test_a_bad_file_is_named(tmp_path, text, message):
    """A file that is no ViewDefinition is named with the place of what is wrong."""
    (tmp_path / "bad.json").write_text(text, "utf-8")
    with pytest.raises(RuleError) as caught:
        read_views([tmp_path])
    assert message == str(caught.value)


def test_two_views_of_one_name_in_a_folder(tmp_path):
    """Two files of a folder may not define the same view."""
    for name in ("a", "b"):
        (tmp_path / f"{name}.json").write_text(json.dumps(VIEW), "utf-8")
    with pytest.raises(RuleError, match=r"^b\.json: view ours is also in a\.json$"):
        read_views([tmp_path])


def test_a_missing_folder():
    """A folder that is not there is named."""
    with pytest.raises(RuleError, match=r"^nowhere: no such folder of views$"):
        read_views([SHIPPED / "nowhere"])
