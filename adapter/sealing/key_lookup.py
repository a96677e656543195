"""Finds the keys for each purpose: those named in the settings, else those of the key ring."""

from __future__ import annotations

import base64
from itertools import combinations
from typing import TYPE_CHECKING, TypeVar

from pydantic import SecretStr

from adapter.config.settings import Key
from adapter.errors import RuleError
from adapter.sealing.box import SealingKeys
from adapter.sealing.chain import Signer
from adapter.sealing.keyring import DESTROYED, read_ring

if TYPE_CHECKING:
    from adapter.config.settings import Settings
    from adapter.sealing.keyring import Entry

_Kind = TypeVar("_Kind", bound=SealingKeys)


def surrogates_key(settings: Settings) -> tuple[str, bytes]:
    """Return id and secret of the key that surrogates are drawn with.

    Raises:
        RuleError: there is no such key, or it cannot be read.
    """
    keys = settings.keys
    if keys.surrogates is not None:
        return keys.surrogates.id, keys.surrogates.read()
    if keys.ring is None:
        raise RuleError("keys.surrogates", "is not set; make a key with `deid-adapter keys new`")
    ring = read_ring(keys.ring)
    chosen = keys.surrogates_id
    found = ring.find(chosen) if chosen else ring.active("surrogates", keys.domain)
    place = "keys.surrogates_id" if chosen else "keys.ring"
    if found is None or (found.purpose, found.domain) != ("surrogates", keys.domain):
        raise RuleError(place, f"the ring has no such surrogates key for domain '{keys.domain}'")
    if found.secret is None:
        raise RuleError(place, f"key {found.id} was destroyed")
    return found.id, found.secret


def with_surrogates_key(settings: Settings) -> Settings:
    """Return settings that contain the surrogates' key itself instead of the place to read it.

    Whatever compiles rules with them later uses the same key, even if the place has another by
    then: two keys at once would give a patient two surrogates under one key id.

    Raises:
        RuleError: there is no such key, or it cannot be read.
    """
    key_id, secret = surrogates_key(settings)
    key = Key(id=key_id, value=SecretStr(base64.b64encode(secret).decode()))
    return settings.model_copy(
        update={"keys": settings.keys.model_copy(update={"surrogates": key})}
    )


def sealing(settings: Settings, purpose: str, kind: type[_Kind]) -> _Kind | None:
    """Return the keys for a purpose such as "quarantine", or None without a current key.

    ``kind`` is `adapter.sealing.box.Box` for bytes, `adapter.sealing.quarantine.Sealer` for held
    records. A key named in the settings is the current one; those of the ring still open.

    Raises:
        RuleError: a key cannot be read, or two have one id.
    """
    named = _named(settings, purpose)
    entries = _in_ring(settings, purpose)
    secrets = {key.id: key.read() for key in named}
    if len(secrets) != len(named):
        raise RuleError(f"keys.{purpose}_old", "two keys have the same id")
    kept = {e.id: e.secret for e in entries if e.secret is not None}
    if clash := set(secrets) & {e.id for e in entries}:
        raise RuleError(f"keys.{purpose}", f"key {min(clash)} is in the ring too")
    active = next((e.id for e in entries if e.state == "active"), None)
    current = named[0].id if _explicit(settings, purpose) else active
    if current is None:
        return None
    gone = frozenset(e.id for e in entries if e.state == DESTROYED)
    return kind(current, secrets | kept, gone)


def escrow_key(settings: Settings) -> tuple[str, bytes]:
    """Return id and X25519 public part of the key that the escrow is sealed to.

    Raises:
        RuleError: there is no ring, or no such key in it.
    """
    entries = _in_ring(settings, "escrow")
    active = next((e for e in entries if e.state == "active"), None)
    if active is None or active.public is None:
        raise RuleError(
            "escrow", f"the key ring has no escrow key for domain '{settings.keys.domain}'"
        )
    return active.id, active.public


def shared_secrets(settings: Settings) -> list[tuple[str, str]]:
    """Return the pairs of purposes for which the settings name the same secret.

    The keys of a ring are drawn independently and not compared.

    Raises:
        RuleError: a key cannot be read.
    """
    secrets = {
        purpose: {key.read() for key in _named(settings, purpose)}
        for purpose in ("surrogates", "quarantine", "state", "audit", "review")
    }
    return [
        (f"keys.{one}", f"keys.{other}")
        for one, other in combinations(secrets, 2)
        if secrets[one] & secrets[other]
    ]


def audit_signer(settings: Settings) -> Signer | None:
    """Return the signer of audit records, or None without a key: the records are then in no chain.

    Raises:
        RuleError: a key cannot be read, two have one id, or only the public part is present.
    """
    keys = sealing(settings, "audit", SealingKeys)
    if keys is None:
        return None
    if keys.key_id not in keys.keys:
        raise RuleError(
            "keys.ring", f"has only the public part of {keys.key_id}, which cannot sign"
        )
    return Signer.of(keys.key_id, keys.keys[keys.key_id])


def audit_publics(settings: Settings) -> dict[str, bytes]:
    """Return key id -> public key for the signatures of audit records.

    Raises:
        RuleError: a key cannot be read.
    """
    named = {key.id: Signer.of(key.id, key.read()).public for key in _named(settings, "audit")}
    ring = {e.id: e.public for e in _in_ring(settings, "audit") if e.public is not None}
    return ring | named


def _explicit(settings: Settings, purpose: str) -> Key | None:
    found: Key | None = getattr(settings.keys, purpose)
    return found


def _named(settings: Settings, purpose: str) -> list[Key]:
    current = _explicit(settings, purpose)
    return [*([current] if current else []), *getattr(settings.keys, f"{purpose}_old", ())]


def _in_ring(settings: Settings, purpose: str) -> tuple[Entry, ...]:
    ring = settings.keys.ring
    return () if ring is None else read_ring(ring).of(purpose, settings.keys.domain)
