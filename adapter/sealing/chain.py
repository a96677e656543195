"""Audit records that follow one another: each has the hash of the one before, and a signature.

A chain belongs to one writer: a lane of a topic, a file. Its records are numbered from 1. What is
signed (Ed25519, RFC 8032) is everything before the signature, the hash of the record before
included; what the next one has is the SHA-256 of the whole record. An auditor needs the public part
alone, and so cannot write what he is to check: that is why it is no MAC. Records are compared byte
for byte, so whoever stores or copies them must not write the JSON anew.
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
"""Before what is signed, so that the key signs nothing else."""
_SIGNED = re.compile(rb'(\{.*),"signature":"([A-Za-z0-9+/]{86}==)"\}', re.DOTALL)
_TOKEN = re.compile(r"deid-audit-1 ([A-Za-z0-9._-]{1,400}) ([1-9][0-9]{0,15}) ([0-9a-f]{64})")


@dataclass(frozen=True, slots=True)
class Head:
    """The last record of a chain: its number (0 before the first) and SHA-256 in hexadecimal."""

    number: int = 0
    sha256: str = ""


@dataclass(frozen=True, slots=True)
class Signer:
    """The key that signs, and its id."""

    key_id: str
    key: Ed25519PrivateKey = field(repr=False)

    @classmethod
    def of(cls, key_id: str, secret: bytes) -> Signer:
        """Return the signer of 32 secret bytes."""
        return cls(key_id, Ed25519PrivateKey.from_private_bytes(secret))

    @property
    def public(self) -> bytes:
        """The 32 bytes that signatures are checked with."""
        return self.key.public_key().public_bytes_raw()

    def begin(self, name: str) -> Chain:
        """Return a new chain: no two ever have one name, so none is taken for another's rest."""
        return Chain(self, f"{name}-{os.urandom(4).hex()}")

    def resume(self, token: str) -> Chain | None:
        """Return the chain that a token is of; None where it is no token."""
        found = _TOKEN.fullmatch(token)
        return Chain(self, found[1], Head(int(found[2]), found[3])) if found else None


@dataclass(frozen=True, slots=True)
class Chain:
    """A chain at a moment; its ``token`` says where it has come to."""

    signer: Signer
    name: str
    head: Head = Head()

    @property
    def token(self) -> str:
        """What `Signer.resume` goes on from; "" before the first record."""
        if not self.head.number:
            return ""
        return f"deid-audit-1 {self.name} {self.head.number} {self.head.sha256}"

    def add(self, entry: bytes) -> tuple[bytes, Chain]:
        """Return an entry, a JSON object with fields, as the next record, and the chain then."""
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
    """What a record says of its place in a chain."""

    chain: str
    head: Head
    before: str
    key_id: str
    time_ms: int
    signed: bytes = field(repr=False)
    signature: bytes = field(repr=False)

    def is_signed_by(self, public: bytes) -> bool:
        """Return whether the signature is of that key."""
        try:
            Ed25519PublicKey.from_public_bytes(public).verify(self.signature, CONTEXT + self.signed)
        except (InvalidSignature, ValueError):
            return False
        return True


def read_link(record: bytes) -> Link | None:
    """Return a record's place in its chain, unchecked; None of one that is in none."""
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


def _decoded(text: bytes) -> bytes:
    """The bytes of a signature; none where the base64 is not the one that encodes them."""
    raw = base64.b64decode(text)
    return raw if base64.b64encode(raw) == text else b""


def _is_complete(fields: Any) -> bool:
    texts = all(isinstance(fields.get(name), str) for name in ("chain", "before", "key"))
    return texts and type(fields.get("number")) is int and fields["number"] > 0


def resumed(signer: Signer, record: bytes) -> Chain | None:
    """Return the chain behind its last record; None if that is in none."""
    link = read_link(record)
    return None if link is None else Chain(signer, link.chain, link.head)
