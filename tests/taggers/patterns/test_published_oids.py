"""Roots of object identifiers in texts are those that are known in fields."""

from __future__ import annotations

import tomllib

import pytest

from adapter.taggers.document.document import read
from adapter.taggers.document.resources import Resources
from adapter.taggers.document.sections import SectionRules
from adapter.taggers.patterns.tagger import PatternTagger
from adapter.types import Veto


@pytest.fixture(scope="module")
def tagger(repository):
    """The patterns for object identifiers."""
    family = tomllib.loads((repository / "rules/patterns/any/oids.toml").read_text("utf-8"))
    return PatternTagger(Resources("any", (family,), {}, SectionRules({})))


def test_every_published_root_stays_in_texts(repository, tagger):
    """With a short arc behind it; with a long one it may hold somebody's number."""
    publishers = (repository / "rules/fields/publishers.toml").read_text("utf-8")
    found = {}
    for root in tomllib.loads(publishers)["oids"]:
        for arc in ("1", "44718823"):
            text = f"object {root}.{arc} here"
            items = tagger.find(read(text, "any", SectionRules({})))
            found[root, arc] = {i.rule for i in items if isinstance(i, Veto)}
    assert [] == [
        key for key, rules in found.items() if (key[1] == "1") != ("oids.published" in rules)
    ]
