"""Finds the input files and names their outputs; no name leads out of its folder."""

from __future__ import annotations

import itertools
import os
import stat
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from adapter.errors import RuleError
from adapter.transports.files.unfinished import is_unfinished

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

REPORT = "report.json"
"""Name of the operator's report in the output folder."""
MANIFEST = "manifest.jsonl"
"""Name of the manifest of released messages in the output folder."""
RESERVED = frozenset({REPORT, MANIFEST})
"""Names in the output folder that no input may have."""


@dataclass(frozen=True, slots=True)
class Source:
    """An input: its name relative to the output folder, and its path (None: stdin)."""

    name: str = field(repr=False)
    path: Path | None = field(repr=False)


class Why(StrEnum):
    """Why something in an input folder is not read."""

    LEADS_OUT = "link-outside"
    LEADS_NOWHERE = "link-to-nothing"
    LEADS_TO_FOLDER = "link-to-folder"
    NO_FILE = "not-a-file"
    UNREADABLE = "unreadable"
    UNREADABLE_FOLDER = "unreadable-folder"


_SAID = {
    Why.LEADS_OUT: "a link that points outside its folder",
    Why.LEADS_NOWHERE: "a link that leads to nothing",
    Why.LEADS_TO_FOLDER: "a link to a folder",
    Why.NO_FILE: "not a regular file",
    Why.UNREADABLE: "it cannot be read",
    Why.UNREADABLE_FOLDER: "a folder that cannot be read",
}


@dataclass(frozen=True, slots=True, order=True)
class Skipped:
    """What is in an input folder and is not read: its relative name, and why.

    ``system`` is what the system says of it, or "".
    """

    name: str = field(repr=False)
    why: Why
    system: str = field(default="", repr=False)

    @property
    def reason(self) -> str:
        """Why it is not read, in words."""
        return _SAID[self.why] + (f" ({self.system})" if self.system else "")


def discover(
    inputs: Sequence[str], output: str, *, outputs: bool = False
) -> tuple[tuple[Source, ...], tuple[Skipped, ...]]:
    """Return the inputs in name order, and what is skipped in their folders.

    With ``outputs``, the inputs are an output folder, whose report and manifest are skipped.

    Raises:
        RuleError: an input is missing, two have one name, or output and input overlap.
    """
    found: dict[str, Source] = {}
    skipped: list[Skipped] = []
    for given in inputs:
        _refuse_overlap(given, output)
        for source in _sources(given, skipped):
            if outputs and source.name in RESERVED:
                continue
            if source.name in found or source.name in RESERVED:
                message = f"two outputs would have the same name; one is from {given}"
                raise RuleError("files.inputs", message)
            found[source.name] = source
    _nothing_overwritten(found, output)
    return tuple(found[name] for name in sorted(found)), tuple(sorted(skipped))


def _sources(given: str, skipped: list[Skipped]) -> Iterator[Source]:
    path = Path(given)
    if given == "-":
        yield Source("stdin", None)
    elif path.is_dir():
        yield from _walk(path, skipped)
    elif path.exists():
        if not os.access(path, os.R_OK):
            raise RuleError("files.inputs", f"cannot be read: {given}")
        yield Source(path.name, path)
    else:
        raise RuleError("files.inputs", f"no such file or folder: {given}")


def _walk(root: Path, skipped: list[Skipped]) -> Iterator[Source]:
    """Yield the regular, finished files below a folder; linked folders are not entered."""

    def unread(error: OSError) -> None:
        name = Path(error.filename).relative_to(root).as_posix()
        skipped.append(Skipped(name, Why.UNREADABLE_FOLDER, str(error.strerror)))

    inside = Path(os.path.realpath(root))
    for folder, folders, names in os.walk(root, onerror=unread, followlinks=False):
        folders.sort()
        linked = [name for name in folders if Path(folder, name).is_symlink()]
        for name in sorted(itertools.filterfalse(is_unfinished, [*names, *linked])):
            path = Path(folder) / name
            relative = path.relative_to(root).as_posix()
            if why := _why_skipped(path, inside):
                skipped.append(Skipped(relative, why))
            else:
                yield Source(relative, path)


def _why_skipped(path: Path, inside: Path) -> Why | None:
    """Return why what is in a folder is not read, or None for a regular file."""
    if not Path(os.path.realpath(path)).is_relative_to(inside):
        return Why.LEADS_OUT
    try:
        mode = path.stat().st_mode
    except OSError:
        return Why.LEADS_NOWHERE if path.is_symlink() else Why.UNREADABLE
    if stat.S_ISDIR(mode):
        return Why.LEADS_TO_FOLDER
    if not stat.S_ISREG(mode):
        return Why.NO_FILE
    return None if os.access(path, os.R_OK) else Why.UNREADABLE


def _refuse_overlap(given: str, output: str) -> None:
    """Refuse an output folder inside an input folder, which the next run would read again."""
    if "-" in (given, output):
        return
    into, out_of = Path(output).resolve(), Path(given).resolve()
    if into.is_relative_to(out_of):
        raise RuleError("files.output", "the output lies inside an input")


def _nothing_overwritten(found: dict[str, Source], output: str) -> None:
    if output == "-":
        return
    originals = {source.path.resolve() for source in found.values() if source.path}
    if any((Path(output) / name).resolve() in originals for name in found):
        raise RuleError("files.output", "an output would overwrite an input")


def target(output: Path, name: str) -> Path:
    """Return the path of the output with that name; its folder is created.

    Raises:
        RuleError: a link inside the output folder leads out of it.
    """
    path = output / name
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.parent.resolve().is_relative_to(output.resolve()):
        raise RuleError("files.output", "a link points outside the output folder")
    return path
