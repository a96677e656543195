"""The digest of a ruleset: a hash of everything that changes the results of `process`, except keys.

The rules of the research mart do not affect what is released to a topic, and have their own digest.
"""

from __future__ import annotations

import hashlib
import json
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import adapter
from adapter.config.envelope import Envelope
from adapter.rules.folder import site_files

if TYPE_CHECKING:
    from collections.abc import Iterator

    from adapter.config.settings import Settings

CODE = (
    "checkdigits.py", "codecs", "errors.py", "fields", "headers.py", "languages", "leakcheck.py",
    "normalize", "phrases", "pipeline", "priorities.py", "resolve", "rules", "schemas",
    "surrogates", "taggers", "types.py", "values", "vault",
)  # fmt: skip
"""Parts of the program whose code affects what is released."""
MART = "mart"
"""The folder of the mart's rules."""


def digest(folder: Path, models: Path, settings: Settings) -> str:
    """Return the SHA-256 of code, rules, models and settings that affect `process`; not of keys."""
    state = hashlib.sha256()
    for name, file in _files(folder, models, settings):
        state.update(name.encode() + b"\0" + hashlib.sha256(file.read_bytes()).digest())
    state.update(json.dumps(_chosen(settings), sort_keys=True).encode())
    return state.hexdigest()


def mart_digest(folder: Path) -> str:
    """Return the SHA-256 of the mart's rules in a rules folder, and of the code that reads them."""
    package = Path(adapter.__file__).parent
    state = hashlib.sha256()
    for name, file in chain(_below(package, package / MART, "*.py"), _below(folder, folder / MART)):
        state.update(name.encode() + b"\0" + hashlib.sha256(file.read_bytes()).digest())
    return state.hexdigest()


def _files(folder: Path, models: Path, settings: Settings) -> Iterator[tuple[str, Path]]:
    """Yield (name, path) of every file; names are relative to the folder, or a site's file name."""
    package = Path(adapter.__file__).parent
    code = (_below(package, package / part, "*.py") for part in CODE)
    others = (language for topic in settings.topic.values() for language in topic.languages or ())
    languages = dict.fromkeys((*settings.rules.languages, *others))
    learned = (_below(models / language) for language in languages)
    names = [_below(settings.rules.names)] if settings.rules.names else []
    sites = ((file.name, file) for file in site_files(settings))
    rules = ((name, file) for name, file in _below(folder) if not name.startswith(f"{MART}/"))
    return chain(*code, rules, sites, *names, *learned)


def _below(root: Path, part: Path | None = None, pattern: str = "*") -> Iterator[tuple[str, Path]]:
    """Yield (name, path) of the files of a folder, or of a part of it, in order of name."""
    part = part or root
    for file in [part] if part.is_file() else sorted(part.rglob(pattern)):
        if file.is_file():
            yield file.relative_to(root).as_posix(), file


def _chosen(settings: Settings) -> dict[str, Any]:
    """Return the settings that affect `process`: rules other than paths, and patient memory.

    Settings of single topics and files are included: one digest covers all of them.
    """
    chosen = settings.rules.model_dump(mode="json", exclude={"folder", "site", "models", "names"})
    chosen["known"] = settings.known.model_dump(mode="json")
    if settings.topic:
        chosen["topic"] = [
            (name, own.model_dump(mode="json", exclude_defaults=True))
            for name, own in settings.topic.items()
        ]
    if settings.envelope != Envelope():
        chosen["envelope"] = settings.envelope.model_dump(mode="json")
    if settings.vault.url:
        chosen["vault"] = True
    return chosen
