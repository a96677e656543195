"""Provenance headers of released records: the message's id, the ruleset and the key.

No header reveals where a message came from: its id is a MAC of the source's coordinates, under a
key derived for this purpose only. Every transport gets the headers with the record.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from adapter.headers import MESSAGE_ID, PROVENANCE
from adapter.surrogates import Key

if TYPE_CHECKING:
    from adapter.types import Record, Release

_ID_BYTES = 16


@dataclass(frozen=True, slots=True)
class Provenance:
    """The provenance that the released records of one run share.

    ``lasting`` says that a position always names the same record, as an offset of a topic does; if
    not, the id also covers the bytes of the record.
    """

    key: Key = field(repr=False)
    ruleset: str = ""
    lasting: bool = True

    @classmethod
    def under(cls, key_id: str, secret: bytes, ruleset: str, *, lasting: bool) -> Provenance:
        """Return the provenance for a domain's secret; only a key derived from it is kept."""
        return cls(Key(key_id, Key(key_id, secret).mac("message")), ruleset, lasting)

    def message_id(self, record: Record) -> str:
        """Return a message's id: 128 bits in hexadecimal, the same in every run with that key."""
        at = record.position
        told = [at.topic, str(at.partition), str(at.offset)]
        if not self.lasting:
            told.append(hashlib.sha256(record.value or b"").hexdigest())
        return self.key.mac(*told)[:_ID_BYTES].hex()

    def headers(self, record: Record, release: Release) -> tuple[tuple[str, bytes], ...]:
        """Return a release's headers, with this provenance instead of any from the input."""
        passed = [h for h in release.headers if not h[0].lower().startswith(PROVENANCE)]
        own = {
            MESSAGE_ID: self.message_id(record),
            "deid-ruleset": release.ruleset_digest or self.ruleset,
            "deid-key": self.key.id,
            "deid-merges": _merges(release),
        }
        return (*passed, *((name, text.encode()) for name, text in own.items() if text))


def _merges(release: Release) -> str:
    merges = [merge.as_dict() for merge in release.merges]
    return json.dumps(merges, separators=(",", ":")) if merges else ""
