"""The public names of the package are what docs/api.md says, however they are imported."""

from __future__ import annotations

import subprocess
import sys

import pytest

import adapter

ORDERS = [
    "from adapter import Position, Record, load_ruleset, load_settings, process",
    "import adapter.pipeline.process; from adapter import process, load_ruleset, load_settings",
    "from adapter import process; from adapter import load_ruleset, load_settings, process",
]


@pytest.mark.parametrize("order", ORDERS)
def test_process_is_the_function(order, repository):
    """In any order of imports `adapter.process` is the function, never a module of that name."""
    code = f"{order}; print(type(process).__name__, type(load_ruleset).__name__)"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=repository, capture_output=True, text=True, check=True
    )
    assert "function function" == done.stdout.strip()


@pytest.mark.parametrize("name", adapter.__all__)
def test_every_public_name_is_there(name):
    """Each name of `__all__` can be had from the package, and is no module."""
    assert "module" != type(getattr(adapter, name)).__name__
