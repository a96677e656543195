"""A replay's folder is loaded by its manifest, whole or with a word on what is wrong."""

from __future__ import annotations

import asyncio
import gzip
import json

import pytest

from adapter.errors import RuleError
from adapter.mart.loading.replayed import ReplayedSource
from adapter.replay.folder.target import compressed
from tests.replay import worlds
from tests.replay.conftest import InlinePool
from tests.replay.worlds import records, released, run, settings


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The output of a replay, in several parts."""
    monkeypatch.setattr("adapter.replay.passes.Pool", InlinePool)
    source = worlds.columns_jsonl(tmp_path / "archive", records())
    run(settings(tmp_path, source, {"part_bytes": 4096}))
    return tmp_path / "out"


def read(folder, start=None, size=7, keys=()):
    """Every batch of the folder, from the line given."""

    async def go():
        source = ReplayedSource(folder, "old", lambda: keys, size)
        lanes = await source.lanes()
        return [batch async for batch in source.batches(dict.fromkeys(lanes, start))]

    return asyncio.run(go())


def test_lines_come_in_their_order_with_ids_and_headers(folder):
    """All parts are one lane; tombstones have no value; then all is read."""
    *batches, last = read(folder)
    assert last is None
    found = [record for batch in batches for record in batch.records]
    lines = released(folder.parent)
    assert [line["id"] for line in lines] == [record.message_id for record in found]
    assert list(map(worlds.value_of, lines)) == [record.value for record in found]
    assert [line["key"].encode() for line in lines] == [record.key for record in found]
    assert list(range(len(lines))) == [record.offset for record in found]
    assert {("backfill:old", 0, b"s1")} == {
        (each.topic, each.partition, dict(each.headers)["deid-key"]) for each in found
    }
    assert None in {record.value for record in found}
    assert len(lines) == batches[-1].next_offset


@pytest.mark.parametrize("done", [1, 20, 53, 54])
def test_a_load_goes_on_where_it_stopped(folder, done):
    """Progress counts lines of all parts."""
    *batches, _ = read(folder, done)
    found = [record.offset for batch in batches for record in batch.records]
    assert list(range(done, len(released(folder.parent)))) == found


def changed(folder, change):
    """The manifest with a change."""
    path = folder / "manifest.json"
    told = json.loads(path.read_bytes())
    change(told)
    path.write_text(json.dumps(told))


def emptied(folder):
    """A part without its last line."""
    path = folder / "part-00000.jsonl.gz"
    lines = gzip.decompress(path.read_bytes()).splitlines(keepends=True)
    path.write_bytes(compressed(b"".join(lines[:-1]), "gzip"))


def no_release(folder):
    """A part of a line that is no release, and a manifest that says so."""
    raw = b'{"value":"x"}\n'
    (folder / "part-00000.jsonl.gz").write_bytes(raw)
    sums = {"records": 1, "sha256": worlds_digest(raw)}
    changed(folder, lambda told: told["output"]["parts"][0].update(sums))


def worlds_digest(raw):
    """SHA-256."""
    import hashlib  # noqa: PLC0415

    return hashlib.sha256(raw).hexdigest()


@pytest.mark.parametrize(
    ("harm", "problem"),
    [
        (lambda f: (f / "manifest.json").unlink(), r"manifest\.json: cannot be read"),
        (lambda f: (f / "manifest.json").write_text("[]"), "is not the manifest of a replay"),
        (lambda f: changed(f, lambda told: told.pop("key")), "is not the manifest of a replay"),
        (lambda f: (f / "part-00000.jsonl.gz").unlink(), r"part-00000\S+: cannot be read"),
        (lambda f: worlds.write(f, "part-00000.jsonl.gz", b"\x1f\x8bx"), "damaged or truncated"),
        (emptied, r"part-00000\S+: does not match manifest\.json"),
        (no_release, "has a line that is not a released message"),
        (
            lambda f: changed(f, lambda told: told["output"]["parts"][0].update(name="../x")),
            "names a file outside the folder",
        ),
    ],
)
def test_what_is_wrong_with_a_folder_is_told(folder, harm, problem):
    """The error names the file; nothing of a part with other lines is loaded."""
    harm(folder)
    with pytest.raises(RuleError, match=problem):
        read(folder)


def test_another_key_is_refused(folder):
    """Where messages under another key are loaded, this folder's are not."""
    assert read(folder, keys=("", "s1"))
    with pytest.raises(RuleError, match=r"is under the key s1, .* messages under s9: one project"):
        read(folder, keys=("s1", "s9"))
