"""``deid-adapter mart check``."""

from __future__ import annotations

from collections import Counter
from typing import Annotated

import typer

from adapter.cli.mart.setup import Config, store_of
from adapter.cli.terminal import say
from adapter.config.settings import load_settings
from adapter.mart.current import state_digest
from adapter.mart.store.protocol import Store


def check(
    config: Config,
    digest: Annotated[
        bool, typer.Option("--digest", help="Print the digest of all current resources.")
    ] = False,
) -> None:
    """Print the progress of lanes, counts of loaded, rejected and erased data, and recalls."""
    with store_of(load_settings(config).mart) as store:
        _check(store)
        if digest:
            say(f"digest {state_digest(store)}")


def _check(store: Store) -> None:
    for lane, (epoch, offset) in store.progress().items():
        say(f"lane {lane.topic}-{lane.partition}  next {offset or 0}  epoch {epoch}")
    messages: Counter[str] = Counter()
    for count in store.counts():
        messages[count.outcome] += count.messages
        messages["results without a key"] += count.keyless_results
    for outcome, number in sorted(messages.items()):
        say(f"{number:10} {outcome}")
    for reject in store.rejects():
        say(f"{reject.count:10} {reject.code} at {reject.place}")
    say(f"{len(store.erased()):10} numbers of erased persons")
    for release in store.releases():
        say(f"release {release.name}  {release.released_on}" + _recall(release.recalled))


def _recall(reason: str) -> str:
    return f"  TO BE RECALLED: {reason}" if reason else ""
