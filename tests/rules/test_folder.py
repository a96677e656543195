"""The rules folder: each language has its own lists, and lists are what their source says."""

from __future__ import annotations

import hashlib
import shutil

import pytest

from adapter.errors import RuleError
from adapter.rules.folder import Folder, shipped, source_labels

RULES = shipped("rules")


@pytest.fixture
def folder(tmp_path):
    """A rules folder with two languages of a few words."""
    for part in ("sections", "languages", "lexicons"):
        (tmp_path / part).mkdir()
    for code in ("qx", "qy"):
        (tmp_path / "sections" / f"{code}.toml").write_text("")
        (tmp_path / "languages" / f"{code}.toml").write_text(f'codes = ["{code}"]\n')
        lexicon = tmp_path / "lexicons" / f"{code}-ordinary"
        lexicon.mkdir()
        (lexicon / "items.txt").write_text(f"zor\nblim{code}\n")
        (lexicon / "source.toml").write_text('what = "words"\n')
    return tmp_path


def test_a_language_has_its_own_lists(folder):
    """Lexicons of other languages are neither seen nor read."""
    shutil.rmtree(folder / "lexicons/qy-ordinary")
    (folder / "lexicons/qy-ordinary").mkdir()
    resources = Folder(folder).resources("qx")
    assert ["qx-ordinary"] == list(resources.lexicons)
    assert "blimqx" in resources.words


def test_every_language_has_the_lists_of_any(folder):
    """Lexicons whose name begins with "any" are read in all languages."""
    shared = folder / "lexicons/any-term"
    shared.mkdir()
    (shared / "items.txt").write_text("zorblim\n")
    (shared / "source.toml").write_text('what = "terms"\n')
    read = Folder(folder)
    for code in ("qx", "qy"):
        assert "zorblim" in read.resources(code).lexicons["any-term"]


def test_every_language_has_the_heads_of_any(folder):
    """Heads of columns beside those of the languages are read in all of them, with their shapes."""
    (folder / "sections/any").mkdir()
    (folder / "sections/any/heads.toml").write_text(
        "[shapes]\nw = '\\w+'\n[[column]]\nnames = ['zor']\nlabel = 'PATIENT'\nshape = 'w'\n"
        "[[attribute]]\nnames = ['blim']\nlabel = 'PATIENT'\nshape = 'w'\n"
    )
    sections = Folder(folder).resources("qy").sections
    (meaning,) = sections.heads.columns([sections.heads.read("zor")]).values()
    assert ("PATIENT", "PATIENT") == (meaning.label, sections.meanings["blim"].label)


def test_words_of_a_language_without_lists():
    """A language without lists of common words and nicknames has none."""
    assert (0, 0, {}) == (
        len((words := Folder(RULES).words("qz")).ordinary),
        len(words.medical),
        words.nicknames,
    )


def test_names_that_many_have_are_known_as_such():
    """Common names, towns and eponyms; not a name that hardly anybody has."""
    names = Folder(RULES).words("en").names
    assert {"washington", "augusta", "babinski"} <= names
    assert {"ottergate", "park circle"}.isdisjoint(names)


def test_languages_are_what_there_are_sections_for(folder):
    """A language is there by its data alone; another is refused."""
    assert {"qx", "qy"} == Folder(folder).languages
    with pytest.raises(RuleError, match="no rules for 'qz'"):
        Folder(folder).resources("qz")


def test_a_language_must_be_told_by_something(folder):
    """Several languages need data that tells them apart."""
    (folder / "languages/qy.toml").unlink()
    with pytest.raises(RuleError, match=r"languages/qy\.toml"):
        Folder(folder).recognizer(["qx", "qy"])


def test_a_lexicon_is_what_its_source_says(folder):
    """Items that do not have the digest of their source are refused, those that have are read."""
    source = folder / "lexicons/qx-ordinary/source.toml"
    items = (folder / "lexicons/qx-ordinary/items.txt").read_bytes()
    source.write_text(f'digest = "sha256:{hashlib.sha256(items).hexdigest()}"\n')
    assert {"zor", "blimqx"} == set(Folder(folder).lexicons("qx")["qx-ordinary"])
    source.write_text('digest = "sha256:0"\n')
    with pytest.raises(RuleError, match="digest does not match"):
        Folder(folder).lexicons("qx")


def test_a_lexicon_without_items_is_refused(folder):
    """An empty list is a mistake, not a list."""
    (folder / "lexicons/qx-ordinary/items.txt").unlink()
    with pytest.raises(RuleError, match=r"has no items\.txt"):
        Folder(folder).lexicons("qx")


def test_labels_of_the_source_need_a_card(tmp_path):
    """A language without a model has no labels of a source."""
    assert {} == source_labels(tmp_path / "qx")


@pytest.mark.parametrize("code", sorted(Folder(RULES).languages))
def test_shipped_languages_are_complete(code):
    """Each shipped language has its rules, its sealed lists, and data to be told by."""
    folder = Folder(RULES)
    assert code == folder.resources(code).language
    assert code == folder.recognizer([code]).named(code)
