"""``deid-adapter review init`` and ``serve``."""

from __future__ import annotations

from adapter.cli.review.setup import Config, expiring, extra, purge, store_of
from adapter.cli.terminal import say
from adapter.config.settings import load_settings
from adapter.runtime.access import accesses


def init(config: Config) -> None:
    """Create the tables, and print the next step."""
    with store_of(load_settings(config)) as store:
        with store.step("initialised"):
            pass
        purge(store)
    say("ready: add people with `deid-adapter review people add`", err=True)


def serve(config: Config) -> None:
    """Serve the console until SIGTERM or SIGINT, on loopback or with TLS.

    If the settings keep an audit, each view of original text is recorded there first.
    """
    with extra():
        from adapter.cli.review.server import address, console, run  # noqa: PLC0415 - an extra
    settings = load_settings(config)
    with store_of(settings) as store, expiring(store), accesses(settings, "review") as audit:
        if audit is None:
            say("the settings keep no audit: views are in the console's events only", err=True)
        else:
            audit.record("review serve", "review")
        say(f"serving {address(settings.review)}", err=True)
        record = audit.record if audit else None
        run(console(settings, store, config, record=record), settings.review)
