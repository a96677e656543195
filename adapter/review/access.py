"""Log-in: Argon2id, optional one-time codes (RFC 6238), lock-out, sessions that expire.

A one-time log-in is a random word that works once; a person uses it to set their password.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from cryptography.hazmat.primitives.hashes import SHA1
from cryptography.hazmat.primitives.twofactor.totp import TOTP

from adapter.errors import RuleError
from adapter.review.refusals import Refusals
from adapter.review.roles import Role
from adapter.review.store import events, people
from adapter.review.store.people import Person
from adapter.review.store.store import fresh_id

if TYPE_CHECKING:
    from adapter.review.store.people import Session
    from adapter.review.store.protocol import Cursor
    from adapter.review.store.store import Store

REFUSED = "log-in refused"
IDLE_MS = 15 * 60 * 1000
MOST_MS = 8 * 60 * 60 * 1000
"""Longest session in ms, idle or not."""
ONCE_MS = 7 * 24 * 60 * 60 * 1000
FAILURES = 5
"""Wrong passwords after which a person is locked out."""
LOCKED_MS = 15 * 60 * 1000
SHORTEST = 12
"""Minimum length of a password in characters (NIST SP 800-63B requires eight)."""
LONGEST = 200
STEP_SECONDS = 30
NAME = 40
"""Maximum length of a name in characters."""


@dataclass(frozen=True, slots=True)
class Entered:
    """A new session: the token for its cookie. ``once``: a password must be set first."""

    token: str = field(repr=False)
    person: Person
    once: bool


@dataclass(frozen=True, slots=True)
class Access:
    """Authenticates people. Tests may pass a cheap ``hasher``."""

    store: Store
    hasher: PasswordHasher = field(default_factory=PasswordHasher, repr=False)
    refusals: Refusals = field(default_factory=Refusals, repr=False)

    def add(self, name: str, role: str, by: str) -> str:
        """Add a person, and return their one-time log-in.

        Raises:
            RuleError: the name is taken or malformed, or there is no such role.
        """
        if role not in set(Role):
            raise RuleError("--role", f"must be one of {', '.join(Role)}")
        if not 0 < len(name) <= NAME or not name.isprintable() or name != name.strip():
            raise RuleError("NAME", f"must have 1 to {NAME} printable characters")
        word, person = _word(), Person(fresh_id(), name, role)
        with self.store.step("person added", by, about=person.id, role=role) as cursor:
            if people.named(cursor, name) is not None:
                raise RuleError("NAME", "is taken")
            people.add(cursor, self._once(person, word))
        return word

    def _once(self, person: Person, word: str) -> Person:
        until = self.store.now + ONCE_MS
        return replace(person, once=_digest(word), once_until=until, failed=0, locked_until=0)

    def renew(self, person: str, by: str) -> str | None:
        """Remove a person's password and sessions, and return a new one-time log-in."""
        with self.store.step("log-in renewed", by, about=person) as cursor:
            found = people.of(cursor, person)
            if found is None:
                return None
            word = _word()
            fresh = replace(found, password="", totp=None, totp_used=0)
            people.save(cursor, self._once(fresh, word))
            people.end_all(cursor, person)
            return word

    def switch(self, person: str, by: str, *, active: bool) -> None:
        """Activate or deactivate a person."""
        event = "person let in" if active else "person let out"
        with self.store.step(event, by, about=person) as cursor:
            found = people.of(cursor, person)
            if found is not None:
                people.save(cursor, replace(found, active=active))
                people.end_all(cursor, person)

    def enter(self, name: str, secret: str, code: str = "") -> Entered | None:
        """Log in with a password or one-time log-in; None on any failure.

        Unknown and known names take the same time; the result does not reveal a lock-out.
        """
        with self.store.database.transaction() as cursor:
            person = people.named(cursor, name)
        right = self._is_right(person, secret[:LONGEST])
        with self.store.database.transaction() as cursor:
            person = people.named(cursor, name)  # it may have changed since
            if person is None or not person.active or person.locked_until > self.store.now:
                self._record(cursor, REFUSED, "" if person is None else person.id)
                return None
            step = self._step(person, code)
            if not right or step is None:
                self._failed(cursor, person)
                return None
            return self._entered(cursor, person, step, secret)

    def _is_right(self, person: Person | None, secret: str) -> bool:
        if person is not None and self._is_one_time(person, secret):
            return True
        try:
            known = person.password if person is not None else ""
            return self.hasher.verify(known or _dummy_hash(self.hasher), secret) and bool(known)
        except (VerificationError, InvalidHashError):
            return False

    def _is_one_time(self, person: Person, secret: str) -> bool:
        same = hmac.compare_digest(person.once, _digest(secret))
        return bool(person.once) and same and person.once_until > self.store.now

    def _failed(self, cursor: Cursor, person: Person) -> None:
        failed = person.failed + 1
        locked = self.store.now + LOCKED_MS if failed >= FAILURES else 0
        failed = 0 if locked else failed
        people.save(cursor, replace(person, failed=failed, locked_until=locked))
        self._record(cursor, "locked out" if locked else REFUSED, person.id)

    def _entered(self, cursor: Cursor, person: Person, step: int, secret: str) -> Entered | None:
        once = self._is_one_time(person, secret)
        if not once and not person.password:
            return None  # the one-time log-in was used since
        used = replace(person, failed=0, locked_until=0, totp_used=step)
        people.save(cursor, replace(used, once="", once_until=0) if once else used)
        token, now = secrets.token_urlsafe(32), self.store.now
        people.end_old(cursor, now - MOST_MS, now - IDLE_MS)
        people.begin(cursor, token, person.id, secrets.token_urlsafe(32), now)
        self._record(cursor, "log-in", person.id)
        return Entered(token, person, once)

    def _record(self, cursor: Cursor, event: str, person: str) -> None:
        """Append an audit event; refused log-ins are rate-limited and counted."""
        entry = {"time_ms": self.store.now, "event": event, "person": person}
        if event == REFUSED:
            count = self.refusals.due(event, person, self.store.now)
            if count is None:
                return
            entry |= {"count": count}
        events.append(cursor, self.store.signer, entry)

    def session(self, token: str) -> Session | None:
        """Return the session of a cookie, marked as in use; None if it has ended."""
        now = self.store.now
        with self.store.database.transaction() as cursor:
            found = people.session(cursor, token)
            if found is None:
                return None
            ended = found.begun + MOST_MS <= now or found.seen + IDLE_MS <= now
            if ended or not found.person.active:
                people.end(cursor, token)
                return None
            people.seen(cursor, token, now)
            return found

    def leave(self, token: str, person: str) -> None:
        """Log out."""
        with self.store.step("log-out", person) as cursor:
            people.end(cursor, token)

    def confirms(self, person: Person, present: str) -> bool:
        """Return whether ``present`` is the person's password; before one is set, True.

        A wrong password counts towards the lock-out as at log-in, so that an open session cannot be
        used to guess it.
        """
        with self.store.database.transaction() as cursor:
            known = people.of(cursor, person.id)
        if known is None or known.locked_until > self.store.now:
            return False
        if not known.password or self._is_right(replace(known, once=""), present[:LONGEST]):
            return True
        with self.store.database.transaction() as cursor:
            known = people.of(cursor, person.id)
            if known is not None:
                self._failed(cursor, known)
        return False

    def set_password(self, person: Person, password: str, token: str = "") -> str:
        """Set a password and end this person's other sessions; return an error, or ""."""
        if not SHORTEST <= len(password) <= LONGEST:
            return f"A password has {SHORTEST} to {LONGEST} characters."
        if person.name.lower() in password.lower():
            return "A password does not contain your name."
        hashed = self.hasher.hash(password)
        with self.store.step("password set", person.id) as cursor:
            found = people.of(cursor, person.id)
            if found is not None:
                people.save(cursor, replace(found, password=hashed, once="", once_until=0))
                people.end_all(cursor, person.id, but=token)
        return ""

    # ---- one-time codes ----

    def _step(self, person: Person, code: str) -> int | None:
        """Return the time step of a correct code, or None; the last used step if none is needed."""
        if person.totp is None:
            return person.totp_used
        secret = self.store.box.open(person.totp, _bound(person.id))
        now = int(self.store.clock()) // STEP_SECONDS
        for step in (now, now - 1, now + 1):
            right = hmac.compare_digest(_code(secret, step), code.encode())
            if right and step > person.totp_used:
                return step
        return None

    def protect(self, person: Person, secret: bytes, code: str) -> bool:
        """Require one-time codes from now on if this code is correct; return whether it is."""
        now = int(self.store.clock()) // STEP_SECONDS
        if not any(hmac.compare_digest(_code(secret, now + d), code.encode()) for d in (0, -1)):
            return False
        sealed = self.store.box.seal(secret, _bound(person.id))
        with self.store.step("one-time codes set", person.id) as cursor:
            found = people.of(cursor, person.id)
            if found is not None:
                people.save(cursor, replace(found, totp=sealed, totp_used=now))
        return True


def _word() -> str:
    return secrets.token_urlsafe(15)


def _digest(word: str) -> str:
    return hashlib.sha256(word.encode()).hexdigest()


def _bound(person: str) -> bytes:
    return b"review codes " + person.encode()


def _code(secret: bytes, step: int) -> bytes:
    totp = TOTP(secret, 6, SHA1(), STEP_SECONDS)  # noqa: S303 - RFC 6238, as apps use
    return totp.generate(step * STEP_SECONDS)


@lru_cache(maxsize=8)
def _dummy_hash(hasher: PasswordHasher) -> str:
    """Return the hash of a random password, as costly to check as any other."""
    return hasher.hash(secrets.token_urlsafe(32))
