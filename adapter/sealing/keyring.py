"""The key ring: one file with the keys of every purpose and project, in all states.

A key is active (it draws or seals), retired (it still opens what it sealed, and replays may draw
with it) or destroyed: its secret is erased, its id stays so that it is never used again. The file
is JSON, readable by its owner only. It is replaced as a whole, and the bytes of the version before
are overwritten; copies, backups and blocks that the disk itself retains are outside of this
program's control.
"""

from __future__ import annotations

import base64
import binascii
import fcntl
import hashlib
import json
import os
import re
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from adapter.config.secret_files import read_secret
from adapter.errors import RuleError
from adapter.transports.files.disk import removed_on_failure, sync

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

VERSION = 1
PURPOSES = ("surrogates", "quarantine", "state", "escrow", "audit", "review")
ACTIVE, RETIRED, DESTROYED = STATES = ("active", "retired", "destroyed")
PUBLIC = frozenset({"escrow", "audit"})
"""Purposes of keys that have a public part."""
SECRET_BYTES = 32
DOMAIN = re.compile(r"[A-Za-z0-9_.-]{1,40}")
"""Names of projects; a key's id is DOMAIN-PURPOSE-NUMBER."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One key; ``created`` is a date (ISO 8601).

    Of an escrow key, ``public`` is the X25519 public part that seals and ``secret`` the private
    part that opens, which is absent from an adapter's ring. Of an audit key, ``secret`` is the
    Ed25519 private part that signs, which is absent from an auditor's ring, and ``public`` the part
    that verifies. Of any other key, ``secret`` is its 32 bytes.
    """

    id: str
    purpose: str
    domain: str
    state: str
    created: str
    secret: bytes | None = field(default=None, repr=False)
    public: bytes | None = field(default=None, repr=False)

    @property
    def fingerprint(self) -> str:
        """Return 16 hexadecimal digits that identify a key and reveal nothing of it."""
        material = self.public or self.secret
        if material is None:
            return ""
        return hashlib.sha256(b"deid-adapter key\0" + material).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Ring:
    """All keys, oldest first; at most one of each purpose and domain is active."""

    entries: tuple[Entry, ...] = ()

    def of(self, purpose: str, domain: str) -> tuple[Entry, ...]:
        """Return the keys of one purpose and domain, oldest first, in any state."""
        return tuple(e for e in self.entries if (e.purpose, e.domain) == (purpose, domain))

    def active(self, purpose: str, domain: str) -> Entry | None:
        """Return the active key of a purpose and domain, or None."""
        return next((e for e in self.of(purpose, domain) if e.state == ACTIVE), None)

    def find(self, key_id: str) -> Entry | None:
        """Return the key with an id, or None."""
        return next((e for e in self.entries if e.id == key_id), None)

    def add(self, entry: Entry) -> Ring:
        """Return the ring with a new key; the active key of its purpose and domain is retired."""
        before = (self._retired(e, entry) for e in self.entries)
        return Ring((*before, entry))

    @staticmethod
    def _retired(old: Entry, new: Entry) -> Entry:
        rival = (old.purpose, old.domain, old.state) == (new.purpose, new.domain, ACTIVE)
        return replace(old, state=RETIRED) if rival else old

    def public(self, purpose: str) -> Ring:
        """Return the public parts of a purpose's keys as a ring, without destroyed keys."""
        kept = (e for e in self.entries if e.purpose == purpose and e.public is not None)
        return Ring(tuple(replace(e, secret=None) for e in kept))

    def destroy(self, key_id: str) -> Ring:
        """Return the ring with a key destroyed: its secret is removed, its id stays."""
        return Ring(
            tuple(
                replace(e, state=DESTROYED, secret=None, public=None) if e.id == key_id else e
                for e in self.entries
            )
        )


def new_entry(ring: Ring, purpose: str, domain: str, created: str) -> Entry:
    """Return a new active key under an id that the ring never had.

    Raises:
        RuleError: the purpose is unknown, or the domain is not a valid name.
    """
    if purpose not in PURPOSES:
        raise RuleError("purpose", f"must be one of {', '.join(PURPOSES)}")
    if not DOMAIN.fullmatch(domain):
        raise RuleError("domain", "must be up to 40 letters, digits, '.', '_' and '-'")
    ids = (f"{domain}-{purpose}-{number}" for number in count(1))
    key_id = next(name for name in ids if ring.find(name) is None)
    secret = os.urandom(SECRET_BYTES)
    return Entry(key_id, purpose, domain, ACTIVE, created, secret, _public(purpose, secret))


def _public(purpose: str, secret: bytes) -> bytes | None:
    if purpose == "escrow":
        return X25519PrivateKey.from_private_bytes(secret).public_key().public_bytes_raw()
    if purpose == "audit":
        return Ed25519PrivateKey.from_private_bytes(secret).public_key().public_bytes_raw()
    return None


# ---- the file ----


def read_ring(path: Path) -> Ring:
    """Read a ring from a file.

    Raises:
        RuleError: the file cannot be read, is accessible to others, or is not a ring; the text
            names the wrong key, never a secret.
    """
    return _ring(path, _read(path, lambda: read_secret(path)))


