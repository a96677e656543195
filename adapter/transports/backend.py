"""What a transport is to the rest of the program: how settings make it, and what it keeps where."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from adapter.codecs import Frame

if TYPE_CHECKING:
    from adapter.config.settings import Settings
    from adapter.transports.protocol import Transport

Split = Callable[[bytes], Sequence[Frame]]
"""Takes a file's bytes apart into messages."""


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

    async def missing(self, settings: Settings) -> tuple[str, ...]:
        """Names that the settings give and the other side does not have.

        Raises:
            RuleError: the other side does not answer.
        """

    def envelopes(self, settings: Settings) -> AsyncIterator[tuple[str, bytes]]:
        """Name and envelope of everything held now; a name stays until its record is settled.

        Raises:
            RuleError: the settings name no quarantine.
        """

    async def quarantine(self, settings: Settings) -> Transport:
        """Return a transport over everything held now.

        Raises:
            RuleError: the settings name no quarantine.
        """
