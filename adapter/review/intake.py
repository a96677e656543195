"""Adds messages to the store, and draws samples from it for readers."""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import cycle
from typing import TYPE_CHECKING

from adapter.audit import open_kind
from adapter.errors import RuleError
from adapter.review.examining import contents
from adapter.review.figures.sampling import MEASURES, draw, entropy, stratum, uncertain
from adapter.review.judging.editing import canonical
from adapter.review.judging.items import packed
from adapter.review.roles import Role
from adapter.review.store import items, people, readings
from adapter.review.store.items import Item, Mention
from adapter.review.store.readings import Reading
from adapter.review.store.store import fresh_id

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from adapter.pipeline.ruleset import Ruleset
    from adapter.review.judging.items import Content
    from adapter.review.store.protocol import Cursor
    from adapter.review.store.store import Store

DAY_MS = 86_400_000
CANDIDATES = 50
"""Uncertain mentions fetched for each one wanted: most phrases occur repeatedly."""


@dataclass(frozen=True, slots=True)
class Taken:
    """The numbers of messages added, and of messages already in the store."""

    added: int
    known: int


@dataclass(slots=True)
class Intake:
    """Adds messages, which expire after ``days`` days."""

    store: Store
    ruleset: Ruleset
    days: int

    def held(self, name: str, raw: bytes, hold: str, topic: str = "") -> Taken:
        """Add a held record under its name in the quarantine, and queue it."""
        return self._add(contents(raw, self.ruleset, hold, topic), name, "held")

    def message(self, raw: bytes, topic: str = "") -> Taken:
        """Add the messages of a record for sampling; messages that are held are queued.

        ``topic`` is the source of the record: a topic, or a file name.
        """
        return self._add(contents(raw, self.ruleset, topic=topic), "", "")

    def _add(self, found: Iterable[Content], name: str, queue: str) -> Taken:
        added = known = 0
        for number, content in enumerate(found):
            if self._one(content, name and f"{name}#{number}", name, queue):
                added += 1
            else:
                known += 1
        return Taken(added, known)

    def _one(self, content: Content, origin: str, name: str, queue: str) -> bool:
        store, now = self.store, self.store.now
        mentions = list(self._mentions(content))
        identity = fresh_id()
        kind = open_kind(content.kind)
        expires = now + self.days * DAY_MS
        macs = store.mac(f"raw {content.raw.hex()}"), store.mac(f"origin {origin}")
        with store.step("import", item=identity, queue=queue or "pool") as cursor:
            mac = _origin(cursor, content, macs, name)
            if mac is None:
                return False
            where = _stratum(content, kind, mentions, len(readings.sample_sizes(cursor)))
            item = Item(identity, kind, where, content.hold, name, now, expires)
            fresh = items.add(cursor, store.box, item, mac, packed(content), mentions=mentions)
            if fresh and (queue == "held" or content.hold):
                spans = sum(len(text.marks) for text in content.texts)
                rank = readings.arrival(cursor)
                held = Reading(fresh_id(), identity, "held", rank=rank, spans=spans, created=now)
                readings.add(cursor, held)
            return fresh

    def _mentions(self, content: Content) -> Iterator[Mention]:
        for number, text in enumerate(content.texts):
            for mark in text.marks:
                phrase = self.store.mac(canonical(text.text[mark.start : mark.end]))
                doubt = entropy(mark.score) if text.is_free else 0.0
                yield Mention(number, mark.start, mark.end, phrase, mark.score, doubt)


def _origin(cursor: Cursor, content: Content, macs: tuple[bytes, bytes], name: str) -> bytes | None:
    """Return the MAC that identifies a new item; None if the message is in the store already.

    It is the MAC of the bytes, so that a held message that also comes from a file is stored once,
    under its name in the quarantine. Further held messages with the same bytes are identified by
    the MAC of their names instead, since each is retried by its own name.
    """
    raw, own = macs
    there = items.of_origin(cursor, raw)
    if there is None or not name:
        return raw if there is None else None
    if content.hold and there.hold and there.name in {"", name}:
        items.rename(cursor, there.id, name)
        return None
    return own if items.of_origin(cursor, own) is None else None


