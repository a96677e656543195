"""Archives, settings and targets that cannot be used: named with place and reason, nothing lost."""

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
    """The error a replay of the archive ends with; nothing is put out."""
    with pytest.raises(RuleError) as failed:
        run(settings(tmp_path, source, **values))
    assert not list((tmp_path / "out").glob("*"))
    return str(failed.value)


def test_a_gzip_object_that_is_cut_short(tmp_path):
    """The object and the row where its bytes end are named."""
    raw = gzip.compress(lines(map(row, records(200))))
    write(tmp_path / "archive", "a.jsonl.gz", raw[: len(raw) // 2])
    told = fails(tmp_path)
    assert "a.jsonl.gz: row " in told
    assert "truncated" in told


def test_a_zstandard_object_that_is_cut_short(tmp_path):
    """A frame without its end is noticed, which the library itself passes over."""
    worlds.columns_zstd(tmp_path / "archive", records(200))
    path = tmp_path / "archive" / "all.jsonl"
    path.write_bytes(path.read_bytes()[:-40])
    told = fails(tmp_path)
    assert "all.jsonl: row " in told
    assert "damaged or truncated" in told


@pytest.mark.parametrize("world", ["columns_avro", "columns_parquet"])
def test_a_binary_object_that_is_cut_short(tmp_path, world):
    """Avro and Parquet without their ends are named with the row."""
    source = worlds.WHOLE[world](tmp_path / "archive", records(200))
    path = sorted((tmp_path / "archive").iterdir())[1]
    path.write_bytes(path.read_bytes()[:-30])
    told = fails(tmp_path, source)
    assert f"{path.name}: row " in told
    assert "damaged or truncated" in told


def test_a_line_that_is_cut_short(tmp_path):
    """The last line of an object may lack its end, but must be JSON."""
    write(tmp_path / "archive", "a.jsonl", lines(map(row, records(5)))[:-20])
    assert "a.jsonl: row 5: is not JSON, or is truncated" in fails(tmp_path)


def test_damaged_gzip_bytes(tmp_path):
    """Wrong bytes in the middle are told from an early end of rows."""
    raw = bytearray(gzip.compress(os.urandom(1000) + lines(map(row, records(50)))))
    raw[300:340] = bytes(40)
    write(tmp_path / "archive", "a.jsonl", bytes(raw))
    assert "a.jsonl: row 1" in fails(tmp_path)


@pytest.mark.parametrize("format_", ["avro", "parquet"])
def test_a_wrong_codec(tmp_path, format_):
    """JSON lines that are said to be Avro or Parquet are refused."""
    worlds.columns_jsonl(tmp_path / "archive", records())
    assert f"is not an object of format {format_}" in fails(tmp_path, {"format": format_})


def test_mixed_formats(tmp_path):
    """An object of another format than the others is named."""
    worlds.columns_jsonl(tmp_path / "archive", records())
    rows = [row(each, binary=True) for each in records(5)]
    write(tmp_path / "archive", "dump/zz.avro", worlds.avro(rows, worlds.COLUMNS))
    told = fails(tmp_path)
    assert "zz.avro: has format avro, but replay.source.format is jsonl" in told


def test_mixed_formats_of_messages(tmp_path):
    """FHIR among the files of HL7 v2 is named, not cut into pieces."""
    write(tmp_path / "archive", "a.hl7", worlds.message(1))
    write(tmp_path / "archive", "b.hl7", b'{"resourceType":"Patient"}')
    told = fails(tmp_path, {"layout": "plain", "format": "hl7-batch"})
    assert "b.hl7: does not begin with an HL7 v2 header" in told


def test_missing_columns(tmp_path):
    """Rows without a value are named with the columns they have, not with a message's own keys."""
    rows = [{"Quillfeather": "x", "offset": number} for number in range(3)]
    write(tmp_path / "archive", "a.jsonl", lines(rows))
    told = fails(tmp_path)
    assert "a.jsonl: row 1: has no value column; its columns are offset, others" in told
    assert "Quillfeather" not in told


def test_columns_of_other_types(tmp_path):
    """A column whose values cannot be what its name says is named with the row."""
    rows = [{"value": "x", "offset": "many"}]
    write(tmp_path / "archive", "a.jsonl", lines(rows))
    assert "a.jsonl: row 1: has columns of types that differ" in fails(tmp_path)


def test_names_of_another_layout(tmp_path):
    """An object that the layout's connector would not have named is refused."""
    worlds.confluent_json(tmp_path / "archive", records(20))
    write(tmp_path / "archive", "topics/hl7.in/notes.json", b"{}\n")
    told = fails(tmp_path, {"layout": "confluent"})
    assert "notes.json: does not have a name as layout confluent gives objects" in told


def test_keys_of_another_length(tmp_path):
    """Keys beside values that are fewer or more than these are named."""
    worlds.confluent_avro(tmp_path / "archive", records(20, tombstones=False))
    keys = min((tmp_path / "archive").rglob("*.keys.avro"))
    keys.write_bytes(worlds.avro(["a", "b"], "string"))
    source = {"layout": "confluent", "format": "avro"}
    assert "row 3: has no key or headers in the object beside it" in fails(tmp_path, source)
    keys.write_bytes(worlds.avro(["a"] * 11, "string"))
    assert f"{keys.name}: row 11: has more rows than" in fails(tmp_path, source)


def test_lenses_without_an_envelope(tmp_path):
    """Values that were stored without their envelope are refused."""
    write(tmp_path / "archive", "hl7.in/0/000000000003_1_2.json", lines([{"resourceType": "P"}]))
    assert "without store.envelope" in fails(tmp_path, {"layout": "lenses"})


def test_structures_instead_of_messages(tmp_path):
    """A record that a registry's schema has taken apart is no message any more."""
    schema = {"type": "record", "name": "p", "fields": worlds._strings("family", "given")}
    raw = worlds.avro([{"family": "a", "given": "b"}], schema)
    write(tmp_path / "archive", f"{worlds.TOPIC}+0+0000000000.avro", raw)
    told = fails(tmp_path, {"layout": "confluent", "format": "avro"})
    assert "row 1: is a structure; a replay needs the messages' bytes or text" in told


def test_bytes_without_a_split_are_refused(tmp_path):
    """A line feed may be a message's own, so nobody guesses where messages end."""
    write(tmp_path / "archive", "a.bin", worlds.message(1) + b"\n")
    told = fails(tmp_path, {"layout": "plain", "format": "bytes"})
    assert "replay.source.split: must be set" in told


def test_lengths_that_do_not_fit(tmp_path):
    """A message shorter than the length before it is named."""
    write(tmp_path / "archive", "a.bin", (1000).to_bytes(4, "big") + b"MSH")
    told = fails(tmp_path, {"layout": "plain", "format": "bytes", "split": "length4"})
    assert "a.bin: row 1: is shorter than its length prefix says" in told


def test_two_records_at_one_offset(tmp_path):
    """The same record twice is taken once; another one at its offset is an error."""
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
    """An empty or missing folder is named."""
    assert "holds no objects" in fails(tmp_path)


def test_an_address_of_no_file_system(tmp_path):
    """An address whose scheme nobody knows is named."""
    assert "nosuch://x" in fails(tmp_path, {"url": "nosuch://x"})


def test_a_target_that_is_full(tmp_path, monkeypatch):
    """A journal that cannot be written ends the replay; nothing is lost, and it goes on later."""
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
    """A file where the journal's folder should be is named."""
    worlds.columns_jsonl(tmp_path / "archive", records())
    write(tmp_path, "journal", b"x")
    assert str(tmp_path / "journal") in fails(tmp_path)


def test_a_journal_that_lacks_a_transaction(tmp_path):
    """A journal somebody has taken a transaction from is not gone on with."""
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
    """An object that is not what was counted is named, before any more of it is taken."""
    worlds.columns_jsonl(tmp_path / "archive", records())
    path = tmp_path / "archive" / "dump" / "003.jsonl"

    def change(_plan, _done):
        path.write_bytes(path.read_bytes() + b" ")
        os.utime(path, (1, 1))

    with pytest.raises(ReplayError, match=r"003\.jsonl: has changed since it was listed"):
        run(settings(tmp_path), watch=Watch(planned=change))


def test_what_came_before_in_other_topics_is_not_guessed(tmp_path):
    """Where topics share a memory, one partition after the other is not the live run's order."""
    told = fails(tmp_path, known={"scope": "domain"})
    assert "replay.knowledge: as-of needs an order across topics" in told


def test_folders_inside_one_another_are_refused(tmp_path):
    """A journal in the output would be read; an output in the journal's lanes would be removed."""
    worlds.columns_jsonl(tmp_path / "archive", records())
    for journal, out, told in (
        (tmp_path / "out" / "journal", tmp_path / "out", "lies in the output"),
        (tmp_path / "journal", tmp_path / "journal" / "lanes" / "out", "lies in the journal"),
    ):
        with pytest.raises(RuleError, match=told):
            run(settings(tmp_path, target={"url": str(out)}, replay={"journal": str(journal)}))


def test_keys_that_are_no_keys(tmp_path):
    """Keys and headers in objects of their own that are none are named with the row."""
    source = worlds.confluent_json(tmp_path / "archive", records(20, tombstones=False))
    values = min((tmp_path / "archive").rglob("*.json.gz"))
    keys = values.with_name(values.name.replace(".json.gz", ".keys.json"))
    keys.write_bytes(b'"Quillfeather!"\n' * 20)
    told = fails(tmp_path, source | {"key_encoding": "base64"})
    assert f"{keys.name}: row 1: has columns of types that differ" in told
    assert "Quillfeather" not in told


def test_json_that_no_parser_should_read(tmp_path):
    """Nesting without end, and times beyond all numbers, are named with the row."""
    write(tmp_path / "archive", "a.jsonl", b'{"value": ' + b"[" * 100_000 + b"\n")
    assert "a.jsonl: row 1: is not JSON" in fails(tmp_path)
    write(tmp_path / "archive", "a.jsonl", b'{"value": "x", "timestamp": 1e999}\n')
    assert "a.jsonl: row 1: has columns of types that differ" in fails(tmp_path)
