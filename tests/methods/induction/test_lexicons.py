"""Induced terms as a part of a rules folder."""

from __future__ import annotations

import shutil

import pytest

from adapter.config.settings import load_settings
from adapter.methods.induction.bootstrap import induce
from adapter.methods.induction.lexicons import MOST, class_label, rules
from adapter.methods.induction.results import Induced, Term
from adapter.pipeline.language import find_in
from adapter.rules.compile import compile_language
from adapter.rules.folder import Folder, shipped
from adapter.taggers.trusted.index import NOBODY
from adapter.types import Label
from tests.methods.induction.letters import SEEDS, letters

TAGGERS = ["patterns"]


def compiled(tmp_path, files):
    """The Spanish rules with files of induction among them."""
    path = tmp_path / "rules"
    shutil.copytree(shipped("rules"), path)
    for name, text in files.items():
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_text(text, "utf-8")
    said = {"rules": {"languages": ["es"], "folder": str(path), "taggers": TAGGERS}}
    settings = load_settings(None, said=said, transport="files")
    return compile_language(Folder(path), "es", settings)


def test_the_rules_load_what_was_induced(tmp_path):
    """Copied into a rules folder, terms are found where they stand: acronyms in capitals only."""
    files = rules(induce(letters(), SEEDS), "es", {"corpus": "sha256:0"})
    language = compiled(tmp_path, files)
    text = "fue visto en hca y en HCA, en lerma y en Lerma; Lermado no"
    spans = find_in(text, NOBODY, language)
    assert {"HCA": Label.HOSPITAL, "Lerma": Label.CITY} == {
        text[span.start : span.end]: span.label for span in spans
    }


def test_a_class_without_a_label_has_no_pattern():
    """Classes that only compete are listed, and nothing looks for them."""
    found = Induced((Term("drug", "aspirina", "capital", 1.0, 1, 0, ()),), ())
    files = rules(found, "es", {})
    assert "lexicons/es-induced-drug/items.txt" in files
    assert "[[pattern]]" not in files["patterns/es/induced.toml"]


@pytest.mark.parametrize(
    ("name", "label"),
    [("person", Label.PATIENT), ("facility", Label.HOSPITAL), ("city", Label.CITY), ("x", None)],
)
def test_classes_have_the_labels_of_their_names(name, label):
    """A class is a label's name or a word in use for one."""
    assert class_label(name) == label


def test_long_lists_are_parted():
    """No lexicon is longer than a pattern may spell out."""
    terms = tuple(Term("city", f"x{n}", "capital", 1.0, 1, 0, ()) for n in range(MOST + 1))
    files = rules(Induced(terms, ()), "es", {})
    sizes = [files[name].count("\n") for name in sorted(files) if name.endswith("items.txt")]
    assert sorted(sizes) == [1, MOST]
