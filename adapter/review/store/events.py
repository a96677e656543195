"""The console's audit events, in one signed chain: views and decisions. None quotes a message."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from adapter.review.store.protocol import StoreError
from adapter.sealing.chain import resumed
from adapter.sealing.verification import Place, Problem, Verifier

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from adapter.review.store.protocol import Cursor, Database
    from adapter.sealing.chain import Head, Signer
    from adapter.sealing.verification import ChainReport

CHAIN = "review"
_PAGE = 1000


def append(cursor: Cursor, signer: Signer, entry: Mapping[str, Any]) -> None:
    """Append an event to the chain.

    Raises:
        StoreError: the last stored record is not part of a chain.
    """
    rows = cursor.rows("SELECT number, record FROM review_event ORDER BY number DESC LIMIT 1")
    chain = signer.begin(CHAIN)
    if rows:
        before = resumed(signer, _as_bytes(rows[0][1]))
        if before is None:
            raise StoreError("the last event is in no chain")
        chain = before
    record, chain = chain.add(json.dumps(dict(entry), separators=(",", ":")).encode())
    number = (rows[0][0] if rows else 0) + 1
    cursor.run("INSERT INTO review_event VALUES (?, ?)", number, record)


def read(cursor: Cursor, after: int, most: int = _PAGE) -> list[tuple[int, bytes]]:
    """Return at most ``most`` (number, record) of the events after a number, in order."""
    sql = "SELECT number, record FROM review_event WHERE number > ? ORDER BY number LIMIT ?"
    return [(number, _as_bytes(record)) for number, record in cursor.rows(sql, after, most)]


def latest(cursor: Cursor, before: int, most: int) -> list[tuple[int, dict[str, Any]]]:
    """Return at most ``most`` events before a number (0: the end), newest first, parsed."""
    sql = "SELECT number, record FROM review_event WHERE number < ? ORDER BY number DESC LIMIT ?"
    rows = cursor.rows(sql, before or 1 << 62, most)
    return [(number, _read(_as_bytes(record))) for number, record in rows]


def _as_bytes(record: object) -> bytes:
    """Return a record's bytes; b"" for text, which SQLite accepts but this module never writes."""
    return bytes(record) if isinstance(record, bytes | memoryview) else b""


def _read(record: bytes) -> dict[str, Any]:
    """Parse an event; a record that is not an event gets a placeholder name."""
    try:
        found = json.loads(record)
    except ValueError:
        found = None
    nameless = {"time_ms": 0, "event": "not an event", "person": ""}
    return nameless | found if isinstance(found, dict) else nameless


def verify(
    database: Database, publics: Mapping[str, bytes], expected: Mapping[str, Head] | None = None
) -> tuple[int, list[Problem], list[ChainReport]]:
    """Verify all events; return their number, the problems found, and the chains with their heads.

    ``expected`` are chain heads stored elsewhere; without them, removal of the last events goes
    undetected.
    """
    verifier = Verifier(publics, expected or {})
    for number, record in _all(database):
        verifier.add(Place("event", number), record)
    chains = list(verifier.finish())
    problems = list(verifier.problems)
    if len(chains) > 1:
        problems.append(Problem(None, f"{len(chains)} chains: events of another store are here"))
    return verifier.records, problems, chains


def _all(database: Database) -> Iterator[tuple[int, bytes]]:
    """Yield (number, record) of all events in order, one page per transaction."""
    after = 0
    while True:
        with database.transaction() as cursor:
            page = read(cursor, after)
        if not page:
            return
        yield from page
        after = page[-1][0]
