"""The folder target: a journal during the replay, then parts of JSON lines and a manifest."""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from adapter.errors import RuleError
from adapter.headers import MESSAGE_ID
from adapter.replay.errors import ReplayError, missing_extra
from adapter.replay.folder.journal import told_of
from adapter.replay.folder.journalled import LANES, MANIFEST, PLAN, Journalled, as_json
from adapter.replay.folder.lane import FolderLane
from adapter.replay.folder.ordering import by_subject, sort_key
from adapter.replay.progress import chained
from adapter.replay.storage import Storage
from adapter.transports.protocol import Channel

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from adapter.config.replay import ReplayTarget
    from adapter.config.settings import Settings
    from adapter.replay.folder.journal import JournalLane
    from adapter.replay.manifest import Account
    from adapter.replay.survey import LaneRange
    from adapter.types import Record

_SUFFIX = {"gzip": ".gz", "zstd": ".zst", "none": ""}


@dataclass(slots=True)
class FolderTarget(Journalled):
    """A folder that stays empty until the replay ends, and is then complete with its manifest."""

    target: ReplayTarget
    output: Storage
    prefix: str = "part"
    """Beginning of the names of parts; a replay in hindsight has its own."""

    @classmethod
    def of(cls, settings: Settings, *, sealed: bool) -> FolderTarget:
        """Create the folder target; ``sealed`` says that there is a key for patient state.

        Raises:
            RuleError: the settings name no folder, or one of folder and journal is in the other.
        """
        replay = settings.replay
        if not replay.target.url:
            raise RuleError("replay.target.url", "is not set; give the URL of the output folder")
        output = Storage.at(replay.target.url, replay.target.options)
        journal = Storage.at(replay.journal, private=True)
        if journal.local == output.local:
            _refuse_within(journal.root, output.root)
        prefix = "hindsight" if replay.knowledge == "hindsight" else "part"
        return cls(journal, sealed, replay.target, output, prefix)

    async def start(self) -> None:
        """Do nothing: there is no connection."""

    async def begin(self, plan: dict[str, Any]) -> None:
        """Empty the journal, and write the plan to it.

        Raises:
            ReplayError: the output folder is not empty.
        """
        there = await asyncio.to_thread(self.output.objects)
        if there and await self.begun() is None:
            raise ReplayError(self.output.root, "is not empty")
        await asyncio.to_thread(self.journal.remove, LANES)
        await asyncio.to_thread(self.journal.write, PLAN, [as_json(plan)])

    def lane(self, lane: LaneRange) -> FolderLane:
        """Return a lane that writes to the journal."""
        return FolderLane(self.journal_of(lane), keeps_state=self.resumes)

    async def finish(self, account: Account) -> dict[str, Any]:
        """Write parts, then manifests; after a crash this is repeated."""
        return await asyncio.to_thread(self._finish, account)

    def _finish(self, account: Account) -> dict[str, Any]:
        lanes = [self.journal_of(lane) for lane in account.lanes]
        for lane in lanes:
            lane.open()
        total = sum(progress.size for progress in account.progress.values())
        parts = self._parts(lanes, total)
        self.sides(lanes)
        output = {
            "order": self.target.order,
            "parts": parts,
            "sha256": chained(part["sha256"] for part in parts),
        }
        self.output.write(MANIFEST, [as_json(account.public(output))])
        self.journal.write(MANIFEST, [as_json(account.whole(output))])
        self.journal.remove(LANES)
        return output

    def _parts(self, lanes: Sequence[JournalLane], total: int) -> list[dict[str, Any]]:
        records = (record for lane in lanes for record in lane.records(Channel.RELEASED))
        if self.target.order == "source":
            lines: Iterator[bytes] = map(line_of, records)
        else:
            lines = by_subject(((sort_key(each), line_of(each)) for each in records), total)
        told = []
        for number, part in enumerate(_cut(lines, self.target.part_bytes)):
            raw = b"".join(part)
            name = f"{self.prefix}-{number:05d}.jsonl{_SUFFIX[self.target.compression]}"
            self.output.write(name, [compressed(raw, self.target.compression)])
            digest = hashlib.sha256(raw).hexdigest()
            told.append({"name": name, "records": len(part), "sha256": digest})
        return told

    async def stop(self) -> None:
        """Do nothing: no resource is held."""


def _refuse_within(journal: str, output: str) -> None:
    """Refuse nested folders: the journal's lanes are removed at the end.

    Raises:
        RuleError: the journal is in the output, or the output in the journal's lanes.
    """
    if f"{journal}/".startswith(f"{output}/"):
        raise RuleError(
            "replay.journal",
            "lies in the output but tells where messages came from; move it elsewhere",
        )
    if f"{output}/".startswith(f"{journal}/{LANES}/"):
        raise RuleError(
            "replay.target.url", "lies in the journal's lanes, which are deleted; move it elsewhere"
        )


def line_of(record: Record) -> bytes:
    """Return a released record as a line: ``id`` first, then key, value and headers."""
    named = dict(record.headers)
    own = {"id": named[MESSAGE_ID].decode()} if MESSAGE_ID in named else {}
    told = json.dumps(own | told_of(record), ensure_ascii=False, separators=(",", ":"))
    return told.encode() + b"\n"


def _cut(lines: Iterable[bytes], size: int) -> Iterator[list[bytes]]:
    part: list[bytes] = []
    room = size
    for line in lines:
        if part and len(line) > room:
            yield part
            part, room = [], size
        part.append(line)
        room -= len(line)
    if part:
        yield part


def compressed(raw: bytes, how: str) -> bytes:
    """Compress deterministically, without file name and time."""
    if how == "gzip":
        return gzip.compress(raw, compresslevel=6, mtime=0)
    if how == "zstd":
        try:
            import zstandard  # noqa: PLC0415 - an extra
        except ImportError:
            raise missing_extra("zstandard") from None
        return zstandard.ZstdCompressor(level=6).compress(raw)
    return raw
