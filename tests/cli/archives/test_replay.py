"""``deid-adapter replay``: the plan in words, errors with their place, statuses."""

from __future__ import annotations

import json

import pytest

from tests.replay import worlds

pytest.importorskip("fsspec")


@pytest.fixture
def file(tmp_path, key):
    """Settings of a replay of a small archive."""
    rows = [
        {"topic": "t", "partition": 0, "offset": n, "value": worlds.message(n).decode()}
        for n in range(3)
    ]
    worlds.write(tmp_path / "archive", "a.jsonl", worlds.lines(rows))
    file = tmp_path / "replay.toml"
    file.write_text(
        f'[keys.surrogates]\nid = "k1"\nfile = "{key}"\n[workers]\nprocesses = 1\n'
        '[replay]\nname = "one"\n[replay.source]\nurl = "archive"\n[replay.target]\nurl = "out"\n'
    )
    return file


def test_a_plan_is_printed_and_nothing_written(invoke, file):
    """The ruleset, the key, the lanes and what the archive lacks stand on lines of their own."""
    done = invoke("replay", "--config", file, "--plan")
    assert 0 == done.exit_code
    told = done.stdout.splitlines()
    assert any(line.startswith("ruleset sha256:") for line in told)
    assert any(line.startswith("key k1 (fingerprint ") for line in told)
    assert "t-0: offsets 0 to 2, 3 records" in told
    assert any(line.startswith("lacks keys:") for line in told)
    assert {"archive", "replay.toml"} == {path.name for path in file.parent.iterdir()}


def test_a_replay_and_its_verification(run_cli, file):
    """A replay tells its totals; the same again is verified; a second run needs --resume."""
    done = run_cli("replay", "--config", file)
    assert (0, "3 released, 0 held of 3 records") == (
        done.returncode,
        done.stderr.decode().splitlines()[-1].split(";")[0],
    )
    manifest = json.loads((file.parent / "one.replay" / "manifest.json").read_bytes())
    assert 3 == manifest["totals"]["released"]
    again = run_cli("replay", "--config", file)
    assert (2, True) == (again.returncode, b"--resume" in again.stderr)
    verified = run_cli("replay", "--config", file, "--verify", file.parent / "out")
    assert (0, "identical: 3 released; published outside the replay: 0") == (
        verified.returncode,
        verified.stdout.decode().strip(),
    )


def test_a_damaged_archive_ends_with_its_place(run_cli, file):
    """Errors name file and row, with status 2."""
    worlds.write(file.parent / "archive", "b.jsonl", b'{"value": "MS')
    done = run_cli("replay", "--config", file)
    assert 2 == done.returncode
    assert b"error: b.jsonl: row 1: is not JSON, or is truncated" in done.stderr


def test_a_pin_that_does_not_fit(run_cli, file):
    """Another ruleset than the one wanted ends with status 2 before anything runs."""
    text = file.read_text().replace('name = "one"', f'name = "one"\nruleset = "{"0" * 64}"')
    file.write_text(text)
    done = run_cli("replay", "--config", file)
    assert (2, True) == (done.returncode, b"replay.ruleset" in done.stderr)
