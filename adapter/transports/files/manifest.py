"""The manifest of an output folder, which replaces the headers that other transports have.

It is JSON lines, by file in name order: one for each released message in the order of the file,
then one for the file, and at the end one for all files with the digest of the lines before it. A
file that is written again replaces its lines. Names are those of the folder; no line tells where a
message was in the input. Several processes may write different files to one folder: each change of
the manifest takes a lock.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import tempfile
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, BinaryIO

from adapter.errors import RuleError
from adapter.headers import MESSAGE_ID, PROVENANCE
from adapter.transports.files.lines import append, ends_with_line, last_line, locked_name
from adapter.transports.files.names import MANIFEST
from adapter.transports.files.unfinished import replacing

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    Headers = Sequence[tuple[str, bytes]]
    Extent = tuple[BinaryIO, int, int, dict[str, Any]]
    """(stream, start, end, last line) of a file's lines."""

_IN_MEMORY = 1 << 20
_JSON_VALUES = frozenset({"deid-merges"})
_COUNTS = "released", "held", "merges"
_SETS = "deid-ruleset", "deid-key"
_BEGINS = b'{"file":"'
"""The beginning of every line but the one for all files."""


@dataclass(slots=True)
class Section:
    """The manifest lines of one output file while it is being written."""

    file: str = field(repr=False)
    lines: Any = field(
        default_factory=partial(tempfile.SpooledTemporaryFile, _IN_MEMORY), repr=False
    )
    digest: Any = field(default_factory=hashlib.sha256, repr=False)
    counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(_COUNTS, 0))
    sets: dict[str, set[str]] = field(
        default_factory=lambda: {name: set() for name in _SETS}, repr=False
    )

    def released(self, pieces: Sequence[bytes], headers: Headers) -> None:
        """Add a released message: the bytes written, and its headers."""
        for piece in pieces:
            self.digest.update(piece)
        said = _provenance(headers)
        line = {"file": self.file, "index": self.counts["released"], **said}
        self.counts["released"] += 1
        self.counts["merges"] += len(said.get("deid-merges", ()))
        for name in _SETS:
            self.sets[name] |= {said[name]} if name in said else set()
        if MESSAGE_ID in said:
            self.lines.write(_line(line))

    def held(self, count: int) -> None:
        """Count held messages."""
        self.counts["held"] += count

    def last(self) -> dict[str, Any]:
        """Return the line for the whole file."""
        digest = self.digest.hexdigest() if self.counts["released"] else None
        told = {name: sorted(values) for name, values in self.sets.items()}
        return {"file": self.file, **self.counts, "sha256": digest, **told}


