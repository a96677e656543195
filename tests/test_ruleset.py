"""Rulesets: languages are compiled when they are needed, once."""

from __future__ import annotations

import pytest

from adapter.config import load_settings
from adapter.errors import RuleError
from adapter.rulefolder import own_names, rules_folder, shipped
from adapter.ruleset import Languages, digest, load_ruleset
from tests.corpus.runs import KEY


@pytest.fixture
def compiled():
    """Languages that note when they are compiled: the languages and the notes."""
    asked: list[str] = []

    def compile_(code: str) -> str:
        asked.append(code)
        return f"language {code}"

    return Languages(("en", "es", "de"), compile_), asked


def test_first_language_is_compiled_at_once(compiled):
    """The language most texts are in is ready before the first message."""
    _, asked = compiled
    assert ["en"] == asked


def test_others_are_compiled_when_needed_and_once(compiled):
    """A language costs nothing before a text is in it, and nothing twice."""
    languages, asked = compiled
    assert ["en", "es", "de"] == list(languages)
    assert ["language es"] * 2 == [languages["es"], languages["es"]]
    assert ["en", "es"] == asked


def test_unknown_language_is_no_key(compiled):
    """Only configured languages are compiled."""
    languages, asked = compiled
    with pytest.raises(KeyError):
        languages["fr"]
    assert (3, ["en"]) == (len(languages), asked)


@pytest.fixture
def names(tmp_path):
    """A folder of own family names, and a settings file beside it that names it."""
    folder = tmp_path / "names"
    folder.mkdir()
    family = [a + b + c for a in "BDGKLMNRST" for b in "aeiou" for c in ("lan", "rik", "vos")]
    (folder / "family.txt").write_text("# ours\n" + "\n".join(family), encoding="utf-8")
    (tmp_path / "adapter.toml").write_text('[rules]\nnames = "names"\n')
    return folder


def loaded(names):
    """The settings of the file beside the names."""
    return load_settings(names.parent / "adapter.toml", keys=KEY)


def test_own_names_take_the_place_of_the_shipped(names):
    """The folder is relative to the settings' file; tables that it lacks are the shipped ones."""
    tables = load_ruleset(loaded(names)).surrogates.tables
    assert len(tables.families) == 150
    assert "Bavos" in tables.families
    assert tables.given["F"] == rules_folder(loaded(names)).surrogates["en-given-female"]


def test_own_names_are_in_the_digest(names):
    """Another name is another ruleset; the path of the folder is not."""
    found = [digest(shipped("rules"), shipped("models"), loaded(names))]
    names.rename(names.parent / "other")
    (names.parent / "adapter.toml").write_text('[rules]\nnames = "other"\n')
    found.append(digest(shipped("rules"), shipped("models"), loaded(names)))
    with (names.parent / "other" / "family.txt").open("a") as file:
        file.write("\nZoltan\n")
    found.append(digest(shipped("rules"), shipped("models"), loaded(names)))
    assert found[0] == found[1] != found[2]


@pytest.mark.parametrize(
    ("content", "problem"),
    [("Smith\nlower\n", r"names/family.txt:2: is no name"), ("Smith\n", r"fewer than 100")],
)
def test_bad_names_refuse_to_start(names, content, problem):
    """The error tells file and line."""
    (names / "family.txt").write_text(content)
    with pytest.raises(RuleError, match=problem):
        own_names(loaded(names))


def test_no_folder_of_names_refuses_to_start(names):
    """So do bytes that are no text."""
    (names / "family.txt").write_bytes(b"\xff\xfe")
    with pytest.raises(RuleError, match="cannot be read"):
        own_names(loaded(names))
    (names / "family.txt").unlink()
    names.rmdir()
    with pytest.raises(RuleError, match=r"rules\.names"):
        own_names(loaded(names))
