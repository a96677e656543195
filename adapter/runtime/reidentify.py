"""Re-identification with the escrow key: from sanitized messages or surrogates to originals.

Records are found by their clear metadata. Before any is opened, the use is written to an audit
file: when, who, why, how many and which (by digest), never the content.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from adapter.errors import RuleError
from adapter.normalize.folding import squeeze
from adapter.runtime import access
from adapter.sealing.box import SealError
from adapter.sealing.chain import Signer
from adapter.sealing.escrow import Opener, digest, read_deposit
from adapter.sealing.key_lookup import audit_signer
from adapter.sealing.keyring import ACTIVE, read_ring
from adapter.sealing.verification import Place
from adapter.transports.files.audit import AuditFile
from adapter.transports.kafka.access import record_access
from adapter.transports.kafka.admin import escrowed
from adapter.transports.protocol import TransportError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence

    from adapter.codecs import Frame
    from adapter.config.settings import Settings
    from adapter.sealing.escrow import Deposit
    from adapter.transports.files.names import Source

KAFKA = "kafka"
"""The source of escrow records that means the topics of the settings, not a path."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A sanitized message of a file: its framing and its SHA-256."""

    prefix: bytes = field(repr=False)
    sha256: str
    suffix: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Sanitized:
    """A file of sanitized messages: the SHA-256 of the whole file, and its messages."""

    name: str = field(repr=False)
    whole: str
    pieces: tuple[Piece, ...] = field(repr=False)

    def found(self, envelopes: Mapping[str, Sequence[bytes]]) -> tuple[Piece, ...]:
        """Return the pieces to look up: the file if it is one record, else its messages."""
        return (Piece(b"", self.whole, b""),) if self.whole in envelopes else self.pieces


def opener(ring: Path) -> Opener:
    """Return the opener of escrow records with the private parts of a key ring.

    Raises:
        RuleError: the ring has no private part.
    """
    entries = (e for e in read_ring(ring).entries if e.purpose == "escrow")
    privates = {e.id: e.secret for e in entries if e.secret is not None}
    if not privates:
        raise RuleError(str(ring), "has no private part of an escrow key")
    return Opener(privates)


def sanitized(
    sources: Iterable[Source], split: Callable[[bytes], Sequence[Frame]]
) -> Iterator[Sanitized]:
    """Yield the files with the digests of their messages; raise RuleError for standard input."""
    for source in sources:
        if source.path is None:
            raise RuleError("INPUT", "must be files or folders")
        raw = source.path.read_bytes()
        pieces = (Piece(f.prefix, digest(f.value), f.suffix) for f in split(raw))
        yield Sanitized(source.name, digest(raw), tuple(pieces))


async def deposits(source: str, settings: Settings) -> AsyncIterator[tuple[Place, bytes]]:
    """Yield every escrow record of a file, of a folder of files, or of the settings' topics.

    A truncated line may be among them.
    """
    if source == KAFKA:
        async for topic, partition, offset, envelope in escrowed(settings.kafka):
            yield Place(f"{topic}-{partition}", offset), envelope
        return
    for place, line in _lines(Path(source)):
        yield place, line


def _lines(path: Path) -> Iterator[tuple[Place, bytes]]:
    for file in sorted(f for f in path.rglob("*") if f.is_file()) if path.is_dir() else [path]:
        with file.open("rb") as stream:
            for number, line in enumerate(stream, start=1):
                yield Place(str(file), number), line


async def matching(
    envelopes: AsyncIterator[tuple[Place, bytes]],
    keys_of: Callable[[Deposit], Iterable[str]],
    wanted: set[str],
) -> tuple[dict[str, list[bytes]], list[Place]]:
    """Return wanted key -> escrow records that have it, and the places of unreadable records."""
    found: dict[str, list[bytes]] = {}
    unreadable: list[Place] = []
    async for place, envelope in envelopes:
        try:
            deposit = read_deposit(envelope)
        except SealError:
            unreadable.append(place)
            continue
        for key in wanted.intersection(keys_of(deposit)):
            found.setdefault(key, []).append(envelope)
    return found, unreadable


@dataclass(frozen=True, slots=True)
class Notes:
    """Records each use, with its reason, in the audit before anything is opened.

    ``file`` is the officer's own audit file; if ``service`` is given, its audit topic is used too.
    """

    file: Path
    reason: str = field(repr=False)
    signer: Signer | None = None
    service: Settings | None = field(default=None, repr=False)

    async def take(self, what: str, asked: int, found: Sequence[str]) -> None:
        """Record one use, and wait until the record is durable.

        Raises:
            RuleError: there is no reason, or the service's audit does not take the record.
        """
        if not self.reason.strip():
            raise RuleError("--reason", "must not be empty")
        time = dt.datetime.now(dt.UTC).isoformat(timespec="seconds")
        told = {
            "time": time,
            "what": what,
            "asked": asked,
            "found": len(found),
            "which": sorted(found),
        }
        note = access.entry("reidentify", self.reason, **told)
        if self.service is not None:
            await self._tell_service(self.service, note)
        log = AuditFile(self.file, self.signer, mode=0o600)
        log.open()
        try:
            log.write([note])
        finally:
            log.close()

    async def _tell_service(self, settings: Settings, note: bytes) -> None:
        if settings.kafka.audit is None:
            raise RuleError("kafka.audit", "is not set; this command must be recorded in the audit")
        try:
            await record_access(settings.kafka, audit_signer(settings) or self.signer, note)
        except TransportError as error:
            problem = f"the record cannot be written ({error.described}), so nothing is opened"
            raise RuleError("kafka.audit", problem) from None


def signer_in(ring: Path) -> Signer | None:
    """Return the signer with a ring's active audit key, or None if its secret is not there."""
    own = (e for e in read_ring(ring).entries if (e.purpose, e.state) == ("audit", ACTIVE))
    return next((Signer.of(e.id, e.secret) for e in own if e.secret is not None), None)


def original(opens: Opener, envelopes: Sequence[bytes]) -> bytes:
    """Return the original bytes of a sanitized message.

    Raises:
        SealError: there is no record or no key, or several originals became the same message.
    """
    if not envelopes:
        raise SealError("not in the escrow")
    values = {opens.record(envelope).value for envelope in envelopes}
    if len(values) > 1:
        raise SealError("several originals became this message")
    return values.pop() or b""


def originals_of(opens: Opener, surrogate: str, envelopes: Sequence[bytes]) -> tuple[str, ...]:
    """Return the originals of a surrogate number, in every form in which they were written.

    Raises:
        SealError: no record has the number, or no key opens them.
    """
    if not envelopes:
        raise SealError("not in the escrow")
    same = squeeze(surrogate)
    pairs = (pair for envelope in envelopes for pair in opens.pairs(envelope))
    return tuple(sorted({found for number, found in pairs if squeeze(number) == same}))


def restored(
    opens: Opener, file: Sanitized, envelopes: Mapping[str, Sequence[bytes]]
) -> tuple[bytes, list[tuple[int, str]]]:
    """Return a file's originals in its framing, and (index, reason) of those not available."""
    parts: list[bytes] = []
    missing: list[tuple[int, str]] = []
    for index, piece in enumerate(file.found(envelopes)):
        try:
            value = original(opens, envelopes.get(piece.sha256, ()))
        except SealError as error:
            missing.append((index, error.reason))
        else:
            parts += piece.prefix, value, piece.suffix
    return b"".join(parts), missing
