"""Parts of rulesets that tests share, since most tests change neither rules nor their settings.

They are kept in each test process, and in the server that its services' workers are forked from:
`share_server` makes `adapter.runtime.fork_server` fork its servers from a process that has imported
the adapter and compiled English, instead of starting an interpreter for each.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
from collections import OrderedDict
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from adapter.config.settings import load_settings
from adapter.rules import compile as compiling
from adapter.rules.folder import Folder
from adapter.runtime import fork_server

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from adapter.config.settings import Settings

PARTS = ("compile_language", "compile_unconfigured", "_policy", "values_of")
"""Functions of `adapter.rules.compile` whose results are shared."""
MOST = 40
"""Results kept by a process."""
_freeze = gc.freeze
ROOT = Path(__file__).resolve().parent.parent
CONTEXT = multiprocessing.get_context("forkserver")
CONTEXT.set_forkserver_preload([f"{__package__}.warm"])
KEY = {"id": "k", "value": "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="}


class Compiled:
    """Results by the files, settings and other arguments that they follow from."""

    def __init__(self) -> None:
        self._made: OrderedDict[Hashable, Any] = OrderedDict()

    def share(self, patch: pytest.MonkeyPatch) -> None:
        """Let `load_ruleset` use what is kept."""
        for name in PARTS:
            patch.setattr(compiling, name, self._once(name, getattr(compiling, name)))

    def _once(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def once(folder: Folder, *arguments: Any) -> Any:
            settings = next(each for each in arguments if hasattr(each, "rules"))
            if type(folder) is not Folder or settings.rules.site:
                return function(folder, *arguments)  # with proposed changes, or a site's rules
            others = tuple(repr(each) for each in arguments if each is not settings)
            key = (
                name,
                folder.path,
                _files(folder, settings),
                _followed(name, folder, settings),
                others,
            )
            if key not in self._made:
                self._made[key] = function(folder, *arguments)
                _exempt()
            self._made.move_to_end(key)
            while len(self._made) > MOST:
                self._made.popitem(last=False)
            return self._made[key]

        return once


def _exempt() -> None:
    """Exempt what there is from garbage collection: what is kept has millions of objects."""
    gc.collect()
    _freeze()


def _files(folder: Folder, settings: Settings) -> Hashable:
    """The files of rules and models with their times and sizes."""
    folders = folder.path, compiling.models_folder(settings)
    stats = ((str(path), path.stat()) for each in folders for path in each.rglob("*"))
    return frozenset((name, stat.st_mtime_ns, stat.st_size) for name, stat in stats)


def _followed(name: str, folder: Folder, settings: Settings) -> Hashable:
    """What a part follows from in the settings, besides files."""
    rules = settings.rules
    if name == "_policy":
        return rules.profile
    if name == "values_of":
        return rules.languages
    taggers = tuple(compiling.TAGGERS.items())
    return rules.languages, rules.taggers, rules.postprocess, _recall(folder, settings), taggers


def _recall(folder: Folder, settings: Settings) -> float:
    profile = compiling._profile(folder, settings)
    return settings.rules.recall or compiling.compile_profile(profile).recall


# ---- the shared server ----


def share_server(patch: pytest.MonkeyPatch | None = None) -> None:
    """Fork the servers of workers from one that has compiled English."""
    context = SimpleNamespace(Pipe=CONTEXT.Pipe, RawArray=CONTEXT.RawArray, Process=_Process)
    shared = SimpleNamespace(get_context=lambda _: context)
    (patch or pytest.MonkeyPatch()).setattr(fork_server, "multiprocessing", shared)


class _Process(CONTEXT.Process):
    """A process with the environment that its parent has at the start, as a spawned one has."""

    def __init__(self, target: Callable[..., None], args: tuple[Any, ...], **more: Any) -> None:
        super().__init__(target=_begin, args=(dict(os.environ), target, args), **more)


def _begin(environment: dict[str, str], target: Callable[..., None], args: tuple[Any, ...]) -> None:
    os.environ.clear()
    os.environ.update(environment)
    target(*args)


def warm_up() -> None:
    """Compile English, and keep its parts for all processes forked from this one."""
    Compiled().share(pytest.MonkeyPatch())
    rules = {"languages": ["en"]}
    settings = load_settings(None, transport="memory", keys={"surrogates": KEY}, rules=rules)
    compiling.load_ruleset(settings)
