"""Replays from archives to a folder: outcomes, pins, resumption, manifests."""

from __future__ import annotations

import asyncio
import json
from collections import Counter

import pytest

from adapter.errors import RuleError
from adapter.types import Release
from tests.replay import worlds
from tests.replay.worlds import (
    manifest,
    records,
    released,
    run,
    settings,
    stand_in,
    stopped_after,
    value_of,
)


@pytest.mark.parametrize("name", worlds.WHOLE)
def test_archives_of_every_format_and_layout_give_the_same(tmp_path, name):
    """Releases and holds do not depend on the archive's format and layout."""
    given = records()
    source = worlds.WHOLE[name](tmp_path / "archive", given)
    done = run(settings(tmp_path, source))
    outcomes = [stand_in(record) for record in given]
    expected = Counter((o.key, o.value) for o in outcomes if isinstance(o, Release))
    shown = Counter((line["key"].encode(), value_of(line)) for line in released(tmp_path))
    assert (0, expected) == (done.status, shown)
    totals = manifest(tmp_path)["totals"]
    held = len(given) - expected.total()
    assert (len(given), held, {"decode/unknown-format": held}) == (
        totals["records"],
        totals["held"],
        totals["holds"],
    )


def test_lanes_have_the_same_digests_whatever_the_archive(tmp_path):
    """The digest of each lane does not depend on the archive's format and layout."""
    digests = set()
    for name in ("columns_jsonl", "columns_zstd", "columns_avro", "columns_parquet", "lenses_json"):
        source = worlds.WHOLE[name](tmp_path / name / "archive", records())
        run(settings(tmp_path / name, source))
        digests.add(tuple(lane["sha256"] for lane in manifest(tmp_path / name)["lanes"]))
    assert 1 == len(digests)


def test_a_folder_is_in_the_order_of_subjects(tmp_path):
    """Each subject's records are together, and subjects are not in source order."""
    worlds.columns_jsonl(tmp_path / "archive", records(90, tombstones=False))
    run(settings(tmp_path))
    keys = [line["key"] for line in released(tmp_path)]
    firsts = list(dict.fromkeys(keys))
    assert keys == sorted(keys, key=firsts.index)
    assert firsts != sorted(firsts)


def test_a_folder_is_in_the_order_of_the_source_if_asked_for(tmp_path):
    """With order "source", records are ordered by partition and offset."""
    given = records(40, tombstones=False)
    worlds.columns_jsonl(tmp_path / "archive", given)
    run(settings(tmp_path, target={"order": "source", "compression": "none"}))
    ordered = sorted(given, key=lambda r: (r.position.partition, r.position.offset))
    outcomes = (stand_in(record) for record in ordered)
    expected = [o.value for o in outcomes if isinstance(o, Release)]
    assert expected == [value_of(line) for line in released(tmp_path)]


def test_what_researchers_see_tells_nothing_of_the_source(tmp_path):
    """The public manifest names no topic or object of the source; the journal's manifest does."""
    worlds.columns_jsonl(tmp_path / "archive", records())
    run(settings(tmp_path))
    text = (tmp_path / "out" / "manifest.json").read_text()
    assert ["name", "knowledge", "ruleset", "key", "totals", "output"] == list(json.loads(text))[1:]
    whole = manifest(tmp_path)
    assert "dump/000.jsonl" in json.dumps(whole["inputs"])
    assert "dump/" not in text
    assert worlds.TOPIC not in text


def test_parts_have_the_size_that_was_asked_for(tmp_path):
    """Output is split into parts by size, which the manifest lists."""
    worlds.columns_jsonl(tmp_path / "archive", records())
    run(settings(tmp_path, target={"part_bytes": 2048}))
    told = manifest(tmp_path, "out")["output"]["parts"]
    assert len(told) > 3
    assert [part["name"] for part in told] == sorted(
        path.name for path in (tmp_path / "out").glob("part-*")
    )
    assert sum(part["records"] for part in told) == len(released(tmp_path))


def test_another_ruleset_or_key_is_refused(tmp_path):
    """A required ruleset or key other than the current one is refused before the replay begins."""
    worlds.columns_jsonl(tmp_path / "archive", records())
    for pin, place in (("ruleset", "replay.ruleset"), ("key", "replay.key")):
        wrong = {"ruleset": "sha256:" + "0" * 64, "key": "other"}[pin]
        with pytest.raises(RuleError, match="does not match the current") as failed:
            run(settings(tmp_path, replay={pin: wrong}))
        assert place == failed.value.place
    assert not (tmp_path / "journal").exists()


