"""The shipped rules' regexes are compiled once for all processes; what is read back is the same."""

import hashlib
import os
import pickle
import sys

import pytest

from adapter.config.settings import Settings
from adapter.rules.folder import rules_folder, shipped
from adapter.rules.regexes import Regexes, _read, cache_file
from adapter.taggers.document.resources import compile_verbose

SOURCES = (r"(?P<phi>\p{Lu}\w+) [ ] Road", r"\b Dr \. [ ] (?P<phi>\w+)", "(?<=^MRN:[ ]) [0-9]{6}+")
TEXT = "MRN: 123456\nDr. Quillfeather, 4 Nettlecombe Road"


@pytest.fixture(autouse=True)
def _writing(monkeypatch):
    monkeypatch.setattr(sys, "dont_write_bytecode", False)


def _made(file, sources=SOURCES):
    regexes = Regexes(file)
    compiled = [regexes.compile(source) for source in sources]
    regexes.save()
    return compiled


def test_regexes_read_back_match_as_compiled_ones_do(tmp_path):
    """A regex from the file has the groups and the matches of the one that was compiled."""
    file = tmp_path / "new" / "regexes"
    _made(file)
    for source, found in _read(file).items():
        expected = compile_verbose(source)
        assert found.groupindex == expected.groupindex
        assert [m.span("phi" if found.groupindex else 0) for m in found.finditer(TEXT)] == [
            m.span("phi" if expected.groupindex else 0) for m in expected.finditer(TEXT)
        ]
    assert len(_read(file)) == len(SOURCES)


def test_a_file_that_knows_all_regexes_is_not_written_again(tmp_path):
    """A second process that needs the same regexes leaves the file as it is."""
    file = tmp_path / "regexes"
    _made(file)
    before = file.stat().st_mtime_ns
    _made(file, SOURCES[:2])
    assert file.stat().st_mtime_ns == before


def test_regexes_of_two_processes_are_both_kept(tmp_path):
    """Regexes that another process wrote meanwhile stay in the file."""
    file = tmp_path / "regexes"
    first = Regexes(file)
    first.compile(SOURCES[0])
    _made(file, SOURCES[1:])
    first.save()
    assert set(_read(file)) == set(SOURCES)


@pytest.mark.parametrize("damage", [b"", b"short", b"\0" * 400, None])
def test_a_damaged_file_is_compiled_anew(tmp_path, damage):
    """An empty, cut or changed file counts as missing and is replaced."""
    file = tmp_path / "regexes"
    _made(file)
    file.write_bytes(file.read_bytes()[:-3] if damage is None else damage)
    assert _read(file) == {}
    _made(file)
    assert set(_read(file)) == set(SOURCES)


def test_nothing_but_regexes_is_read(tmp_path):
    """A file that would call another function is refused without calling it."""
    file = tmp_path / "regexes"
    body = pickle.dumps({"source": os.getcwd})
    file.write_bytes(hashlib.sha256(body).digest() + body)
    assert _read(file) == {}


def test_nothing_is_written_where_python_writes_no_bytecode(tmp_path, monkeypatch):
    """The file is not made if bytecode is turned off, or where its folder cannot be made."""
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    _made(tmp_path / "regexes")
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    (tmp_path / "file").write_text("no folder")
    _made(tmp_path / "file" / "regexes")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_only_the_shipped_rules_are_kept():
    """Rules of a site's own folder, which may name people, never get a file."""
    own = Settings.model_validate({"rules": {"folder": str(shipped("rules"))}})
    assert rules_folder(own).regexes._file is None
    assert rules_folder(Settings.model_validate({})).regexes._file == cache_file()
