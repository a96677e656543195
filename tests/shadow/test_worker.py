"""Both rulesets over one record, in the shadow's process."""

from __future__ import annotations

import os

import pytest

from adapter.config.settings import load_settings
from adapter.errors import RuleError
from adapter.shadow.worker import LoadBoth, shadowed
from adapter.types import Position, Record

KEY = {"id": "s", "value": "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="}
ORU = (
    b"MSH|^~\\&|A|B|C|D|20240105||ORU^R01|2|P|2.5\r"
    b"PID|1||8841277^^^H1^MR||QUILLFEATHER^JOHN||19600102|M\r"
    b"OBX|1|TX|1^Note||Mr. Quillfeather, call 555-0142 before 01/03/2024.||||||F\r"
)


def settings(tmp_path, shadow):
    """Settings with English rules, and a vault that must stay empty."""
    return load_settings(
        keys={"surrogates": KEY},
        rules={"languages": ["en"], "taggers": ["phrases", "patterns"]},
        vault={"url": f"sqlite:///{tmp_path}/vault.db"},
        shadow={"share": 1.0, **shadow},
    )


@pytest.fixture(autouse=True)
def _unhurried(monkeypatch):
    """The test's own process keeps its priority."""
    monkeypatch.setattr(os, "nice", lambda _by: 0)


def test_what_the_shadow_says_takes_the_place_of_the_rules(tmp_path):
    """Keys that are set count, all others are those of the rules at work."""
    told = settings(tmp_path, {"profile": "safe-harbor", "languages": ["de"]})
    rules = shadowed(told).rules
    assert ("safe-harbor", ("de",)) == (rules.profile, rules.languages)
    assert told.rules.taggers == rules.taggers
    assert told.keys == shadowed(told).keys


def test_a_profile_changes_handlings_and_keeps_nothing(tmp_path):
    """Safe Harbor differs in counts; no text leaves, no code is drawn for the vault."""
    told = settings(tmp_path, {"profile": "safe-harbor"})
    compare = LoadBoth(told, shadowed(told))()
    compared = compare(Record(ORU, Position("in", 0, 0)))
    assert compared.changes
    assert compared.current > 0
    assert compared.shadow > 0
    assert not any(
        part in repr(compared) for part in ("uillfeather", "UILLFEATHER", "8841277", "PID")
    )
    assert [] == list(tmp_path.iterdir())


def test_the_same_rules_differ_in_nothing(tmp_path):
    """Whoever is first, and whatever cannot be decoded."""
    told = settings(tmp_path, {"profile": "research"})
    compare = LoadBoth(told, shadowed(told))()
    for raw in (ORU, ORU, b"Mr Quillfeather", b""):
        assert () == compare(Record(raw, Position("in", 0, 0))).changes


def test_only_the_ruleset_at_work_is_compared_with(tmp_path):
    """Rules that have changed on the disk are not those that the service goes by."""
    told = settings(tmp_path, {"profile": "safe-harbor"}).model_copy(
        update={"vault": load_settings().vault}
    )
    with pytest.raises(RuleError, match="changed since they were loaded"):
        LoadBoth(told, shadowed(told), "0" * 64)()
