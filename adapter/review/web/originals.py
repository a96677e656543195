"""Records in the service's audit who is shown which original text, before its page is made.

Each page that somebody opens has one record. A step on it (a judgement, an undo) shows the same
text again and has none, unless the session never opened that reading. Records name items by their
ids in the console and held messages by their names in the quarantine.
"""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import TYPE_CHECKING, Any

from adapter.errors import RuleError
from adapter.review.store.protocol import StoreError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from adapter.review.store.people import Person
    from adapter.review.views import View

REASON = "review"
MOST = 10_000
"""Readings remembered as opened, over all sessions; the one longest unused is forgotten first."""


class Originals:
    """Records what is shown; ``record`` writes an audit record as `Accesses.record` does.

    Without ``record`` the settings keep no audit, and the console's own events are all there is.
    """

    def __init__(self, record: Callable[..., None] | None) -> None:
        self._record = record
        self._opened: OrderedDict[tuple[str, str], None] = OrderedDict()
        self._lock = Lock()

    def opened(self, session: str, person: Person, view: View) -> None:
        """Record that a person opens a reading.

        Raises:
            StoreError: the audit does not take the record, so nothing may be shown.
        """
        reading, item = view.reading, view.item
        held = {"id": item.name} if item.name else {}
        told = {"queue": reading.queue, "reading": reading.id, "item": item.id, **held}
        self._write("review view", person, **told)
        self._remember(session, reading.id)

    def repeated(self, session: str, person: Person, view: View) -> None:
        """Record that a person is shown a reading after a step, unless their session opened it.

        Raises:
            StoreError: the audit does not take the record, so nothing may be shown.
        """
        with self._lock:
            known = (session, view.reading.id) in self._opened
        if known:
            self._remember(session, view.reading.id)
        else:
            self.opened(session, person, view)

    def phrase(self, person: Person, view: View, found: Sequence[View]) -> None:
        """Record that a person is shown the places of a phrase of a reading in these items.

        Raises:
            StoreError: the audit does not take the record, so nothing may be shown.
        """
        shown = sorted({other.item.id for other in found})
        self._write("review phrase", person, reading=view.reading.id, items=shown)

    def proposals(self, person: Person, shown: Sequence[str]) -> None:
        """Record that a person is shown proposals, which have phrases of messages.

        Raises:
            StoreError: the audit does not take the record, so nothing may be shown.
        """
        if shown:
            self._write("review proposals", person, proposals=list(shown))

    def _remember(self, session: str, reading: str) -> None:
        with self._lock:
            self._opened[session, reading] = None
            self._opened.move_to_end((session, reading))
            if len(self._opened) > MOST:
                self._opened.popitem(last=False)

    def _write(self, access: str, person: Person, **told: Any) -> None:
        if self._record is None:
            return
        try:
            self._record(access, REASON, person=person.name, **told)
        except RuleError:
            raise StoreError("the audit does not take the record") from None
