"""SIGKILLs at any moment do not change the result of a replay."""

from __future__ import annotations

import json
import signal
import time
from pathlib import Path

import pytest

from tests import processes
from tests.replay import worlds
from tests.replay.worlds import manifest, records, run, settings

SCRIPT = Path(__file__).with_name("replay_process.py")
KILLS = 10


def settings_file(folder):
    """Write the settings of a replay to a file."""
    file = folder / "replay.toml"
    keys = "\n".join(
        f'[keys.{name}]\nid = "{key["id"]}"\nvalue = "{key["value"]}"'
        for name, key in worlds.KEYS.items()
    )
    file.write_text(
        f'{keys}\n[log]\nlevel = "error"\n[workers]\nbatch_records = 7\n'
        f"[replay]\nname = 'one'\njournal = 'journal'\n"
        f"[replay.source]\nurl = 'archive'\nkey_encoding = 'base64'\n"
        f"[replay.target]\nurl = 'out'\n"
    )
    return file


def outputs(folder):
    """Return the bytes of every file that researchers get, by name."""
    return {path.name: path.read_bytes() for path in sorted((folder / "out").iterdir())}


def begun(file, seconds):
    """Start a replay in a separate process."""
    return processes.Started([SCRIPT, file, seconds])


def transactions(folder):
    """Return the number of transactions in the journal."""
    return len(list((folder / "journal").rglob("*.chunk")))


def wait_for(process, condition, seconds=60):
    """Wait until the condition holds or the process has ended."""
    end = time.monotonic() + seconds
    while not condition() and process.poll() is None and time.monotonic() < end:
        time.sleep(0.005)


def test_ten_kills_leave_what_no_kill_leaves(tmp_path):
    """After ten SIGKILLs, manifests and output equal those of one run."""
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    for folder in (whole, killed):
        source = worlds.columns_jsonl(folder / "archive", records(400, partitions=3))
    run(settings(whole, source))
    file = settings_file(killed)
    for number in range(KILLS):
        process = begun(file, 0.005)
        there = transactions(killed)
        wait_for(process, lambda there=there: transactions(killed) >= there + 3)
        time.sleep(0.003 * number)
        process.send_signal(signal.SIGKILL)
        assert -signal.SIGKILL == process.wait()
    process = begun(file, 0)
    assert 0 == process.wait(120)
    assert manifest(whole) == manifest(killed)
    assert outputs(whole) == outputs(killed)


def test_a_kill_while_the_output_is_written(tmp_path, monkeypatch):
    """A replay that dies while it writes its output writes it again when resumed."""
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    for folder in (whole, killed):
        source = worlds.columns_jsonl(folder / "archive", records())
        run_once = settings(folder, source, {"part_bytes": 4096})
        if folder is whole:
            run(run_once)
    from adapter.replay.storage import Storage  # noqa: PLC0415

    written = Storage.write

    for dies_at in ("part-00001.jsonl.gz", "held.jsonl", "manifest.json"):

        def write(self, name, pieces, dies_at=dies_at):
            if name == dies_at:
                raise KeyError
            written(self, name, pieces)

        monkeypatch.setattr(Storage, "write", write)
        with pytest.raises(KeyError):
            run(run_once, resume=True)
    monkeypatch.setattr(Storage, "write", written)
    run(run_once, resume=True)
    assert manifest(whole) == manifest(killed)
    assert outputs(whole) == outputs(killed)
    assert json.loads((killed / "out" / "manifest.json").read_bytes())["totals"]["records"] == 60
