"""The file transport: output names, framing, held messages, and links out of a folder."""

from __future__ import annotations

import asyncio
import io
import json
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapter.audit import Audit, Event
from adapter.codecs.hl7v2.framing import detect, split_hl7v2
from adapter.codecs.protocol import Frame
from adapter.config.settings import Files, Workers
from adapter.errors import RuleError
from adapter.runtime.report import Report
from adapter.runtime.runner import Runner
from adapter.sealing.quarantine import Folder, Sealer
from adapter.transports.files import transport
from adapter.transports.files.blocks import blocks
from adapter.transports.files.transport import FilesTransport
from adapter.types import Hold, Processed, Release

SEALER = Sealer("q1", {"q1": bytes(32)})
GOOD = b"MSH|^~\\&|A|B\rPID|1||7\r"
BAD = b"MSH|^~\\&|A|B\rPID|1||bad\r"


def split(raw):
    """Split HL7 v2 by its framing and JSON by lines; return anything else whole."""
    if detect(raw) == "hl7v2":
        return split_hl7v2(raw)
    if detect(raw) == "fhir":
        lines = raw.splitlines(keepends=True)
        return [Frame(b"", line.rstrip(b"\n"), line[len(line.rstrip(b"\n")) :]) for line in lines]
    return (Frame(b"", raw, b""),)


class Inline:
    """A pool that holds values with "bad" and replaces 7 by 8 in others."""

    restarts = 0

    async def run(self, batch, _notes=None):
        """Return the outcomes of a batch immediately."""
        return [Processed(self.outcome(record.value), 0.1) for record in batch]

    def outcome(self, value):
        """Return the outcome of one value."""
        if b"bad" in value or not value.strip():
            return Hold("decode", "not-hl7v2")
        return Release(value.replace(b"7", b"8"), format="hl7v2")


def run(tmp_path, *inputs, output="out", **options):
    """Run over ``inputs``; return the output folder's files and the report."""
    files = Files(inputs=[str(i) for i in inputs], output=str(tmp_path / output), **options)
    transport = FilesTransport(files, Workers(batch_records=3, processes=1), lambda _name: split)
    report = Report()
    runner = Runner(transport, Inline(), SEALER, Audit("d", transport.public), watch=report.add)
    asyncio.run(asyncio.wait_for(runner.run(asyncio.Event()), 30))
    return written(tmp_path / output), report.as_dict()


def written(folder):
    """Return the relative names and bytes of a folder's files."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def put(folder, **files):
    """Write files to a folder; "__" in a name stands for "/"."""
    for name, content in files.items():
        path = folder / name.replace("__", "/").replace("_hl7", ".hl7")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return folder


def test_each_file_keeps_its_relative_name(tmp_path):
    """Outputs keep the inputs' relative names; a file whose message is held has no output."""
    source = put(tmp_path / "in", a_hl7=GOOD, sub__b_hl7=GOOD, sub__c_hl7=BAD)
    files, report = run(tmp_path, source)
    clean = GOOD.replace(b"7", b"8")
    assert {"a.hl7": clean, "sub/b.hl7": clean} == files
    assert [{"offset": 0, "stage": "decode", "code": "not-hl7v2"}] == report["files"]["sub/c.hl7"][
        "held"
    ]


@pytest.mark.parametrize("between", [b"", b"\n", b"\r\n\r\n"])
def test_a_batch_file_leaves_out_only_what_is_held(tmp_path, between):
    """A file's output lacks only the held messages, and keeps the framing of the others."""
    one = b"\xef\xbb\xbf" + GOOD + between
    source = put(tmp_path / "in", x_hl7=one + BAD + between + GOOD * 5)
    files, report = run(tmp_path, source)
    assert {"x.hl7": one.replace(b"7", b"8") + GOOD.replace(b"7", b"8") * 5} == files
    assert (7, 6, 1) == (report["messages"], report["released"], report["held"])


def test_mllp_blocks_are_kept(tmp_path):
    """MLLP block characters are written unchanged."""
    raw = b"".join(b"\x0b" + GOOD + b"\x1c\r" for _ in range(4))
    files, _ = run(tmp_path, put(tmp_path / "in", x_hl7=raw))
    assert raw.replace(b"7", b"8") == files["x.hl7"]


def test_an_empty_file_is_held(tmp_path):
    """An empty file is reported as one held message."""
    files, report = run(tmp_path, put(tmp_path / "in", x=b""))
    assert ({}, 1) == (files, report["held"])


