"""The manifest of an output folder: headers per message, counts per file and in total."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapter.errors import RuleError
from adapter.transports.files.manifest import Manifest, Section
from adapter.transports.files.names import MANIFEST, discover

if TYPE_CHECKING:
    from pathlib import Path

MERGES = b'[{"prior":"1","number":"2","days":3}]'


def headers(number, *, merges=b""):
    """Return the headers of a message."""
    said = (("content-type", b"x"), ("deid-id", b"%032x" % number), ("deid-ruleset", b"d1"))
    return (*said, ("deid-key", b"s1"), *((("deid-merges", merges),) if merges else ()))


def section(name, *numbers, held=0, merges=b""):
    """Return the section of a file with these messages."""
    made = Section(name)
    for number in numbers:
        made.released((b"[", b"%d" % number, b"]"), headers(number, merges=merges))
    made.held(held)
    return made


def written(folder: Path, *sections):
    """Return the manifest's lines after a run that completes these files."""
    manifest = Manifest(folder)
    manifest.open()
    for one in sections:
        manifest.add(one)
    manifest.write()
    file = folder / MANIFEST
    return [json.loads(line) for line in file.read_bytes().splitlines()] if file.exists() else []


def test_messages_then_their_file_then_all(tmp_path):
    """The manifest has a line of headers per message, a line per file, and a line of totals."""
    *lines, file, total = written(tmp_path, section("a", 7, 8, held=1, merges=MERGES))

    assert [{
        "file": "a", "index": index, "deid-id": f"{index + 7:032x}",
        "deid-ruleset": "d1", "deid-key": "s1", "deid-merges": json.loads(MERGES),
    } for index in (0, 1)] == lines  # fmt: skip
    said = {"released": 2, "held": 1, "merges": 2, "deid-ruleset": ["d1"], "deid-key": ["s1"]}
    assert {"file": "a", **said, "sha256": hashlib.sha256(b"[7][8]").hexdigest()} == file
    before = (tmp_path / MANIFEST).read_bytes().rpartition(b'{"total"')[0]
    digest = hashlib.sha256(before).hexdigest()
    assert {"total": {"files": 1, **said, "sha256": digest}} == total


def test_files_are_in_name_order_whatever_ended_first(tmp_path):
    """Files are in name order, so two runs over the same input give the same bytes."""
    one, other = tmp_path / "1", tmp_path / "2"
    one.mkdir()
    other.mkdir()
    written(one, section("b", 1), section("a/c", 2), section("a", 3))
    written(other, section("a", 3), section("b", 1), section("a/c", 2))

    assert (one / MANIFEST).read_bytes() == (other / MANIFEST).read_bytes()


def test_a_file_written_anew_replaces_its_lines(tmp_path):
    """A run replaces the lines of the files that it writes, and keeps all others."""
    written(tmp_path, section("a", 1, 2), section("b", 3))
    lines = written(tmp_path, section("a", 4), section("c", 5))

    found = [(line["file"], int(line["deid-id"], 16)) for line in lines if "index" in line]
    assert [("a", 4), ("b", 3), ("c", 5)] == found
    assert {"files": 3, "released": 3} == {k: lines[-1]["total"][k] for k in ("files", "released")}


def test_without_provenance_there_is_no_manifest(tmp_path):
    """Without provenance headers no manifest is written."""
    plain = Section("a")
    plain.released((b"x",), ())

    assert [] == written(tmp_path, plain)
    assert [] == list(tmp_path.iterdir())


def test_a_file_that_is_no_manifest_is_refused(tmp_path):
    """An existing file that is not a manifest is refused instead of being overwritten."""
    for content in ('{"mine": 1}\n', "not JSON\n", '{"sha256": 1}\n', "[1]\n"):
        (tmp_path / MANIFEST).write_text(content)
        with pytest.raises(RuleError, match="was not written by this program"):
            Manifest(tmp_path).open()


def test_no_input_may_have_its_name(tmp_path):
    """An input with the manifest's name is refused; in an output folder it is skipped."""
    (tmp_path / MANIFEST).write_text("")
    with pytest.raises(RuleError):
        discover([str(tmp_path)], "-")
    assert ((), ()) == discover([str(tmp_path)], "-", outputs=True)


@given(st.dictionaries(st.text(min_size=1), st.lists(st.integers(0, 99)), max_size=5))
def test_totals_are_the_sums_of_files(tmp_path_factory, files):
    """For any file names, the totals are the sums over files."""
    folder = tmp_path_factory.mktemp("out")
    lines = written(folder, *(section(name, *numbers, held=1) for name, numbers in files.items()))
    if not any(files.values()):
        assert [] == lines
        return
    messages = [line for line in lines if "index" in line]
    total = lines[-1]["total"]
    assert len(messages) == total["released"] == sum(map(len, files.values()))
    assert len(files) == total["held"] == total["files"]
