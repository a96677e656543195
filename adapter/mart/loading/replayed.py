"""The folder of a replay as a source: a backfill that was processed elsewhere.

The folder is one lane. Its lines are sorted by surrogate subject, and within a subject in source
order, so the offset of a message is its line number over all parts.
"""

from __future__ import annotations

import hashlib
import json
from itertools import islice
from typing import TYPE_CHECKING, Any

from adapter.errors import RuleError
from adapter.mart.loading.backfill import counted, inside, lane_of, topic_of
from adapter.mart.loading.domain import refuse_other_key
from adapter.mart.versions import Released
from adapter.replay.archive.compression import DAMAGED, damaged, decompressed
from adapter.replay.folder.journal import unpacked
from adapter.replay.folder.journalled import MANIFEST

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from adapter.mart.loading.source import Batch
    from adapter.mart.store.protocol import Lane


class ReplayedSource:
    """The released messages of a replay's folder; ``keys`` returns the mart's keys."""

    def __init__(
        self, folder: Path, name: str, keys: Callable[[], Sequence[str]], batch_records: int
    ) -> None:
        self._folder, self._keys, self._batch_records = folder, keys, batch_records
        self._name = name
        self._parts: tuple[dict[str, Any], ...] = ()

    async def lanes(self) -> Sequence[Lane]:
        """Read the manifest.

        Raises:
            RuleError: it is not the manifest of a replay, or the replay used another key than the
                mart's.
        """
        path = self._folder / MANIFEST
        try:
            raw = path.read_bytes()
            manifest = json.loads(raw)
            self._parts = tuple(
                {
                    "name": str(part["name"]),
                    "records": int(part["records"]),
                    "sha256": part["sha256"],
                }
                for part in manifest["output"]["parts"]
            )
            key_id = str(manifest["key"]["id"])
        except OSError as error:
            raise RuleError(str(path), f"cannot be read ({type(error).__name__})") from None
        except (ValueError, KeyError, TypeError):
            raise RuleError(str(path), "is not the manifest of a replay's folder") from None
        refuse_other_key(self._keys(), key_id, str(path))
        return (lane_of(self._name, hashlib.sha256(raw).hexdigest()),)

    def batches(self, start: Mapping[Lane, int | None]) -> AsyncIterator[Batch | None]:
        """Yield batches from the given line, counted over all parts.

        Raises:
            RuleError: a part differs from the manifest.
        """
        return counted(start, self._from, self._batch_records)

    def _from(self, done: int) -> Iterator[Released]:
        """Yield the lines after the first ``done``, without opening the parts before them."""
        first = 0
        for part in self._parts:
            end = first + part["records"]
            if done < end:
                self._verify(part)
                lines = islice(self._lines(part), max(0, done - first), None)
                for number, line in enumerate(lines, start=max(done, first)):
                    yield self._released(number, line, part)
            first = end

    def _verify(self, part: dict[str, Any]) -> None:
        """Refuse a part whose bytes differ from the manifest's digest."""
        digest, count = hashlib.sha256(), 0
        for line in self._lines(part):
            digest.update(line)
            count += 1
        if (digest.hexdigest(), count) != (part["sha256"], part["records"]):
            raise RuleError(str(self._path(part)), f"does not match {MANIFEST}")

    def _lines(self, part: dict[str, Any]) -> Iterator[bytes]:
        path = self._path(part)
        try:
            with path.open("rb") as stream:
                yield from decompressed(stream)
        except DAMAGED:
            raise damaged(str(path)) from None
        except OSError as error:
            raise RuleError(str(path), f"cannot be read ({type(error).__name__})") from None

    def _path(self, part: dict[str, Any]) -> Path:
        return inside(self._folder, part["name"], MANIFEST)

    def _released(self, number: int, line: bytes, part: dict[str, Any]) -> Released:
        topic = topic_of(self._name)
        try:
            fields = json.loads(line)
            own = str(fields["id"])
            record = unpacked({"p": [topic, 0, number], **fields})
        except (ValueError, KeyError, TypeError, AttributeError):
            raise RuleError(
                str(self._path(part)), "has a line that is not a released message"
            ) from None
        return Released(record.value, own, topic, 0, number, record.key, record.headers)

    async def close(self) -> None:
        """Do nothing: no file is open."""
