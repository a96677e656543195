"""Patient memory in a replay: none, as of each message, or in hindsight, with the shipped rules."""

from __future__ import annotations

import asyncio
import json
import zlib
from functools import partial

import pytest

from adapter.audit import Audit
from adapter.replay.hindsight import Knowing, KnownStore, empty
from adapter.replay.run import replay, verify
from adapter.rules.folder import rules_folder
from adapter.runtime.patient_store import PatientStore
from adapter.runtime.runner import Runner
from adapter.transports.memory.transport import Broker, MemoryTransport
from adapter.types import Position, Record
from tests.corpus.runs import settings as settings_of
from tests.replay import worlds
from tests.replay.worlds import manifest, released, settings, stopped_after
from tests.story.feed import SEALER, Inline, deidentify

PLANTED = ("Quellbrunn", "Ostrevik", "Tamsweger", "Halvorrin", "Zarncastle", "Umbrecht")


def oru(number, patient):
    """Return a note that names the patient, whose PID has only a number."""
    name = PLANTED[patient]
    return (
        f"MSH|^~\\&|A|B|C|D|2024010{number % 9 + 1}||ORU^R01|o{number}|P|2.5\r"
        f"PID|1||77{patient}4312^^^H1^MR\r"
        f"OBX|1|TX|1^Note||Overnight {name} slept well and {name.lower()} was fed.||||||F\r"
    ).encode()


def adt(number, patient):
    """Return a message with the patient's name."""
    return (
        f"MSH|^~\\&|A|B|C|D|2024010{number % 9 + 1}||ADT^A08|a{number}|P|2.5\r"
        f"PID|1||77{patient}4312^^^H1^MR||{PLANTED[patient]}^Nella||19600102|F\r"
    ).encode()


def merge(number, patient, prior):
    """Return a message that merges a second number into the patient's."""
    return (
        f"MSH|^~\\&|A|B|C|D|2024010{number % 9 + 1}||ADT^A40^ADT_A39|m{number}|P|2.5\r"
        f"EVN|A40|20240109\rPID|1||77{patient}4312^^^H1^MR||{PLANTED[patient]}^Nella||19600102|F\r"
        f"MRG|{prior}^^^H1^MR\r"
    ).encode()


def feed():
    """Yield each patient's notes before and after the name is known, in two topics."""
    values = []
    for patient in range(len(PLANTED)):
        values += [("hl7.in", oru(1, patient)), ("hl7.in", adt(2, patient))]
        values += [("hl7.in", oru(3, patient)), ("notes.in", oru(4, patient))]
    values.append(("hl7.in", merge(5, 0, "8814455")))
    values.insert(0, ("hl7.in", oru(0, 0).replace(b"7704312", b"8814455")))
    counts: dict[str, int] = {}
    for topic, value in values:
        offset = counts[topic] = counts.get(topic, -1) + 1
        yield Record(value, Position(topic, 0, offset), b"k", (), 1_700_000_000_000 + offset)


@pytest.fixture(scope="module")
def outputs(tmp_path_factory):
    """Return the folder of a replay for each knowledge."""
    from adapter.replay import passes  # noqa: PLC0415
    from tests.replay.conftest import InlinePool  # noqa: PLC0415

    found = {}
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(passes, "Pool", InlinePool)
        for knowledge in ("none", "as-of", "hindsight"):
            folder = found[knowledge] = tmp_path_factory.mktemp(knowledge)
            rows = worlds.lines(map(worlds.row, feed()))
            worlds.write(folder / "archive", "a.jsonl", rows)
            told = {"knowledge": knowledge}
            done = asyncio.run(replay(settings(folder, replay=told), factory=deidentify))
            assert 0 == done.status
    return found


def left(folder):
    """Return how often planted names are left in the releases."""
    texts = [worlds.value_of(line).decode().lower() for line in released(folder)]
    return sum(text.count(name.lower()) for text in texts for name in PLANTED)


