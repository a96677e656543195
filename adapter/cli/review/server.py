"""The console as a server: assembles its parts, and retries held messages."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import uvicorn
from starlette.types import ASGIApp

from adapter.audit import Event, log
from adapter.config.review import LOOPBACK
from adapter.config.review import Review as ReviewSettings
from adapter.config.settings import Settings
from adapter.pipeline.ruleset import Ruleset
from adapter.review.access import Access
from adapter.review.feedback.effect import Previewer
from adapter.review.store.store import Store
from adapter.review.web.app import application, templates
from adapter.review.web.call import Console, Retried
from adapter.sealing.key_lookup import audit_publics

RETRY_SECONDS = 300
RELEASED = re.compile(r"[1-9][0-9]* released", re.ASCII)


def console(
    settings: Settings,
    store: Store,
    config: Path | None,
    ruleset: Ruleset | None = None,
    record: Callable[..., None] | None = None,
) -> Console:
    """Return the console of the settings; it retries held messages in a separate process.

    ``record`` writes what is shown to the audit of the settings; None if they keep none.
    """

    def retry(name: str) -> Retried:
        return _retried(config, name) if config else Retried("", released=False)

    return Console(
        store,
        Access(store),
        templates(),
        secure=settings.review.certificate is not None,
        previewer=Previewer(settings, store, ruleset),
        retry=retry if config else None,
        publics=audit_publics(settings),
        record=record,
    )


def _retried(config: Path, name: str) -> Retried:
    """Retry a held message with the normal command; return counts by reason, without text."""
    command = [
        sys.executable,
        "-m",
        "adapter",
        "quarantine",
        "retry",
        name,
        "--config",
        str(config),
    ]
    try:
        done = subprocess.run(  # noqa: S603 - our own command; the name is one of the quarantine
            command, capture_output=True, timeout=RETRY_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        told = "The retry took too long and was stopped; look at `quarantine list`."
        return Retried(told, released=False)
    return outcome(done.stdout.decode("ascii", "replace"), done.returncode)


def outcome(printed: str, status: int) -> Retried:
    """Read the counts of a retry; the message was released if every counted message was."""
    counts = " ".join(printed.split())
    released = status == 0 and RELEASED.fullmatch(counts) is not None
    told = counts or "it is not in the quarantine any more, or could not be retried"
    return Retried(f"Retried: {told}.", released=released)


def hosts_of(settings: ReviewSettings) -> frozenset[str]:
    """Return the host names under which the console answers."""
    own = LOOPBACK if settings.host in LOOPBACK else (settings.host,)
    return frozenset((*own, *settings.names))


def address(settings: ReviewSettings) -> str:
    """Return the URL of the console on its own host."""
    scheme = "https" if settings.certificate else "http"
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    return f"{scheme}://{host}:{settings.port}/"


def run(made: Console, settings: ReviewSettings) -> None:
    """Serve the console; apart from events, requests are not logged."""
    app: ASGIApp = application(made, hosts_of(settings))
    made.figures.warm()
    log(Event.LISTENING, port=settings.port)
    uvicorn.run(
        app,
        host=settings.host,
        port=settings.port,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        ssl_certfile=settings.certificate,
        ssl_keyfile=settings.private_key,
    )
