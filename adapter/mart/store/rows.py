"""From what is landed to columns of rows. Pure."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from adapter.mart.versions import BACKFILL

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from adapter.mart.store.database import Columns, Row
    from adapter.mart.store.protocol import Entry, MessageRow

_MESSAGE = "message_id topic part seq format kind ruleset key_id outcome keyless landed".split()
_VERSION = "resource_type resource_id subject op body message_id idx".split()
_LINK = "number other message_id".split()
_MERGE = "prior number days idx message_id".split()
_REJECT = "place code n message_id".split()


def place(message: MessageRow) -> tuple[bool, str, int, int]:
    """What orders messages: backfilled lanes are older than live ones."""
    live = not message.topic.startswith(BACKFILL)
    return live, message.topic, message.partition, message.offset


def message_rows(entries: Iterable[Entry]) -> Columns:
    """Rows of the table message."""
    return _columns(_MESSAGE, [_message(entry) for entry in entries])


def _message(entry: Entry) -> Row:
    m = entry.message
    at = (m.message_id, m.topic, m.partition, m.offset)
    kind = (m.format or entry.landed.format, m.kind or entry.landed.kind)
    outcome = (m.outcome.value, entry.landed.keyless_results)
    return (*at, *kind, m.ruleset, m.key_id, *outcome, m.landed)


def person_rows(entries: Sequence[Entry]) -> dict[str, Columns]:
    """Table -> its rows, of tables that have rows of persons."""
    makers = {
        "version": (_VERSION, _versions),
        "number_link": (_LINK, _links),
        "merge": (_MERGE, _merges),
        "reject": (_REJECT, _rejects),
    }
    return {
        table: _columns(names, [row for entry in entries for row in rows(entry)])
        for table, (names, rows) in makers.items()
    }


def _versions(entry: Entry) -> Iterator[Row]:
    own = entry.message.message_id
    for v in entry.landed.versions:
        yield v.resource_type, v.resource_id, v.subject, v.op.value, v.body, own, v.index


def _links(entry: Entry) -> Iterator[Row]:
    """The least number of a person with each of the others; a single one only if nothing has it."""
    subjects = {version.subject for version in entry.landed.versions}
    for group in entry.landed.numbers:
        least, *others = sorted(set(group))
        for other in others:
            yield least, other, entry.message.message_id
        if not others and least not in subjects:
            yield least, least, entry.message.message_id


def _merges(entry: Entry) -> Iterator[Row]:
    for index, merge in enumerate(entry.landed.merges):
        yield merge.prior, merge.number, merge.days, index, entry.message.message_id


def _rejects(entry: Entry) -> Iterator[Row]:
    counted = Counter((reject.place, reject.code) for reject in entry.landed.rejects)
    for (where, code), count in sorted(counted.items()):
        yield where, code, count, entry.message.message_id


def _columns(names: Sequence[str], rows: Sequence[Row]) -> Columns:
    values = zip(*rows, strict=True) if rows else ((),) * len(names)
    return dict(zip(names, values, strict=True))