class Manifest:
    """The manifest of a folder; a run replaces the lines of the files that it writes."""

    def __init__(self, folder: Path) -> None:
        """Start without new lines."""
        self._path = folder / MANIFEST
        self._new: BinaryIO | None = None
        self._extents: dict[str, Extent] = {}

    def open(self) -> None:
        """Check an existing manifest.

        Raises:
            RuleError: the file is not a manifest.
        """
        with self._old() as stream:
            dict(_extents(stream))

    def ids(self) -> set[str]:
        """Return the ids of the messages that the manifest lists.

        Raises:
            RuleError: the file is not a manifest.
        """
        self.open()
        with self._old() as stream:
            said = map(json.loads, stream)
            return {line[MESSAGE_ID] for line in said if MESSAGE_ID in line}

    def _old(self) -> BinaryIO:
        return self._path.open("rb") if self._path.exists() else io.BytesIO()

    def add(self, section: Section) -> None:
        """Add the lines of a complete file; the section cannot be used afterwards."""
        if self._new is None:
            self._new = tempfile.TemporaryFile()  # noqa: SIM115 - closed by `write`
        start = self._new.seek(0, os.SEEK_END)
        section.lines.seek(0)
        while block := section.lines.read(_IN_MEMORY):
            self._new.write(block)
        section.lines.close()
        self._new.write(_line(section.last()))
        self._extents[section.file] = self._new, start, self._new.tell(), section.last()

    def write(self) -> None:
        """Write the new lines if any of them lists a released message, or a manifest exists."""
        released = any(said["deid-key"] for *_, said in self._extents.values())
        if released or (self._extents and self._path.exists()):
            with locked_name(self._path), self._old() as stream:
                self._replace(dict(_extents(stream)) | self._extents)
        if self._new is not None:
            self._new.close()

    def mend(self) -> None:
        """Remove the incomplete lines that a crash left of a file.

        Raises:
            RuleError: the file is not a manifest.
        """
        if not self._path.exists():
            return
        with locked_name(self._path) as descriptor:
            _mend(descriptor)
            self.open()

    def append(self, section: Section) -> None:
        """Append the lines of a complete file, and wait until they are on the disk.

        The section cannot be used afterwards. The line for all files is written by `complete`.

        Raises:
            OSError: the lines cannot be written.
            RuleError: the file is not a manifest.
        """
        section.lines.seek(0)
        with section.lines, locked_name(self._path) as descriptor:
            if not (ends_with_line(descriptor) and _ends_whole(last_line(descriptor))):
                _mend(descriptor)
            append(descriptor, section.lines.read() + _line(section.last()))

    def complete(self) -> None:
        """Sort the lines, and add the line for all files.

        Raises:
            OSError: the manifest cannot be written; it is unchanged.
            RuleError: the file is not a manifest.
        """
        if not self._path.exists():
            return
        with locked_name(self._path), self._old() as stream:
            extents = dict(_extents(stream))
            if any(said["deid-key"] for *_, said in extents.values()):
                self._replace(extents)

    def _replace(self, extents: Mapping[str, Extent]) -> None:
        digest = hashlib.sha256()
        with replacing(self._path) as target:
            for name in sorted(extents):
                for block in _blocks(extents[name]):
                    digest.update(block)
                    target.write(block)
            target.write(_line({"total": _total(extents) | {"sha256": digest.hexdigest()}}))


def _provenance(headers: Headers) -> dict[str, Any]:
    return {
        name: json.loads(value) if name in _JSON_VALUES else value.decode()
        for name, value in headers
        if name.startswith(PROVENANCE)
    }


def _line(said: Mapping[str, Any]) -> bytes:
    return json.dumps(said, separators=(",", ":")).encode() + b"\n"


def _total(extents: Mapping[str, Extent]) -> dict[str, Any]:
    files = [said for *_, said in extents.values()]
    counts = {name: sum(said[name] for said in files) for name in _COUNTS}
    sets = {name: sorted({value for said in files for value in said[name]}) for name in _SETS}
    return {"files": len(files), **counts, **sets}


def _extents(stream: BinaryIO) -> Iterator[tuple[str, Extent]]:
    """Yield the name of each file and the extent of its lines.

    Raises:
        RuleError: the stream is not a manifest.
    """
    start = end = 0
    try:
        for line in stream:
            end += len(line)
            said = json.loads(line)
            if "sha256" in said:
                yield said["file"], (stream, start, end, said)
            if "sha256" in said or "total" in said:
                start = end
    except (ValueError, TypeError, KeyError):
        start = -1
    if start != end:
        raise RuleError("files.output", f"its {MANIFEST} was not written by this program")


def _mend(descriptor: int) -> None:
    """Remove trailing lines that do not complete a file.

    Raises:
        RuleError: the file is not a manifest.
    """
    with os.fdopen(os.dup(descriptor), "rb") as stream:
        stream.seek(0)
        end = _whole(stream)
        stream.seek(end)
        rest = stream.read(len(_BEGINS))
    if rest != _BEGINS[: len(rest)]:
        raise RuleError("files.output", f"its {MANIFEST} was not written by this program")
    os.ftruncate(descriptor, end)


def _whole(stream: BinaryIO) -> int:
    """Return the end of the last line that completes a file or is for all files."""
    at = end = 0
    for line in stream:
        at += len(line)
        if line.endswith(b"\n") and _ends_whole(line):
            end = at
    return end


def _ends_whole(line: bytes) -> bool:
    """Return whether a line completes a file, is for all files, or is empty."""
    return not line or b'"sha256":' in line or line.startswith(b'{"total"')


def _blocks(extent: Extent) -> Iterator[bytes]:
    stream, start, end, _ = extent
    stream.seek(start)
    while start < end:
        block = stream.read(min(_IN_MEMORY, end - start))
        start += len(block)
        yield block
