"""The folder outlet of a listener: complete files, and a manifest that survives crashes."""

from __future__ import annotations

import asyncio
import errno
import json
import multiprocessing
import os

import pytest

from adapter.config.files import Files
from adapter.config.settings import Workers
from adapter.errors import RuleError
from adapter.mart.loading.manifest import read_manifest
from adapter.sealing.quarantine import Folder
from adapter.transports.files.names import MANIFEST
from adapter.transports.listener.to_files import FilesOutlet
from adapter.transports.mllp.blocks import blocks
from tests.transports.mllp.listening import SEALER, adt, exchange, listening


def outlet(folder, name="adt", **values):
    """Return an outlet below a folder."""
    files = Files(output=str(folder / "out"), audit=folder / "audit.ndjson", **values)
    return FilesOutlet(files, folder / "q", name, blocks)


def received(folder, *messages, workers=None):
    """Send messages to a listener over the folder; return the acknowledgements."""

    async def go():
        async with listening(outlet(folder), workers) as listener:
            return await exchange(await listener.connect(), *messages)

    return asyncio.run(go())


def released(folder):
    """Return the bytes of all output files, in name order."""
    return b"".join(path.read_bytes() for path in sorted((folder / "out").glob("*.hl7")))


def test_released_messages_lie_in_files_framed_as_they_came(tmp_path):
    """Released messages are in framed files, held ones in the quarantine, and all in the audit."""
    told = received(tmp_path, adt(1), b"no message", adt(3))
    assert ["AA", "AA", "AA"] == [code for code, _ in told]
    clean = [adt(n).replace(b"QUILLFEATHER", b"OKAFOR") for n in (1, 3)]
    assert b"".join(b"\x0b" + each + b"\x1c\r" for each in clean) == released(tmp_path)
    ((_, held),) = [
        SEALER.open(Folder(tmp_path / "q").read(n)) for n in Folder(tmp_path / "q").names()
    ]
    assert b"no message" == held.value
    assert 3 == len((tmp_path / "audit.ndjson").read_bytes().splitlines())
    names = {path.name for path in (tmp_path / "out").iterdir()}
    assert all(name == MANIFEST or name.startswith("adt-") for name in names)


def test_a_second_start_adds_to_the_folder(tmp_path):
    """A second run overwrites no file of the first."""
    received(tmp_path, adt(1))
    received(tmp_path, adt(2))
    assert [b"C1", b"C2"] == [part[:2] for part in released(tmp_path).split(b"|ADT^A01|")[1:]]


def test_an_answer_means_that_everything_is_on_the_disk(tmp_path, monkeypatch):
    """Envelope or output, and its folder, are synced before the sender is answered."""
    synced = []
    monkeypatch.setattr(
        "adapter.transports.listener.to_files.sync", lambda p: synced.append(p.name)
    )

    async def go():
        async with listening(outlet(tmp_path)) as listener:
            streams = await listener.connect()
            await exchange(streams, b"no message")
            first = list(synced)
            await exchange(streams, adt(2))
            return first, synced[len(first) :]

    (envelope, *others), second = asyncio.run(go())
    assert envelope.endswith(".held")
    assert (["q"], ["out"]) == (others, second)


def manifest_lines(folder):
    """Return the parsed lines of the manifest."""
    return [json.loads(line) for line in (folder / "out" / MANIFEST).read_bytes().splitlines()]


def headers(outlet_, number):
    """Write one batch with a release that has provenance headers."""
    from adapter.transports.listener.to_files import FilesTransaction  # noqa: PLC0415
    from adapter.types import Position, Record  # noqa: PLC0415

    told = (("deid-id", b"%032x" % number), ("deid-ruleset", b"d1"), ("deid-key", b"s1"))
    record = Record(adt(number), Position("adt", 0, number), headers=told)
    outlet_.write(FilesTransaction(released=[record], first=number))


def opened(folder):
    """Return an open outlet."""
    made = outlet(folder)
    asyncio.run(made.open())
    return made


def test_the_manifest_survives_a_kill(tmp_path):
    """The next start removes a truncated line, and completes the manifest."""
    killed = opened(tmp_path)
    headers(killed, 1)
    headers(killed, 2)
    whole = (tmp_path / "out" / MANIFEST).read_bytes()
    for cut in (0, 1, 30, 200):
        (tmp_path / "out" / MANIFEST).write_bytes(whole[: len(whole) - cut])
        again = opened(tmp_path)
        headers(again, 3)
        asyncio.run(again.close())
        _, files = read_manifest(tmp_path / "out")
        expected = ["adt-1.hl7", "adt-3.hl7"] if cut else ["adt-1.hl7", "adt-2.hl7", "adt-3.hl7"]
        assert expected == [file.name for file in files]
        assert "total" in manifest_lines(tmp_path)[-1]