def test_holds_are_sealed_and_audit_names_files_by_number(tmp_path):
    """Envelopes, their names and the audit contain a file's number, but not its name."""
    source = put(tmp_path / "in", Doe_Jane_hl7=BAD)
    run(tmp_path, source, quarantine=tmp_path / "q", audit=tmp_path / "audit.ndjson")
    (name,) = Folder(tmp_path / "q").names()
    envelope = (tmp_path / "q" / name).read_bytes()
    held, record = SEALER.open(envelope)
    audit = (tmp_path / "audit.ndjson").read_bytes()
    assert ("file-1", BAD) == (held.topic, record.value)
    assert "Doe_Jane.hl7" == record.position.topic
    assert not any(b"Doe" in text for text in (envelope, audit, name.encode()))
    assert "file-1" == json.loads(audit)["topic"]


def test_an_output_inside_an_input_is_refused(tmp_path):
    """An output folder inside an input folder is refused: the next run would read it."""
    put(tmp_path, a_hl7=GOOD)
    with pytest.raises(RuleError, match="inside"):
        run(tmp_path, tmp_path)


def test_an_output_over_its_input_is_refused(tmp_path):
    """An output that would overwrite its input file is refused."""
    put(tmp_path / "in", a_hl7=GOOD)
    with pytest.raises(RuleError, match="overwrite"):
        run(tmp_path, tmp_path / "in/a.hl7", output="in")


def test_two_inputs_of_one_name_are_refused(tmp_path):
    """Two inputs with one name are refused: their outputs would overwrite each other."""
    put(tmp_path, x__a_hl7=GOOD, y__a_hl7=GOOD)
    with pytest.raises(RuleError, match="same name"):
        run(tmp_path, tmp_path / "x/a.hl7", tmp_path / "y/a.hl7")


def test_a_missing_input_is_refused(tmp_path):
    """A missing input is refused, not treated as empty."""
    with pytest.raises(RuleError, match="no such"):
        run(tmp_path, tmp_path / "nothing")


def test_links_out_of_the_input_are_left_out(tmp_path):
    """Links to files or folders outside of the input folder are not followed."""
    source = put(tmp_path / "in", a_hl7=GOOD)
    put(tmp_path / "else", secret_hl7=GOOD)
    (source / "b.hl7").symlink_to(tmp_path / "else/secret.hl7")
    (source / "more").symlink_to(tmp_path / "else")
    files, _ = run(tmp_path, source)
    assert ["a.hl7"] == list(files)


def test_links_out_of_the_output_are_refused(tmp_path):
    """A link in the output folder that leads out of it is refused, and nothing is written there."""
    source = put(tmp_path / "in", sub__a_hl7=GOOD)
    (tmp_path / "else").mkdir()
    (tmp_path / "out").mkdir()
    (tmp_path / "out/sub").symlink_to(tmp_path / "else")
    with pytest.raises(RuleError, match="points outside"):
        run(tmp_path, source)
    assert {} == written(tmp_path / "else")


def test_a_failure_leaves_no_partial_output(tmp_path):
    """A run that fails in the middle of a file leaves no part of its output."""
    source = put(tmp_path / "in", x_hl7=GOOD * 10)

    class Breaks(Inline):
        async def run(self, batch, _notes=None):
            if batch[0].position.offset >= 6:
                raise MemoryError
            return await super().run(batch)

    files = Files(inputs=[str(source)], output=str(tmp_path / "out"))
    transport = FilesTransport(files, Workers(batch_records=3), lambda _name: split)
    with pytest.raises(MemoryError):
        asyncio.run(Runner(transport, Breaks(), SEALER, Audit()).run(asyncio.Event()))
    assert [] == list((tmp_path / "out").rglob("*"))


def test_standard_streams(tmp_path, monkeypatch):
    """With "-", messages are read from standard input and written to standard output."""
    source, result = tmp_path / "stdin", tmp_path / "stdout"
    source.write_bytes(GOOD + BAD + GOOD)
    with source.open("rb") as into, result.open("wb") as out:
        monkeypatch.setattr("sys.stdin", into)
        monkeypatch.setattr("sys.stdout", out)
        files = Files(inputs=("-",), output="-")
        transport = FilesTransport(files, Workers(), lambda _name: split)
        asyncio.run(Runner(transport, Inline(), None, Audit()).run(asyncio.Event()))
    assert GOOD.replace(b"7", b"8") * 2 == result.read_bytes()


