"""``deid-adapter file``."""

from __future__ import annotations

import json
import os
import signal
import time

import pytest

from adapter.cli.file import _write
from adapter.runtime.report import Report
from tests import processes


@pytest.fixture(scope="module")
def folder(tmp_path_factory, messages):
    """Files of every framing, in folders, and some that are held."""
    root = tmp_path_factory.mktemp("file")
    adt, oru, patient = messages["adt"], messages["oru"], messages["patient"]
    files = {
        "hl7/cr.hl7": adt,
        "hl7/lf.hl7": oru.replace(b"\r", b"\n"),
        "hl7/crlf.hl7": adt.replace(b"\r", b"\r\n") + b"\r\n" + oru.replace(b"\r", b"\r\n"),
        "hl7/mllp.bin": b"\x0b" + adt + b"\x1c\r\x0b" + oru + b"\x1c\r",
        "hl7/batch.hl7": b"FHS|^~\\&\rBHS|^~\\&\r" + adt + oru + b"BTS|2\rFTS|1\r",
        "fhir/one.json": b"\xef\xbb\xbf" + patient + b"\n",
        "fhir/many.ndjson": patient + b"\n\n" + patient + b"\r\n" + b'{"a":1}\n' + patient,
        "held/note.txt": b"Mr. John Quillfeather",
        "held/cut.json": patient[:60],
        "held/empty.hl7": b"",
    }
    for name, raw in files.items():
        (root / "in" / name).parent.mkdir(parents=True, exist_ok=True)
        (root / "in" / name).write_bytes(raw)
    return root


@pytest.fixture(scope="module")
def ended(folder, run_cli, key):
    """The command over the folder."""
    return run_cli("file", folder / "in", "-o", folder / "out", "--key", key)


def out(folder, name):
    """An output's bytes."""
    return (folder / "out" / name).read_bytes()


def test_each_input_keeps_its_relative_name(ended, folder):
    """What was released stands under its own name, beside report and manifest."""
    assert 0 == ended.returncode
    written = {p.relative_to(folder / "out").as_posix() for p in (folder / "out").rglob("*.*")}
    read = {p.relative_to(folder / "in").as_posix() for p in (folder / "in").rglob("*.*")}
    released = {name for name in read if not name.startswith("held/")}
    assert released | {"report.json", "manifest.jsonl"} == written


def test_nothing_real_is_left(ended, folder, real):
    """No name or number of an input occurs in any output, nor on the terminal."""
    texts = [p.read_bytes() for p in (folder / "out").rglob("*.*")]
    for text in (*texts, ended.stdout, ended.stderr):
        assert [] == [value for value in real if value in text]


@pytest.mark.usefixtures("ended")
def test_line_ends_are_kept(folder):
    """CR, LF and CRLF come out as they came in, line by line."""
    for name, end in (("hl7/cr.hl7", b"\r"), ("hl7/lf.hl7", b"\n"), ("hl7/crlf.hl7", b"\r\n")):
        before, after = (folder / "in" / name).read_bytes(), out(folder, name)
        assert [row[:3] for row in before.split(end)] == [row[:3] for row in after.split(end)]
        assert (before.count(b"\r"), before.count(b"\n")) == (
            after.count(b"\r"),
            after.count(b"\n"),
        )


@pytest.mark.usefixtures("ended")
def test_mllp_is_kept(folder):
    """Every message of an MLLP stream stands in its own block again."""
    blocks = out(folder, "hl7/mllp.bin").split(b"\x1c\r")
    assert [b"\x0bMSH", b"\x0bMSH", b""] == [block[:4] for block in blocks]


@pytest.mark.usefixtures("ended")
def test_a_batch_is_kept(folder):
    """Headers and trailers of file and batch stand where they stood."""
    rows = out(folder, "hl7/batch.hl7").split(b"\r")
    assert [
        b"FHS",
        b"BHS",
        b"MSH",
        b"PID",
        b"MSH",
        b"PID",
        b"OBX",
        b"OBX",
        b"BTS",
        b"FTS",
        b"",
    ] == [row[:3] for row in rows]


@pytest.mark.usefixtures("ended")
def test_a_mark_of_byte_order_is_kept(folder):
    """A BOM and the last line's end are framing."""
    text = out(folder, "fhir/one.json")
    assert (b"\xef\xbb\xbf{", b"}\n") == (text[:4], text[-2:])


