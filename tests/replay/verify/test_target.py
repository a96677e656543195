"""Verification of a replay against a folder, and the reported differences."""

from __future__ import annotations

import asyncio
import gzip
import json

import pytest

from adapter.headers import MESSAGE_ID
from adapter.replay.errors import ReplayError
from adapter.replay.run import verify
from adapter.replay.verify.published import Published
from adapter.types import Position, Record, Release
from tests.replay import worlds
from tests.replay.worlds import records, run, settings, stand_in


@pytest.fixture
def folder(tmp_path):
    """Return the folder of a finished replay."""
    source = worlds.columns_jsonl(tmp_path / "archive", records())
    run(settings(tmp_path, source))
    return tmp_path


def verified(folder, process=stand_in):
    """Return the status and the report of verifying the replay's folder."""
    loaded = settings(folder, {"key_encoding": "base64"})
    done = asyncio.run(verify(loaded, str(folder / "out"), factory=lambda: process))
    report = json.loads((folder / "journal" / "verify.json").read_bytes())["output"]
    assert done.manifest["output"] == report
    return done.status, report


def test_a_replay_is_what_it_was(folder):
    """Processing the same messages again gives no differences."""
    status, report = verified(folder)
    assert (0, {}, 0) == (status, report["differences"], report["outside"])
    assert 60 == sum(report["same"].values())


def test_another_byte_is_a_difference(folder):
    """A release with other bytes is reported with its source position, and the status is 1."""

    def other(record):
        outcome = stand_in(record)
        if record.position.offset == 3 and isinstance(outcome, Release) and outcome.value:
            return Release(outcome.value + b" ", outcome.key, outcome.headers)
        return outcome

    status, report = verified(folder, other)
    assert (1, {"bytes differ": 2}) == (status, report["differences"])
    assert ["hl7.in-0 offset 3: bytes differ", "hl7.in-1 offset 3: bytes differ"] == sorted(
        report["places"]
    )


def test_a_release_that_was_held_is_a_difference(folder):
    """A message that was held and is now released gives two differences: release and hold."""

    def lenient(record):
        outcome = stand_in(record)
        return outcome if isinstance(outcome, Release) else Release(b"x", record.key)

    status, report = verified(folder, lenient)
    assert 1 == status
    assert {"not published": 5, "held decode/unknown-format": 5} == report["differences"]


def test_headers_count(folder):
    """A release with the same bytes and other headers is a separate kind of difference."""

    def headless(record):
        outcome = stand_in(record)
        return Release(outcome.value, outcome.key) if isinstance(outcome, Release) else outcome

    _, report = verified(folder, headless)
    assert ["headers differ"] == list(report["differences"])


def test_what_only_the_folder_has_is_a_difference(folder):
    """Published releases that the replay does not produce are reported."""
    loaded = settings(folder, {"key_encoding": "base64", "offsets": {"hl7.in-0": (0, 10)}})
    done = asyncio.run(verify(loaded, str(folder / "out"), factory=worlds.StandIn()))
    assert 1 == done.status
    assert done.manifest["output"]["differences"]["published only"] > 20


def test_a_part_that_was_changed_is_refused(folder):
    """A part whose digest differs from the manifest's is an error, not a difference."""
    part = next((folder / "out").glob("part-*"))
    lines = gzip.decompress(part.read_bytes()).splitlines(keepends=True)
    part.write_bytes(gzip.compress(b"".join(lines[1:])))
    with pytest.raises(ReplayError, match="does not match the manifest"):
        verified(folder)


def test_a_folder_without_a_manifest_is_refused(folder):
    """A folder without a manifest is refused."""
    (folder / "out" / "manifest.json").unlink()
    with pytest.raises(ReplayError, match=r"no manifest\.json"):
        verified(folder)


@pytest.mark.parametrize(
    "manifest", [{"v": 1}, {"totals": {"holds": {}}, "output": {"topics": []}}, []]
)
def test_a_manifest_of_something_else_is_refused(folder, manifest):
    """A manifest that is not a replay's is refused."""
    (folder / "out" / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(ReplayError, match="not of a replay"):
        verified(folder)


@pytest.mark.parametrize("value", [b"Quillfeather", b"00", "\u00e9".encode(), None])
def test_an_id_that_is_none_of_ours_is_no_id(value):
    """A message id in another form is neither accepted nor quoted."""
    headers = () if value is None else ((MESSAGE_ID, value),)
    record = Record(b"x", Position("a", 0, 0), headers=headers)
    with pytest.raises(ReplayError) as failed:
        Published().release(record, "a-0")
    assert "Quillfeather" not in str(failed.value)
