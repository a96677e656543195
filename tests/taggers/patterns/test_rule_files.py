"""Every pattern family's own tests pass."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from adapter.rules.families import families
from adapter.rules.folder import Folder
from adapter.rules.regexes import Regexes, cache_file
from adapter.taggers.document.resources import Resources
from adapter.taggers.document.sections import SectionRules
from adapter.taggers.patterns.rule_tests import run_tests
from adapter.taggers.wordlists import Lexicon

RULES = Path(__file__).resolve().parents[3] / "rules"
SEVERAL = 2
REGEXES = Regexes(cache_file())
FILES = sorted(RULES.glob("patterns/*/*.toml"))
FAMILIES = {
    Path(rules.name).relative_to("rules/patterns").as_posix(): rules.table
    for language in sorted({file.parent.name for file in FILES})
    for rules in families(Folder(RULES).rules, language)
}


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


@pytest.mark.parametrize("name", FAMILIES)
def test_family(name, lexicons):
    """A family finds exactly what its own tests mark."""
    family, language = FAMILIES[name], Path(name).parent.name
    headings = RULES / "sections" / f"{language}.toml"
    sections = SectionRules(tomllib.loads(headings.read_text()) if headings.is_file() else {})
    resources = Resources(language, (family,), lexicons, sections, compile_regex=REGEXES.compile)
    failures = run_tests(family, resources)
    assert not failures
    assert family.get("tests")


@pytest.mark.parametrize("path", FILES, ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_every_fragment_is_used(path):
    """No family defines a fragment that none of its regexes contains."""
    text = path.read_text("utf-8")
    fragments = tomllib.loads(text).get("fragments", {})
    assert [] == [name for name in fragments if f"{{{{{name}}}}}" not in text]


@pytest.mark.parametrize("path", sorted(RULES.glob("fragments/*.toml")), ids=lambda p: p.stem)
def test_every_shared_fragment_is_shared(path):
    """Each is in two files at least: families without their own of that name, or shared ones."""
    own = path.read_text("utf-8")
    users = [f.read_text("utf-8") for f in FILES if path.stem in {"any", f.parent.name}]
    assert [] == [
        name
        for name in tomllib.loads(own)
        if not _within(own, name) and sum(_uses(text, name) for text in users) < SEVERAL
    ]


def _within(text: str, name: str) -> bool:
    return f"{{{{{name}}}}}" in text


def _uses(text: str, name: str) -> bool:
    return _within(text, name) and name not in tomllib.loads(text).get("fragments", {})