@pytest.mark.usefixtures("ended")
def test_a_held_message_leaves_no_output(folder):
    """Of several messages in a file the held one alone is missing, its framing with it."""
    lines = out(folder, "fhir/many.ndjson").split(b"\n")
    assert [True, False, True, True] == [line.startswith(b"{") for line in lines]
    assert lines[2].endswith(b"\r")
    assert not (folder / "out/held").exists()


def test_held_messages_are_named(ended, folder):
    """File, index, stage and code stand on standard error and in the report."""
    expected = {
        ("fhir/many.ndjson", 2): "decode/not-fhir",
        ("held/cut.json", 0): "decode/not-json",
        ("held/empty.hl7", 0): "decode/empty",
        ("held/note.txt", 0): "decode/unknown-format",
    }
    result = [f"held {name}#{index}: {why}" for (name, index), why in expected.items()]
    lines = ended.stderr.decode().splitlines()
    assert result == [line for line in lines if line.startswith("held ")]
    report = json.loads(out(folder, "report.json"))
    assert expected == {
        (name, held["offset"]): f"{held['stage']}/{held['code']}"
        for name, file in report["files"].items()
        for held in file["held"]
    }


@pytest.mark.usefixtures("ended")
def test_the_report_counts(folder):
    """Messages, releases and holds add up, over all and file by file."""
    report = json.loads(out(folder, "report.json"))
    assert report["messages"] == report["released"] + report["held"]
    for count in ("messages", "released"):
        assert report[count] == sum(file[count] for file in report["files"].values())
    assert 4 == report["held"] == sum(report["holds"].values())


@pytest.mark.usefixtures("ended")
def test_one_person_has_one_surrogate(folder):
    """The patient of the HL7 v2 files has one name and number in all of them."""
    people = set()
    for name in ("cr.hl7", "lf.hl7", "crlf.hl7", "mllp.bin", "batch.hl7"):
        rows = out(folder, f"hl7/{name}").replace(b"\n", b"\r").split(b"\r")
        people |= {tuple(row.split(b"|")[3:9:2]) for row in rows if row.startswith(b"PID")}
    assert 1 == len(people)


def test_standard_input_and_output(run_cli, key, messages, real):
    """A stream goes through with its framing; all that is said goes to standard error."""
    raw = b"\x0b" + messages["oru"] + b"\x1c\r"
    ended = run_cli("file", "-", "-o", "-", "--key", key, stdin=raw)
    assert (0, b"\x0bMSH|", b"\x1c\r") == (ended.returncode, ended.stdout[:5], ended.stdout[-2:])
    assert [] == [value for value in real if value in ended.stdout + ended.stderr]


def test_a_key_makes_runs_agree(run_cli, key, messages):
    """The same key gives the same bytes; without one, surrogates are of one run and say so."""
    with_key = [
        run_cli("file", "-", "-o", "-", "--key", key, stdin=messages["adt"]) for _ in range(2)
    ]
    assert with_key[0].stdout == with_key[1].stdout
    without = run_cli("file", "-", "-o", "-", stdin=messages["adt"])
    assert without.stdout not in {with_key[0].stdout, messages["adt"]}
    assert without.stderr.startswith(b"note: no key given")


def test_plain_text_is_read_when_told(run_cli, key, real):
    """With --format text a file is one text."""
    raw = b"Seen by Dr. Alice Wexcombe.\n"
    ended = run_cli("file", "-", "-o", "-", "--key", key, "--format", "text", stdin=raw)
    assert (b"Seen by Dr. ", b".\n") == (ended.stdout[:12], ended.stdout[-2:])
    assert [] == [value for value in real if value in ended.stdout]


def test_an_input_that_is_not_there_is_refused(run_cli, tmp_path, key):
    """A name that is no file or folder ends with status 2, and nothing is written."""
    ended = run_cli("file", tmp_path / "none", "-o", tmp_path / "out", "--key", key)
    assert 2 == ended.returncode
    assert ended.stderr.startswith(b"error: files.inputs: ")
    assert not (tmp_path / "out").exists()


def test_an_output_inside_the_input_is_refused(run_cli, folder, key):
    """What is written would be read again by the next run."""
    ended = run_cli("file", folder / "in", "-o", folder / "in/out", "--key", key)
    assert 2 == ended.returncode
    assert ended.stderr.startswith(b"error: files.output: ")


