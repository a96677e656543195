"""The name of a ruleset: a digest over all that changes what `process` gives, keys excluded."""

from __future__ import annotations

import hashlib
import json
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import adapter

if TYPE_CHECKING:
    from collections.abc import Iterator

    from adapter.config.settings import Settings

CODE = (
    "checkdigits.py", "codecs", "errors.py", "fields", "languages", "leakcheck.py", "normalize",
    "phrases", "pipeline", "priorities.py", "resolve", "rules", "surrogates", "taggers",
    "types.py", "values", "vault",
)  # fmt: skip
"""Parts of the program whose code decides what is released."""


def digest(folder: Path, models: Path, settings: Settings) -> str:
    """SHA-256 over code, rules, models and settings that change what `process` gives; no key."""
    state = hashlib.sha256()
    for name, file in _files(folder, models, settings):
        state.update(name.encode() + b"\0" + hashlib.sha256(file.read_bytes()).digest())
    state.update(json.dumps(_chosen(settings), sort_keys=True).encode())
    return state.hexdigest()


def _files(folder: Path, models: Path, settings: Settings) -> Iterator[tuple[str, Path]]:
    """Yield every file by its name below its folder, and a site's by name alone."""
    package = Path(adapter.__file__).parent
    code = (_below(package, package / part, "*.py") for part in CODE)
    learned = (_below(models / language) for language in settings.rules.languages)
    names = [_below(settings.rules.names)] if settings.rules.names else []
    sites = ((file.name, file) for file in settings.rules.site)
    return chain(*code, _below(folder), sites, *names, *learned)


def _below(root: Path, part: Path | None = None, pattern: str = "*") -> Iterator[tuple[str, Path]]:
    """Yield name and path of the files of a folder, or of a part of it, in order of names."""
    part = part or root
    for file in [part] if part.is_file() else sorted(part.rglob(pattern)):
        if file.is_file():
            yield file.relative_to(root).as_posix(), file


def _chosen(settings: Settings) -> dict[str, Any]:
    """Settings that count: of rules those that name no file, and what is known of patients."""
    chosen = settings.rules.model_dump(mode="json", exclude={"folder", "site", "models", "names"})
    chosen["known"] = settings.known.model_dump(mode="json")
    if settings.vault.url:
        chosen["vault"] = True
    return chosen
