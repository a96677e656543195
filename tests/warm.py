"""Imported by the server of `tests.compiled`, whose processes have the commands and English."""

from contextlib import suppress
from importlib import import_module

from adapter.cli.commands import COMMANDS
from tests.compiled import warm_up

BESIDE = (
    "adapter.mart.store.duckdb",
    "adapter.replay.mart.target",
    "adapter.replay.passes",
    "adapter.shadow.service",
)
"""Modules that commands import when they need them."""

for name in (*COMMANDS.values(), *BESIDE):
    with suppress(ImportError):  # an extra that is not installed
        import_module(name.partition(":")[0])
warm_up()
