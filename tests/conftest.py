"""What all tests share: where the corpora and sample messages lie."""

from __future__ import annotations

import ctypes
import gc
import os
from collections import OrderedDict
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from adapter.rules import compile as compiling
from adapter.rules.folder import Folder

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

    from adapter.config.settings import Settings
    from adapter.pipeline.language import Language

MOST_LANGUAGES = 5
"""Languages kept compiled by a test process."""
_LIBC = ctypes.CDLL(None)
ROOT = Path(__file__).resolve().parent.parent


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
def _languages() -> Iterator[None]:
    """Compile the languages of the same files and settings once: most tests change neither."""
    made: OrderedDict[Hashable, Language] = OrderedDict()
    compile_language = compiling.compile_language

    def once(folder: Folder, code: str, settings: Settings) -> Language:
        files = _stamp(folder.path), _stamp(compiling.models_folder(settings))
        taggers = tuple({**compiling.TAGGERS, **compiling.ADDING}.items())
        if type(folder) is not Folder:  # one with proposed changes
            return compile_language(folder, code, settings)
        key = code, folder.path, files, settings.rules.model_dump_json(), taggers
        if key not in made:
            made[key] = compile_language(folder, code, settings)
        made.move_to_end(key)
        while len(made) > MOST_LANGUAGES:
            made.popitem(last=False)
        return made[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compiling, "compile_language", once)
        yield


def _stamp(folder: Path) -> frozenset[tuple[str, int, int]]:
    """The files of a folder with their times and sizes."""
    stats = ((str(path), path.stat()) for path in folder.rglob("*"))
    return frozenset((name, stat.st_mtime_ns, stat.st_size) for name, stat in stats)


@pytest.fixture(autouse=True)
def _thawed() -> Iterator[None]:
    """Let go of what a command that was run in this process exempted from garbage collection."""
    thresholds = gc.get_threshold()
    yield
    if gc.get_freeze_count():
        gc.unfreeze()
        gc.set_threshold(*thresholds)


@pytest.fixture(autouse=True, scope="module")
def _trimmed() -> Iterator[None]:
    """Give the memory of a module's rulesets back: a test process sees hundreds of them."""
    yield
    if hasattr(_LIBC, "malloc_trim"):
        _LIBC.malloc_trim(0)


# The same examples in every run: a red build must mean a change, not another draw.
settings.register_profile("repeatable", derandomize=True, deadline=None, max_examples=50)
settings.load_profile("repeatable")
