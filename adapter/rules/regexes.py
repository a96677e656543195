"""The regexes of the shipped rules, compiled once for all processes, as Python does with modules.

Compiling them takes most of a start; reading them takes a tenth of a second. They are kept beside
the bytecode of this module, under the same conditions: nothing is written where Python would write
no bytecode or the folder cannot be written. Rules of a site are not kept, since they may name
people.
"""

from __future__ import annotations

import hashlib
import io
import os
import pickle
import sys
from contextlib import suppress
from importlib.metadata import version
from importlib.util import cache_from_source
from pathlib import Path
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

from adapter.taggers.document.resources import compile_verbose

if TYPE_CHECKING:
    from collections.abc import Callable

    import regex

Patterns = dict[str, "regex.Pattern[str]"]
"""Source of a verbose, multi-line regex -> the compiled regex."""

LARGEST = 4096
"""Maximum number of regexes in the file; beyond it, those of earlier rules are left out."""
_DIGEST = hashlib.sha256().digest_size
_RECREATING = {("regex._regex", "compile"), ("_regex", "compile")}
"""Module and name of the function by which `regex` unpickles its patterns."""


def cache_file() -> Path:
    """Return the path of the compiled regexes for this version of Python and of `regex`."""
    bytecode = Path(cache_from_source(__file__))
    return bytecode.with_suffix(f".regex-{version('regex')}")


class Regexes:
    """Compiles regexes; those kept in ``file`` are read from it. Without a file, none is kept."""

    def __init__(self, file: Path | None = None) -> None:
        """Remember the file, which is read when a regex is first needed."""
        self._file = file
        self._kept: Patterns | None = None
        self._used: Patterns = {}

    def compile(self, source: str) -> regex.Pattern[str]:
        """Return a verbose, multi-line regex, compiled; the same object for the same source.

        Raises:
            regex.error: the source is not a regex.
        """
        found = _IN_USE.get(source) or self._read().get(source) or compile_verbose(source)
        self._used[source] = _IN_USE[source] = found
        return found

    def save(self) -> None:
        """Write the file if it lacks regexes that were compiled here; do nothing if that fails."""
        if (
            self._file is None
            or sys.dont_write_bytecode
            or self._used.keys() <= self._read().keys()
        ):
            return
        kept = _read(self._file) | self._used
        self._kept = kept if len(kept) <= LARGEST else self._used
        _write(self._file, self._kept)

    def _read(self) -> Patterns:
        if self._kept is None:
            self._kept = _read(self._file) if self._file else {}
        return self._kept


_IN_USE: WeakValueDictionary[str, regex.Pattern[str]] = WeakValueDictionary()
"""Regexes in use, by source: languages and rulesets share them."""


def _read(file: Path) -> Patterns:
    """Return the regexes in a file that begins with the SHA-256 of its rest; {} if damaged."""
    try:
        content = file.read_bytes()
    except OSError:
        return {}
    digest, body = content[:_DIGEST], content[_DIGEST:]
    if hashlib.sha256(body).digest() != digest:
        return {}
    try:
        return dict(_Unpickler(io.BytesIO(body)).load())
    except pickle.UnpicklingError:
        return {}


def _write(file: Path, patterns: Patterns) -> None:
    body = pickle.dumps(patterns, protocol=5)
    made = file.with_name(f"{file.name}.{os.getpid()}")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        made.write_bytes(hashlib.sha256(body).digest() + body)
        made.replace(file)
    except OSError:  # the folder cannot be written, or the disk is full: compiled each time
        with suppress(OSError):
            made.unlink(missing_ok=True)


class _Unpickler(pickle.Unpickler):
    """Reads compiled regexes and nothing else: no other function is called."""

    def find_class(self, module: str, name: str) -> Callable[..., Any]:
        if (module, name) in _RECREATING:
            found: Callable[..., Any] = super().find_class(module, name)
            return found
        raise pickle.UnpicklingError("not a compiled regex")
