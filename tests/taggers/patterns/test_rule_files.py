"""Every pattern family's own tests pass."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from adapter.rules.regexes import Regexes, cache_file
from adapter.taggers.document.resources import Resources
from adapter.taggers.document.sections import SectionRules
from adapter.taggers.patterns.rule_tests import run_tests
from adapter.taggers.wordlists import Lexicon

RULES = Path(__file__).resolve().parents[3] / "rules"
REGEXES = Regexes(cache_file())
FAMILIES = sorted(RULES.glob("patterns/*/*.toml"))


def _lexicons() -> dict[str, Lexicon]:
    return {folder.name: _lexicon(folder) for folder in (RULES / "lexicons").iterdir()}


def _lexicon(folder: Path) -> Lexicon:
    exceptions = folder / "exceptions.txt"
    return Lexicon.parse(
        (folder / "items.txt").read_text("utf-8"),
        exceptions.read_text("utf-8") if exceptions.is_file() else "",
    )


@pytest.fixture(scope="module")
def lexicons():
    """All shipped lexicons by name."""
    return _lexicons()


@pytest.mark.parametrize("path", FAMILIES, ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_family(path, lexicons):
    """A family finds exactly what its own tests mark."""
    family = tomllib.loads(path.read_text("utf-8"))
    language = path.parent.name
    headings = RULES / "sections" / f"{language}.toml"
    sections = SectionRules(tomllib.loads(headings.read_text()) if headings.is_file() else {})
    resources = Resources(language, (family,), lexicons, sections, compile_regex=REGEXES.compile)
    failures = run_tests(family, resources)
    assert not failures
    assert family.get("tests")


@pytest.mark.parametrize("path", FAMILIES, ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_every_fragment_is_used(path):
    """No family defines a fragment that none of its regexes contains."""
    text = path.read_text("utf-8")
    fragments = tomllib.loads(text).get("fragments", {})
    assert [] == [name for name in fragments if f"{{{{{name}}}}}" not in text]
