"""What a transport is to the rest of the program: how settings make it, and what it keeps where."""

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
"""Gives, for a file's name, what takes its bytes apart into messages; None: it is one whole."""


@dataclass(frozen=True, slots=True)
class Findings:
    """What a look at the other side found: what is fine, what to know, what is wrong and where."""

    fine: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    wrong: tuple[tuple[str, str], ...] = ()

    def __add__(self, other: Findings) -> Findings:
        """Return both."""
        return Findings(self.fine + other.fine, self.notes + other.notes, self.wrong + other.wrong)


class Backend(Protocol):
    """One kind of transport, without state; ``sealed`` says whether there is a key for it.

    ``ends``: its input ends by itself, so that a stop before is an interruption.
    ``keeps_originals``: a held message can stay at its source, so a quarantine needs no key.
    ``broker``: it asks something over the network, which `check` can leave out.
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
        """Return what a dry run reads: ``records`` records at most, or all there is (0).

        Raises:
            RuleError: nothing lies there to be read.
        """

    def refuse_escrow(self, settings: Settings) -> None:
        """Refuse an escrow of originals that has no place.

        Raises:
            RuleError: it has none.
        """

    def remembers(self, settings: Settings, *, sealed: bool) -> bool:
        """Return whether patient memory can be kept.

        Raises:
            RuleError: it should be kept, and there is no key to seal it with.
        """

    def memory_place(self, settings: Settings) -> str:
        """Where it is kept, in words: "in patients.state", "for each run"."""

    async def preflight(self, settings: Settings, *, state: bool, create: bool) -> Findings:
        """Look whether the other side has what the settings name, and allows its use.

        ``state``: patient memory is kept there. ``create``: make what is missing.

        Raises:
            RuleError: the other side does not answer.
        """

    def envelopes(self, settings: Settings) -> AsyncIterator[tuple[str, bytes]]:
        """Name and envelope of everything held now; a name stays until its record is settled.

        Raises:
            RuleError: the settings name no quarantine.
        """

    def released(self, settings: Settings, ids: Collection[str]) -> Collection[str]:
        """Return those of some messages' ids that the output has, as far as it tells cheaply."""

    def require_audit(self, settings: Settings) -> None:
        """Refuse settings that keep no audit.

        Raises:
            RuleError: they keep none.
        """

    async def record(self, settings: Settings, entry: bytes) -> None:
        """Write an audit record of an access; it is durable when this returns.

        Raises:
            RuleError: the settings keep no audit.
            TransportError: it could not be written.
        """

    def recorded(self, settings: Settings) -> AsyncIterator[tuple[Place, bytes]]:
        """All audit records there are, with their places, stream by stream.

        Raises:
            RuleError: the settings keep no audit.
        """

    async def quarantine(self, settings: Settings) -> Transport:
        """Return a transport over everything held now.

        Raises:
            RuleError: the settings name no quarantine.
        """
