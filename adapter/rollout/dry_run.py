"""Runs the service without effects: it reads and processes existing records, and writes nothing."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from adapter.config.settings import Escrow, Health, Vault
from adapter.rollout.summary import Summary
from adapter.runtime.service import LoadRuleset, digest_of, serve, splits
from adapter.sealing.key_lookup import with_surrogates_key
from adapter.transports.dry_run import DryRunTransport
from adapter.transports.registry import backend

if TYPE_CHECKING:
    from adapter.config.settings import Settings


async def dry_run(settings: Settings, records: int = 0) -> tuple[int, Summary]:
    """Process the existing records of the settings' input; return the exit status and a summary.

    At most ``records`` are processed, the newest of topics; 0: all. Patient memory works as in the
    service, but starts empty. Surrogates are drawn with the key, even if there is a vault, because
    the vault's codes are random and permanent.

    Raises:
        RuleError: the settings or rules cannot be applied, or there is nothing to read.
    """
    ruleset = digest_of(settings)
    quiet = with_surrogates_key(without_effects(settings))
    reader = backend(quiet).reader(quiet, splits(quiet), records)
    over, summary = DryRunTransport(reader, records), Summary(ruleset)
    factory = LoadRuleset(quiet)
    status = await serve(quiet, over=over, factory=factory, digest=ruleset, watch=summary.add)
    summary.seconds = time.monotonic() - over.began if over.began else 0.0
    return status, summary


def without_effects(settings: Settings) -> Settings:
    """Return the settings without vault, escrow and health endpoint."""
    return settings.model_copy(update={"vault": Vault(), "escrow": Escrow(), "health": Health()})
