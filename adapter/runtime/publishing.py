"""Sends what becomes of a record in a transaction: its release or held message, and audit record.

A release that the transport refuses for its size is held, and a held message that it refuses is
held without its payload, so that every record has an outcome.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from adapter.audit import Event, log
from adapter.sealing.quarantine import Held, Sealer, without_payload
from adapter.transports.protocol import Channel, RefusedError
from adapter.types import Hold, Record, Release

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable

    from adapter.runtime.batches import Generation
    from adapter.sealing.escrow import Escrow
    from adapter.transports.protocol import Transaction
    from adapter.types import Position, Processed


@dataclass(frozen=True, slots=True)
class Publisher:
    """Sends outcomes; ``public`` returns the name of a topic that may be shown.

    ``format_of`` and ``earlier`` are described in `adapter.runtime.runner.Runner`.
    """

    public: Callable[[str], str]
    sealer: Sealer | None
    escrow: Escrow | None
    format_of: Callable[[bytes], str | None]
    earlier: Callable[[Position], Held | None]

    async def publish(
        self,
        transaction: Transaction,
        by: Generation,
        record: Record,
        processed: Processed,
        refused: Counter[Position],
    ) -> Processed:
        """Send a record's outcome and audit record; return the outcome that was sent.

        A message that is too large is held instead; ``refused`` counts how often a commit refused
        a record for its size.
        """
        times = refused[record.position]
        final = processed
        if isinstance(processed.outcome, Release):
            final = await self._release(transaction, by, record, processed, times)
        if isinstance(final.outcome, Hold):
            await self._hold(transaction, by, record, final.outcome, times)
        message_id = by.provenance.message_id(record) if by.provenance else ""
        entry = by.audit.entry(record.position, final, message_id)
        await transaction.send(Channel.AUDIT, Record(entry, record.position))
        return final

    async def _release(
        self,
        transaction: Transaction,
        by: Generation,
        record: Record,
        processed: Processed,
        times: int,
    ) -> Processed:
        release = processed.outcome
        if times or not isinstance(release, Release):
            return replace(processed, outcome=Hold("transport", "too-large"))
        headers = by.provenance.headers(record, release) if by.provenance else release.headers
        clean = Record(release.value, record.position, release.key, headers, record.timestamp)
        deposited = False
        try:
            if self.escrow is not None:
                public = self.public(record.position.topic)
                deposit = Record(self.escrow.seal(record, release, public), record.position)
                await transaction.send(Channel.ESCROW, deposit)
                deposited = True
            await transaction.send(Channel.RELEASED, clean)
        except RefusedError as refused:
            if deposited:  # else a held message would have a deposit; the batch is retried
                raise
            return replace(processed, outcome=Hold(refused.stage, refused.code))
        return processed

    async def _hold(
        self, transaction: Transaction, by: Generation, record: Record, hold: Hold, times: int
    ) -> None:
        held = self._held(by, record, hold)
        log(Event.HELD, "debug", stage=hold.stage, code=hold.code)
        if self.sealer is not None and times < 2:  # noqa: PLR2004 - refused released, then sealed
            try:
                envelope = self.sealer.seal(record, held)
                await transaction.send(Channel.HELD, Record(envelope, record.position))
            except RefusedError:
                log(Event.SEALED_WITHOUT_PAYLOAD, "warning", stage=hold.stage, code=hold.code)
            else:
                return
        await transaction.send(Channel.HELD, Record(without_payload(held), record.position))

    def _held(self, by: Generation, record: Record, hold: Hold) -> Held:
        earlier = self.earlier(record.position)
        known = earlier.id if earlier else ""
        return Held(
            stage=hold.stage,
            code=hold.code,
            topic=self.public(record.position.topic),
            partition=record.position.partition,
            offset=record.position.offset,
            time_ms=round(by.audit.clock() * 1000),
            attempts=earlier.attempts + 1 if earlier else 1,
            ruleset=by.audit.ruleset_digest,
            format=self.format_of(record.value or b"") or "",
            id=known or (by.provenance.message_id(record) if by.provenance else ""),
        )
