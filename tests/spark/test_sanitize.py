"""`sanitize` on a local Spark: the bytes of the single machine, whatever Spark does with tasks."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from adapter.errors import RuleError
from adapter.sealing.quarantine import read_clear
from adapter.spark import sanitize
from adapter.spark.rows import OUTPUT
from adapter.types import Position, Record
from tests.spark.feed import NAMES, admission, feed, hindsight, note, shuffled
from tests.story.feed import SEALER


def settled(df):
    """What a result releases by message id, and (place, stage, code) of what it holds."""
    released, held = {}, set()
    for row in df.collect():
        if row.outcome == "released":
            headers = tuple((h.key, bytes(h.value)) for h in row.headers)
            value = None if row.value is None else bytes(row.value)
            assert row.id not in released
            released[row.id] = (bytes(row.key), value, headers)
        else:
            held.add((Position(row.topic, row.partition, row.offset), row.stage, row.code))
    return released, held


def test_the_feed_needs_what_is_known_of_patients(expected, archive, settings):
    """Without knowledge other bytes come out: equality says something."""
    released, _ = settled(sanitize(archive(), settings, knowledge="none"))
    assert expected[0].keys() == released.keys()
    assert expected[0] != released


@pytest.mark.parametrize("tasks", [1, 3, 8, 64])
def test_lanes_give_the_bytes_of_the_single_machine(tasks, expected, archive, settings):
    """In any order of rows and for any number of tasks: keys, values, headers, holds."""
    df = archive(shuffled(tasks))
    assert expected == settled(sanitize(df, settings, tasks=tasks))


def test_held_records_are_sealed(archive, settings):
    """The value of a held record is an envelope that the quarantine's key alone opens."""
    (row,) = sanitize(archive(), settings).where("outcome = 'held'").collect()
    held, record = SEALER.open(bytes(row.value))
    assert (row.stage, row.code) == (held.stage, held.code) == ("decode", "unknown-format")
    original = next(r for r in feed() if r.value and r.value.startswith(b"no message"))
    assert original == record
    assert (None, []) == (row.key, row.headers)
    assert read_clear(bytes(row.value)) == held


def fails_once(flag):
    """What ends a task after its first rows, once."""

    def pass_on(batches):
        for batch in batches:
            yield batch
            if not Path(flag).exists():
                Path(flag).touch()
                raise RuntimeError("lost")

    return pass_on


def test_a_retried_task_gives_the_same_bytes(expected, archive, settings, tmp_path):
    """A task that dies amid its rows begins again, with an empty memory."""
    flag = tmp_path / "failed"
    df = sanitize(archive(shuffled()), settings, tasks=3)
    again = df.mapInArrow(fails_once(str(flag)), df.schema)
    assert expected == settled(again)
    assert flag.exists()


def test_a_record_that_is_there_twice_counts_once(expected, archive, settings):
    """Archives written at least once have some records twice."""
    records = list(feed())
    assert expected == settled(sanitize(archive([*records, *records[3:9]]), settings, tasks=2))


def test_columns_that_may_lack(archive, settings):
    """Topic, partition, offset and value suffice; a time of Spark's own type will do."""
    df = archive([r for r in feed() if r.value is not None])
    assert len(df.collect()) == sanitize(df.drop("key", "headers", "timestamp"), settings).count()
    timed = df.withColumn("timestamp", df.timestamp.cast("timestamp"))
    assert list(OUTPUT) == sanitize(timed, settings).columns
    with pytest.raises(RuleError, match=r"columns: lacks offset, value"):
        sanitize(df.drop("value", "offset"), settings)


@pytest.mark.parametrize(
    ("record", "code"),
    [
        (Record(note(1, 1), Position("hl7.in", 0, None)), "spark/row"),
        (Record(note(1, 1), Position("hl7.in", 0, 0)), "spark/duplicate"),
    ],
)
def test_what_fails_is_a_stage_and_a_code(record, code, archive, settings):
    """Spark is told a code, and nothing of a value or of what the error was raised from."""
    with pytest.raises(Exception, match=code) as failed:
        sanitize(archive([*feed(), record]), settings).collect()
    text = str(failed.value)
    assert [] == [name for name in NAMES if name.lower() in text.lower()]


@pytest.mark.parametrize("tasks", [1, 8, 64])
def test_patients_give_the_bytes_of_the_single_machine(tasks, expected, archive, settings):
    """By patient too: what is known is what messages of the same lane said before."""
    heard = {}
    df = sanitize(
        archive(shuffled(tasks)), settings, "patient", tasks=tasks, told=heard.__setitem__
    )
    assert expected == settled(df)
    assert 4 <= heard["records of the largest component"] < len(list(feed()))
    assert heard["components"] > 3


def test_hindsight_gives_the_bytes_of_a_replay_in_hindsight(archive, settings):
    """What any message of a patient says is known of all, in any lane; merges shift nothing."""
    df = sanitize(archive(shuffled()), settings, "patient", "hindsight", tasks=3)
    rows = [row for row in df.collect() if row.outcome == "released"]
    expected = dict(hindsight())
    assert len(expected) == len(rows)
    for row in rows:
        key, value, merges = expected[Position(row.topic, row.partition, row.offset)]
        assert (key, value) == (bytes(row.key), row.value and bytes(row.value))
        told = json.loads({h.key: h.value for h in row.headers}.get("deid-merges", b"[]"))
        assert [merge.as_dict() for merge in merges] == told
    text = b"".join(bytes(row.value or b"") for row in rows).lower()
    assert [] == [name for name in NAMES if name.lower().encode() in text]


def staffed():
    """An admission that names a doctor, and a note about another patient that has the surname."""
    doctor = admission(1, 0) + b"PV1|1|I|W3^12^1||||8812345^Haldorsen^Alasdair\r"
    text = note(1, 1).replace(b"Overnight", b"Haldorsen reviewed. Overnight")
    for offset, value in enumerate((doctor, text)):
        yield Record(value, Position("hl7.in", 0, offset), b"k", (), 1_700_000_000_000 + offset)


@pytest.mark.parametrize(("partition", "stays"), [("lane", False), ("patient", True)])
def test_staff_of_other_patients_are_known_by_lane_alone(partition, stays, archive, settings):
    """By patient, a task sees no messages of other patients."""
    rows = sanitize(archive(list(staffed())), settings, partition, tasks=2).collect()
    assert ["released"] * 2 == [row.outcome for row in rows]
    (text,) = (bytes(row.value) for row in rows if row.offset == 1)
    assert stays == (b"Haldorsen" in text)
