"""Escrow: the original of every released message, sealed so that the adapter cannot open it.

The originals are sealed with X25519, HKDF-SHA256 and AES-256-GCM (RFC 7748, RFC 5869, NIST SP
800-38D) to a public key, under an ephemeral key that is discarded; the holder of the private part
opens them. An escrow record has in the clear the SHA-256 of the released bytes, the key's id, the
ruleset, public coordinates, and marks of the surrogate numbers, so that it is found without being
opened. The record and the pairs of a patient's numbers are sealed separately, so that looking up a
number opens no message.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from adapter.normalize.folding import squeeze
from adapter.sealing.box import NONCE_BYTES, SealError, decrypt, encrypt
from adapter.sealing.quarantine import pack, unpack

if TYPE_CHECKING:
    from collections.abc import Mapping

    from adapter.types import Record, Release

VERSION = 1
INFO = b"deid-adapter escrow 1"
_KEY_BYTES = 32
_MARK_BYTES = 16


@dataclass(frozen=True, slots=True)
class Deposit:
    """The clear part of an escrow record, all of which is bound to the sealed parts."""

    sha256: str
    """SHA-256 of the released bytes, in hexadecimal."""
    key_id: str
    ruleset: str
    topic: str
    partition: int
    offset: int
    marks: tuple[str, ...] = ()
    """Marks of the surrogate numbers (see `mark`)."""


@dataclass(frozen=True, slots=True)
class Escrow:
    """Seals originals to a public key; has no private part."""

    key_id: str
    public: bytes

    def seal(self, record: Record, release: Release, topic: str) -> bytes:
        """Return the escrow record of a release, a JSON object; ``topic`` is a public name."""
        pairs = (*release.pairs, *_of_keys(record, release))
        deposit = Deposit(
            digest(release.value),
            self.key_id,
            release.ruleset_digest,
            topic,
            record.position.partition,
            record.position.offset,
            tuple(sorted({mark(self.public, surrogate) for surrogate, _ in pairs})),
        )
        ephemeral = X25519PrivateKey.generate()
        theirs = ephemeral.public_key().public_bytes_raw()
        shared = ephemeral.exchange(X25519PublicKey.from_public_bytes(self.public))
        secret = _secret(shared, theirs, self.public)
        clear = asdict(deposit) | {"v": VERSION, "ephemeral": _text(theirs)}
        sealed = {
            part: _text(b"".join(encrypt(secret, plain, _bound(clear, part))))
            for part, plain in (("record", pack(record)), ("pairs", _json(pairs)))
        }
        return _json(clear | sealed)


@dataclass(frozen=True, slots=True)
class Opener:
    """Opens escrow records with private parts, by key id."""

    privates: Mapping[str, bytes] = field(repr=False)

    def record(self, envelope: bytes) -> Record:
        """Return the original record as it was read.

        Raises:
            SealError: it is not an escrow record, its private part is missing, or it was changed.
        """
        deposit = read_deposit(envelope)
        return unpack(self._opened(envelope, deposit, "record"), deposit.partition, deposit.offset)

    def pairs(self, envelope: bytes) -> tuple[tuple[str, str], ...]:
        """Return (surrogate, original) of the patient's numbers, and of the record's key.

        Raises:
            SealError: it is not an escrow record, its private part is missing, or it was changed.
        """
        plain = self._opened(envelope, read_deposit(envelope), "pairs")
        return tuple((surrogate, original) for surrogate, original in json.loads(plain))

    def marks(self, surrogate: str) -> frozenset[str]:
        """Return the marks of a surrogate number, one for each key."""
        return frozenset(mark(_public(raw), surrogate) for raw in self.privates.values())

    def _opened(self, envelope: bytes, deposit: Deposit, part: str) -> bytes:
        if deposit.key_id not in self.privates:
            raise SealError(f"no private part of key {deposit.key_id}")
        private = X25519PrivateKey.from_private_bytes(self.privates[deposit.key_id])
        fields = json.loads(envelope)
        try:
            theirs, sealed = (base64.b64decode(fields[n]) for n in ("ephemeral", part))
            shared = private.exchange(X25519PublicKey.from_public_bytes(theirs))
        except (KeyError, TypeError, ValueError):
            raise SealError("seal is broken") from None
        secret = _secret(shared, theirs, private.public_key().public_bytes_raw())
        clear = asdict(deposit) | {"v": VERSION, "ephemeral": fields["ephemeral"]}
        return decrypt(secret, sealed[:NONCE_BYTES], sealed[NONCE_BYTES:], _bound(clear, part))


def read_deposit(envelope: bytes) -> Deposit:
    """Return the clear part, for which no key is needed.

    Raises:
        SealError: it is not an escrow record.
    """
    try:
        fields = json.loads(envelope)
        if fields.get("v") != VERSION:
            raise SealError("not an escrow record of this version")
        clear = {name: fields[name] for name in Deposit.__dataclass_fields__}
        return Deposit(**clear | {"marks": tuple(clear["marks"])})
    except (AttributeError, KeyError, RecursionError, TypeError, ValueError):
        raise SealError("not an escrow record") from None


def digest(released: bytes | None) -> str:
    """Return the SHA-256 by which a released message is found, in hexadecimal."""
    return hashlib.sha256(released or b"").hexdigest()


def mark(public: bytes, surrogate: str) -> str:
    """Return the mark of a surrogate number: its MAC (letters and digits) under the public key."""
    mac = hmac.digest(public, squeeze(surrogate).encode(), "sha256")
    return mac[:_MARK_BYTES].hex()


def _of_keys(record: Record, release: Release) -> tuple[tuple[str, str], ...]:
    if record.key is None or release.key is None:
        return ()
    try:
        return ((release.key.decode(), record.key.decode()),)
    except UnicodeDecodeError:
        return ((release.key.decode("latin-1"), record.key.hex()),)


def _secret(shared: bytes, theirs: bytes, public: bytes) -> bytes:
    return HKDF(SHA256(), _KEY_BYTES, salt=theirs + public, info=INFO).derive(shared)


def _public(private: bytes) -> bytes:
    return X25519PrivateKey.from_private_bytes(private).public_key().public_bytes_raw()


def _bound(clear: dict[str, Any], part: str) -> bytes:
    return _json([part, clear])


def _json(fields: object) -> bytes:
    return json.dumps(fields, separators=(",", ":")).encode()


def _text(raw: bytes) -> str:
    return base64.b64encode(raw).decode("ascii")
