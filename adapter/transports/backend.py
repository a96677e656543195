"""The protocol of backends: how settings make a transport, and what it stores where."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from adapter.codecs import Frame

if TYPE_CHECKING:
    from adapter.config.settings import Settings
    from adapter.sealing.verification import Place
    from adapter.transports.dry_run import Reader
    from adapter.transports.protocol import Transport

Split = Callable[[str], Callable[[bytes], Sequence[Frame]] | None]
"""File name -> function that splits the file's bytes into messages; None: it is one message."""


@dataclass(frozen=True, slots=True)
class Findings:
    """The result of a preflight: what is fine, notes, and (place, problem) of what is wrong."""

    fine: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    wrong: tuple[tuple[str, str], ...] = ()

    def __add__(self, other: Findings) -> Findings:
        """Return the findings of both."""
        return Findings(self.fine + other.fine, self.notes + other.notes, self.wrong + other.wrong)


class AccessLog(Protocol):
    """Writes audit records of accesses for a program that runs on; used by one event loop."""

    async def write(self, entry: bytes) -> None:
        """Write an audit record; it is durable when this returns.

        Raises:
            TransportError: the record could not be written.
        """

    async def close(self) -> None:
        """Close connections; a later `write` opens them again."""


class Backend(Protocol):
    """One kind of transport, without state; ``sealed`` says whether there is a key for sealing.

    ``ends``: its input ends by itself, so that an earlier stop is an interruption.
    ``keeps_originals``: a held message can stay at its source, so a quarantine needs no key.
    ``broker``: its preflight uses the network, which `check` can leave out.
    """

    ends: bool
    keeps_originals: bool
    broker: bool

    def transport(self, settings: Settings, split: Split, *, sealed: bool) -> Transport:
        """Return the transport of these settings.

        Raises:
            RuleError: a setting or key is missing.
        """

    def reader(self, settings: Settings, split: Split, records: int) -> Reader:
        """Return the reader of a dry run, of at most ``records`` records (0: all there are).

        Raises:
            RuleError: there is nothing to read.
        """

    def refuse_escrow(self, settings: Settings) -> None:
        """Refuse settings that enable escrow without a place for it.

        Raises:
            RuleError: the settings name no place.
        """

    def remembers(self, settings: Settings, *, sealed: bool) -> bool:
        """Return whether patient memory can be kept.

        Raises:
            RuleError: it should be kept, and there is no key to seal it with.
        """

    def memory_place(self, settings: Settings) -> str:
        """Return where patient memory is kept, in words: "in patients.state", "for each run"."""

    async def preflight(self, settings: Settings, *, state: bool, create: bool) -> Findings:
        """Check that the other side has everything that the settings name, and permits its use.

        ``state``: patient memory is kept there. ``create``: create what is missing.

        Raises:
            RuleError: the other side does not answer.
        """

    def envelopes(self, settings: Settings) -> AsyncIterator[tuple[str, bytes]]:
        """Yield (name, envelope) of every held message; a name is stable until it is settled.

        Raises:
            RuleError: the settings name no quarantine.
        """

    def released(self, settings: Settings, ids: Collection[str]) -> Collection[str]:
        """Return the message ids that are known to be in the output, if that is cheap to find."""

    def require_audit(self, settings: Settings) -> None:
        """Refuse settings that keep no audit.

        Raises:
            RuleError: the settings keep no audit.
        """

    async def record(self, settings: Settings, entry: bytes) -> None:
        """Write an audit record of an access; it is durable when this returns.

        Raises:
            RuleError: the settings keep no audit.
            TransportError: the record could not be written.
        """

    def access_log(self, settings: Settings, name: str) -> AccessLog:
        """Return a log for many records of accesses; no two that write at once share a ``name``.

        Raises:
            RuleError: the settings keep no audit.
        """

    def recorded(self, settings: Settings) -> AsyncIterator[tuple[Place, bytes]]:
        """Yield every audit record with its place, stream by stream.

        Raises:
            RuleError: the settings keep no audit.
        """

    async def quarantine(self, settings: Settings) -> Transport:
        """Return a transport whose input is every held message.

        Raises:
            RuleError: the settings name no quarantine.
        """
