"""``deid-adapter reidentify``: exactly back, for those with the key, and never unnoticed."""

from __future__ import annotations

import csv
import json
import shutil
import stat

import pytest

from adapter.sealing.escrow import read_deposit


@pytest.fixture(scope="module")
def work(run_cli, invoke, messages, tmp_path_factory):
    """A folder with inputs, their sanitized outputs, the escrow, and both rings."""
    folder = tmp_path_factory.mktemp("work")
    (folder / "in" / "ward").mkdir(parents=True)
    (folder / "in" / "a.hl7").write_bytes(messages["adt"])
    (folder / "in" / "ward" / "b.hl7").write_bytes(messages["adt"] + b"\n" + messages["oru"])
    (folder / "in" / "p.json").write_bytes(messages["patient"] + b"\n")
    (folder / "in" / "held.txt").write_bytes(b"neither of them\n")
    ring, officer = folder / "ring.json", folder / "officer.json"
    invoke("keys", "ring", ring)
    invoke("keys", "rotate", ring, "--purpose", "escrow", "--private", officer)
    (folder / "adapter.toml").write_text(
        '[keys]\nring = "ring.json"\n[escrow]\nenabled = true\n[files]\nescrow = "escrow.jsonl"\n'
        '[rules]\nlanguages = ["en"]\n'
    )
    ended = run_cli("file", "in", "-o", "out", "--config", "adapter.toml", cwd=folder)
    assert b"4 released, 1 held" in ended.stderr
    return folder


@pytest.fixture
def back(work, invoke, tmp_path):
    """Runs the command over that folder; ``tmp_path`` takes what it writes."""

    def run(*inputs, key="officer.json", reason="recall of device 7", options=()):
        return invoke(
            "reidentify",
            *(inputs or (work / "out",)),
            *("--escrow", work / "escrow.jsonl", "--key", work / key, "--reason", reason),
            *("-o", tmp_path / "back", "--audit", tmp_path / "audit.jsonl", *options),
        )

    return run


def files(folder):
    """Relative name -> bytes of every file."""
    found = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}


def test_the_originals_come_back_byte_for_byte(work, back, tmp_path):
    """Every file of which something was released is as it came, and its owner's alone."""
    assert 0 == back().exit_code
    originals = files(work / "in")
    del originals["held.txt"]
    assert originals == files(tmp_path / "back")
    assert 0o600 == stat.S_IMODE((tmp_path / "back" / "a.hl7").stat().st_mode)


def test_a_use_is_noted_before_anything_is_written(work, back, tmp_path):
    """The audit says when, who, why, how many and which; a use that fails is there too."""
    (tmp_path / "back").write_text("in the way")
    assert 0 != back().exit_code
    (note,) = map(json.loads, (tmp_path / "audit.jsonl").read_bytes().splitlines())
    assert ("recall of device 7", "messages", 4) == (note["reason"], note["what"], note["asked"])
    assert {"time", "user", "uid", "found", "which"} < set(note)
    envelopes = (work / "escrow.jsonl").read_bytes().splitlines()
    assert sorted({read_deposit(line).sha256 for line in envelopes}) == note["which"]


def test_the_audit_has_no_original(back, real, tmp_path):
    """Nothing of what was opened is in the audit or on the terminal."""
    result = back()
    said = result.output.encode() + (tmp_path / "audit.jsonl").read_bytes()
    assert [] == [text for text in real if text in said]


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"key": "ring.json"}, "has no private part of an escrow key"),
        ({"reason": " "}, "--reason: must not be empty"),
    ],
)
def test_without_key_or_reason_nothing_is_written(back, tmp_path, options, why):
    """The adapter's own ring opens nothing."""
    result = back(**options)
    assert (True, True) == (result.exit_code != 0, why in str(result.exception))
    assert [] == list(tmp_path.iterdir())


def test_a_message_that_was_never_released_is_named(work, back, tmp_path):
    """A changed message is named by file and index, the others are written, the status is 1."""
    changed = tmp_path / "changed"
    shutil.copytree(work / "out", changed)
    target = changed / "ward" / "b.hl7"
    target.write_bytes(target.read_bytes().replace(b"ADT^A01", b"ADT^A08", 1))
    result = back(changed)
    assert 1 == result.exit_code
    assert "unknown ward/b.hl7#0: not in the escrow" in result.stderr
    whole = (work / "in" / "ward" / "b.hl7").read_bytes()
    left = (tmp_path / "back" / "ward" / "b.hl7").read_bytes()
    assert (True, True) == (left in whole, b"ORU^R01" in left)


def test_numbers_are_looked_up(work, back, tmp_path):
    """A surrogate number, however written, gives the original; an unknown one is named."""
    number = (work / "out" / "a.hl7").read_bytes().split(b"PID|1||")[1].split(b"^")[0].decode()
    (tmp_path / "ids.txt").write_text(f"{number[:3]}-{number[3:]}\n\n99999999\n")
    result = back(tmp_path / "ids.txt", options=["--ids"])
    assert (1, True) == (
        result.exit_code,
        f"unknown {tmp_path}/ids.txt#2: not in the escrow" in result.stderr,
    )
    with (tmp_path / "back" / "ids.csv").open(newline="") as stream:
        rows = list(csv.reader(stream))
    assert [["surrogate", "original"], [f"{number[:3]}-{number[3:]}", "8841277"]] == rows


def test_nothing_is_overwritten(back, tmp_path):
    """A second run into the same folder is refused, and opens nothing."""
    back()
    before = (tmp_path / "audit.jsonl").read_bytes()
    result = back()
    assert (True, before) == (result.exit_code != 0, (tmp_path / "audit.jsonl").read_bytes())


def test_a_cut_line_of_the_escrow_is_passed_over(work, invoke, tmp_path):
    """What a crash left half written hides nothing else, and is named with its place."""
    (tmp_path / "escrow").mkdir()
    whole = (work / "escrow.jsonl").read_bytes()
    (tmp_path / "escrow" / "1.jsonl").write_bytes(b'{"v":1,"sha' + b"\n" + whole)
    result = invoke(
        "reidentify", work / "out", "--escrow", tmp_path / "escrow", "--reason", "test",
        "--key", work / "officer.json", "-o", tmp_path / "back", "--audit", tmp_path / "a.jsonl",
    )  # fmt: skip
    assert 0 == result.exit_code
    line = f"{tmp_path}/escrow/1.jsonl:1: cannot be read: it is not an escrow record\n"
    assert line in result.stderr


def test_a_damaged_escrow_is_said_to_be_unreadable(work, invoke, tmp_path):
    """What is missing from it may stand in the lines that are named."""
    (tmp_path / "escrow.jsonl").write_bytes(b"\x00\xff\n" * 60)
    result = invoke(
        "reidentify", work / "out" / "a.hl7", "--escrow", tmp_path / "escrow.jsonl",
        "--reason", "test", "--key", work / "officer.json", "-o", tmp_path / "back",
        "--audit", tmp_path / "a.jsonl",
    )  # fmt: skip
    told = result.stderr.splitlines()
    assert (1, "unknown a.hl7#0: not in the escrow") == (result.exit_code, told[-1])
    assert told[49].startswith(f"{tmp_path}/escrow.jsonl:50: cannot be read")
    assert "and 10 more" == told[50]