def _read(path: Path, read: Callable[[], bytes]) -> Any:
    try:
        return json.loads(read())
    except OSError as error:
        raise RuleError(str(path), f"cannot be read ({type(error).__name__})") from None
    except (ValueError, RecursionError):
        raise RuleError(str(path), "is not a key ring (not JSON)") from None


def _ring(path: Path, table: Any) -> Ring:
    if not isinstance(table, dict) or table.get("v") != VERSION:
        raise RuleError(str(path), f"is not a key ring of version {VERSION}")
    if unknown := set(table) - {"v", "keys"}:
        raise RuleError(str(path), f"has an unknown field '{min(unknown)}'")
    rows = table.get("keys")
    if not isinstance(rows, list):
        raise RuleError(str(path), "has no list of keys")
    ring = Ring(tuple(_entry(path, at, row) for at, row in enumerate(rows)))
    _consistent(path, ring)
    return ring


def read_public(path: Path, purpose: str) -> dict[str, bytes]:
    """Return key id -> public part of a ring's keys for a purpose.

    Raises:
        RuleError: as `read_ring`, but a file without secrets may be readable by others.
    """
    ring = _ring(path, _read(path, path.read_bytes))
    if any(entry.secret is not None for entry in ring.entries):
        read_ring(path)
    return {e.id: e.public for e in ring.entries if e.purpose == purpose and e.public is not None}


def _entry(path: Path, at: int, row: Any) -> Entry:
    place = f"{path}: keys[{at}]"
    names = ("id", "purpose", "domain", "state", "created")
    if not isinstance(row, dict) or not all(isinstance(row.get(name), str) for name in names):
        raise RuleError(place, f"needs {', '.join(names)}")
    if unknown := set(row) - {*names, "secret", "public"}:
        raise RuleError(place, f"has an unknown field '{min(unknown)}'")
    if row["purpose"] not in PURPOSES or row["state"] not in STATES:
        raise RuleError(place, "has an unknown purpose or state")
    if not DOMAIN.fullmatch(row["domain"]):
        raise RuleError(place, "has an invalid domain name")
    secret, public = (_material(place, row.get(name)) for name in ("secret", "public"))
    needed = public if row["purpose"] in PUBLIC else secret
    if (row["state"] == DESTROYED) != (needed is None):
        raise RuleError(
            place, "lacks its secret" if needed is None else "is destroyed but still has its secret"
        )
    clear = {name: row[name] for name in names}
    return Entry(**clear, secret=secret, public=public)


def _material(place: str, text: Any) -> bytes | None:
    if text is None:
        return None
    try:
        raw = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError, TypeError):
        raise RuleError(place, "has a secret that is not base64") from None
    if len(raw) != SECRET_BYTES:
        raise RuleError(place, f"has a secret that is not {SECRET_BYTES} bytes long")
    return raw


def _consistent(path: Path, ring: Ring) -> None:
    if len({e.id for e in ring.entries}) != len(ring.entries):
        raise RuleError(str(path), "two keys have the same id")
    active = [(e.purpose, e.domain) for e in ring.entries if e.state == ACTIVE]
    if len(set(active)) != len(active):
        raise RuleError(str(path), "two active keys have the same purpose and domain")


@contextmanager
def changing(*paths: Path) -> Iterator[None]:
    """Lock the folders of rings (flock) while the block runs; a link stands for its target.

    Raises:
        RuleError: a ring has several hard links. Replacing it would leave the old version under the
            other names, and overwriting that version would destroy the ring there.
    """
    files = [real(path) for path in paths]
    folders = [os.open(f, os.O_RDONLY | os.O_DIRECTORY) for f in sorted({f.parent for f in files})]
    try:
        for folder in folders:
            fcntl.flock(folder, fcntl.LOCK_EX)
        for file in files:
            if file.exists() and file.stat().st_nlink > 1:
                raise RuleError(str(file), "has several hard links; give each ring one name")
        yield
    finally:
        for folder in folders:
            os.close(folder)


def real(path: Path) -> Path:
    """Return the file that a path leads to, through any links."""
    return Path(os.path.realpath(path))


def write_ring(path: Path, ring: Ring) -> None:
    """Replace the file as a whole, then overwrite the bytes of the old version.

    If the path is a link, its target is replaced.

    Raises:
        OSError: the file cannot be written; the old version is unchanged.
    """
    path = real(path)
    new = path.with_name(f".{path.name}.new")
    new.unlink(missing_ok=True)
    old = None
    with removed_on_failure(new):
        descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(_written(ring))
            stream.flush()
            os.fsync(stream.fileno())
        old = os.open(path, os.O_WRONLY) if path.exists() else None
        new.replace(path)
    sync(path.parent)
    if old is not None:
        os.write(old, bytes(os.fstat(old).st_size))
        os.fsync(old)
        os.close(old)


def _written(ring: Ring) -> bytes:
    rows = [
        {name: getattr(entry, name) for name in ("id", "purpose", "domain", "state", "created")}
        | {
            name: base64.b64encode(raw).decode("ascii")
            for name in ("secret", "public")
            if (raw := getattr(entry, name)) is not None
        }
        for entry in ring.entries
    ]
    return json.dumps({"v": VERSION, "keys": rows}, indent=1).encode() + b"\n"
