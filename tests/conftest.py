"""What all tests share: where the corpora and sample messages lie."""

from __future__ import annotations

import atexit
import ctypes
import gc
import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from tests.compiled import ROOT, Compiled, share_server

if TYPE_CHECKING:
    from collections.abc import Iterator

_LIBC = ctypes.CDLL(None)


def data_folder() -> Path:
    """The folder of corpora and messages: CLINICAL_DEID_DATA, else ../shared/data."""
    return Path(os.environ.get("CLINICAL_DEID_DATA", ROOT.parent / "shared" / "data"))


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of corpora and messages; skips, saying so, where it is absent."""
    folder = data_folder()
    if not folder.is_dir():
        pytest.skip(f"SKIPPED FOR WANT OF DATA: no corpora at {folder.name}; see CONTRIBUTING.md")
    return folder


@pytest.fixture(scope="session")
def repository() -> Path:
    """The root of the source tree."""
    return ROOT


LANGUAGES = "DEID_ADAPTER__RULES__LANGUAGES"
ENGLISH = frozenset(
    "cli integration mart replay review rollout runtime send shadow transports vault".split()
)
"""Folders of tests about anything but languages: compiling English alone takes half the time."""


def is_of_every_language(node: pytest.Item | pytest.Module) -> bool:
    """Whether a test, or a module of tests, is marked so or outside the folders of English."""
    folder = node.path.relative_to(ROOT / "tests").parts[0]
    return folder not in ENGLISH or node.get_closest_marker("every_language") is not None


@pytest.fixture(autouse=True, scope="module")
def _english(request: pytest.FixtureRequest) -> Iterator[None]:
    """Compile the rules of English alone where languages do not matter."""
    with pytest.MonkeyPatch.context() as patch:
        if not is_of_every_language(request.node):
            patch.setenv(LANGUAGES, '["en"]')
        yield


@pytest.fixture(autouse=True)
def _every_language(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if is_of_every_language(request.node):
        monkeypatch.delenv(LANGUAGES, raising=False)


@pytest.fixture(autouse=True, scope="session")
def _compiled() -> Iterator[None]:
    """Compile the same rules once, and fork workers where that has been done."""
    with pytest.MonkeyPatch.context() as patch:
        Compiled().share(patch)
        share_server(patch)
        # A command that is run in this process would exempt garbage of all tests before it.
        patch.setattr(gc, "freeze", lambda: None)
        patch.setattr(gc, "set_threshold", lambda *_: None)
        yield


@pytest.fixture(autouse=True, scope="module")
def _trimmed() -> Iterator[None]:
    """Give the memory of a module's rulesets back: a test process sees hundreds of them."""
    yield
    if hasattr(_LIBC, "malloc_trim"):
        _LIBC.malloc_trim(0)


# What is exempted must be collected in the end, or libraries report it as leaked.
atexit.register(gc.unfreeze)

# The same examples in every run: a red build must mean a change, not another draw.
settings.register_profile("repeatable", derandomize=True, deadline=None, max_examples=50)
settings.load_profile("repeatable")