def test_a_pinned_key_may_be_named_or_fingerprinted(tmp_path):
    """A key can be required by its id or by its fingerprint."""
    worlds.columns_jsonl(tmp_path / "archive", records(20))
    done = run(settings(tmp_path, replay={"key": "s1"}))
    fingerprint = done.manifest["key"]["fingerprint"]
    done = run(settings(tmp_path, replay={"key": fingerprint}), resume=True)
    assert fingerprint == done.manifest["key"]["fingerprint"]


def test_a_replay_that_was_begun_needs_resume(tmp_path):
    """A second run of the same name is refused; with resume it returns the existing manifest."""
    worlds.columns_jsonl(tmp_path / "archive", records(20))
    done = run(settings(tmp_path))
    with pytest.raises(RuleError, match="--resume"):
        run(settings(tmp_path))
    assert done.manifest == run(settings(tmp_path), resume=True).manifest


def test_a_folder_with_something_in_it_is_refused(tmp_path):
    """An output folder that is not empty is refused."""
    worlds.columns_jsonl(tmp_path / "archive", records(20))
    worlds.write(tmp_path / "out", "old.txt", b"x")
    with pytest.raises(RuleError, match="not empty"):
        run(settings(tmp_path))


def test_a_journal_inside_the_output_is_refused(tmp_path):
    """A journal inside the output is refused, because it reveals the origin of messages."""
    worlds.columns_jsonl(tmp_path / "archive", records(20))
    with pytest.raises(RuleError, match="lies in the output"):
        run(settings(tmp_path, replay={"journal": str(tmp_path / "out" / "journal")}))


def test_a_replay_that_failed_goes_on_where_it_was(tmp_path):
    """A replay that fails and is resumed several times gives the manifest of a single run."""
    given = records(120)
    worlds.columns_jsonl(tmp_path / "archive", given)
    (tmp_path / "whole").mkdir()
    worlds.columns_jsonl(tmp_path / "whole" / "archive", given)
    run(settings(tmp_path / "whole"))
    failures = 0
    done = None
    while done is None:
        try:
            done = run(settings(tmp_path), resume=True, watch=stopped_after(20))
        except KeyError:
            failures += 1
    assert failures > 3
    assert manifest(tmp_path / "whole") == manifest(tmp_path)


def test_a_resumed_replay_under_another_plan_is_refused(tmp_path):
    """A replay cannot be resumed with other knowledge or with a changed archive."""
    worlds.columns_jsonl(tmp_path / "archive", records(60))
    with pytest.raises(KeyError):
        run(settings(tmp_path), watch=stopped_after(20))
    with pytest.raises(RuleError, match="another knowledge"):
        run(settings(tmp_path, replay={"knowledge": "none"}), resume=True)
    worlds.columns_jsonl(tmp_path / "archive", records(80))
    with pytest.raises(RuleError, match="objects have changed"):
        run(settings(tmp_path), resume=True)


def test_settings_without_a_name_are_refused(tmp_path):
    """A replay needs a name."""
    with pytest.raises(RuleError, match=r"replay\.name"):
        run(settings(tmp_path, replay={"name": ""}))


def test_an_empty_range_is_refused(tmp_path):
    """A range without records is refused."""
    worlds.columns_jsonl(tmp_path / "archive", records(20))
    with pytest.raises(RuleError, match="no records in the range"):
        run(settings(tmp_path, {"topics": ["other"]}))


def test_held_messages_are_sealed(tmp_path):
    """The journal has every held message sealed, and none in the clear."""
    worlds.columns_jsonl(tmp_path / "archive", records())
    run(settings(tmp_path))
    held = (tmp_path / "journal" / "held.jsonl").read_bytes().splitlines()
    assert manifest(tmp_path)["totals"]["held"] == len(held)
    for path in (tmp_path / "journal").rglob("*"):
        assert path.is_dir() or b"no message" not in path.read_bytes()


def test_the_token_bucket_bounds_the_rate(tmp_path):
    """The setting records_per_second limits the speed of a replay."""
    worlds.columns_jsonl(tmp_path / "archive", records())
    loop = asyncio.new_event_loop()
    begin = loop.time()
    run(settings(tmp_path, replay={"records_per_second": 40}, workers={"batch_records": 5}))
    assert loop.time() - begin > 0.4
    loop.close()