def test_hindsight_leaves_no_more_names_than_as_of(outputs):
    """Names in notes before the name is known remain in as-of replays, but not in hindsight."""
    none, as_of, hindsight = (left(outputs[name]) for name in ("none", "as-of", "hindsight"))
    assert 0 == hindsight < as_of < none


def live():
    """Return the values that a live run over the feed releases, sorted."""
    broker, found = Broker(), {}
    for record in feed():
        broker.append(record.position.topic, record, 0)

    def watch(record, processed):
        at = record.position
        found[at.topic, at.offset] = getattr(processed.outcome, "value", None)

    transport = MemoryTransport(broker, ("hl7.in", "notes.in"))
    remember = partial(PatientStore, rules_folder(settings_of()).fields)
    runner = Runner(transport, Inline(deidentify()), SEALER, Audit(), remember=remember)
    runner.watch = watch
    asyncio.run(runner.run(asyncio.Event()))
    return sorted(value for value in found.values() if value is not None)


def test_as_of_gives_the_bytes_of_the_live_run(outputs):
    """An as-of replay releases the same bytes as the live run."""
    assert live() == sorted(map(worlds.value_of, released(outputs["as-of"])))


def test_a_replay_that_was_stopped_knows_what_it_knew(outputs, tmp_path, monkeypatch):
    """A resumed replay restores the patient memory from the journal, where it is sealed."""
    from adapter.replay import passes  # noqa: PLC0415
    from tests.replay.conftest import InlinePool  # noqa: PLC0415

    monkeypatch.setattr(passes, "Pool", InlinePool)
    worlds.write(tmp_path / "archive", "a.jsonl", worlds.lines(map(worlds.row, feed())))
    loaded = settings(tmp_path, workers={"batch_records": 3})
    done = None
    failures = 0
    while done is None:
        try:
            going = replay(loaded, resume=True, factory=deidentify, watch=stopped_after(5))
            done = asyncio.run(going)
        except KeyError:
            failures += 1
            for path in (tmp_path / "journal").rglob("*.chunk"):
                assert b"Quellbrunn" not in zlib.decompress(path.read_bytes())
    assert failures > 2
    assert manifest(outputs["as-of"])["lanes"] == manifest(tmp_path)["lanes"]


def test_hindsight_is_named(outputs):
    """Manifests name the knowledge, and so do the parts of a replay in hindsight."""
    for name, folder in outputs.items():
        assert name == manifest(folder, "out")["knowledge"]
    (part,) = manifest(outputs["hindsight"])["output"]["parts"]
    assert part["name"].startswith("hindsight-")


def test_a_merge_in_hindsight_needs_no_shift(outputs):
    """In hindsight a merge shifts dates by 0 days: the earlier messages have the same identity."""
    merges = [
        each
        for line in released(outputs["hindsight"])
        for header in line["headers"]
        if header["key"] == "deid-merges"
        for each in json.loads(header["value"])
    ]
    assert [0] == [each["days"] for each in merges]


def test_hindsight_gives_the_same_bytes_again(outputs):
    """Two replays in hindsight of one archive give the same bytes."""
    folder = outputs["hindsight"]
    loaded = settings(folder, replay={"knowledge": "hindsight"})
    done = asyncio.run(verify(loaded, str(folder / "out"), factory=deidentify))
    assert (0, {}) == (done.status, done.manifest["output"]["differences"])


def test_a_tombstone_hides_no_name_from_the_messages_before_it():
    """What is known of a patient is used for all messages, although a tombstone erases it later."""
    name, process = PLANTED[1], deidentify()
    values = (oru(1, 1), adt(2, 1), None)
    records = [Record(v, Position("in", 0, n), b"7714312") for n, v in enumerate(values)]
    store = empty(process.ruleset.fields)
    for record in records:
        store.learn(record, process.prepare(record)[1], store.begin())
    known = KnownStore(process.ruleset.fields, store.memory)
    prepared, facts = process.prepare(records[0])
    outcome = Knowing(process).finish(prepared, known.learn(records[0], facts, known.begin()))
    assert name.lower().encode() not in outcome.value.lower()
