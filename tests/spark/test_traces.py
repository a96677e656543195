"""What Spark writes beside its results: no name of a patient, no key."""

from __future__ import annotations

import base64

import pytest

from adapter.errors import RuleError
from adapter.spark import sanitize
from adapter.spark.sanitize import ENCRYPTED, refuse_clear_spill
from adapter.types import Position, Record
from tests.spark.feed import NAMES, SECRET, note
from tests.spark.feed import feed as records

KEYS = [SECRET, SECRET.hex().encode(), *(base64.b64encode(key) for key in (SECRET, bytes(32)))]
CANARIES = [
    *(form.encode() for name in NAMES for form in (name, name.lower())),
    *(f"77{patient}4312".encode() for patient in range(len(NAMES))),
    *KEYS,
]


def hits(folder, canaries):
    """(file, canary) of all that is found below a folder, and how many bytes were looked at."""
    found, size = [], 0
    for path in folder.rglob("*"):
        if path.is_file():
            raw = path.read_bytes()
            size += len(raw)
            found += [(path.name, canary) for canary in canaries if canary in raw]
    return found, size


def test_logs_events_and_spill_have_no_canary(archive, settings, traces, capfd, expected):
    """Also where a task fails, and where the result is kept on disk and checkpointed.

    A checkpoint is the result in the clear: of canaries it has what the single machine releases,
    which are a few names that nothing had said before the first notes.
    """
    kept = sanitize(archive(), settings).persist(_disk())
    assert kept.count()
    kept.checkpoint()
    twice = Record(note(1, 1), Position("hl7.in", 0, 0))
    with pytest.raises(Exception, match="spark/duplicate"):
        sanitize(archive([*records(), twice]), settings).collect()
    for name in ("logs", "events", "spill"):
        found, size = hits(traces / name, CANARIES)
        assert size > 10_000, name
        assert [] == found
    released = b"".join(value or b"" for _, value, _ in expected[0].values())
    absent = [canary for canary in CANARIES if canary not in released]
    assert len(absent) > len(CANARIES) // 2
    found, size = hits(traces / "checkpoint", absent)
    assert ([], True) == (found, size > 1_000)
    printed = "".join(capfd.readouterr()).encode()
    assert [] == [canary for canary in CANARIES if canary in printed]


def _disk():
    from pyspark import StorageLevel  # noqa: PLC0415 - of the extra 'spark'

    return StorageLevel.DISK_ONLY


def test_spill_in_the_clear_is_refused():
    """Without encryption of what Spark spills nothing begins; between machines, of its wire."""
    refuse_clear_spill({ENCRYPTED: "true", "spark.master": "local[2]"})
    cluster = {ENCRYPTED: "true", "spark.master": "yarn"}
    aes = {"spark.authenticate": "true", "spark.network.crypto.enabled": "true"}
    refuse_clear_spill(cluster | aes)
    refuse_clear_spill(cluster | {"spark.ssl.rpc.enabled": "true"})
    clear = {}, {"spark.ssl.enabled": "true"}, *({name: "true"} for name in aes)
    for conf in ({}, {ENCRYPTED: "false"}, *(cluster | more for more in clear)):
        with pytest.raises(RuleError, match="must be true"):
            refuse_clear_spill(conf)