def _stratum(content: Content, kind: str, mentions: Sequence[Mention], samples: int) -> str:
    """Return the stratum of a message; "" if it has no free text."""
    if not content.free:
        return ""
    length = sum(len(content.texts[n].text) for n in content.free)
    return stratum(kind, length, max((m.uncertainty for m in mentions), default=0.0), samples)


def _readers(cursor: Cursor, fewest: int) -> list[str]:
    found = [p.id for p in people.everybody(cursor) if p.active and p.role == Role.ANNOTATOR]
    if len(found) < fewest:
        raise RuleError("review sample", f"needs {fewest} annotators: `review people add`")
    return found


def sample_recall(store: Store, wanted: int, seed: int) -> int:
    """Draw messages at random within strata, assign two blind readers to each; return their number.

    Raises:
        RuleError: there are no messages, or fewer than two annotators can read one blind.
    """
    with store.step("sample", queue="recall", wanted=wanted, seed=seed) as cursor:
        pool = items.strata(cursor)
        read = {name for sizes in readings.sample_sizes(cursor) for name in sizes}
        frames = draw(pool, wanted, seed, read)
        if not frames:
            raise RuleError("review sample", "there are no messages with free text: import some")
        everybody = _readers(cursor, 2)
        pairs = _pairs(everybody)
        name, now = fresh_id(), store.now
        sizes = json.dumps({frame.stratum: frame.size for frame in frames})
        cursor.run("INSERT INTO review_sample VALUES (?, ?, ?, ?)", name, now, seed, sizes)
        drawn = [item for frame in frames for item in frame.drawn]
        for item in sorted(drawn):
            for reader in _unbiased(cursor, item, next(pairs), everybody):
                reading = Reading(fresh_id(), item, "recall", name, reader, created=now)
                readings.add(cursor, reading)
        return len(drawn)


def _unbiased(
    cursor: Cursor, item: str, pair: tuple[str, str], everybody: list[str]
) -> tuple[str, str]:
    """Return two readers who have not seen the machine's spans in an item; the pair if possible.

    Raises:
        RuleError: fewer than two are left.
    """
    seen = {r.assignee for r in readings.of_item(cursor, item, "uncertain")}
    free = tuple(dict.fromkeys(one for one in (*pair, *everybody) if one not in seen))
    if len(free) < 2:  # noqa: PLR2004 - a recall sample is read by two
        problem = "all annotators but one were shown suggestions in a drawn message: add another"
        raise RuleError("review sample", problem)
    return free[0], free[1]


def _pairs(readers: list[str]) -> Iterator[tuple[str, str]]:
    """Yield pairs of adjacent readers in rotation, so that all read equally many messages."""
    return cycle([(one, readers[n - 1]) for n, one in enumerate(readers)])


def sample_uncertain(store: Store, wanted: int, by: str) -> int:
    """Queue the least certain mentions, one message per phrase; return their number."""
    with store.step("sample", queue="uncertain", wanted=wanted, by=by) as cursor:
        found = items.candidates(cursor, wanted * CANDIDATES)
        chosen = uncertain(found, wanted, MEASURES[by])
        given = cycle(_readers(cursor, 1))
        for rank, candidate in enumerate(chosen):
            focus = _number(cursor, candidate.message, candidate.text, candidate.start)
            readings.add(
                cursor,
                Reading(
                    fresh_id(), candidate.message, "uncertain", "", next(given), focus, rank,
                    spans=1, created=store.now,
                ),
            )  # fmt: skip
        return len(chosen)


def _number(cursor: Cursor, item: str, text: int, start: int) -> int:
    """Return the index of a mention among the machine's spans of an item."""
    sql = (
        "SELECT COUNT(*) FROM review_mention"
        " WHERE item = ? AND (text < ? OR (text = ? AND first < ?))"
    )
    return int(cursor.rows(sql, item, text, text, start)[0][0])
