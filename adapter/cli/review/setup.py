"""Common parts of the console's commands: settings, keys, the store."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Thread
from typing import Annotated

import typer

from adapter.config.settings import Settings
from adapter.errors import RuleError
from adapter.review.store import events, items
from adapter.review.store.protocol import StoreError
from adapter.review.store.registry import open_database
from adapter.review.store.store import Store
from adapter.sealing.box import Box, SealError
from adapter.sealing.key_lookup import audit_signer, sealing

PURGE_SECONDS = 3600
Config = Annotated[Path, typer.Option("--config", "-c", help="Settings file (TOML).", exists=True)]


@contextmanager
def extra() -> Iterator[None]:
    """Convert a failed import of the console's libraries to a RuleError.

    Raises:
        RuleError: a library is not installed.
    """
    try:
        yield
    except ImportError:
        raise RuleError("review", "needs the extra 'review'") from None


@contextmanager
def store_of(settings: Settings) -> Iterator[Store]:
    """Open the store for the block, and erase expired items.

    Raises:
        RuleError: there is no key for it, or it cannot be opened, read or written.
    """
    box, signer = sealing(settings, "review", Box), audit_signer(settings)
    if box is None:
        raise RuleError(
            "keys.review",
            "is not set, and the ring has none; make a key with `keys rotate --purpose review`",
        )
    if signer is None:
        raise RuleError(
            "keys.audit",
            "is required to sign events; make a key with `keys rotate --purpose audit`",
        )
    database = open_database(settings.review.url)
    try:
        store = Store(database, box, signer)
        purge(store)
        yield store
    except StoreError as error:
        raise RuleError("review.url", str(error)) from None
    except SealError as error:
        raise RuleError("keys.review", error.reason) from None
    finally:
        database.close()


@contextmanager
def expiring(store: Store) -> Iterator[None]:
    """Erase expired items every hour while the block runs, since a console is served for months."""
    ended = Event()

    def erase() -> None:
        while not ended.wait(PURGE_SECONDS):
            with suppress(StoreError):  # pages report that it does not answer
                purge(store)

    thread = Thread(target=erase, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def purge(store: Store) -> int:
    """Erase expired items, and return their number.

    Raises:
        StoreError: the database refuses.
    """
    with store.database.transaction() as cursor:
        gone = items.purge(cursor, store.now)
        if gone:
            told = {"time_ms": store.now, "event": "expired", "person": "", "items": gone}
            events.append(cursor, store.signer, told)
        return gone