def test_a_started_file_of_a_killed_run_is_removed(tmp_path):
    """The next start removes unfinished files, whose messages were not answered."""
    (tmp_path / "out").mkdir()
    (tmp_path / "out/.adt-5.hl7.part").write_bytes(b"half")
    opened(tmp_path)
    assert [] == [path.name for path in (tmp_path / "out").iterdir()]


@pytest.mark.parametrize("other", [b"not ours\n", b'{"other": 1}\n', b"x"])
def test_a_manifest_of_somebody_else_is_left_alone(tmp_path, other):
    """A file that is not a manifest is refused at the start, and left unchanged."""
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / MANIFEST).write_bytes(other)
    with pytest.raises(RuleError, match="was not written by this program"):
        opened(tmp_path)
    assert other == (tmp_path / "out" / MANIFEST).read_bytes()


def test_a_batch_is_one_file(tmp_path):
    """Messages that wait together are written to one file per batch."""

    async def go():
        async with listening(outlet(tmp_path), Workers(batch_records=50), closed=True) as listener:
            reader, writer = await listener.connect()
            for number in range(10):
                writer.writeblock(adt(number))
            await asyncio.sleep(0.1)
            listener.pool.gate.set()
            for _ in range(10):
                await reader.readblock()

    asyncio.run(go())
    assert 10 == released(tmp_path).count(b"\x0b")
    assert len(list((tmp_path / "out").glob("*.hl7"))) <= 4


@pytest.mark.parametrize("step", ["_open", "_release"])
def test_a_full_disk_is_waited_for(tmp_path, monkeypatch, step):
    """If the disk is full, the listener retries until it can write, and then answers."""
    there = outlet(tmp_path)
    faults, real = [OSError(errno.ENOSPC, "")], getattr(there, step)

    def failing(*batch):
        if faults:
            raise faults.pop()
        real(*batch)

    monkeypatch.setattr(there, step, failing)

    async def go():
        async with listening(there) as listener:
            return await exchange(await listener.connect(), adt(1))

    assert [("AA", "C1")] == asyncio.run(go())


def test_what_a_full_disk_took_of_a_line_is_no_obstacle(tmp_path, monkeypatch):
    """A manifest section that a full disk truncated is written whole by the next attempt."""
    there, real, full = opened(tmp_path), os.write, [True]

    def write(descriptor, data):
        if full and data.startswith(b'{"file"'):
            full.pop()
            real(descriptor, data[:20])
            raise OSError(errno.ENOSPC, "")
        return real(descriptor, data)

    monkeypatch.setattr(os, "write", write)
    with pytest.raises(OSError, match="28"):
        headers(there, 1)
    headers(there, 1)
    asyncio.run(there.close())
    assert ["adt-1.hl7"] == [file.name for file in read_manifest(tmp_path / "out")[1]]


def test_listeners_of_one_folder_leave_each_other_alone(tmp_path):
    """A listener keeps other listeners' unfinished files and manifest lines in the same folder.

    One listener's name is a prefix of the other's.
    """
    first, second = outlet(tmp_path), outlet(tmp_path, name="adt-2")
    asyncio.run(second.open())
    headers(second, 1)
    begun = tmp_path / "out/.adt-2-5.hl7.part"
    begun.write_bytes(b"half")
    asyncio.run(first.open())
    headers(first, 7)
    headers(second, 3)
    asyncio.run(first.close())
    headers(second, 4)
    assert begun.exists()
    asyncio.run(second.close())
    names = [file.name for file in read_manifest(tmp_path / "out")[1]]
    assert ["adt-2-1.hl7", "adt-2-3.hl7", "adt-2-4.hl7", "adt-7.hl7"] == names


def test_listeners_of_one_folder_at_the_same_time(tmp_path):
    """Concurrent listeners in several processes lose and truncate no manifest line."""
    spawn = multiprocessing.get_context("spawn")
    runs = [spawn.Process(target=running, args=(tmp_path, n, 40)) for n in ("a", "a-1", "b")]
    for run in runs:
        run.start()
    for run in runs:
        run.join(60)
    assert [0, 0, 0] == [run.exitcode for run in runs]
    files = [file.name for file in read_manifest(tmp_path / "out")[1]]
    assert sorted(f"{n}-{i}.hl7" for n in ("a", "a-1", "b") for i in range(1, 41)) == files


def running(folder, name, batches):
    """Start a listener again for each of its batches."""
    for number in range(1, batches + 1):
        there = outlet(folder, name=name)
        asyncio.run(there.open())
        headers(there, number)
        asyncio.run(there.close())
