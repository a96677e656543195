"""What a store holds becomes what a release is made from."""

from __future__ import annotations

import datetime as dt
import json
from types import SimpleNamespace

import pytest

from adapter.errors import RuleError
from adapter.mart.release.mart import days_of, earlier_of
from adapter.mart.release.plan import Day, Earlier
from adapter.mart.store.protocol import Count

LANDED = dt.date(2026, 11, 2)


@pytest.mark.parametrize(
    ("output", "topic"),
    [("{topic}.deid", "hl7.in.deid"), ("deid.{topic}", "deid.hl7.in"), ("{topic}", "hl7.in")],
)
def test_released_and_held_messages_are_of_one_source(output, topic):
    """An output topic counts as its input, which is where what is held was."""
    counts = (
        Count(LANDED, topic, "hl7v2", "ADT^A01", "released", "", "", 7, 2),
        Count(LANDED, "hl7.in", "", "", "held", "leak", "pattern", 3, 0),
    )
    found = days_of(SimpleNamespace(counts=lambda: counts), output)
    assert found == (
        Day("2026-11-02", "hl7.in", "ADT^A01", "released", 7, 2),
        Day("2026-11-02", "hl7.in", "", "held", 3, 0, "leak/pattern"),
    )


def test_a_release_that_the_store_missed(tmp_path):
    """One that is in the folder alone counts as made; what is half written does not."""
    for name, folder in (("a", "a"), ("b", "b"), ("c", ".c.partial")):
        (tmp_path / folder).mkdir()
        manifest = json.dumps({"name": name, "key": f"k{name}"})
        (tmp_path / folder / "manifest.json").write_text(manifest, "utf-8")
    store = SimpleNamespace(releases=lambda: (SimpleNamespace(name="a", key_id="k0"),))
    assert (Earlier("a", "k0"), Earlier("b", "kb")) == earlier_of(store, tmp_path)
    assert (Earlier("a", "k0"),) == earlier_of(store, tmp_path / "none")


@pytest.mark.parametrize("text", ["{", "[]", '{"name": "a"}'])
def test_what_is_no_release_among_releases_is_named(tmp_path, text):
    """Which keys were released under must be known before another release is made."""
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "manifest.json").write_text(text)
    with pytest.raises(RuleError, match="is not a manifest of a release"):
        earlier_of(SimpleNamespace(releases=tuple), tmp_path)