PIECES = st.lists(
    st.sampled_from(
        [GOOD, GOOD.replace(b"\r", b"\r\n"), b"\x0b" + GOOD + b"\x1c\r", b"\r\n", b"BTS|1\r"]
    ),
    max_size=30,
)


@given(pieces=PIECES, size=st.integers(1, 200))
def test_blocks_cut_no_hl7_message(pieces, size):
    """Splitting a stream's blocks gives the same messages as splitting the whole stream."""
    raw = GOOD + b"".join(pieces)
    parts = list(blocks(io.BytesIO(raw), size))
    values = [f.value for part in parts for f in split_hl7v2(part) if f.value.strip()]
    assert raw == b"".join(parts)
    assert [f.value for f in split_hl7v2(raw) if f.value.strip()] == values


JSON = st.sampled_from([b'{"a":{\n"b":1}\n}', b'{"a":[{"b":1}\n,\n{"c":"}\\n{"}]}', b'{"a":1}'])


@given(documents=st.lists(JSON, min_size=1, max_size=30), size=st.integers(1, 100))
def test_blocks_cut_no_json(documents, size):
    """Every block contains only whole JSON documents."""
    raw = b"\n".join(documents) + b"\n"
    parts = list(blocks(io.BytesIO(raw), size))
    decoder = json.JSONDecoder()
    assert raw == b"".join(parts)
    for part in parts:
        text = part.decode().strip()
        while text:
            _, end = decoder.raw_decode(text)
            text = text[end:].strip()


def test_a_long_input_is_read_block_by_block():
    """No block of a long NDJSON stream is larger than twice the block size."""
    line = b'{"resourceType":"Patient","id":"7"}\n'
    parts = list(blocks(io.BytesIO(line * 10_000), 4096))
    assert max(map(len, parts)) <= 2 * 4096
    assert line * 10_000 == b"".join(parts)


def test_special_files_are_not_read(tmp_path):
    """A named pipe in the input folder is skipped: reading it would never end."""
    source = put(tmp_path / "in", a_hl7=GOOD)
    os.mkfifo(source / "pipe")
    files, _ = run(tmp_path, source)
    assert ["a.hl7"] == list(files)


def test_what_is_skipped_is_counted_in_the_log(tmp_path, monkeypatch):
    """By reason, one line each, and without names, which may identify a patient."""
    lines = []
    monkeypatch.setattr(transport, "log", lambda event, **keys: lines.append((event, keys)))
    source = put(tmp_path / "in", a_hl7=GOOD)
    os.mkfifo(source / "pipe")
    (source / "gone").symlink_to(source / "Quillfeather")
    (source / "lost").symlink_to(source / "Quillfeather")
    run(tmp_path, source)
    assert [
        (Event.INPUTS_SKIPPED, {"reason": "link-to-nothing", "files": 2}),
        (Event.INPUTS_SKIPPED, {"reason": "not-a-file", "files": 1}),
    ] == lines


def test_a_file_that_is_held_now_leaves_nothing_of_before(tmp_path):
    """What an earlier run released of it goes, and the manifest says so."""
    (tmp_path / "in").mkdir()
    for name in ("a.hl7", "b.hl7"):
        (tmp_path / "in" / name).write_bytes(GOOD)
    run(tmp_path, tmp_path / "in")
    (tmp_path / "in/a.hl7").write_bytes(BAD)
    files, _ = run(tmp_path, tmp_path / "in")
    assert ["b.hl7"] == [name for name in files if name.endswith(".hl7")]


def test_settings_without_inputs_are_refused(tmp_path):
    """A run over nothing would look like one in which all was well."""
    with pytest.raises(RuleError, match=r"files\.inputs: is empty"):
        run(tmp_path)


def test_a_file_that_cannot_be_read_is_skipped(tmp_path, monkeypatch):
    """The others are processed; a file that is given by its name is an error."""
    (tmp_path / "in").mkdir()
    for name in ("a.hl7", "b.hl7"):
        (tmp_path / "in" / name).write_bytes(GOOD)
    closed = tmp_path / "in/a.hl7"
    monkeypatch.setattr(os, "access", lambda path, _mode: str(path) != str(closed))
    files, _ = run(tmp_path, tmp_path / "in")
    assert ["b.hl7"] == [name for name in files if name.endswith(".hl7")]
    with pytest.raises(RuleError, match=r"a\.hl7"):
        run(tmp_path, closed)
