"""People and their sessions; their rights are defined in `adapter.review.roles`."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adapter.review.store.protocol import Cursor

_COLUMNS = (
    "id, name, role, password, once, once_until, totp, totp_used, failed, locked_until, active"
)


@dataclass(frozen=True, slots=True)
class Person:
    """A user of the console; times are ms since the epoch.

    ``password`` is an Argon2id hash, ``once`` the SHA-256 of a one-time log-in, and ``totp`` the
    sealed secret of the one-time codes.
    """

    id: str
    name: str = field(repr=False)
    role: str
    password: str = field(default="", repr=False)
    once: str = field(default="", repr=False)
    once_until: int = 0
    totp: bytes | None = field(default=None, repr=False)
    totp_used: int = 0
    failed: int = 0
    locked_until: int = 0
    active: bool = True


def _person(row: tuple[Any, ...]) -> Person:
    return Person(
        id=row[0],
        name=row[1],
        role=row[2],
        password=row[3],
        once=row[4],
        once_until=row[5],
        totp=None if row[6] is None else bytes(row[6]),
        totp_used=row[7],
        failed=row[8],
        locked_until=row[9],
        active=bool(row[10]),
    )


def add(cursor: Cursor, person: Person) -> None:
    """Add a person."""
    marks = ", ".join("?" * 11)
    cursor.run(
        f"INSERT INTO review_person ({_COLUMNS}) VALUES ({marks})",  # noqa: S608 - fixed names
        person.id, person.name, person.role, person.password, person.once, person.once_until,
        person.totp, person.totp_used, person.failed, person.locked_until, int(person.active),
    )  # fmt: skip


def save(cursor: Cursor, person: Person) -> None:
    """Update a person; id and name do not change."""
    cursor.run(
        "UPDATE review_person SET role = ?, password = ?, once = ?, once_until = ?, totp = ?,"
        " totp_used = ?, failed = ?, locked_until = ?, active = ? WHERE id = ?",
        person.role, person.password, person.once, person.once_until, person.totp,
        person.totp_used, person.failed, person.locked_until, int(person.active), person.id,
    )  # fmt: skip


def everybody(cursor: Cursor) -> Sequence[Person]:
    """Return all people, sorted by name."""
    sql = f"SELECT {_COLUMNS} FROM review_person ORDER BY name"  # noqa: S608 - fixed names
    return [_person(row) for row in cursor.rows(sql)]


def named(cursor: Cursor, name: str) -> Person | None:
    """Return the person with this name, or None."""
    sql = f"SELECT {_COLUMNS} FROM review_person WHERE name = ?"  # noqa: S608 - fixed names
    rows = cursor.rows(sql, name)
    return _person(rows[0]) if rows else None


def of(cursor: Cursor, person: str) -> Person | None:
    """Return the person with this id, or None."""
    sql = f"SELECT {_COLUMNS} FROM review_person WHERE id = ?"  # noqa: S608 - fixed names
    rows = cursor.rows(sql, person)
    return _person(rows[0]) if rows else None


@dataclass(frozen=True, slots=True)
class Session:
    """A log-in session; ``begun`` and ``seen`` in ms since the epoch, ``csrf`` is sent in forms."""

    person: Person
    csrf: str = field(repr=False)
    begun: int
    seen: int


def _hashed(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()


def begin(cursor: Cursor, token: str, person: str, csrf: str, now: int) -> None:
    """Begin a session; only the hash of its token is stored."""
    cursor.run(
        "INSERT INTO review_session VALUES (?, ?, ?, ?, ?)", _hashed(token), person, csrf, now, now
    )


def session(cursor: Cursor, token: str) -> Session | None:
    """Return the session of a token, or None."""
    sql = "SELECT person, csrf, begun, seen FROM review_session WHERE token = ?"
    rows = cursor.rows(sql, _hashed(token))
    person = of(cursor, rows[0][0]) if rows else None
    return None if person is None else Session(person, *rows[0][1:])


def seen(cursor: Cursor, token: str, now: int) -> None:
    """Set the time when a session was last used, in ms since the epoch."""
    cursor.run("UPDATE review_session SET seen = ? WHERE token = ?", now, _hashed(token))


def end(cursor: Cursor, token: str) -> None:
    """End a session."""
    cursor.run("DELETE FROM review_session WHERE token = ?", _hashed(token))


def end_all(cursor: Cursor, person: str, but: str = "") -> None:
    """End all sessions of a person, except the one with the token ``but``."""
    sql = "DELETE FROM review_session WHERE person = ? AND token <> ?"
    cursor.run(sql, person, _hashed(but))


def end_old(cursor: Cursor, begun_before: int, seen_before: int) -> None:
    """End the sessions that began, or were last used, before these times in ms since the epoch."""
    sql = "DELETE FROM review_session WHERE begun < ? OR seen < ?"
    cursor.run(sql, begun_before, seen_before)
