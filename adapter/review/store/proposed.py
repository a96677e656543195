"""Stored proposals, with their state and the readings and people that they come from."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from adapter.review.judging.proposals import Proposal
from adapter.review.store.protocol import Conflict
from adapter.review.store.store import fresh_id

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adapter.review.store.protocol import Cursor
    from adapter.review.store.store import Store
    from adapter.sealing.box import Box

OPEN, APPROVED, DECLINED = STATES = ("open", "approved", "declined")
INDUCTION = "induction"
"""The author of proposals from dictionary induction."""


@dataclass(frozen=True, slots=True)
class Proposed:
    """A stored proposal; ``authors`` are the people whose decisions led to it.

    ``preview`` is the JSON of its counts, "" until it is computed; ``support`` is the number of
    its sources; ``created`` and ``decided`` are in ms since the epoch.
    """

    id: str
    state: str
    version: int
    approver: str
    created: int
    decided: int
    preview: str = field(repr=False)
    proposal: Proposal
    authors: tuple[str, ...]
    support: int


def _bound(identity: str) -> bytes:
    return b"review proposal " + identity.encode()


def propose(store: Store, cursor: Cursor, proposal: Proposal) -> str:
    """Add a proposal unless an equal one exists, and return its id.

    The state of an existing proposal does not change.
    """
    same = store.mac(proposal.key.decode())
    rows = cursor.rows("SELECT id FROM review_proposal WHERE same = ?", same)
    if rows:
        return str(rows[0][0])
    identity = fresh_id()
    cursor.run(
        "INSERT INTO review_proposal VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        identity, same, str(proposal.effect), proposal.label, proposal.language, OPEN, 0, "",
        store.now, 0, store.box.seal(proposal.packed(), _bound(identity)), "",
    )  # fmt: skip
    return identity


def support(cursor: Cursor, proposal: str, reading: str, person: str) -> None:
    """Add a reading and its person to the sources of a proposal."""
    sql = "SELECT 1 FROM review_source WHERE proposal = ? AND reading = ?"
    if not cursor.rows(sql, proposal, reading):
        cursor.run("INSERT INTO review_source VALUES (?, ?, ?)", proposal, reading, person)


def withdraw(cursor: Cursor, reading: str) -> None:
    """Remove a reading from the sources of its proposals, and delete those left without sources.

    Raises:
        Conflict: one of the proposals is decided.
    """
    sql = (
        "SELECT p.id, p.state FROM review_proposal p JOIN review_source s ON s.proposal = p.id"
        " WHERE s.reading = ?"
    )
    rows = cursor.rows(sql, reading)
    if any(state != OPEN for _, state in rows):
        raise Conflict("a proposal that follows from it was decided")
    cursor.run("DELETE FROM review_source WHERE reading = ?", reading)
    for identity, _ in rows:
        cursor.run(
            "DELETE FROM review_proposal WHERE id = ? AND NOT EXISTS"
            " (SELECT 1 FROM review_source s WHERE s.proposal = review_proposal.id)",
            identity,
        )


def expire(cursor: Cursor, now: int) -> None:
    """Delete the open proposals whose sources are all readings of expired items."""
    old = (
        "SELECT r.id FROM review_reading r JOIN review_item i ON i.id = r.item WHERE i.expires <= ?"
    )
    asked = (
        "SELECT DISTINCT s.proposal FROM review_source s"  # noqa: S608 - fixed text
        " JOIN review_proposal p ON p.id = s.proposal"
        f" WHERE p.state = 'open' AND s.reading IN ({old})"
    )
    for (identity,) in cursor.rows(asked, now):
        sql = f"DELETE FROM review_source WHERE proposal = ? AND reading IN ({old})"  # noqa: S608
        cursor.run(sql, identity, now)
        others = (
            "SELECT 1 FROM review_source s JOIN review_reading r ON r.id = s.reading"
            " WHERE s.proposal = ? LIMIT 1"
        )
        if not cursor.rows(others, identity):  # a source that is not a reading narrowed it only
            cursor.run("DELETE FROM review_source WHERE proposal = ?", identity)
            cursor.run("DELETE FROM review_proposal WHERE id = ?", identity)


_COLUMNS = "id, state, version, approver, created, decided, preview, sealed"


def of(cursor: Cursor, box: Box, identity: str) -> Proposed | None:
    """Return the proposal with this id, or None.

    Raises:
        SealError: its key is not available.
    """
    sql = f"SELECT {_COLUMNS} FROM review_proposal WHERE id = ?"  # noqa: S608 - fixed names
    rows = cursor.rows(sql, identity)
    if not rows:
        return None
    sources = cursor.rows("SELECT person FROM review_source WHERE proposal = ?", identity)
    plain = box.open(bytes(rows[0][7]), _bound(identity))
    authors = tuple(sorted({row[0] for row in sources}))
    columns = dict(zip(_COLUMNS.split(", ")[:7], rows[0], strict=False))
    proposal = Proposal.unpacked(plain)
    return Proposed(**columns, proposal=proposal, authors=authors, support=len(sources))


def listed(
    cursor: Cursor, box: Box, state: str, *, skip: int = 0, most: int = 50
) -> Sequence[Proposed]:
    """Return at most ``most`` proposals in a state, oldest first, after the first ``skip``."""
    sql = "SELECT id FROM review_proposal WHERE state = ? ORDER BY created, id LIMIT ? OFFSET ?"
    found = (of(cursor, box, row[0]) for row in cursor.rows(sql, state, most, skip))
    return [proposed for proposed in found if proposed is not None]


def count(cursor: Cursor, state: str) -> int:
    """Return the number of proposals in a state."""
    sql = "SELECT COUNT(*) FROM review_proposal WHERE state = ?"
    return int(cursor.rows(sql, state)[0][0])


def decide(
    cursor: Cursor, identity: str, version: int, *, state: str, approver: str, now: int
) -> None:
    """Approve or decline an open proposal.

    Raises:
        Conflict: it is not open, or not at that version.
    """
    sql = (
        "UPDATE review_proposal SET state = ?, approver = ?, decided = ?, version = version + 1"
        " WHERE id = ? AND version = ? AND state = 'open'"
    )
    if cursor.run(sql, state, approver, now, identity, version) != 1:
        raise Conflict("somebody else was first")


def previewed(cursor: Cursor, identity: str, version: int, preview: str) -> None:
    """Store the preview of an open proposal, which was computed at that version.

    Raises:
        Conflict: the proposal was changed or decided since, so that the preview is outdated.
    """
    sql = "UPDATE review_proposal SET preview = ? WHERE id = ? AND version = ? AND state = 'open'"
    if cursor.run(sql, preview, identity, version) != 1:
        raise Conflict("it was changed or decided meanwhile: compute its effect again")


def replace(cursor: Cursor, box: Box, identity: str, proposal: Proposal, same: bytes) -> None:
    """Replace an open proposal, as narrowing a veto to a neighbouring word does; drop its preview.

    Raises:
        Conflict: it is decided, or equals another proposal.
    """
    clash = "SELECT 1 FROM review_proposal WHERE same = ? AND id <> ?"
    sql = (
        "UPDATE review_proposal SET same = ?, sealed = ?, preview = '', version = version + 1"
        " WHERE id = ? AND state = 'open'"
    )
    sealed = box.seal(proposal.packed(), _bound(identity))
    if cursor.rows(clash, same, identity) or cursor.run(sql, same, sealed, identity) != 1:
        raise Conflict("it was decided, or another proposal asks for the same")
