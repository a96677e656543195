"""Families of patterns with the fragments that they share."""

from __future__ import annotations

import pytest

from adapter.rules.families import families
from adapter.rules.folder import Folder


@pytest.fixture
def folder(tmp_path):
    """Rules with fragments for all languages and for one."""
    for name, text in {
        "fragments/any.toml": "ward = 'ward'\nbed = 'bed'\n",
        "fragments/qx.toml": "bed = 'bett'\n",
        "patterns/any/all.toml": "family = 'all'\n",
        "patterns/qx/own.toml": "family = 'own'\n[fragments]\nward = 'saal'\n",
        "patterns/qy/own.toml": "family = 'own'\n",
    }.items():
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return Folder(tmp_path)


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("any", {"ward": "ward", "bed": "bed"}),
        ("qx", {"ward": "saal", "bed": "bett"}),
        ("qy", {"ward": "ward", "bed": "bed"}),
        ("qz", None),
    ],
)
def test_of_two_fragments_the_nearer_counts(folder, language, expected):
    """The family's own, then that of its language, then that for all languages."""
    found = [family.table["fragments"] for family in families(folder.rules, language)]
    assert found == ([] if expected is None else [expected])
