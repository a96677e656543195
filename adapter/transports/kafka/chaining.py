"""The chain of a lane's audit records, whose head is committed with the lane's offsets.

The metadata of an offset is committed in the transaction that writes the records, so an aborted
transaction leaves the chain unchanged. A new owner of the lane reads it with the offset, after
fencing the old one.
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
    """The committed state of a lane: its offsets, and the chain (None without a signer)."""

    offsets: dict[TopicPartition, int] = field(default_factory=dict)
    chain: Chain | None = None

    def resume(self, signer: Signer | None, name: str, tokens: Iterable[str]) -> None:
        """Continue the chain recorded in the commit metadata, or start a new one.

        All partitions of a lane have the same token, unless somebody has reset their offsets.
        """
        if signer is not None:
            known = [chain for chain in map(signer.resume, tokens) if chain]
            latest = max(known, key=lambda chain: chain.head.number, default=None)
            self.chain = latest or signer.begin(name)


@dataclass(slots=True)
class Progress:
    """The offsets and the chain that a transaction settles when it is committed."""

    settled: Settled
    chain: Chain | None
    offsets: dict[TopicPartition, int] = field(default_factory=dict)

    def linked(self, channel: Channel, record: Record) -> Record:
        """Return a record as it is sent; an audit record is linked to the chain."""
        if channel is not Channel.AUDIT or self.chain is None:
            return record
        value, self.chain = self.chain.add(record.value or b"")
        return replace(record, value=value)

    def marked(self) -> Mapping[TopicPartition, OffsetAndMetadata]:
        """Return the offsets to commit; with a chain, those of all partitions with its token."""
        if self.chain is None:
            return {each: OffsetAndMetadata(offset, "") for each, offset in self.offsets.items()}
        every = self.settled.offsets | self.offsets
        return {each: OffsetAndMetadata(at, self.chain.token) for each, at in every.items()}

    def committed(self) -> None:
        """Make the committed offsets and chain the settled ones."""
        self.settled.offsets |= self.offsets
        self.settled.chain = self.chain
