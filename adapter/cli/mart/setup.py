"""Common parts of the mart's commands: settings, the store, the date."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from adapter.config.mart import Mart
from adapter.mart.store.protocol import Store
from adapter.mart.store.registry import open_store

Config = Annotated[Path, typer.Option("--config", "-c", help="Settings file (TOML).", exists=True)]


@contextmanager
def store_of(mart: Mart) -> Iterator[Store]:
    """Open the mart's store for the block.

    Raises:
        RuleError: its library is not installed.
        MartError: it cannot be opened, or another process uses it.
    """
    store = open_store(mart.url, mart.project)
    try:
        yield store
    finally:
        store.close()


def today() -> dt.date:
    """Return the current date in UTC."""
    return dt.datetime.now(dt.UTC).date()