def test_what_a_killed_run_left_is_removed_by_the_next(run_cli, tmp_path, key, messages):
    """An unfinished output stays while its run exists, and is gone after the run that follows."""
    (tmp_path / "many.hl7").write_bytes(messages["oru"] * 2000)
    (tmp_path / "one.hl7").write_bytes(messages["adt"])
    out, small = tmp_path / "out", {"DEID_ADAPTER__WORKERS__BATCH_RECORDS": "2"}
    options = ["-o", out, "--key", key, "--workers", "1"]
    words = ["-m", "adapter", "file", tmp_path / "many.hl7", *options]
    killed = processes.Started(words, env=os.environ | small, stderr=processes.DEVNULL)
    end = time.monotonic() + 60
    while not (parts := [*out.glob(".*.part")]) and time.monotonic() < end:
        time.sleep(0.01)
    killed.send_signal(signal.SIGSTOP)
    assert 0 == run_cli("file", tmp_path / "one.hl7", *options).returncode
    assert parts == [*out.glob(".*")] != []
    killed.kill()
    killed.wait(30)
    assert 0 == run_cli("file", tmp_path / "one.hl7", *options).returncode
    assert {"one.hl7", "report.json", "manifest.jsonl"} == {file.name for file in out.iterdir()}


def test_an_interrupted_run_says_so(tmp_path, key, messages):
    """Files that are not finished count as not released, on standard error and in the report."""
    for number in range(30):
        (tmp_path / f"in/{number:02}").mkdir(parents=True)
        (tmp_path / f"in/{number:02}/a.hl7").write_bytes(messages["oru"] * 20)
    out = tmp_path / "out"
    words = ["-m", "adapter", "file", tmp_path / "in", "-o", out, "--key", key, "--workers", "1"]
    with (tmp_path / "told").open("wb") as told:
        small = {"DEID_ADAPTER__WORKERS__BATCH_RECORDS": "5"}
        run = processes.Started(words, env=os.environ | small, stderr=told)
        end = time.monotonic() + 60
        while len([*out.glob("*/a.hl7")]) < 3 and time.monotonic() < end:
            time.sleep(0.01)
        run.send_signal(signal.SIGTERM)
        assert 130 == run.wait(60)
    written = [*out.glob("*/a.hl7")]
    report = json.loads((out / "report.json").read_bytes())
    assert (30, len(written), True) == tuple(
        report[name] for name in ("inputs", "finished", "interrupted")
    )
    assert len(written) * 20 == report["released"] == report["messages"]
    assert report["spans"]
    assert (
        f"interrupted: {len(written)} of 30 files are finished" in (tmp_path / "told").read_text()
    )


def test_a_run_that_ends_before_its_first_message_has_a_report(tmp_path):
    """The folder is made for the report, which says that nothing was done."""
    path = tmp_path / "out/report.json"
    assert 130 == _write(Report(inputs=3, interrupted=True), path, 130)
    report = json.loads(path.read_bytes())
    assert (3, 0, True, 0) == tuple(
        report[name] for name in ("inputs", "finished", "interrupted", "messages")
    )


def test_what_is_not_read_is_named(run_cli, tmp_path, key, messages):
    """Links that lead nowhere, out or in circles, linked folders and pipes are skipped by name."""
    folder = tmp_path / "in"
    (folder / "real").mkdir(parents=True)
    (folder / "real/a.hl7").write_bytes(messages["adt"])
    (tmp_path / "b.hl7").write_bytes(messages["adt"])
    for name, target in {
        "dangling": "real/none.hl7",
        "folder": "real",
        "loop": "loop",
        "outside": "../b.hl7",
        "same.hl7": "real/a.hl7",
    }.items():
        (folder / name).symlink_to(target)
    os.mkfifo(folder / "pipe")
    ended = run_cli("file", folder, "-o", tmp_path / "out", "--key", key)
    told = ended.stderr.decode().splitlines()
    assert [
        "skipped dangling: a link that leads to nothing",
        "skipped folder: a link to a folder",
        "skipped loop: a link that leads to nothing",
        "skipped outside: a link that points outside its folder",
        "skipped pipe: not a regular file",
    ] == [line for line in told if line.startswith("skipped")]
    assert told[-1].startswith("2 released, 0 held of 2 messages in ")
