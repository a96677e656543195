"""Unusable archives, settings and targets are reported with place and reason, and lose nothing."""

from __future__ import annotations

import gzip
import os

import pytest

from adapter.errors import RuleError
from adapter.replay.errors import ReplayError
from adapter.replay.folder.journal import JournalLane
from adapter.replay.passes import Watch
from adapter.replay.storage import Storage
from tests.replay import worlds
from tests.replay.worlds import (
    lines,
    manifest,
    records,
    row,
    run,
    settings,
    stopped_after,
    write,
)


def fails(tmp_path, source=None, **values):
    """Return the error of a replay of the archive; check that nothing was written to the output."""
    with pytest.raises(RuleError) as failed:
        run(settings(tmp_path, source, **values))
    assert not list((tmp_path / "out").glob("*"))
    return str(failed.value)


def test_a_gzip_object_that_is_cut_short(tmp_path):
    """A truncated gzip object is reported with the row at which it ends."""
    raw = gzip.compress(lines(map(row, records(200))))
    write(tmp_path / "archive", "a.jsonl.gz", raw[: len(raw) // 2])
    told = fails(tmp_path)
    assert "a.jsonl.gz: row " in told
    assert "truncated" in told


def test_a_zstandard_object_that_is_cut_short(tmp_path):
    """A truncated Zstandard frame is detected, which the library itself does not do."""
    worlds.columns_zstd(tmp_path / "archive", records(200))
    path = tmp_path / "archive" / "all.jsonl"
    path.write_bytes(path.read_bytes()[:-40])
    told = fails(tmp_path)
    assert "all.jsonl: row " in told
    assert "damaged or truncated" in told


@pytest.mark.parametrize("world", ["columns_avro", "columns_parquet"])
def test_a_binary_object_that_is_cut_short(tmp_path, world):
    """Truncated Avro and Parquet objects are reported with the row."""
    source = worlds.WHOLE[world](tmp_path / "archive", records(200))
    path = sorted((tmp_path / "archive").iterdir())[1]
    path.write_bytes(path.read_bytes()[:-30])
    told = fails(tmp_path, source)
    assert f"{path.name}: row " in told
    assert "damaged or truncated" in told


def test_a_line_that_is_cut_short(tmp_path):
    """A truncated last line is reported with its row."""
    write(tmp_path / "archive", "a.jsonl", lines(map(row, records(5)))[:-20])
    assert "a.jsonl: row 5: is not JSON, or is truncated" in fails(tmp_path)


def test_damaged_gzip_bytes(tmp_path):
    """Damaged bytes within a gzip object are reported with the row."""
    raw = bytearray(gzip.compress(os.urandom(1000) + lines(map(row, records(50)))))
    raw[300:340] = bytes(40)
    write(tmp_path / "archive", "a.jsonl", bytes(raw))
    assert "a.jsonl: row 1" in fails(tmp_path)


@pytest.mark.parametrize("format_", ["avro", "parquet"])
def test_a_wrong_codec(tmp_path, format_):
    """JSON lines configured as Avro or Parquet are refused."""
    worlds.columns_jsonl(tmp_path / "archive", records())
    assert f"is not an object of format {format_}" in fails(tmp_path, {"format": format_})


def test_mixed_formats(tmp_path):
    """An object in another format than the others is reported."""
    worlds.columns_jsonl(tmp_path / "archive", records())
    rows = [row(each, binary=True) for each in records(5)]
    write(tmp_path / "archive", "dump/zz.avro", worlds.avro(rows, worlds.COLUMNS))
    told = fails(tmp_path)
    assert "zz.avro: has format avro, but replay.source.format is jsonl" in told


def test_mixed_formats_of_messages(tmp_path):
    """A FHIR file among HL7 v2 files is reported instead of being split."""
    write(tmp_path / "archive", "a.hl7", worlds.message(1))
    write(tmp_path / "archive", "b.hl7", b'{"resourceType":"Patient"}')
    told = fails(tmp_path, {"layout": "plain", "format": "hl7-batch"})
    assert "b.hl7: does not begin with an HL7 v2 header" in told


def test_missing_columns(tmp_path):
    """A row without a value is reported with its known columns, not with other names."""
    rows = [{"Quillfeather": "x", "offset": number} for number in range(3)]
    write(tmp_path / "archive", "a.jsonl", lines(rows))
    told = fails(tmp_path)
    assert "a.jsonl: row 1: has no value column; its columns are offset, others" in told
    assert "Quillfeather" not in told


def test_columns_of_other_types(tmp_path):
    """A column of an unexpected type is reported with its row."""
    rows = [{"value": "x", "offset": "many"}]
    write(tmp_path / "archive", "a.jsonl", lines(rows))
    assert "a.jsonl: row 1: has columns of types that differ" in fails(tmp_path)


def test_names_of_another_layout(tmp_path):
    """An object whose name does not fit the layout is refused."""
    worlds.confluent_json(tmp_path / "archive", records(20))
    write(tmp_path / "archive", "topics/hl7.in/notes.json", b"{}\n")
    told = fails(tmp_path, {"layout": "confluent"})
    assert "notes.json: does not have a name as layout confluent gives objects" in told


def test_keys_of_another_length(tmp_path):
    """A separate object of keys with too few or too many rows is reported."""
    worlds.confluent_avro(tmp_path / "archive", records(20, tombstones=False))
    keys = min((tmp_path / "archive").rglob("*.keys.avro"))
    keys.write_bytes(worlds.avro(["a", "b"], "string"))
    source = {"layout": "confluent", "format": "avro"}
    assert "row 3: has no key or headers in the object beside it" in fails(tmp_path, source)
    keys.write_bytes(worlds.avro(["a"] * 11, "string"))
    assert f"{keys.name}: row 11: has more rows than" in fails(tmp_path, source)


def test_lenses_without_an_envelope(tmp_path):
    """Objects of Lenses' connector without envelopes are refused."""
    write(tmp_path / "archive", "hl7.in/0/000000000003_1_2.json", lines([{"resourceType": "P"}]))
    assert "without store.envelope" in fails(tmp_path, {"layout": "lenses"})


def test_structures_instead_of_messages(tmp_path):
    """A record that was parsed into a structure is refused."""
    schema = {"type": "record", "name": "p", "fields": worlds._strings("family", "given")}
    raw = worlds.avro([{"family": "a", "given": "b"}], schema)
    write(tmp_path / "archive", f"{worlds.TOPIC}+0+0000000000.avro", raw)
    told = fails(tmp_path, {"layout": "confluent", "format": "avro"})
    assert "row 1: is a structure; a replay needs the messages' bytes or text" in told


def test_bytes_without_a_split_are_refused(tmp_path):
    """Format bytes without a split is refused, because a line feed can be part of a message."""
    write(tmp_path / "archive", "a.bin", worlds.message(1) + b"\n")
    told = fails(tmp_path, {"layout": "plain", "format": "bytes"})
    assert "replay.source.split: must be set" in told


def test_lengths_that_do_not_fit(tmp_path):
    """A message that is shorter than its length prefix is reported."""
    write(tmp_path / "archive", "a.bin", (1000).to_bytes(4, "big") + b"MSH")
    told = fails(tmp_path, {"layout": "plain", "format": "bytes", "split": "length4"})
    assert "a.bin: row 1: is shorter than its length prefix says" in told


def test_two_records_at_one_offset(tmp_path):
    """A duplicate record is used once; a different record at the same offset is an error."""
    given = records(20)
    worlds.columns_jsonl(tmp_path / "archive", given)
    write(tmp_path / "archive", "dump/again.jsonl", lines(map(row, given[:4])))
    run(settings(tmp_path))
    assert len(given) == manifest(tmp_path)["totals"]["records"]
    other = row(given[2]) | {"value": worlds.text(b"MSH|other")}
    write(tmp_path / "archive", "dump/again.jsonl", lines([other]))
    with pytest.raises(ReplayError, match="has the offset of a different record"):
        run(
            settings(
                tmp_path,
                target={"url": str(tmp_path / "o2")},
                replay={"journal": str(tmp_path / "j2")},
            )
        )


def test_an_archive_that_is_not_there(tmp_path):
    """A missing or empty archive is reported."""
    assert "holds no objects" in fails(tmp_path)


def test_an_address_of_no_file_system(tmp_path):
    """An address with an unknown scheme is reported."""
    assert "nosuch://x" in fails(tmp_path, {"url": "nosuch://x"})


def test_a_target_that_is_full(tmp_path, monkeypatch):
    """A journal that cannot be written ends the replay, which can be resumed without loss."""
    worlds.columns_jsonl(tmp_path / "archive", records())
    appended = JournalLane.append
    seen = []

    def full(self, progress, some):
        seen.append(progress.next)
        if len(seen) == 3:
            raise Storage.failed(self.storage, "x", OSError(28, "No space left on device"))
        appended(self, progress, some)

    monkeypatch.setattr(JournalLane, "append", full)
    assert "No space left on device" in fails(tmp_path)
    done = run(settings(tmp_path), resume=True)
    assert (0, 60) == (done.status, done.manifest["totals"]["records"])


def test_a_target_that_cannot_be_written(tmp_path):
    """A file in place of the journal's folder is reported."""
    worlds.columns_jsonl(tmp_path / "archive", records())
    write(tmp_path, "journal", b"x")
    assert str(tmp_path / "journal") in fails(tmp_path)


def test_a_journal_that_lacks_a_transaction(tmp_path):
    """A replay whose journal lacks a transaction cannot be resumed."""
    worlds.columns_jsonl(tmp_path / "archive", records())
    worlds_failed = settings(tmp_path)
    with pytest.raises(KeyError):
        run(worlds_failed, watch=stopped_after(30))
    chunks = sorted((tmp_path / "journal").rglob("*.chunk"))
    assert len(chunks) > 2
    chunks[0].unlink()
    with pytest.raises(ReplayError, match="lacks a transaction"):
        run(worlds_failed, resume=True)


def test_an_object_that_changes_meanwhile(tmp_path):
    """An object that has changed since it was listed is reported before more of it is used."""
    worlds.columns_jsonl(tmp_path / "archive", records())
    path = tmp_path / "archive" / "dump" / "003.jsonl"

    def change(_plan, _done):
        path.write_bytes(path.read_bytes() + b" ")
        os.utime(path, (1, 1))

    with pytest.raises(ReplayError, match=r"003\.jsonl: has changed since it was listed"):
        run(settings(tmp_path), watch=Watch(planned=change))


def test_what_came_before_in_other_topics_is_not_guessed(tmp_path):
    """As-of knowledge is refused if topics share a memory, because their order is unknown."""
    told = fails(tmp_path, known={"scope": "domain"})
    assert "replay.knowledge: as-of needs an order across topics" in told


def test_folders_inside_one_another_are_refused(tmp_path):
    """A journal in the output, or an output in the journal, is refused."""
    worlds.columns_jsonl(tmp_path / "archive", records())
    for journal, out, told in (
        (tmp_path / "out" / "journal", tmp_path / "out", "lies in the output"),
        (tmp_path / "journal", tmp_path / "journal" / "lanes" / "out", "lies in the journal"),
    ):
        with pytest.raises(RuleError, match=told):
            run(settings(tmp_path, target={"url": str(out)}, replay={"journal": str(journal)}))


def test_keys_that_are_no_keys(tmp_path):
    """An invalid row in a separate object of keys is reported without its text."""
    source = worlds.confluent_json(tmp_path / "archive", records(20, tombstones=False))
    values = min((tmp_path / "archive").rglob("*.json.gz"))
    keys = values.with_name(values.name.replace(".json.gz", ".keys.json"))
    keys.write_bytes(b'"Quillfeather!"\n' * 20)
    told = fails(tmp_path, source | {"key_encoding": "base64"})
    assert f"{keys.name}: row 1: has columns of types that differ" in told
    assert "Quillfeather" not in told


def test_json_that_no_parser_should_read(tmp_path):
    """Excessively nested JSON and impossible times are reported with the row."""
    write(tmp_path / "archive", "a.jsonl", b'{"value": ' + b"[" * 100_000 + b"\n")
    assert "a.jsonl: row 1: is not JSON" in fails(tmp_path)
    write(tmp_path / "archive", "a.jsonl", b'{"value": "x", "timestamp": 1e999}\n')
    assert "a.jsonl: row 1: has columns of types that differ" in fails(tmp_path)
