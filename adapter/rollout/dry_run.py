"""The service without consequences: it reads and processes what is there, and writes nothing."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from adapter.config.settings import Escrow, Health, Vault
from adapter.rollout.summary import Summary
from adapter.runtime.service import LoadRuleset, digest_of, serve, splits
from adapter.transports.dry_run import DryRunTransport
from adapter.transports.registry import backend

if TYPE_CHECKING:
    from adapter.config.settings import Settings


async def dry_run(settings: Settings, records: int = 0) -> tuple[int, Summary]:
    """Process what the settings' input has now; return the exit status and a summary.

    ``records``: this many at most, the newest of topics; 0: all. Patients are remembered as the
    service would, from nothing. Surrogates come from the key, even where there is a vault: its
    codes are random, and stay.

    Raises:
        RuleError: the settings or rules cannot be honoured, or nothing lies there to be read.
    """
    ruleset = digest_of(settings)
    quiet = without_effects(settings)
    reader = backend(quiet).reader(quiet, splits(quiet), records)
    over, summary = DryRunTransport(reader, records), Summary(ruleset)
    factory = LoadRuleset(quiet)
    status = await serve(quiet, over=over, factory=factory, digest=ruleset, watch=summary.add)
    summary.seconds = time.monotonic() - over.began if over.began else 0.0
    return status, summary


def without_effects(settings: Settings) -> Settings:
    """Return settings by which nothing is kept in a vault or an escrow, and no port is opened."""
    return settings.model_copy(update={"vault": Vault(), "escrow": Escrow(), "health": Health()})
