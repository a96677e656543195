"""Plans: the selected records, and what an archive lacks, with the consequences."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

import pytest

from adapter.config.settings import load_settings
from adapter.errors import RuleError
from adapter.replay.passes import Watch
from adapter.replay.registry import source_of, target_of
from adapter.replay.run import planned, ready
from tests.replay import worlds
from tests.replay.worlds import START, lines, manifest, records, row, run, settings, write


def plan(loaded):
    """Return the plan of settings."""
    told, digest = ready(loaded)
    return asyncio.run(planned(told, digest, source_of(told), Watch()))


def at(minutes):
    """Return the time of the records after this many minutes, one minute each."""
    return datetime.fromtimestamp(START / 1000 + 60 * minutes, UTC)


def test_a_whole_archive_lacks_nothing(tmp_path):
    """An archive with all columns from the first offset on has no lacks and no warnings."""
    source = worlds.columns_jsonl(tmp_path / "archive", records())
    found = plan(settings(tmp_path, source)).survey
    assert ((), (), 60) == (found.lacks, found.warnings, found.records)
    assert not (tmp_path / "journal").exists()
    assert not (tmp_path / "out").exists()


def test_a_bare_archive_says_what_it_lacks(tmp_path):
    """An archive of messages only lacks keys, headers, tombstones, times and coordinates."""
    write(tmp_path / "archive", "a.hl7", worlds.message(1) + worlds.message(2))
    told = list(plan(settings(tmp_path, {"layout": "plain", "format": "hl7-batch"})).lines())
    lacks = [line.split(":")[0] for line in told if line.startswith("lacks")]
    assert [
        "lacks keys",
        "lacks headers",
        "lacks tombstones",
        "lacks timestamps",
        "lacks coordinates",
    ] == lacks
    assert "archive-0: offsets 0 to 1, 2 records" in told


def test_parsed_values_are_a_lack(tmp_path):
    """Values stored as parsed JSON are reported, because their bytes may differ."""
    rows = [{"offset": 0, "partition": 0, "value": {"resourceType": "Patient", "x": 1.50}}]
    write(tmp_path / "archive", "a.jsonl", lines(rows))
    lacks = plan(settings(tmp_path)).survey.lacks
    assert any(each.startswith("bytes: 1 of 1 records were kept as parsed JSON") for each in lacks)


def test_a_start_in_the_middle_warns(tmp_path):
    """A range of times or offsets, or an archive that begins later, gives a warning per lane."""
    given = records(40, tombstones=False)
    source = worlds.columns_jsonl(tmp_path / "archive", given)
    for range_ in ({"since": at(10)}, {"offsets": {"hl7.in-0": (3, 9), "hl7.in-1": (3, 9)}}):
        found = plan(settings(tmp_path, {**source, **range_})).survey
        assert ["hl7.in-0: starts", "hl7.in-1: starts"] == [
            warning[: len("hl7.in-0: starts")] for warning in found.warnings
        ]
    write(tmp_path / "later", "a.jsonl", lines(map(row, given[20:])))
    later = settings(tmp_path, {**source, "url": str(tmp_path / "later")})
    assert 2 == len(plan(later).survey.warnings)


def test_gaps_and_doubles_are_counted(tmp_path):
    """Missing offsets and duplicate records give warnings."""
    given = records(40, partitions=1, tombstones=False)
    rows = lines(map(row, (*given[:10], *given[15:], *given[20:24])))
    write(tmp_path / "archive", "a.jsonl", rows)
    warnings = " ".join(plan(settings(tmp_path)).survey.warnings)
    assert "hl7.in-0: 5 offsets between first and last are not in the archive" in warnings
    assert "hl7.in-0: 4 records are present twice and are used once" in warnings


@pytest.mark.parametrize(
    ("range_", "expected"),
    [
        ({"since": at(10), "until": at(20)}, 10),
        ({"until": at(5)}, 5),
        ({"offsets": {"hl7.in-1": (2, 4)}}, 3),
        ({"keys": ("MRN3",)}, 5),
        ({"topics": ("hl7.in",)}, 40),
    ],
)
def test_ranges(tmp_path, range_, expected):
    """Times, offsets, keys and topics select records, and the plan counts the selected ones."""
    source = worlds.columns_jsonl(tmp_path / "archive", records(40, tombstones=False))
    loaded = settings(tmp_path, {**source, **range_})
    assert expected == plan(loaded).survey.records
    run(loaded)
    assert expected == manifest(tmp_path)["totals"]["records"]


def test_times_without_zone_are_utc(tmp_path):
    """A time without a zone is UTC."""
    file = tmp_path / "replay.toml"
    file.write_text("[replay]\nname = 'a'\n[replay.source]\nsince = 2024-01-01T00:00:00\n")
    assert UTC is load_settings(file).replay.source.since.tzinfo


def test_places_are_relative_to_the_settings_file(tmp_path):
    """Paths are relative to the settings file, URLs are unchanged, the journal has a default."""
    file = tmp_path / "replay.toml"
    file.write_text(
        "[replay]\nname = 'a'\n[replay.source]\nurl = 's3://b/c'\n[replay.target]\nurl = 'o'\n"
    )
    told = load_settings(file).replay
    assert ("s3://b/c", str(tmp_path / "o"), str(tmp_path / "a.replay")) == (
        told.source.url,
        told.target.url,
        told.journal,
    )


@pytest.mark.parametrize(
    "wrong",
    [
        {"source": {"offsets": {"a-0": (5, 4)}}},
        {"source": {"since": at(2), "until": at(1)}},
        {"ruleset": "sha256:xyz"},
        {"name": "a/b"},
    ],
)
def test_impossible_settings_are_refused(wrong):
    """Reversed ranges, invalid digests and names with folders are refused."""
    with pytest.raises(RuleError, match=r"replay"):
        load_settings(replay={"name": "a", **wrong})


def test_unknown_kinds_are_refused(tmp_path):
    """An unknown source or target is refused with the list of known ones."""
    with pytest.raises(RuleError, match="must be one of archive, kafka"):
        run(settings(tmp_path, {"kind": "tape"}))
    with pytest.raises(RuleError, match="must be one of folder, topic"):
        run(settings(tmp_path, target={"kind": "tape"}))


LIVE = {"topics": ("hl7.in",), "audit": "audit", "state": "{topic}.memory"}


@pytest.mark.parametrize(
    "target",
    [
        {"topic": "{topic}"},
        {"topic": "{topic}.deid"},
        {"quarantine": "{topic}.quarantine"},
        {"audit": "audit"},
        {"state": "{topic}.memory"},
        {"state": "deid-adapter.memory"},
        {"progress": "audit"},
        {"quarantine": "{topic}.{name}"},
        {"audit": "deid.replay.progress"},
    ],
)
def test_topics_of_the_live_service_are_refused(tmp_path, target):
    """A target topic that the live service uses, or that is used twice, is refused."""
    loaded = settings(tmp_path, target={"kind": "topic", **target}, kafka=LIVE)
    with pytest.raises(RuleError, match=r"replay\.target\.topic"):
        target_of(loaded, sealed=True)


def test_topics_that_the_live_service_would_read_are_refused(tmp_path):
    """A target topic that matches the live service's input pattern is refused."""
    loaded = settings(tmp_path, target={"kind": "topic"}, kafka={"pattern": r"hl7\..*"})
    with pytest.raises(RuleError, match="of the live service"):
        target_of(loaded.model_copy(update={"replay": _of(loaded, "hl7.in")}), sealed=True)
    assert target_of(loaded, sealed=True)


def _of(loaded, topic):
    source = loaded.replay.source.model_copy(update={"topics": (topic,)})
    return loaded.replay.model_copy(update={"source": source})


def test_settings_show_no_keys_of_records(tmp_path):
    """The repr of settings shows neither record keys nor passwords in addresses."""
    source = {"keys": ("7730412",), "url": "sftp://wren:quillfeather@host/a"}
    shown = repr(settings(tmp_path, source))
    assert "7730412" not in shown
    assert "quillfeather" not in shown
