"""The commands under `tests` that CI does not run: figures, trials and benchmarks."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
COMMANDS = sorted(
    f"tests.{folder}.{path.stem}"
    for folder in ("bench", "chaos", "evaluation", "golden", "hostile")
    for path in (TESTS / folder).glob("*.py")
    if not path.name.startswith(("test_", "__"))
)


@pytest.mark.parametrize("name", COMMANDS)
def test_what_it_uses_is_there(name):
    """Every module of a command can be imported, so that a name changed elsewhere is noticed."""
    assert import_module(name).__doc__
