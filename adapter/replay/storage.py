"""Folders through fsspec: listing, reading, and atomic writing of objects."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from adapter.replay.errors import ReplayError, missing_extra, shown
from adapter.transports.files.disk import removed_on_failure, sync

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

LOCAL = ("file", "local")
_IN_MEMORY = 1 << 20
_CREDENTIALS = re.compile(r"Credential|Authentication")
"""In the names of the errors of clients that have no credentials."""
_OF_S3 = "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE"


@dataclass(frozen=True, slots=True)
class Stored:
    """An object: name below the folder, size in bytes, version, which changes with its bytes."""

    name: str = field(repr=False)
    size: int
    version: str = ""


@dataclass(frozen=True, slots=True)
class Storage:
    """A folder of a file system; errors name the object and the kind of failure."""

    system: Any = field(repr=False)
    root: str
    only: str | None = None
    """Name of the only object to list, or None for all."""
    private: bool = False
    """Whether the folder, if created on this machine, is accessible to its owner only."""

    @classmethod
    def at(
        cls, url: str, options: Mapping[str, Any] | None = None, *, private: bool = False
    ) -> Storage:
        """Return the folder at an address.

        Raises:
            RuleError: fsspec, or a library that it needs for this kind of address, is missing.
            ReplayError: the file system does not exist.
        """
        try:
            import fsspec  # noqa: PLC0415 - an extra
        except ImportError:
            raise missing_extra("fsspec") from None
        try:
            system, root = fsspec.core.url_to_fs(url, **(options or {}))
        except ImportError as error:
            raise missing_extra(error.name or "a file system of fsspec") from None
        except (ValueError, OSError) as error:
            raise ReplayError(shown(url), f"cannot be opened ({type(error).__name__})") from None
        return cls(system, root.rstrip("/"), private=private)

    @property
    def local(self) -> bool:
        """Whether the folder is on this machine."""
        return bool({*self._protocols()} & {*LOCAL})

    def path(self, name: str) -> str:
        """Return an object's path in the file system."""
        return f"{self.root}/{name}" if name else self.root

    def below(self, name: str) -> Storage:
        """Return a folder inside this one."""
        return replace(self, root=self.path(name), only=None)

    def listed(self) -> Storage:
        """Return this folder; for the address of an object, its folder with only that object.

        Raises:
            ReplayError: the file system does not answer.
        """
        try:
            single = self.system.isfile(self.root)
        except Exception as error:  # noqa: BLE001 - file systems raise what their clients raise
            raise self.failed("", error) from None
        folder, _, name = self.root.rpartition("/")
        return Storage(self.system, folder, name) if single else self

    def objects(self) -> list[Stored]:
        """Return all objects below the folder, sorted by name.

        Raises:
            ReplayError: the folder does not exist, or does not answer.
        """
        try:
            self.system.invalidate_cache()
            if self.only is not None:
                return [self.stored(self.only)]
            found = self.system.find(self.root, detail=True)
        except Exception as error:  # noqa: BLE001 - file systems raise what their clients raise
            raise self.failed("", error) from None
        cut = len(self.root) + 1
        stored = (
            Stored(path[cut:], info["size"] or 0, _version(info)) for path, info in found.items()
        )
        return sorted(stored, key=lambda each: each.name)

    def stored(self, name: str) -> Stored:
        """Return the current state of an object.

        Raises:
            ReplayError: the object does not exist.
        """
        try:
            info = self.system.info(self.path(name))
        except Exception as error:  # noqa: BLE001
            raise self.failed(name, error) from None
        return Stored(name, info["size"] or 0, _version(info))

    def open(self, name: str) -> BinaryIO:
        """Open an object for reading.

        Raises:
            ReplayError: the object cannot be opened.
        """
        try:
            return cast("BinaryIO", self.system.open(self.path(name), "rb"))
        except Exception as error:  # noqa: BLE001
            raise self.failed(name, error) from None

    def read(self, name: str) -> bytes | None:
        """Return an object's bytes, or None if it does not exist.

        Raises:
            ReplayError: the object cannot be read.
        """
        try:
            return cast("bytes", self.system.cat_file(self.path(name)))
        except FileNotFoundError:
            return None
        except Exception as error:  # noqa: BLE001
            raise self.failed(name, error) from None

    def write(self, name: str, pieces: Iterable[bytes]) -> None:
        """Write an object atomically; on this machine it is on disk when this returns.

        Raises:
            ReplayError: the object cannot be written; the previous object is unchanged.
        """
        try:
            if self.local:
                self._replace(self.path(name), pieces)
            else:
                self._put(self.path(name), pieces)
        except ReplayError:
            raise
        except Exception as error:  # noqa: BLE001
            raise self.failed(name, error) from None

    def _put(self, path: str, pieces: Iterable[bytes]) -> None:
        """Upload complete bytes only, because closing a failed upload would publish its part."""
        with tempfile.SpooledTemporaryFile(_IN_MEMORY) as whole:
            whole.writelines(pieces)
            whole.seek(0)
            with self.system.open(path, "wb") as target:
                shutil.copyfileobj(whole, target)

    def _replace(self, path: str, pieces: Iterable[bytes]) -> None:
        folder, _, name = path.rpartition("/")
        Path(folder).mkdir(0o700 if self.private else 0o777, parents=True, exist_ok=True)
        part = Path(folder, f".{name}.part")
        with removed_on_failure(part):
            with part.open("wb") as target:
                target.writelines(pieces)
                target.flush()
                os.fsync(target.fileno())
            part.replace(path)
        sync(folder)  # so that the new name is on disk too

    def remove(self, name: str) -> None:
        """Remove an object or folder, if it exists.

        Raises:
            ReplayError: the file system does not allow it.
        """
        try:
            self.system.rm(self.path(name), recursive=True)
        except FileNotFoundError:
            return  # already gone, as after a run that was killed while removing it
        except Exception as error:  # noqa: BLE001
            raise self.failed(name, error) from None

    def failed(self, name: str, error: Exception) -> ReplayError:
        """Return the error for a failure of the file system.

        Clients of object stores put the server's text into ``strerror``, which may quote
        credentials; only the number is used.
        """
        number = error.errno if isinstance(error, OSError) else None
        why = f"fails ({type(error).__name__})" if number is None else os.strerror(number)
        if _CREDENTIALS.search(type(error).__name__):
            s3 = {"s3", "s3a"} & {*self._protocols()}
            set_them = f" (such as {_OF_S3})" if s3 else ""
            why = (
                f"has no credentials ({type(error).__name__}): set the variables of its client"
                f"{set_them}, or options beside the url"
            )
        return ReplayError(shown(self._address(name)), why)

    def _protocols(self) -> tuple[str, ...]:
        protocol = self.system.protocol
        return (protocol,) if isinstance(protocol, str) else tuple(protocol)

    def _address(self, name: str) -> str:
        """Return an object's path, with the protocol unless it is on this machine."""
        path = self.path(name)
        return path if self.local else f"{self._protocols()[0]}://{path}"


def _version(info: Mapping[str, Any]) -> str:
    """Return a value that changes when an object is rewritten: its tag, else its time."""
    return str(info.get("ETag") or info.get("etag") or info.get("mtime") or info.get("md5") or "")
