"""The mart target: lands released records like `mart load`, but as older than live records."""

from __future__ import annotations

import asyncio
import datetime as dt
import secrets
import threading
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from adapter.errors import MartError, RuleError
from adapter.mart.landing import land
from adapter.mart.loading.domain import refuse_other_key
from adapter.mart.loading.entries import entry, held, released
from adapter.mart.maps import read_maps
from adapter.mart.store.protocol import Lane
from adapter.mart.store.registry import open_store
from adapter.mart.versions import BACKFILL
from adapter.replay.errors import ReplayError
from adapter.replay.folder.journalled import LANES, MANIFEST, PLAN, Journalled, as_json
from adapter.replay.mart.journal import MartJournal
from adapter.replay.mart.lane import MartLane
from adapter.replay.progress import chained
from adapter.replay.storage import Storage
from adapter.sealing.key_lookup import surrogates_key
from adapter.transports.protocol import TransportError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from adapter.config.mart import Mart
    from adapter.config.settings import Settings
    from adapter.mart.landing.hl7v2.tables import Tables
    from adapter.mart.store.protocol import Store, Taken
    from adapter.mart.versions import Released
    from adapter.replay.manifest import Account
    from adapter.replay.survey import LaneRange
    from adapter.types import Record

Result = TypeVar("Result")
_PLACE = "mart.url"
_RUN = "run"


@dataclass(slots=True)
class MartTarget(Journalled):
    """The store of the settings' ``[mart]``, in which each run of a replay has its own lanes."""

    mart: Mart
    name: str
    key_id: str
    maps: Tables = field(repr=False)
    _store: Store | None = field(default=None, repr=False)
    _run: str = ""
    _turn: threading.Lock = field(default_factory=threading.Lock, repr=False)

    @classmethod
    def of(cls, settings: Settings, *, sealed: bool) -> MartTarget:
        """Create the mart target; ``sealed`` says that there is a key for patient state.

        Raises:
            RuleError: an address is given twice, or a key or mapping table cannot be read.
        """
        replay = settings.replay
        if replay.target.url:
            raise RuleError(
                "replay.target.url", "must not be set with kind mart; mart.url names the mart"
            )
        key_id, _ = surrogates_key(settings)
        journal = Storage.at(replay.journal, private=True)
        maps = read_maps(settings.rules.folder)
        return cls(journal, sealed, settings.mart, replay.name, key_id, maps)

    async def start(self) -> None:
        """Open the store.

        Raises:
            ReplayError: the store cannot be opened, or another process has opened it.
            RuleError: the store has messages under another key.
        """
        try:
            self._store = store = open_store(self.mart.url, self.mart.project)
            keys = store.keys()
        except MartError as error:
            raise ReplayError(_PLACE, f"cannot be used ({error})") from None
        refuse_other_key(keys, self.key_id, "replay.key")

    async def begun(self) -> dict[str, Any] | None:
        """Return the plan in the journal, or None, and read the run's name from it.

        Raises:
            ReplayError: the replay was begun with another target.
        """
        plan = await Journalled.begun(self)
        if plan is not None:
            if _RUN not in plan:
                raise ReplayError(
                    self.journal.root, "was begun with another target; choose another replay.name"
                )
            self._run = plan[_RUN]
        return plan

    async def begin(self, plan: dict[str, Any]) -> None:
        """Empty the journal and use new lanes; messages already landed are recognised by id."""
        self._run = secrets.token_hex(6)
        await asyncio.to_thread(self.journal.remove, LANES)
        await asyncio.to_thread(self.journal.write, PLAN, [as_json({**plan, _RUN: self._run})])

    def journal_at(self, name: str) -> MartJournal:
        """Return a new journal of a lane, given by name."""
        return MartJournal(self.journal.below(f"{LANES}/{name}"))

    def lane(self, lane: LaneRange) -> MartLane:
        """Return a lane that writes to the store."""
        self._lanes[lane.name] = journal = self.journal_at(lane.name)
        topic = f"{BACKFILL}{self.name}@{self._run}/{lane.topic}"
        return MartLane(self, Lane(topic, lane.partition), journal)

    async def take(self, lane: Lane) -> Taken:
        """Fence earlier writers of the lane; return its epoch and next offset.

        Raises:
            TransportError: the database does not answer.
        """
        (taken,) = await self._asked(lambda store: store.take([lane]))
        return taken

    async def commit(
        self,
        records: Sequence[Record],
        audits: Sequence[Record],
        taken: Taken,
        next_offset: int,
    ) -> None:
        """Land records, and commit them with holds from the audit records and the lane's progress.

        Raises:
            TransportError: the database does not answer.
            ReplayError: another run has taken the lane.
        """
        await self._asked(partial(self._landed, records, audits, taken, next_offset))

    def _landed(
        self,
        records: Sequence[Record],
        audits: Sequence[Record],
        taken: Taken,
        next_offset: int,
        store: Store,
    ) -> None:
        today = dt.datetime.now(dt.UTC).date()
        entries = [
            entry(released(each, self._topic(each.position.topic)), self._land, today)
            for each in records
        ]
        rows = [row for each in audits if (row := held(released(each), today)) is not None]
        named = [replace(row, topic=self._topic(row.topic)) for row in rows]
        store.commit(entries, taken, next_offset, named)

    def _topic(self, topic: str) -> str:
        """Return the topic under which messages are loaded: a backfill of the replay's name."""
        return f"{BACKFILL}{self.name}/{topic}"

    def _land(self, record: Released) -> Any:
        return land(record, self.maps)

    async def _asked(self, call: Callable[[Store], Result]) -> Result:
        try:
            return await asyncio.to_thread(self._exclusively, call)
        except MartError as error:
            if error.code == "fenced":
                raise ReplayError(_PLACE, "another run of this replay has taken over") from None
            raise TransportError("send-failed") from error

    def _exclusively(self, call: Callable[[Store], Result]) -> Result:
        """Run one call at a time to its end: the store has one connection."""
        with self._turn:
            if self._store is None:
                raise TransportError("send-failed")
            return call(self._store)

    async def finish(self, account: Account) -> dict[str, Any]:
        """Write held messages, audit and manifest to the journal.

        Raises:
            ReplayError: rows that tombstones erased cannot be purged from the files now.
        """
        try:
            await self._asked(lambda store: store.compact())
        except TransportError:
            raise ReplayError(
                _PLACE, "does not answer; continue with --resume when it does"
            ) from None
        await asyncio.to_thread(self.sides, [self._lanes[lane.name] for lane in account.lanes])
        digests = (account.progress[lane.name].digest for lane in account.lanes)
        output = {"project": self.mart.project, "sha256": chained(digests)}
        self.journal.write(MANIFEST, [as_json(account.whole(output))])
        self.journal.remove(LANES)
        return output

    async def stop(self) -> None:
        """Purge erased rows from the files, and close the store."""
        await asyncio.to_thread(self._close)

    def _close(self) -> None:
        with self._turn:
            store, self._store = self._store, None
            if store is not None:
                with suppress(MartError):  # the purge stays due for the next run
                    store.compact()
                store.close()
