"""A folder of sanitized files is loaded by its manifest, whole or with a word on what is wrong."""

from __future__ import annotations

import asyncio
import json

import pytest

from adapter.config.settings import Settings
from adapter.errors import RuleError
from adapter.mart.loading.folder import FolderSource
from adapter.rules.formats import codecs_of
from adapter.runtime.service import split_by
from tests.mart.loading.outputs import MERGE, oru, patient, save, write

FILES = {
    "b.hl7": [oru(n, n % 2, 100 + n) for n in range(5)],
    "a.ndjson": [patient(n) + "\n" for n in range(3)],
}


@pytest.fixture(scope="module")
def split():
    """What takes files apart."""
    return split_by(codecs_of(Settings()))


def read(source, start=None):
    """Every batch of a source, from the message given."""

    async def go():
        lanes = await source.lanes()
        return [batch async for batch in source.batches(dict.fromkeys(lanes, start))]

    return asyncio.run(go())


def test_messages_come_in_the_order_of_files_and_their_places(tmp_path, split):
    """Files by name, messages by place, each with its id and headers; then all is read."""
    lines = write(tmp_path, FILES, [MERGE])
    *batches, last = read(FolderSource(tmp_path, "old", split, tuple, 2))
    assert None is last
    records = [record for batch in batches for record in batch.records]
    ids = [line["deid-id"] for line in lines if "deid-id" in line]
    assert ids == [record.message_id for record in records]
    assert [*range(3), *range(5)] == [record.offset for record in records]
    assert {("backfill:old", 0), ("backfill:old", 1)} == {(r.topic, r.partition) for r in records}
    assert [2, 4, 6, 8] == [batch.next_offset for batch in batches]
    headers = dict(records[0].headers)
    assert (b"k", [MERGE]) == (headers["deid-key"], json.loads(headers["deid-merges"]))
    assert records[3].value.startswith(b"MSH|")
    assert json.loads(records[0].value) == json.loads(patient(0))


def test_a_load_goes_on_where_it_stopped(tmp_path, split):
    """Progress counts messages of all files; those that are done are not opened again."""
    write(tmp_path, FILES)
    (tmp_path / "a.ndjson").unlink()
    batches = read(FolderSource(tmp_path, "old", split, tuple, 9), 7)
    assert [[4], None] == [b and [r.offset for r in b.records] for b in batches]
    assert 8 == batches[0].next_offset
    assert [None] == read(FolderSource(tmp_path, "old", split, tuple, 9), 8)
    before = batches[0].lane
    write(tmp_path, FILES | {"c.hl7": [oru(9, 9, 9)]})
    other = asyncio.run(FolderSource(tmp_path, "old", split, tuple, 9).lanes())
    assert before.topic not in {lane.topic for lane in other}
    assert all(lane.topic.startswith("backfill:old@") for lane in other)


def cut(path, count):
    """Take bytes off the end."""
    path.write_bytes(path.read_bytes()[:-count])


def drop(path):
    """Take the last line out."""
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-1]))


def outside(folder):
    """A manifest of a file beside its folder."""
    (folder.parent / "x.hl7").write_text(oru(1, 1, 1))
    save(
        folder,
        [{"file": "../x.hl7", "index": 0, "deid-id": "00"}, {"file": "../x.hl7", "sha256": "0"}],
    )


@pytest.mark.parametrize(
    ("harm", "told"),
    [
        (lambda f: (f / "manifest.jsonl").unlink(), r"manifest\.jsonl: cannot be read"),
        (lambda f: cut(f / "manifest.jsonl", 30), r"manifest\.jsonl: is not a manifest"),
        (lambda f: drop(f / "manifest.jsonl"), r"manifest\.jsonl: is truncated or was changed"),
        (lambda f: cut(f / "b.hl7", 30), r"b\.hl7: does not match manifest\.jsonl"),
        (lambda f: (f / "a.ndjson").unlink(), r"a\.ndjson: cannot be read"),
        (lambda f: save(f, [{"file": "a", "index": 7, "deid-id": ""}]), "is not a manifest"),
        (lambda f: save(f, [{"what": "a"}]), "is not a manifest"),
        (outside, r"manifest\.jsonl: names a file outside the folder"),
    ],
)
def test_what_is_wrong_with_a_folder_is_told(tmp_path, split, harm, told):
    """The error names the file; nothing of a file with other bytes is loaded."""
    folder = tmp_path / "out"
    write(folder, FILES)
    harm(folder)
    with pytest.raises(RuleError, match=told):
        read(FolderSource(folder, "old", split, tuple, 100))


def test_a_file_with_fewer_messages_than_told_is_refused(tmp_path, split):
    """Were one message taken for another, ids would be wrong."""
    lines = write(tmp_path, FILES)
    at = next(n for n, line in enumerate(lines) if line["file"] == "b.hl7" and "sha256" in line)
    lines.insert(at, {"file": "b.hl7", "index": 5, "deid-id": "ff"})
    save(tmp_path, lines)
    with pytest.raises(RuleError, match=r"b\.hl7: does not have as many messages"):
        read(FolderSource(tmp_path, "old", split, tuple, 100))


def test_a_folder_under_another_key_is_refused(tmp_path, split):
    """One project is one key domain, whoever processed the messages."""
    write(tmp_path, FILES)
    assert read(FolderSource(tmp_path, "old", split, lambda: ("k",), 100))
    with pytest.raises(RuleError, match="the key k, and the mart has messages under other"):
        read(FolderSource(tmp_path, "old", split, lambda: ("other",), 100))
