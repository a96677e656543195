"""The chain of a lane's audit records: where it has come to is committed with the lane's offsets.

The metadata of an offset is committed in the transaction that writes the records, so an aborted
one leaves the chain where it was. Whoever takes a lane over reads it with the offset, after
fencing.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from aiokafka.structs import OffsetAndMetadata

from adapter.transports.protocol import Channel

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from aiokafka import TopicPartition

    from adapter.sealing.chain import Chain, Signer
    from adapter.types import Record


@dataclass(slots=True)
class Settled:
    """What a lane has committed: its offsets, and the chain; None where nothing signs."""

    offsets: dict[TopicPartition, int] = field(default_factory=dict)
    chain: Chain | None = None

    def resume(self, signer: Signer | None, name: str, tokens: Iterable[str]) -> None:
        """Go on with the chain of the metadata, or begin one.

        Partitions of one lane bear the same token, but for those whose offsets somebody has reset.
        """
        if signer is not None:
            known = [chain for chain in map(signer.resume, tokens) if chain]
            latest = max(known, key=lambda chain: chain.head.number, default=None)
            self.chain = latest or signer.begin(name)


@dataclass(slots=True)
class Progress:
    """What a transaction settles when it is committed."""

    settled: Settled
    chain: Chain | None
    offsets: dict[TopicPartition, int] = field(default_factory=dict)

    def linked(self, channel: Channel, record: Record) -> Record:
        """Return a record as it is sent: one of the audit is the next of the chain."""
        if channel is not Channel.AUDIT or self.chain is None:
            return record
        value, self.chain = self.chain.add(record.value or b"")
        return replace(record, value=value)

    def marked(self) -> Mapping[TopicPartition, OffsetAndMetadata]:
        """Return the offsets to commit; with a chain those of all partitions bear its token."""
        if self.chain is None:
            return {each: OffsetAndMetadata(offset, "") for each, offset in self.offsets.items()}
        every = self.settled.offsets | self.offsets
        return {each: OffsetAndMetadata(at, self.chain.token) for each, at in every.items()}

    def committed(self) -> None:
        """Take note that it was committed."""
        self.settled.offsets |= self.offsets
        self.settled.chain = self.chain
