"""Chains of audit records: each record has the hash of the one before, and a signature.

A chain belongs to one writer: a lane of a topic, or a file. Its records are numbered from 1. The
signature (Ed25519, RFC 8032) covers everything before it, including the hash of the previous
record; the next record has the SHA-256 of the whole record. Signatures are used instead of MACs
because an auditor, who has only the public part, then cannot forge the records to be checked.
Records are compared byte for byte, so whoever stores or copies them must not rewrite the JSON.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
from dataclasses import dataclass, field, replace
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

CONTEXT = b"deid-adapter audit 1\0"
"""Prefix of the signed bytes, so that a signature is valid for nothing else."""
_SIGNED = re.compile(rb'(\{.*),"signature":"([A-Za-z0-9+/]{86}==)"\}', re.DOTALL)
_TOKEN = re.compile(r"deid-audit-1 ([A-Za-z0-9._-]{1,400}) ([1-9][0-9]{0,15}) ([0-9a-f]{64})")


@dataclass(frozen=True, slots=True)
class Head:
    """The last record of a chain: its number (0 before the first) and SHA-256 in hexadecimal."""

    number: int = 0
    sha256: str = ""


@dataclass(frozen=True, slots=True)
class Signer:
    """The signing key and its id."""

    key_id: str
    key: Ed25519PrivateKey = field(repr=False)

    @classmethod
    def of(cls, key_id: str, secret: bytes) -> Signer:
        """Return the signer with a secret of 32 bytes."""
        return cls(key_id, Ed25519PrivateKey.from_private_bytes(secret))

    @property
    def public(self) -> bytes:
        """Return the public key, 32 bytes."""
        return self.key.public_key().public_bytes_raw()

    def begin(self, name: str) -> Chain:
        """Return a new chain; a random suffix makes its name unique, so it continues no other."""
        return Chain(self, f"{name}-{os.urandom(4).hex()}")

    def resume(self, token: str) -> Chain | None:
        """Return the chain that a token continues, or None if it is not a token."""
        found = _TOKEN.fullmatch(token)
        return Chain(self, found[1], Head(int(found[2]), found[3])) if found else None


@dataclass(frozen=True, slots=True)
class Chain:
    """A chain up to its current head; ``token`` records that head."""

    signer: Signer
    name: str
    head: Head = Head()

    @property
    def token(self) -> str:
        """Return the token for `Signer.resume`; "" before the first record."""
        if not self.head.number:
            return ""
        return f"deid-audit-1 {self.name} {self.head.number} {self.head.sha256}"

    def add(self, entry: bytes) -> tuple[bytes, Chain]:
        """Return an entry (JSON object with fields) as the next record, and the chain after it."""
        number = self.head.number + 1
        link = {
            "chain": self.name,
            "number": number,
            "before": self.head.sha256,
            "key": self.signer.key_id,
        }
        signed = entry[:-1] + b"," + json.dumps(link, separators=(",", ":")).encode()[1:-1]
        signature = base64.b64encode(self.signer.key.sign(CONTEXT + signed))
        record = signed + b',"signature":"' + signature + b'"}'
        return record, replace(self, head=Head(number, hashlib.sha256(record).hexdigest()))


@dataclass(frozen=True, slots=True)
class Link:
    """A record's place in a chain, as the record states it."""

    chain: str
    head: Head
    before: str
    key_id: str
    time_ms: int
    signed: bytes = field(repr=False)
    signature: bytes = field(repr=False)

    def is_signed_by(self, public: bytes) -> bool:
        """Return whether the signature is valid under a public key."""
        try:
            Ed25519PublicKey.from_public_bytes(public).verify(self.signature, CONTEXT + self.signed)
        except (InvalidSignature, ValueError):
            return False
        return True


def read_link(record: bytes) -> Link | None:
    """Return a record's place in its chain, unverified, or None if it is in no chain."""
    found = _SIGNED.fullmatch(record)
    try:
        fields: Any = json.loads(record) if found else None
    except (ValueError, RecursionError):
        return None
    if found is None or not _is_complete(fields):
        return None
    return Link(
        fields["chain"],
        Head(fields["number"], hashlib.sha256(record).hexdigest()),
        fields["before"],
        fields["key"],
        fields["time_ms"] if type(fields.get("time_ms")) is int else 0,
        found[1],
        _decoded(found[2]),
    )


def is_record(record: bytes) -> bool:
    """Return whether bytes are an audit record, in a chain or not: a JSON object with a time."""
    try:
        fields = json.loads(record)
    except (ValueError, RecursionError):
        return False
    return isinstance(fields, dict) and type(fields.get("time_ms")) is int


def _decoded(text: bytes) -> bytes:
    """Return the bytes of a signature; empty if their base64 is not canonical."""
    raw = base64.b64decode(text)
    return raw if base64.b64encode(raw) == text else b""


def _is_complete(fields: Any) -> bool:
    texts = all(isinstance(fields.get(name), str) for name in ("chain", "before", "key"))
    return texts and type(fields.get("number")) is int and fields["number"] > 0


def resumed(signer: Signer, record: bytes) -> Chain | None:
    """Return the chain to continue after its last record, or None if that is in no chain."""
    link = read_link(record)
    return None if link is None else Chain(signer, link.chain, link.head)
